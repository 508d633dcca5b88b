package guide

import (
	"fmt"
	"math"

	"verbatim/internal/domain/strictjson"
)

// Options configures how a payload is decoded.
type Options struct {
	// NewID makes the id of a block, item, concept or option whose externalId is omitted. When it is nil, every
	// externalId is required.
	NewID func() string
	// FileUpload accepts file_upload items, which create does not.
	FileUpload bool
	// Stored is for reading back what the service has stored: it accepts file_upload items, and does not apply the bounds,
	// which are for incoming guides.
	Stored bool
}

// Decode reads a study guide payload. It fails with a *SyntaxError, a *SchemaError or a *RulesError, in this order: the
// shape is checked only in JSON that parses, and the rules only in a payload of the right shape.
func Decode(body []byte, opts Options) (*Guide, error) {
	d := decoder{opts: opts, itemTypes: creatable}
	var limits strictjson.Limits
	if opts.Stored {
		limits = strictjson.Trusted // it has ids that its payload did not have
	}
	if opts.Stored || opts.FileUpload {
		d.itemTypes = append(creatable[:len(creatable):len(creatable)], string(FileUpload))
	}
	var g Guide
	if err := limits.Decode(body, func(o *strictjson.Object) { g = d.guide(o) }); err != nil {
		return nil, err
	}
	if broken := check(&g, !opts.Stored); broken != nil {
		return nil, broken
	}
	return &g, nil
}

// The values of the contract's enums.
var (
	interviewModes = []string{
		string(ModeText), string(ModeAudio), string(ModeAudioText), string(ModeAudioScreen), string(ModeVideo), string(ModeVideoScreen),
	}
	platforms  = []string{"ios", "android", "desktop"}
	blockTypes = []string{string(BlockFlat), string(BlockScreening), string(BlockConcept)}
	creatable  = []string{
		string(OpenEnded), string(MultipleChoice), string(Ranking), string(Matrix), string(MaxDiff), string(Statement),
	}
	followUps      = []string{string(FollowUpNone), string(FollowUpLight), string(FollowUpMedium), string(FollowUpHeavy)}
	inputs         = []string{"text", "voice", "screenRecording", "none"}
	statuses       = []string{string(Approve), string(Reject), string(Neutral)}
	mediaTypes     = []string{"image", "video"}
	operators      = []string{string(And), string(Or)}
	criterionTypes = []string{string(SelectedTemplateOptions), string(SearchParam)}
	matchings      = []string{string(MustSelect), string(MustNotSelect)}
)

// maxInteger bounds integers that the contract leaves unbounded, so that they fit every integer of the store.
const maxInteger = math.MaxInt32

// decoder turns the objects of a payload into a guide. It reads keys in the order of the contract's tables.
type decoder struct {
	opts      Options
	itemTypes []string
}

// upTo returns the limit for an incoming guide, and no limit for a stored one.
func (d *decoder) upTo(limit int) int {
	if d.opts.Stored {
		return math.MaxInt
	}
	return limit
}

func (d *decoder) text(o *strictjson.Object, key string, presence strictjson.Presence, limit int) string {
	return o.TextUpTo(key, presence, d.upTo(limit))
}

func (d *decoder) nonEmpty(o *strictjson.Object, key string, presence strictjson.Presence, limit int) string {
	return o.NonEmptyUpTo(key, presence, d.upTo(limit))
}

func (d *decoder) objects(
	o *strictjson.Object, key string, presence strictjson.Presence, least, limit int, read func(*strictjson.Object),
) {
	o.ObjectsUpTo(key, presence, least, d.upTo(limit), read)
}

func (d *decoder) id(o *strictjson.Object) string {
	if d.opts.NewID == nil {
		return d.nonEmpty(o, "externalId", strictjson.Required, MaxID)
	}
	if id := d.nonEmpty(o, "externalId", strictjson.Optional, MaxID); id != "" {
		return id
	}
	return d.opts.NewID()
}

func (d *decoder) guide(o *strictjson.Object) Guide {
	g := Guide{
		Title:         d.nonEmpty(o, "title", strictjson.Required, MaxTitle),
		ExternalTitle: d.text(o, "externalTitle", strictjson.Optional, MaxTitle),
		Background:    d.text(o, "background", strictjson.Optional, MaxBackground),
		StudyGoal:     d.text(o, "studyGoal", strictjson.Optional, MaxLongText),
	}
	o.Object("config", strictjson.Optional, func(o *strictjson.Object) {
		g.Config = Config{
			InterviewMode:      InterviewMode(o.Enum("interviewMode", strictjson.Optional, interviewModes)),
			QuestionLanguage:   o.Enum("questionLanguage", strictjson.Optional, Languages),
			AvailableLanguages: o.Enums("availableLanguages", strictjson.Nullable, Languages, d.upTo(MaxLanguages)),
			TargetPlatforms:    o.Enums("targetPlatforms", strictjson.Optional, platforms, d.upTo(MaxPlatforms)),
		}
		o.Object("verbatim", strictjson.Optional, func(o *strictjson.Object) {
			o.Object("model", strictjson.Optional, func(o *strictjson.Object) { g.Config.Model = d.modelUse(o) })
			o.Object("sensitiveTopics", strictjson.Optional, func(o *strictjson.Object) { g.Config.SensitiveTopics = d.sensitiveTopics(o) })
			o.Object("fieldwork", strictjson.Optional, func(o *strictjson.Object) { g.Config.Fieldwork = d.fieldwork(o) })
			d.objects(o, "quotas", strictjson.Optional, 0, MaxQuotas, func(o *strictjson.Object) { g.Config.Quotas = append(g.Config.Quotas, d.quota(o)) })
			o.Object("panel", strictjson.Optional, func(o *strictjson.Object) { g.Config.Panel = d.panel(o) })
			o.Object("consent", strictjson.Optional, func(o *strictjson.Object) { g.Config.Consent = d.consent(o) })
			shown := o.Bool("showDuration", strictjson.Optional)
			g.Config.HideDuration = o.Has("showDuration") && !shown
			o.Object("embedding", strictjson.Optional, func(o *strictjson.Object) { g.Config.Embedding = d.embedding(o) })
			d.objects(o, "captions", strictjson.Optional, 0, MaxCaptions, func(o *strictjson.Object) {
				g.Config.Captions = append(g.Config.Captions, d.captions(o))
			})
			o.Object("voice", strictjson.Optional, func(o *strictjson.Object) { g.Config.Voice = d.voice(o) })
			if decorative := o.TextsUpTo("decorativeMedia", strictjson.Optional, 0, d.upTo(MaxCaptions), d.upTo(MaxURL)); len(decorative) > 0 {
				g.Config.DecorativeMedia = decorative
			}
		})
	})
	o.Object("welcomeMessage", strictjson.Optional, func(o *strictjson.Object) {
		g.Welcome = Welcome{
			Title:   d.text(o, "title", strictjson.Optional, MaxTitle),
			Message: d.text(o, "message", strictjson.Optional, MaxLongText),
		}
	})
	g.ClosingMessage = d.text(o, "closingMessage", strictjson.Optional, MaxLongText)
	d.objects(o, "studyGuide", strictjson.Required, 1, MaxBlocks, func(o *strictjson.Object) { g.Blocks = append(g.Blocks, d.block(o)) })
	return g
}

func (d *decoder) block(o *strictjson.Object) Block {
	kind, _ := o.Discriminator("type", blockTypes)
	b := Block{Type: BlockType(kind), Title: d.text(o, "title", strictjson.Required, MaxTitle)}
	d.objects(o, "items", strictjson.Required, 1, MaxBlockItems, func(o *strictjson.Object) { b.Items = append(b.Items, d.item(o)) })
	b.ID = d.id(o)
	o.Object("conceptSamplingConfig", strictjson.Nullable, func(o *strictjson.Object) { b.Sampling = d.sampling(o) })
	return b
}

func (d *decoder) sampling(o *strictjson.Object) *Sampling {
	var s Sampling
	// An empty or missing list breaks a rule; its shape is not wrong.
	d.objects(o, "concepts", strictjson.Optional, 0, MaxConcepts, func(o *strictjson.Object) { s.Concepts = append(s.Concepts, d.concept(o)) })
	s.SubsampleCount = o.Int("subsampleCount", strictjson.Nullable, 1, maxInteger)
	return &s
}

func (d *decoder) concept(o *strictjson.Object) Concept {
	c := Concept{Nickname: d.nonEmpty(o, "nickname", strictjson.Required, MaxTitle)}
	o.Object("content", strictjson.Required, func(o *strictjson.Object) {
		c.Title = d.text(o, "title", strictjson.Required, MaxTitle)
		c.Description = d.text(o, "description", strictjson.Nullable, MaxLongText)
		c.Media = d.media(o, strictjson.Optional)
		c.Embed = d.embed(o, strictjson.Nullable)
	})
	c.Conditional = d.conditional(o, strictjson.Nullable)
	c.ID = d.id(o)
	return c
}

func (d *decoder) media(o *strictjson.Object, presence strictjson.Presence) (media []Media) {
	d.objects(o, "media", presence, 0, MaxMedia, func(o *strictjson.Object) {
		media = append(media, Media{
			Name:            d.nonEmpty(o, "name", strictjson.Required, MaxTitle),
			URL:             o.URL("url", strictjson.Required, d.upTo(MaxURL)),
			Type:            o.Enum("type", strictjson.Required, mediaTypes),
			WidthPercentage: o.Number("widthPercentage", strictjson.Optional, 1, 100),
			ForceWatching:   o.Bool("forceWatching", strictjson.Optional),
		})
	})
	return media
}

func (d *decoder) embed(o *strictjson.Object, presence strictjson.Presence) (embed *Embed) {
	o.Object("embed", presence, func(o *strictjson.Object) {
		embed = &Embed{URL: o.URL("url", strictjson.Required, d.upTo(MaxURL)), ProxyURL: o.URL("proxyUrl", strictjson.Optional, d.upTo(MaxURL))}
	})
	return embed
}

func (d *decoder) conditional(o *strictjson.Object, presence strictjson.Presence) (conditional *Conditional) {
	o.Object("conditional", presence, func(o *strictjson.Object) {
		conditional = &Conditional{Operator: Operator(o.Enum("operator", strictjson.Required, operators))}
		d.objects(o, "criteria", strictjson.Required, 1, MaxCriteria, func(o *strictjson.Object) {
			conditional.Criteria = append(conditional.Criteria, d.criterion(o))
		})
	})
	return conditional
}

func (d *decoder) criterion(o *strictjson.Object) Criterion {
	kind, _ := o.Discriminator("type", criterionTypes)
	c := Criterion{Type: CriterionType(kind)}
	selected, param := []string{"questionId", "matchingCriteria", "choices", "matrixRow"}, []string{"parameter", "value"}
	switch c.Type {
	case SelectedTemplateOptions:
		c.QuestionID = d.nonEmpty(o, "questionId", strictjson.Required, MaxID)
		c.Matching = Matching(o.Enum("matchingCriteria", strictjson.Required, matchings))
		c.Choices = o.TextsUpTo("choices", strictjson.Required, 1, d.upTo(MaxChoices), d.upTo(MaxOptionText))
		c.MatrixRow = d.reference(o, "matrixRow", MaxOptionText)
		o.NullOnly(param...)
	case SearchParam:
		c.Parameter = d.nonEmpty(o, "parameter", strictjson.Required, MaxParameter)
		c.Value = d.text(o, "value", strictjson.Required, MaxParameter)
		o.NullOnly(selected...)
	default:
		o.Ignore(append(selected, param...)...)
	}
	return c
}

// emptyReference stands for a reference given as an empty string: it refers to nothing, which the rules report with its
// place, and is not the same as an omitted one. No payload can contain this character.
const emptyReference = "\x00"

// reference reads a key that refers to another part of the guide; it returns "" if the key is omitted.
func (d *decoder) reference(o *strictjson.Object, key string, limit int) string {
	name := d.text(o, key, strictjson.Nullable, limit)
	if name == "" && o.Has(key) {
		return emptyReference
	}
	return name
}

// rowID returns the id of the row at an index: rows have no ids of their own in the payload.
func rowID(index int) string { return fmt.Sprintf("r%d", index+1) }

package guide

import (
	"fmt"
	"math"

	"verbatim/internal/strictjson"
)

// Options says how a payload is decoded.
type Options struct {
	// NewID makes the id of a block, item, concept or option whose externalId is omitted. When it is nil, every
	// externalId is required.
	NewID func() string
	// Stored lets pass what the service itself stores and create does not accept: file_upload items.
	Stored bool
}

// Decode reads a study guide payload. It fails with a *SyntaxError, a *SchemaError or a *RulesError, in this order:
// the shape is judged only in JSON that parses, the rules only in a payload of the right shape.
func Decode(body []byte, opts Options) (*Guide, error) {
	d := decoder{opts: opts, itemTypes: creatable}
	var limits strictjson.Limits
	if opts.Stored {
		limits = strictjson.Trusted // it has ids that its payload did not have
		d.itemTypes = append(creatable[:len(creatable):len(creatable)], string(FileUpload))
	}
	var g Guide
	if err := limits.Decode(body, func(o *strictjson.Object) { g = d.guide(o) }); err != nil {
		return nil, err
	}
	if broken := check(&g); len(broken) > 0 {
		return nil, &RulesError{Violations: broken}
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

// most bounds integers that the contract leaves unbounded, so that they fit every integer of the store.
const most = math.MaxInt32

// decoder turns the objects of a payload into a guide. Keys are read in the order of the contract's tables.
type decoder struct {
	opts      Options
	itemTypes []string
}

func (d *decoder) id(o *strictjson.Object) string {
	if d.opts.NewID == nil {
		return o.NonEmpty("externalId", strictjson.Required)
	}
	if id := o.NonEmpty("externalId", strictjson.Optional); id != "" {
		return id
	}
	return d.opts.NewID()
}

func (d *decoder) guide(o *strictjson.Object) Guide {
	g := Guide{
		Title:         o.NonEmpty("title", strictjson.Required),
		ExternalTitle: o.Text("externalTitle", strictjson.Optional),
		Background:    o.Text("background", strictjson.Optional),
		StudyGoal:     o.Text("studyGoal", strictjson.Optional),
	}
	o.Object("config", strictjson.Optional, func(o *strictjson.Object) {
		g.Config = Config{
			InterviewMode:      InterviewMode(o.Enum("interviewMode", strictjson.Optional, interviewModes)),
			QuestionLanguage:   o.Enum("questionLanguage", strictjson.Optional, Languages),
			AvailableLanguages: o.Enums("availableLanguages", strictjson.Nullable, Languages),
			TargetPlatforms:    o.Enums("targetPlatforms", strictjson.Optional, platforms),
		}
	})
	o.Object("welcomeMessage", strictjson.Optional, func(o *strictjson.Object) {
		g.Welcome = Welcome{
			Title:   o.Text("title", strictjson.Optional),
			Message: o.Text("message", strictjson.Optional),
		}
	})
	g.ClosingMessage = o.Text("closingMessage", strictjson.Optional)
	o.Objects("studyGuide", strictjson.Required, 1, func(o *strictjson.Object) { g.Blocks = append(g.Blocks, d.block(o)) })
	return g
}

func (d *decoder) block(o *strictjson.Object) Block {
	kind, _ := o.Discriminator("type", blockTypes)
	b := Block{Type: BlockType(kind), Title: o.Text("title", strictjson.Required)}
	o.Objects("items", strictjson.Required, 1, func(o *strictjson.Object) { b.Items = append(b.Items, d.item(o)) })
	b.ID = d.id(o)
	o.Object("conceptSamplingConfig", strictjson.Nullable, func(o *strictjson.Object) { b.Sampling = d.sampling(o) })
	return b
}

func (d *decoder) sampling(o *strictjson.Object) *Sampling {
	var s Sampling
	// An empty or missing list is a broken rule, not a wrong shape.
	o.Objects("concepts", strictjson.Optional, 0, func(o *strictjson.Object) { s.Concepts = append(s.Concepts, d.concept(o)) })
	s.SubsampleCount = o.Int("subsampleCount", strictjson.Nullable, 1, most)
	return &s
}

func (d *decoder) concept(o *strictjson.Object) Concept {
	c := Concept{Nickname: o.NonEmpty("nickname", strictjson.Required)}
	o.Object("content", strictjson.Required, func(o *strictjson.Object) {
		c.Title = o.Text("title", strictjson.Required)
		c.Description = o.Text("description", strictjson.Optional)
		c.Media = d.media(o, strictjson.Optional)
		c.Embed = d.embed(o, strictjson.Optional)
	})
	c.Conditional = d.conditional(o, strictjson.Optional)
	c.ID = d.id(o)
	return c
}

func (d *decoder) media(o *strictjson.Object, presence strictjson.Presence) (media []Media) {
	o.Objects("media", presence, 0, func(o *strictjson.Object) {
		media = append(media, Media{
			Name:            o.NonEmpty("name", strictjson.Required),
			URL:             o.URL("url", strictjson.Required),
			Type:            o.Enum("type", strictjson.Required, mediaTypes),
			WidthPercentage: o.Int("widthPercentage", strictjson.Optional, 1, 100),
			ForceWatching:   o.Bool("forceWatching", strictjson.Optional),
		})
	})
	return media
}

func (d *decoder) embed(o *strictjson.Object, presence strictjson.Presence) (embed *Embed) {
	o.Object("embed", presence, func(o *strictjson.Object) {
		embed = &Embed{URL: o.URL("url", strictjson.Required), ProxyURL: o.URL("proxyUrl", strictjson.Optional)}
	})
	return embed
}

func (d *decoder) conditional(o *strictjson.Object, presence strictjson.Presence) (conditional *Conditional) {
	o.Object("conditional", presence, func(o *strictjson.Object) {
		conditional = &Conditional{Operator: Operator(o.Enum("operator", strictjson.Required, operators))}
		o.Objects("criteria", strictjson.Required, 1, func(o *strictjson.Object) {
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
		c.QuestionID = o.NonEmpty("questionId", strictjson.Required)
		c.Matching = Matching(o.Enum("matchingCriteria", strictjson.Required, matchings))
		c.Choices = o.Texts("choices", strictjson.Required, 1)
		c.MatrixRow = reference(o, "matrixRow")
		o.NullOnly(param...)
	case SearchParam:
		c.Parameter = o.NonEmpty("parameter", strictjson.Required)
		c.Value = o.Text("value", strictjson.Required)
		o.NullOnly(selected...)
	default:
		o.Ignore(append(selected, param...)...)
	}
	return c
}

// emptyReference stands for a reference that was given as an empty string: it names nothing, which the rules say with its
// place, and is not the same as an omitted one. No payload can hold the character.
const emptyReference = "\x00"

// reference reads a key that names another part of the guide; empty when it is omitted.
func reference(o *strictjson.Object, key string) string {
	name := o.Text(key, strictjson.Nullable)
	if name == "" && o.Has(key) {
		return emptyReference
	}
	return name
}

// rowID is the id of the row at an index: rows have no id of their own in the payload.
func rowID(index int) string { return fmt.Sprintf("r%d", index+1) }

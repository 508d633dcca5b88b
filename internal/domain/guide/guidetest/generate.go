package guidetest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
)

// Guide draws a valid guide: every block and item type, conditionals on choices, matrix rows and parameters, chains of
// carry-forward, concepts with sampling and conditionals. All ids are set. It may contain file_upload items, so its stored
// form needs Options.Stored.
func Guide(t *rapid.T) *guide.Guide { return draw(t, true) }

// Creatable draws a valid guide that create accepts: one without file_upload items.
func Creatable(t *rapid.T) *guide.Guide { return draw(t, false) }

func draw(t *rapid.T, uploads bool) *guide.Guide {
	d := drawing{t: t, id: IDs("id"), uploads: uploads, g: &guide.Guide{
		Title:          text(t, "title"),
		ExternalTitle:  maybe(t, "externalTitle"),
		Background:     maybe(t, "background"),
		StudyGoal:      maybe(t, "studyGoal"),
		ClosingMessage: maybe(t, "closingMessage"),
		Welcome:        guide.Welcome{Title: maybe(t, "welcome"), Message: maybe(t, "message")},
		Config: guide.Config{
			InterviewMode: rapid.SampledFrom([]guide.InterviewMode{
				"", guide.ModeText, guide.ModeAudio, guide.ModeAudioText, guide.ModeAudioScreen, guide.ModeVideo, guide.ModeVideoScreen,
			}).Draw(t, "mode"),
			QuestionLanguage:   rapid.SampledFrom(append([]string{""}, guide.Languages...)).Draw(t, "language"),
			AvailableLanguages: some(t, "languages", guide.Languages[:6]),
			TargetPlatforms:    some(t, "platforms", []string{"ios", "android", "desktop"}),
			SensitiveTopics:    guide.SensitiveTopics{Message: rapid.SampledFrom([]string{"", "Call 116 123."}).Draw(t, "sensitiveTopics")},
		},
	}}
	kinds := []guide.BlockType{guide.BlockFlat, guide.BlockConcept}
	for b := range rapid.IntRange(1, 4).Draw(t, "blocks") {
		kind := rapid.SampledFrom(kinds).Draw(t, "block")
		if b == 0 && rapid.Bool().Draw(t, "screening") {
			kind = guide.BlockScreening
		}
		d.block(kind)
	}
	d.g.Config.Panel = aPanel(t)
	if rapid.Bool().Draw(t, "embedding") {
		d.g.Config.Embedding.AllowedOrigins = []string{"https://panel.example.com", "http://localhost:3000"}
	}
	d.g.Config.Captions = d.captions()
	if d.g.RecordsVoice() && !d.g.RecordsScreen() && rapid.Bool().Draw(t, "voice") {
		d.g.Config.Voice = guide.Voice{HandsFree: true, PauseSeconds: rapid.SampledFrom([]float64{0, 0.8, 2, 5}).Draw(t, "pause"), LiveWords: rapid.Bool().Draw(t, "liveWords")}
	}
	d.g.Config.Model = guide.ModelUse{SendScreening: rapid.Bool().Draw(t, "sendScreening"), SendNothing: rapid.Bool().Draw(t, "sendNothing")}
	d.quotas()
	for _, item := range d.g.Items() {
		if rapid.IntRange(0, 9).Draw(t, "never") == 0 {
			d.g.Config.Model.NeverSend = append(d.g.Config.Model.NeverSend, item.ID)
		}
	}
	return d.g
}

// drawing is a guide while it is being drawn. Its sources are what earlier items offer to later ones.
type drawing struct {
	t       *rapid.T
	g       *guide.Guide
	id      func() string
	uploads bool
	asked   []source // items that a conditional may ask about
	carried []source // of those, items that can be carried forward
}

// source is an item with all options that it may show.
type source struct {
	item    guide.Item
	options []guide.Option
}

func (d *drawing) block(kind guide.BlockType) {
	block := guide.Block{ID: d.id(), Type: kind, Title: maybe(d.t, "block title")}
	if kind == guide.BlockConcept {
		block.Sampling = d.sampling() // before the items: a concept asks about earlier blocks only
	}
	for range rapid.IntRange(1, 5).Draw(d.t, "items") {
		block.Items = append(block.Items, d.item(kind))
	}
	d.g.Blocks = append(d.g.Blocks, block)
}

func (d *drawing) sampling() *guide.Sampling {
	var s guide.Sampling
	for range rapid.IntRange(1, 4).Draw(d.t, "concepts") {
		s.Concepts = append(s.Concepts, guide.Concept{
			ID:          d.id(),
			Nickname:    text(d.t, "nickname"),
			Title:       maybe(d.t, "concept title"),
			Description: maybe(d.t, "description"),
			Media:       d.media(),
			Embed:       d.embed(),
			Conditional: d.conditional(),
		})
	}
	s.SubsampleCount = rapid.IntRange(0, len(s.Concepts)).Draw(d.t, "subsample")
	return &s
}

func (d *drawing) media() []guide.Media {
	if rapid.IntRange(0, 4).Draw(d.t, "media") > 0 {
		return nil
	}
	return []guide.Media{{
		Type:            rapid.SampledFrom([]string{"image", "video"}).Draw(d.t, "media type"),
		Name:            text(d.t, "media name"),
		URL:             "https://media.example.com/a.bin",
		WidthPercentage: rapid.SampledFrom([]float64{0, 1, 33.3, 60, 99.99, 100}).Draw(d.t, "width"),
		ForceWatching:   rapid.Bool().Draw(d.t, "force"),
	}}
}

// captions returns captions in two languages where the guide has a video.
func (d *drawing) captions() []guide.Captions {
	isVideo := func(m guide.Media) bool { return m.Type == "video" }
	for b := range d.g.Blocks {
		for i := range d.g.Blocks[b].Items {
			if media := d.g.Blocks[b].Items[i].Media; slices.ContainsFunc(media, isVideo) {
				return []guide.Captions{
					{MediaURL: media[0].URL, URL: "https://media.example.com/en.vtt", Language: "en"},
					{MediaURL: media[0].URL, URL: "https://media.example.com/de.vtt", Language: "de"},
				}
			}
		}
	}
	return nil
}

func (d *drawing) embed() *guide.Embed {
	if rapid.IntRange(0, 4).Draw(d.t, "embed") > 0 {
		return nil
	}
	return &guide.Embed{
		URL:      "https://prototypes.example.com/x",
		ProxyURL: rapid.SampledFrom([]string{"", "http://proxy.example.com"}).Draw(d.t, "proxy"),
	}
}

func (d *drawing) conditional() *guide.Conditional {
	if rapid.IntRange(0, 2).Draw(d.t, "conditional") > 0 {
		return nil
	}
	c := guide.Conditional{Operator: rapid.SampledFrom([]guide.Operator{guide.And, guide.Or}).Draw(d.t, "operator")}
	for range rapid.IntRange(1, 3).Draw(d.t, "criteria") {
		c.Criteria = append(c.Criteria, d.criterion())
	}
	return &c
}

func (d *drawing) criterion() guide.Criterion {
	if len(d.asked) == 0 || rapid.IntRange(0, 3).Draw(d.t, "param") == 0 {
		return guide.Criterion{
			Type:      guide.SearchParam,
			Parameter: rapid.SampledFrom([]string{"p", "q"}).Draw(d.t, "parameter"),
			Value:     rapid.SampledFrom([]string{"", "1", "2"}).Draw(d.t, "value"),
		}
	}
	from := rapid.SampledFrom(d.asked).Draw(d.t, "source")
	c := guide.Criterion{
		Type:       guide.SelectedTemplateOptions,
		QuestionID: from.item.ID,
		Matching:   rapid.SampledFrom([]guide.Matching{guide.MustSelect, guide.MustNotSelect}).Draw(d.t, "matching"),
	}
	for range rapid.IntRange(1, 2).Draw(d.t, "choices") {
		option := rapid.SampledFrom(from.options).Draw(d.t, "choice")
		c.Choices = append(c.Choices, rapid.SampledFrom([]string{option.ID, option.Text}).Draw(d.t, "by"))
	}
	if from.item.Type == guide.Matrix {
		c.MatrixRow = rapid.SampledFrom(from.item.Rows).Draw(d.t, "row").Text
	}
	return c
}

func text(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{"What did you do?", "a", "Größe & <Preis>", "線 \"one\"\n☕", " "}).Draw(t, label)
}

func maybe(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+"?") {
		return ""
	}
	return text(t, label)
}

// some draws a few of the values, or nil.
func some[T comparable](t *rapid.T, label string, values []T) []T {
	drawn := rapid.SliceOfNDistinct(rapid.SampledFrom(values), 0, len(values), rapid.ID[T]).Draw(t, label)
	if len(drawn) == 0 {
		return nil
	}
	return drawn
}

func label(prefix string, i int) string { return fmt.Sprintf("%s %d", prefix, i+1) }

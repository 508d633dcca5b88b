package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/service/access"
)

type questions struct {
	Questions []question `json:"questions"`
}

// question has the keys of all types. Those that a type does not have are nil and left out.
type question struct {
	ID             string         `json:"id"`
	Text           string         `json:"text"`
	Type           guide.ItemType `json:"type"`
	QuestionNumber int            `json:"questionNumber"`
	IsScreener     bool           `json:"isScreener"`
	Options        *[]string      `json:"options,omitempty"`
	Rows           *[]string      `json:"rows,omitempty"`
	Columns        *[]string      `json:"columns,omitempty"`
	IsMultiSelect  *bool          `json:"isMultiSelect,omitempty"`
	Metric         *string        `json:"metric,omitempty"`
	ItemsPerScreen *int           `json:"itemsPerScreen,omitempty"`
	Concepts       []concept      `json:"concepts"`
}

type concept struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Media       []media `json:"media"`
	EmbedURL    *string `json:"embedUrl"`
}

type media struct {
	Type string `json:"type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

func (a *API) listQuestions(w http.ResponseWriter, r *http.Request) error {
	found, err := a.Authoring.Find(r.Context(), access.CallerOf(r.Context()), r.PathValue("studyId"))
	if err != nil {
		return err
	}
	return httpx.WriteRevision(w, r, found.Tag(questionsForm), func() ([]byte, error) {
		return a.Authoring.EncodedGuide(r.Context(), found, questionsForm, func(g *guide.Guide) []byte { return httpx.Encode(questions{questionsOf(g)}) })
	})
}

// questionsForm is the version of this representation of questions. Raise its number when questionsOf, or the decoding of
// guides, changes what it returns for the same stored guide: otherwise clients would keep the old questions.
const questionsForm = "v1-questions-1"

func questionsOf(g *guide.Guide) []question {
	var all []question
	index := guide.NewIndex(g)
	for place, item := range g.Items() {
		q := question{
			ID: item.ID, Text: item.Text, Type: item.Type, QuestionNumber: place.Number, IsScreener: g.IsScreener(place),
			Concepts: conceptsOf(&g.Blocks[place.Block]),
		}
		options := texts(index.OfferedOptions(item))
		switch item.Type {
		case guide.MultipleChoice:
			q.Options, q.IsMultiSelect = &options, &item.MultiSelect
		case guide.Ranking:
			q.Options = &options
		case guide.Matrix:
			rows := make([]string, len(item.Rows))
			for i, row := range item.Rows {
				rows[i] = row.Text
			}
			q.Rows, q.Columns, q.IsMultiSelect = &rows, &options, new(bool)
		case guide.MaxDiff:
			size := item.ScreenSize()
			q.Options, q.Metric, q.ItemsPerScreen = &options, &item.Metric, &size
		}
		all = append(all, q)
	}
	return all
}

func texts(options []guide.Option) []string {
	all := make([]string, len(options))
	for i, option := range options {
		all[i] = option.Text
	}
	return all
}

func conceptsOf(b *guide.Block) []concept {
	all := make([]concept, 0, len(b.Concepts()))
	for _, c := range b.Concepts() {
		shown := concept{ID: c.ID, Title: c.Title, Description: c.Description, Media: make([]media, 0, len(c.Media))}
		for _, m := range c.Media {
			shown.Media = append(shown.Media, media{m.Type, m.Name, m.URL})
		}
		if c.Embed != nil {
			shown.EmbedURL = &c.Embed.URL
		}
		all = append(all, shown)
	}
	return all
}

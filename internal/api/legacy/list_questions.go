package legacy

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
)

type questions struct {
	Questions []question `json:"questions"`
}

type question struct {
	ID             string         `json:"id"`
	Text           string         `json:"text"`
	IsScreener     bool           `json:"is_screener"`
	Type           guide.ItemType `json:"type"`
	QuestionNumber int            `json:"question_number"`
	IsMultiSelect  *bool          `json:"is_multi_select,omitempty"` // of multiple_choice alone
	Options        *[]string      `json:"options,omitempty"`         // of multiple_choice and ranking alone
	Concepts       []concept      `json:"concepts"`
}

type concept struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Media       []media `json:"media"`
	EmbedURL    *string `json:"embed_url"`
}

type media struct {
	Type string `json:"type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// listQuestions accepts only link ids, unlike the other paths.
func (a *API) listQuestions(w http.ResponseWriter, r *http.Request) error {
	linkID := r.PathValue("study_id")
	if study.IsUUID(linkID) {
		return study.ErrNotFound
	}
	found, err := a.Authoring.Find(r.Context(), access.CallerOf(r.Context()), linkID)
	if err != nil {
		return err
	}
	return httpx.WriteRevision(w, r, found.Tag(questionsForm), func() ([]byte, error) {
		return a.Authoring.EncodedGuide(r.Context(), found, questionsForm, func(g *guide.Guide) []byte { return httpx.Encode(questions{questionsOf(g)}) })
	})
}

// questionsForm is the version of this representation of questions, as in package v1.
const questionsForm = "legacy-questions-1"

func questionsOf(g *guide.Guide) []question {
	var all []question
	index := guide.NewIndex(g)
	for place, item := range g.Items() {
		q := question{
			ID: item.ID, Text: item.Text, IsScreener: g.IsScreener(place), Type: item.Type, QuestionNumber: place.Number,
			Concepts: conceptsOf(&g.Blocks[place.Block]),
		}
		if item.Type == guide.MultipleChoice {
			q.IsMultiSelect = &item.MultiSelect
		}
		if item.Type == guide.MultipleChoice || item.Type == guide.Ranking {
			options := []string{}
			for _, option := range index.OfferedOptions(item) {
				options = append(options, option.Text)
			}
			q.Options = &options
		}
		all = append(all, q)
	}
	return all
}

func conceptsOf(b *guide.Block) []concept {
	all := []concept{}
	for _, c := range b.Concepts() {
		shown := concept{ID: c.ID, Title: c.Title, Description: c.Description, Media: []media{}}
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

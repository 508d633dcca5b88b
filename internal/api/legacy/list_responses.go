package legacy

import (
	"net/http"
	"regexp"
	"strconv"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/document"
	"verbatim/internal/service/access"
	"verbatim/internal/service/results"
)

// maxPerPage is the maximum number of responses on a page.
const maxPerPage = 10_000

type responseItem struct {
	ID                      string            `json:"id"`
	ResponseNumber          int               `json:"response_number"`
	CreatedAt               timestamp         `json:"created_at"`
	UpdatedAt               timestamp         `json:"updated_at"`
	Progress                string            `json:"progress"`
	ResponseDurationSeconds int64             `json:"response_duration_seconds"`
	Answers                 answers           `json:"answers"`
	AnswersArray            []answer          `json:"answers_array"`
	Attributes              map[string]string `json:"attributes"`
	ShortTranscript         *string           `json:"short_transcript"`
	ShortAssistantMessages  []string          `json:"short_assistant_messages"`
	BulletSummary           []string          `json:"bullet_summary"`
	QualityScore            *float64          `json:"quality_score"` // null until the response is scored
	Tags                    []string          `json:"tags"`
	Tagline                 string            `json:"tagline"`
	Summary                 *string           `json:"summary,omitempty"` // left out until it is written
}

type answer struct {
	AnswerID   string  `json:"answer_id"`
	GuideID    *string `json:"discussion_guide_question_id"`
	ConceptID  *string `json:"concept_id"`
	QuestionID string  `json:"question_id"` // deprecated: the same as answer_id
	Question   string  `json:"question"`
	Answer     string  `json:"answer"`
}

// answers is encoded as a JSON object with its keys in order.
type answers document.KeyedAnswers

// numbered matches a key of package v1's object, such as "Q1: Why apples?".
var numbered = regexp.MustCompile(`^Q([1-9][0-9]*): `)

// MarshalJSON encodes the object with the keys of this API: Summary and Question <n>.
func (a answers) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, entry := range a {
		if i > 0 {
			b = append(b, ',')
		}
		key := entry.Key
		if parts := numbered.FindStringSubmatch(key); parts != nil {
			key = "Question " + parts[1]
		}
		b = append(b, httpx.Encode(key)...)
		b = append(b, ':')
		b = append(b, httpx.Encode(entry.Text)...)
	}
	return append(b, '}'), nil
}

func (a *API) listResponses(w http.ResponseWriter, r *http.Request) error {
	query := httpx.Query(r)
	since, bounded := query.Time("updated_since")
	filter := results.Filter{
		Page:         query.Int("page", 0, 0, 0),
		PerPage:      query.Int("per_page", 1000, 1, maxPerPage),
		AnalysedOnly: !query.Bool("include_in_progress", true),
	}
	if bounded { // strictly after; stored times have full microseconds
		filter.From = since.Truncate(time.Microsecond).Add(time.Microsecond)
	}
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.Results.List(r.Context(), access.CallerOf(r.Context()), r.PathValue("link_id"), filter)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("X-Total-Count", strconv.Itoa(page.Total))
	if !page.Last {
		header.Set("Link", httpx.NextPage(a.BaseURL, r, "page", filter.Page+1))
	}
	if httpx.NotModified(w, r, page.Tag) {
		return nil
	}
	if httpx.ArrayHead(w, r, -1) {
		return nil
	}
	return httpx.WriteArray(w, render, func(item func([]byte) error) error { return page.Each(r.Context(), item) })
}

// render converts a stored list item of package v1 into one of this API.
func render(stored []byte) ([]byte, error) {
	it, err := document.DecodeItem(stored)
	if err != nil {
		return nil, err
	}
	item := responseItem{
		ID:                      it.ID,
		ResponseNumber:          it.ReadableID,
		CreatedAt:               timestamp(it.CreatedAt),
		UpdatedAt:               timestamp(it.UpdatedAt),
		Progress:                it.Progress,
		ResponseDurationSeconds: it.DurationSeconds,
		Answers:                 answers(it.Answers),
		AnswersArray:            make([]answer, 0, len(it.AnswersArray)),
		Attributes:              it.URLParams,
		ShortTranscript:         orNull(it.ShortTranscript),
		ShortAssistantMessages:  list(it.ShortAssistantMessages),
		BulletSummary:           list(it.BulletSummary),
		Tags:                    list(it.Tags),
		Tagline:                 it.Tagline,
	}
	for _, a := range it.AnswersArray {
		item.AnswersArray = append(item.AnswersArray, answer{
			a.AnswerID, orNull(a.QuestionID), orNull(a.ConceptID), a.AnswerID, a.Question, a.Answer,
		})
	}
	if it.QualityScore.Known() {
		item.QualityScore = new(float64(it.QualityScore))
	}
	if summary, written := it.Summary(); written {
		item.Summary = &summary
	}
	return httpx.Encode(item), nil
}

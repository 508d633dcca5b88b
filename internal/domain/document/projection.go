package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// Version is the version of the projection. It is incremented with every change of the bytes that ListItem and Single
// return.
const Version = 1

// greeting is the first row of the transcript if the guide has no welcome of its own.
const greeting = "Welcome, and thank you for taking part."

// answerSpace is the namespace of answer ids. It must never change: clients keep answer ids.
var answerSpace = uuid.MustParse("5b0d8f0e-6c1c-5e0b-9a55-0f6f5d1f7a31")

// AnswerID returns the id of the answer to one item, about one concept or none (""), within one response. It is a UUIDv5, so
// that every encoding and every node gives the same.
func AnswerID(responseID, itemID, conceptID string) string {
	// The lengths distinguish ("a", "bc") from ("ab", "c"), whatever the client's ids contain.
	name := fmt.Sprintf("%d:%s%d:%s%s", len(responseID), responseID, len(itemID), itemID, conceptID)
	return uuid.NewSHA1(answerSpace, []byte(name)).String()
}

// Source holds everything that the documents of a response are made from. Analysis is nil until it is done.
type Source struct {
	Response  response.Response
	Guide     *guide.Guide // the revision that the interview uses
	Answers   []interview.Answered
	Exchanges []interview.Exchange
	Analysis  *response.Analysis
}

// ListItem returns the response as an item of the v1 list: one JSON object.
func ListItem(src Source) []byte {
	r := &src.Response
	item := Item{
		ID:              r.ID,
		ReadableID:      r.ReadableID,
		Progress:        string(r.Progress),
		DurationSeconds: int64(r.Duration.Seconds() + 0.5),
		URLParams:       r.VisibleParams(),
		CreatedAt:       r.CreatedAt,
		UpdatedAt:       r.UpdatedAt,
	}
	if a := src.Analysis; a != nil {
		item.QualityScore = Score(a.Quality.Score)
		item.Answers = append(item.Answers, KeyedAnswer{Key: SummaryKey, Text: a.Summary})
		item.Tags = a.Tags
		item.Tagline = a.Tagline
		item.BulletSummary = a.Bullets
		item.ShortTranscript = a.ShortTranscript
		item.ShortAssistantMessages = a.ShortAssistantMessages
		item.OtherRemarks = a.OtherRemarks
		item.Personas = a.Personas
	}
	item.Answers = appendKeyed(item.Answers, src.Answers)
	item.AnswersArray = make([]Answer, 0, len(src.Answers))
	for _, a := range src.Answers {
		item.AnswersArray = append(item.AnswersArray, Answer{
			AnswerID:   AnswerID(r.ID, a.ItemID, a.ConceptID),
			QuestionID: a.ItemID,
			ConceptID:  a.ConceptID,
			Question:   a.Question,
			Answer:     a.Text,
		})
	}
	return item.Encode()
}

// appendKeyed adds one entry per question, in display order. A question asked about several concepts joins its paragraphs in
// the order in which the participant answered them.
func appendKeyed(keyed KeyedAnswers, answers []interview.Answered) KeyedAnswers {
	inOrder := slices.Clone(answers)
	slices.SortStableFunc(inOrder, func(a, b interview.Answered) int { return cmp.Compare(a.Number, b.Number) })
	for _, a := range inOrder {
		key, text := a.Question, a.Text
		if a.Number > 0 {
			key = fmt.Sprintf("Q%d: %s", a.Number, a.Question)
		}
		if a.ConceptTitle != "" {
			text = strings.TrimSpace(a.ConceptTitle + ": " + a.Text)
		}
		i := len(keyed) - 1 // in this order all answers with one number are adjacent
		if a.Number == 0 {
			i = slices.IndexFunc(keyed, func(k KeyedAnswer) bool { return k.Key == key })
		}
		if i >= 0 && keyed[i].Key == key {
			keyed[i].Text += "\n\n" + text
			continue
		}
		keyed = append(keyed, KeyedAnswer{Key: key, Text: text})
	}
	return keyed
}

// Single returns the response with its transcript, without the head that WriteSingle adds: the bytes begin at "urlParams":
// and end with the closing brace.
func Single(src Source) []byte {
	detail := Detail{
		URLParams:  src.Response.VisibleParams(),
		Transcript: make([]Row, 1, len(src.Exchanges)+1),
	}
	if a := src.Analysis; a != nil {
		detail.Tagline = a.Tagline
		detail.BulletSummary = a.Bullets
	}
	detail.Transcript[0] = Row{Moderator: welcome(src.Guide)}
	for i, e := range src.Exchanges {
		row := Row{
			Moderator:  e.Moderator,
			User:       e.User,
			QuestionID: e.ItemID,
			ConceptID:  e.ConceptID,
			Index:      i + 1,
			FollowUp:   e.FollowUp,
		}
		if !e.Statement {
			row.AnswerID = AnswerID(src.Response.ID, e.ItemID, e.ConceptID)
		}
		detail.Transcript = append(detail.Transcript, row)
	}
	return detail.Encode()
}

func welcome(g *guide.Guide) string {
	if g == nil {
		return greeting
	}
	title, message := strings.TrimSpace(g.Welcome.Title), strings.TrimSpace(g.Welcome.Message)
	switch {
	case title != "" && message != "":
		return title + "\n\n" + message
	case title != "" || message != "":
		return title + message
	default:
		return greeting
	}
}

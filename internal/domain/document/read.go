package document

import (
	"math"
	"strconv"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
)

// maxReadableID bounds imported readable ids to integers that every client can represent.
const maxReadableID = math.MaxInt32

var progresses = []string{string(response.Complete), string(response.ScreenedOut), string(response.InProgress)}

// ReadItem reads a v1 list item that another service or another installation wrote. It is as strict as the contract: every
// key except the three optional ones must be present, and no other key may be. It fails with a *strictjson.SyntaxError or a
// *strictjson.SchemaError.
//
// Values that an item cannot hold are normalized: the id to lower case, times to UTC microseconds (a time without an offset
// is read as UTC), the duration to whole seconds, and an empty text to null where null is allowed.
func ReadItem(line []byte) (it Item, err error) {
	const required, optional, nullable = strictjson.Required, strictjson.Optional, strictjson.Nullable
	err = strictjson.Trusted.Decode(line, func(o *strictjson.Object) {
		it.ID = o.UUID("id", required)
		it.ReadableID = o.Int("readableId", required, 1, maxReadableID)
		it.Progress = o.Enum("progress", required, progresses)
		o.Any("responseDurationSeconds", required, "number", func(v *strictjson.Value) *strictjson.Issue {
			const maxSeconds = 1e9 // thirty years
			seconds, ok := number(v, 0, maxSeconds)
			it.DurationSeconds = int64(math.Round(seconds))
			return unless(ok, v, "a number of seconds from 0 to 1000000000")
		})
		o.Any("qualityScore", required, "number", func(v *strictjson.Value) *strictjson.Issue {
			if v.Kind == strictjson.String && v.Text == "pending" {
				return nil
			}
			score, ok := number(v, 1, 5)
			it.QualityScore = Score(score)
			return unless(ok, v, "a number from 1 to 5, or 'pending'")
		})
		o.Pairs("answers", required, func(name, text string) { it.Answers = append(it.Answers, KeyedAnswer{Key: name, Text: text}) })
		o.Objects("answersArray", required, 0, func(o *strictjson.Object) {
			it.AnswersArray = append(it.AnswersArray, Answer{
				AnswerID:   o.NonEmpty("answerId", required),
				QuestionID: o.Text("discussionGuideQuestionId", nullable),
				ConceptID:  o.Text("conceptId", nullable),
				Question:   o.Text("question", required),
				Answer:     o.Text("answer", required),
			})
		})
		it.URLParams = o.TextMap("urlParams", required)
		it.Tags = o.Texts("tags", required, 0)
		it.Tagline = o.Text("tagline", nullable)
		it.BulletSummary = o.Texts("bulletSummary", required, 0)
		it.ShortTranscript = o.Text("shortTranscript", nullable)
		it.ShortAssistantMessages = o.Texts("shortAssistantMessages", optional, 0)
		it.OtherRemarks = o.Text("otherRemarks", optional)
		it.Personas = o.Text("personas", optional)
		it.CreatedAt = readTime(o, "createdAt")
		it.UpdatedAt = readTime(o, "updatedAt")
	})
	if err != nil {
		return Item{}, err
	}
	return it, nil
}

func number(v *strictjson.Value, least, limit float64) (float64, bool) {
	if v.Kind != strictjson.Number {
		return 0, false
	}
	n, err := strconv.ParseFloat(v.Text, 64)
	return n, err == nil && n >= least && n <= limit
}

func unless(ok bool, v *strictjson.Value, expected string) *strictjson.Issue {
	if ok {
		return nil
	}
	received := v.Kind.String()
	if v.Kind == strictjson.Number {
		received = v.Text
	}
	return &strictjson.Issue{
		Message: "Expected " + expected + ", received " + received, Code: strictjson.Custom, Expected: expected, Received: received,
	}
}

func readTime(o *strictjson.Object, key string) (at time.Time) {
	o.Any(key, strictjson.Required, strictjson.String.String(), func(v *strictjson.Value) *strictjson.Issue {
		if v.Kind == strictjson.String {
			for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} { // both accept fractions
				if t, err := time.Parse(layout, v.Text); err == nil {
					at = t.UTC().Truncate(time.Microsecond)
					return nil
				}
			}
		}
		return unless(false, v, "an RFC 3339 date-time")
	})
	return at
}

// Analysed reports whether the item contains an analysis: a summary or a score.
func (it *Item) Analysed() bool {
	_, summed := it.Summary()
	return summed || it.QualityScore.Known()
}

// SingleOf returns the single response, without its head, of a response of which only the list item is known: each answer is
// one row of the transcript, under its own answer id.
func SingleOf(it *Item) []byte {
	detail := Detail{URLParams: it.URLParams, Tagline: it.Tagline, BulletSummary: it.BulletSummary, Transcript: make([]Row, len(it.AnswersArray))}
	for i, a := range it.AnswersArray {
		detail.Transcript[i] = Row{
			Moderator: a.Question, User: a.Answer, QuestionID: a.QuestionID, AnswerID: a.AnswerID, ConceptID: a.ConceptID, Index: i,
		}
	}
	return detail.Encode()
}

package document

import (
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// The documents are appended by hand: their keys keep the contract's order, the answers object keeps its own order, and they
// are encoded again at every answer of an interview.

// timeLayout is RFC 3339 in UTC with microseconds, always with six digits.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// Encode returns the list item as JSON. Equal items give equal bytes.
func (it *Item) Encode() []byte {
	b := make([]byte, 0, it.sizeHint())
	b = appendString(append(b, `{"id":`...), it.ID)
	b = strconv.AppendInt(append(b, `,"readableId":`...), int64(it.ReadableID), 10)
	b = appendString(append(b, `,"progress":`...), it.Progress)
	b = strconv.AppendInt(append(b, `,"responseDurationSeconds":`...), it.DurationSeconds, 10)
	b = append(b, `,"qualityScore":`...)
	if it.QualityScore.Known() {
		b = strconv.AppendFloat(b, float64(it.QualityScore), 'f', -1, 64)
	} else {
		b = append(b, `"pending"`...)
	}

	b = append(b, `,"answers":{`...)
	for i, a := range it.Answers {
		b = appendString(appendComma(b, i), a.Key)
		b = appendString(append(b, ':'), a.Text)
	}
	b = append(b, `},"answersArray":[`...)
	for i := range it.AnswersArray {
		b = it.AnswersArray[i].append(appendComma(b, i))
	}
	b = append(b, ']')

	b = appendParams(append(b, `,"urlParams":`...), it.URLParams)
	b = appendStrings(append(b, `,"tags":`...), it.Tags)
	b = appendOrNull(append(b, `,"tagline":`...), it.Tagline)
	b = appendStrings(append(b, `,"bulletSummary":`...), it.BulletSummary)
	b = appendOrNull(append(b, `,"shortTranscript":`...), it.ShortTranscript)
	if len(it.ShortAssistantMessages) > 0 {
		b = appendStrings(append(b, `,"shortAssistantMessages":`...), it.ShortAssistantMessages)
	}
	if it.OtherRemarks != "" {
		b = appendString(append(b, `,"otherRemarks":`...), it.OtherRemarks)
	}
	if it.Personas != "" {
		b = appendString(append(b, `,"personas":`...), it.Personas)
	}
	b = appendTime(append(b, `,"createdAt":`...), it.CreatedAt)
	b = appendTime(append(b, `,"updatedAt":`...), it.UpdatedAt)
	return append(b, '}')
}

// AroundUpdate returns the bytes before and after the text of updatedAt in a list item, for a store that sets the time
// itself. The text is RFC 3339 in UTC with six digits of microseconds.
func AroundUpdate(item []byte) (before, after []byte) {
	after = item[len(item)-len(`"}`):]
	return item[:len(item)-len(after)-len(timeLayout)], after
}

// AroundNumber returns the bytes before and after the readable id of a list item, which is 0, for a store that sets it
// itself.
func AroundNumber(item []byte, id string) (before, after []byte) {
	n := len(appendString([]byte(`{"id":`), id)) + len(`,"readableId":`)
	return item[:n], item[n+len(`0`):]
}

// sizeHint estimates the length of the encoding, so that the buffer seldom grows.
func (it *Item) sizeHint() int {
	n := 640 + len(it.ShortTranscript) + 48*len(it.ShortAssistantMessages)
	for _, a := range it.Answers {
		n += len(a.Key) + len(a.Text) + 8
	}
	for i := range it.AnswersArray {
		n += len(it.AnswersArray[i].Question) + len(it.AnswersArray[i].Answer) + 200
	}
	for _, s := range it.BulletSummary {
		n += len(s) + 4
	}
	return n + n/16
}

func (a *Answer) append(b []byte) []byte {
	b = appendString(append(b, `{"answerId":`...), a.AnswerID)
	b = appendOrNull(append(b, `,"discussionGuideQuestionId":`...), a.QuestionID)
	b = appendOrNull(append(b, `,"conceptId":`...), a.ConceptID)
	b = appendString(append(b, `,"question":`...), a.Question)
	b = appendString(append(b, `,"answer":`...), a.Answer)
	return append(b, '}')
}

// Encode returns the single response without its head, as Single does. Equal details give equal bytes.
func (d *Detail) Encode() []byte {
	size := 256
	for i := range d.Transcript {
		size += len(d.Transcript[i].Moderator) + len(d.Transcript[i].User) + 288
	}
	b := make([]byte, 0, size)
	b = appendParams(append(b, `"urlParams":`...), d.URLParams)
	b = appendString(append(b, `,"tagline":`...), d.Tagline)
	b = appendStrings(append(b, `,"bulletSummary":`...), d.BulletSummary)
	b = append(b, `,"transcript":[`...)
	for i := range d.Transcript {
		b = d.Transcript[i].append(appendComma(b, i))
	}
	return append(b, "]}"...)
}

func (r *Row) append(b []byte) []byte {
	b = appendString(append(b, `{"moderator":`...), r.Moderator)
	b = appendString(append(b, `,"user":`...), r.User)
	b = appendOrNull(append(b, `,"discussionGuideQuestionId":`...), r.QuestionID)
	b = appendOrNull(append(b, `,"answerId":`...), r.AnswerID)
	b = appendOrNull(append(b, `,"conceptId":`...), r.ConceptID)
	b = strconv.AppendInt(append(b, `,"responseIndex":`...), int64(r.Index), 10)
	b = strconv.AppendBool(append(b, `,"isFollowUp":`...), r.FollowUp)
	b = appendOrNull(append(b, `,"audio":`...), r.Audio)
	b = r.Video.append(append(b, `,"video":`...))
	b = r.ScreenVideo.append(append(b, `,"screenVideo":`...))
	return append(b, '}')
}

func (s *Stream) append(b []byte) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	b = appendOrNull(append(b, `{"streamUrl":`...), s.StreamURL)
	b = appendOrNull(append(b, `,"mp4Url":`...), s.MP4URL)
	return append(b, '}')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func appendParams(b []byte, params map[string]string) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(params)) {
		b = appendString(appendComma(b, i), name)
		b = appendString(append(b, ':'), params[name])
	}
	return append(b, '}')
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		b = appendString(appendComma(b, i), s)
	}
	return append(b, ']')
}

func appendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, timeLayout)
	return append(b, '"')
}

func appendOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

// appendString appends a JSON string. It escapes only what JSON requires, so text stays readable in the store; bytes that
// are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // s[from:i] is not copied yet
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

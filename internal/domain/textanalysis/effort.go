package textanalysis

import (
	"fmt"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/response"
)

// How fast a person can go through an interview. Answers are measured by the speed of speech, which is faster than typing,
// whatever the mode of the interview, so that people who dictate or let a device speak do not count as hasty. Less than half of
// the resulting time counts as haste.
const (
	readPerMinute   = 300 // words of a question
	spokenPerMinute = 190 // words of an answer
	choosing        = time.Second

	typedPerSecond = 20 // keys; nobody types faster
	typedAtLeast   = 60 // keys, before their speed is a sign
)

// effort looks at how much was said in the open answers, and whether there was enough time to read the questions and say it.
func (r *reading) effort(open int) response.QualityPart {
	words, contents := 0, 0.0
	var short []int
	for i := range r.answers {
		a := &r.answers[i]
		if a.kind == substantial {
			words += a.words
			c := r.contentOf(a.sentences, a.words)
			if contents += c.words; c.words >= 3 {
				continue
			}
		}
		if a.item.Type == guide.OpenEnded {
			short = append(short, a.rows()...)
		}
	}
	average := float64(words) / float64(open)
	p := response.QualityPart{
		Name:   partEffort,
		Score:  between(contents/float64(open), 0.4, 2.5, 6, 10.5, 16),
		Reason: fmt.Sprintf("%s per open answer on average, over %s.", plural(int(average+0.5), "word"), plural(open, "open question")),
		Rows:   short,
	}
	need, hasty, timed := time.Duration(0), []int(nil), 0
	for i, e := range r.in.Exchanges {
		least := leastTime(&e, e.Statement || r.isClosed(e.ItemID))
		need += least
		if e.Took == 0 || isBlank(e.User) {
			continue
		}
		timed++
		if e.Took < least/2 || tooFast(e.Telemetry) {
			hasty = append(hasty, Row(i))
		}
	}
	if took := r.in.Response.Duration; took > 0 && took < need/2 {
		p.Score = min(p.Score-1, 2.5)
		p.Reason += fmt.Sprintf(" The interview took %s; reading and answering it takes some %s even in haste.", duration(took), duration(need))
	} else if len(hasty) > 0 {
		p.Score -= 2 * float64(len(hasty)) / float64(timed)
		p.Reason += fmt.Sprintf(" %s came faster than the question can be read and the answer given.", upperFirst(plural(len(hasty), "answer")))
	}
	p.Rows = append(p.Rows, hasty...)
	return p
}

// leastTime returns how long a fast reader and speaker needs for a row.
func leastTime(e *interview.Exchange, chosen bool) time.Duration {
	minutes := float64(lang.Words(e.Moderator)) / readPerMinute
	if chosen {
		return time.Duration(minutes*float64(time.Minute)) + choosing
	}
	said := e.User
	if t := e.Telemetry; t != nil && t.Pasted > 0 && e.User != "" { // pasting takes no time
		said = head(said, max(0, len(said)-len(said)*t.Pasted/utf8.RuneCountInString(said)))
	}
	least := time.Duration((minutes + float64(lang.Words(said))/spokenPerMinute) * float64(time.Minute))
	if t := e.Telemetry; t != nil && t.Typed > 0 { // typed by hand
		least = max(least, time.Duration(minutes*float64(time.Minute))+time.Duration(t.Typed)*time.Second/fastKeys)
	}
	return least
}

// tooFast reports whether an answer was typed faster than hands can type.
func tooFast(t *interview.Telemetry) bool {
	return t != nil && t.Typed >= typedAtLeast && t.Typed > typedPerSecond*max(t.Seconds, 1)
}

// isClosed reports whether an item is answered by choosing.
func (r *reading) isClosed(itemID string) bool {
	for i := range r.answers {
		if r.answers[i].ItemID == itemID {
			return r.answers[i].item.Type != guide.OpenEnded
		}
	}
	return false
}

func duration(d time.Duration) string {
	if d < 90*time.Second {
		return plural(max(1, int(d.Seconds()+0.5)), "second")
	}
	return plural(int(d.Minutes()+0.5), "minute")
}

package textanalysis

import (
	"fmt"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/interview"
)

const (
	fastKeys    = 8 // keys a second of a fast typist
	composedAt  = 8 // characters a second: faster than anybody writes or speaks what was not written before
	quickPasted = 2 // answers, before pasting them quickly is a strong sign
)

// haste looks at the time of the complete interview against the least that a fast reader needs.
func (r *reading) haste() sign {
	s := sign{part: partEffort}
	took, need := time.Duration(0), time.Duration(0)
	for i := range r.in.Exchanges {
		e := &r.in.Exchanges[i]
		if e.Took == 0 || isBlank(e.User) {
			continue
		}
		took += e.Took
		need += leastTime(e, e.Statement || r.isClosed(e.ItemID))
		s.rows = append(s.rows, Row(i))
	}
	if took == 0 {
		return s
	}
	s.weight = ramp(float64(took)/float64(need), 0.75, 0.5, 0.9)
	s.reason = fmt.Sprintf("The questions were answered in %s; a fast reader needs some %s.", duration(took), duration(need))
	return s
}

// quickPaste looks for answers that were pasted sooner than anybody can have written them after the question was shown, and, as a
// weaker sign, for interviews that were pasted throughout with the page left in between: people who have their words translated or
// write elsewhere do that, too.
func (r *reading) quickPaste() sign {
	s := sign{part: partAuthenticity}
	open, pasted, left, quick, timed := 0, 0, 0, 0, true
	for i := range r.in.Exchanges {
		e := &r.in.Exchanges[i]
		if e.Statement || r.isClosed(e.ItemID) || isBlank(e.User) {
			continue
		}
		open++
		if !isPasted(*e) {
			continue
		}
		pasted++
		timed = timed && e.Took > 0
		s.rows = append(s.rows, Row(i))
		if e.Telemetry.Blurs > 0 {
			left++
		}
		if composedTooFast(e) {
			quick++
		}
	}
	if open == 0 || pasted == 0 {
		return s
	}
	share := float64(pasted) / float64(open)
	throughout := 0.0
	if pasted >= 3 {
		throughout = ramp(share, 0.5, 1, 0.45) + ramp(float64(left)/float64(open), 0.3, 0.8, 0.25)
		if timed {
			throughout *= 0.4 // the answers may well have been written elsewhere meanwhile
		}
	}
	s.weight = throughout
	s.reason = fmt.Sprintf("%s pasted, %d after the page was left.", upperFirst(plural(pasted, "answer")), left)
	if quick > 0 {
		strong := ramp(float64(quick)/float64(open), 0, 0.5, 0.9)
		if quick < quickPasted {
			strong = min(strong, 0.3)
		}
		s.weight = 1 - (1-strong)*(1-throughout)
		s.reason = fmt.Sprintf("%s pasted sooner than anybody can write after the question was shown.", upperFirst(plural(quick, "answer")))
	}
	return s
}

// composedTooFast reports whether a pasted answer came sooner than it can have been written after its question was shown.
func composedTooFast(e *interview.Exchange) bool {
	return e.Took > 0 && float64(utf8.RuneCountInString(e.User)) > composedAt*e.Took.Seconds()
}

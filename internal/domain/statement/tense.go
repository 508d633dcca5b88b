package statement

import (
	"regexp"
	"strings"
)

// Words that say that something is so now, or that it was so until then or before.
var (
	nowWords = regexp.MustCompile(` (?:now|nowadays|today|currently|these days|at present|heute|jetzt|inzwischen|mittlerweile|derzeit|aujourd' hui|aujourd'hui|maintenant|désormais|ahora|hoy|actualmente|adesso|oggi|attualmente|agora|hoje|atualmente|tegenwoordig|inmiddels|الآن|حاليا|اليوم) `)
	nowDense = regexp.MustCompile(`今[はで、]|いまは|現在|最近|现在|現在|如今|目前`)
	wasOnce  = regexp.MustCompile(` (?:was|were|war|waren|était|étaient|era|eran|erano|eram|foi|foram|hatte|hatten|avait|avions|had) `)
	about    = regexp.MustCompile(` (?:about|some|around|roughly|nearly) [$€£¥]*$`)
	until    = regexp.MustCompile(`^ (?:until|till|bis|jusqu'|hasta|fino|até|tot|حتى) `)
)

// saysNow reports whether words say that something is so now.
func (l *lexicon) saysNow(text string) bool {
	if l.dense() {
		return nowDense.MatchString(text)
	}
	return nowWords.MatchString(padded(wordsOf(text)))
}

// time is the tense of a statement.
type time int

const (
	anyTime time = iota
	before
	now
)

// timeOf returns the time that a statement puts a number in. Of a change, the first number is what was, and the second what is.
func (s *claim) timeOf(n *number) time {
	head := strings.TrimRight(about.ReplaceAllString(fold(s.rest[:n.start]), ""), " $€£¥")
	switch {
	case s.lexicon.code == "en" && strings.HasSuffix(head, " to") && strings.Contains(head, "from "):
		return now
	case s.lexicon.code == "en" && strings.HasSuffix(head, " from") && strings.Contains(fold(s.rest[n.end:]), " to "):
		return before
	case s.present():
		return now
	case s.lexicon.within(wordPast, s.padded) && !s.lexicon.saysNow(s.rest):
		return before
	}
	return anyTime
}

// timeIn returns the time that a row puts a number of it in.
func (r *row) timeIn(said *number, at *context) time {
	clause := r.clauseOf(said)
	switch {
	case r.lexicon.saysNow(clause):
		return now
	case r.lexicon.dense():
		return anyTime
	case strings.Contains(padded(at.lastClause()), " used to "):
		return before
	case r.lexicon.within(wordPast, padded(at.before[:min(3, len(at.before))])), until.MatchString(padded(at.after[:min(2, len(at.after))])):
		return before
	}
	return anyTime
}

// clauseOf returns the words between pauses that hold a number.
func (r *row) clauseOf(said *number) string {
	begin, end := sentence(r.Answer, said.start, said.end)
	head, tail := r.Answer[begin:said.start], r.Answer[said.end:max(said.end, end)]
	if at := strings.LastIndexAny(head, pauses); at >= 0 {
		head = head[at:]
	}
	return head + r.Answer[said.start:said.end] + upTo(tail, pauses)
}

// agreesInTime reports whether a statement puts a number in the time in which it was said. Where it says that something is so now, and
// the row says so of another number of that unit, it is not this one.
func (s *claim) agreesInTime(r *row, n, said *number, at *context) bool {
	states, was := s.timeOf(n), r.timeIn(said, at)
	if s.lexicon.saysNow(s.rest) && was == anyTime && wasOnce.MatchString(padded(at.before[max(0, len(at.before)-3):])) {
		return false
	}
	if states == now && was == before || states == before && was == now {
		return false
	}
	if was != anyTime || states != now || said.unit == "" || !s.lexicon.saysNow(s.rest) {
		return true
	}
	for i := range r.numbers {
		other := &r.numbers[i]
		if other.unit == said.unit && !n.matches(other) && r.lexicon.saysNow(r.clauseOf(other)) {
			return false
		}
	}
	return true
}

package statement

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// context is a passage with its own sentence around it.
type context struct {
	*lexicon
	text                       string // the row
	beforeText, inside, behind string
	before, passage, after     []word
	names                      map[string]bool // of people, folded
}

// contextOf returns a passage of a row with its sentence.
func contextOf(text string, from, to int, l *lexicon, names map[string]bool) context {
	begin, end := sentence(text, from, to)
	c := context{lexicon: l, text: text, names: names}
	c.beforeText, c.inside, c.behind = fold(text[begin:from]), fold(text[from:to]), fold(text[to:max(end, to)])
	for _, w := range wordsOf(text[begin:max(end, to)]) {
		w.start, w.end = w.start+begin, w.end+begin
		switch {
		case w.end <= from:
			c.before = append(c.before, w)
		case w.start < to:
			c.passage = append(c.passage, w)
		default:
			c.after = append(c.after, w)
		}
	}
	return c
}

// turn names something that a quote lost of its own sentence.
type turn string

// What may turn a sentence around, or make it somebody else's.
const (
	turnNegated   turn = "a negation"
	turnCondition turn = "a condition"
	turnDoubted   turn = "a doubt"
	turnReported  turn = "somebody else's words"
	turnOther     turn = "somebody else's doing"
)

// turns returns what was cut from a passage.
func (c *context) turns() (all []turn) {
	for _, one := range []struct {
		turn turn
		cut  func() bool
	}{{turnNegated, c.negated}, {turnCondition, c.conditional}, {turnDoubted, c.doubted}, {turnReported, c.reported}, {turnOther, c.others}} {
		if one.cut() {
			all = append(all, one.turn)
		}
	}
	return all
}

// pausesBetween reports whether a comma or the like stands between two words.
func (c *context) pausesBetween(a, b word) bool {
	return a.end <= b.start && strings.ContainsAny(c.text[a.end:b.start], pauses+"()–—")
}

// lastClause returns the words before the passage that belong to its clause. A clause that begins with "that" belongs to the one
// before.
func (c *context) lastClause() []word {
	next := word{}
	if len(c.passage) > 0 {
		next = c.passage[0]
		if last := len(c.before) - 1; c.is(wordWhy, next.form) && c.is(wordBreak, next.form) && last >= 0 && !c.is(wordNot, c.before[last].form) {
			return nil // "which I can't do | because I teach then"
		}
	}
	for i := len(c.before) - 1; i >= 0; i-- {
		w := c.before[i]
		if c.pausesBetween(w, next) && !c.is(wordThat, next.form) {
			return c.before[i+1:]
		}
		if c.is(wordBreak, w.form) && (w.form != "so" || i == 0 || c.pausesBetween(c.before[i-1], w)) { // "so far as to" begins nothing
			if i > 0 && c.is(wordNot, c.before[i-1].form) && !c.pausesBetween(c.before[i-1], w) { // "not because"
				return c.before[i-1:]
			}
			return c.before[i+1:]
		}
		next = w
	}
	return c.before
}

// firstWords returns the words after the passage up to a pause or another clause, and no more than n.
func (c *context) firstWords(n int) []word {
	last := word{}
	if len(c.passage) > 0 {
		last = c.passage[len(c.passage)-1]
	}
	for i, w := range c.after {
		if i == n || c.pausesBetween(last, w) || c.is(wordBreak, w.form) {
			return c.after[:i]
		}
		last = w
	}
	return c.after
}

// negated reports whether a negation governs the passage from outside.
func (c *context) negated() bool {
	switch c.code {
	case "ja":
		tail := upTo(c.behind, "、,。")
		for _, reason := range []string{"から", "ので", "けど", "のに", "が、"} {
			if before, _, found := strings.Cut(tail, reason); found && !strings.HasPrefix(tail, reason+"では") && !strings.HasPrefix(tail, reason+"じゃ") {
				tail = before
			}
		}
		return c.has(wordNot, tail)
	case "zh":
		return c.has(wordNot, after(c.beforeText, "，,、：:但而"))
	}
	clause := c.lastClause()
	if c.within(wordNot, padded(clause)) {
		return true
	}
	if len(c.before) == 0 && len(c.passage) > 0 && c.is(wordThat, c.passage[0].form) && c.within(wordNot, padded(c.mainBehind())) {
		return true
	}
	n := map[string]int{"de": 3, "nl": 3, "fr": 2, "en": 1}[c.code]
	tail := c.firstWords(n)
	return n > 0 && c.within(wordNot, padded(tail))
}

// mainBehind returns the clause that follows a passage behind a pause: "That I do too little, | I would not claim".
func (c *context) mainBehind() []word {
	for i := 1; i < len(c.after); i++ {
		if c.pausesBetween(c.after[i-1], c.after[i]) || c.is(wordBreak, c.after[i].form) {
			return c.after[:i]
		}
	}
	return c.after
}

// upTo returns a text up to the first of some signs.
func upTo(text, signs string) string {
	if at := strings.IndexAny(text, signs); at >= 0 {
		return text[:at]
	}
	return text
}

// after returns a text behind the last of some signs.
func after(text, signs string) string {
	if at := strings.LastIndexAny(text, signs); at >= 0 {
		_, n := utf8.DecodeRuneInString(text[at:])
		return text[at+n:]
	}
	return text
}

// subject is the kind of a clause's grammatical subject: the participant, somebody else, or a thing.
type subject int

const (
	noSubject subject = iota
	ownSubject
	neutralSubject
	otherSubject
)

// others reports whether somebody other than the participant does what the passage says.
func (c *context) others() bool {
	if c.dense() {
		head := c.beforeText
		if c.code == "zh" {
			head += upTo(c.inside, "，。")
		} else {
			head += c.inside
		}
		return c.topicIsOther(head)
	}
	clause := c.lastClause()
	if who := c.subjectOf(clause); who != noSubject {
		return who == otherSubject && !c.returnsToOwn()
	}
	opening := c.passage
	for i, w := range opening {
		if i > 0 && (c.pausesBetween(opening[i-1], w) && i > 3 || c.is(wordBreak, w.form)) {
			opening = opening[:i]
			break
		}
	}
	if len(c.before) > 0 && len(opening) > 0 && slices.Contains([]string{"who", "whose", "qui", "quem", "quien"}, opening[0].form) {
		if last := c.before[len(c.before)-1]; c.is(wordKin, last.form) || c.names[last.form] && last.upper {
			return true
		}
	}
	if who := c.subjectOf(opening); who != noSubject {
		return who == otherSubject && !c.returnsToOwn()
	}
	// A verb without a subject has that of the clause before.
	all := slices.Concat(clause, opening)
	if len(all) > 1 && c.is(wordNot, all[0].form) {
		all = all[1:] // "never missed one"
	}
	if len(all) > 0 && (unicode.IsDigit([]rune(all[0].form)[0]) || numberWords(c.code)[all[0].form] > 0) {
		return false // a number is no verb
	}
	if len(all) == 0 || lang.FunctionWords(c.code)[all[0].form] || len(clause) == len(c.before) {
		return false
	}
	return c.subjectOf(c.before[:len(c.before)-len(clause)]) == otherSubject
}

// returnsToOwn reports whether a later clause of the passage is the participant's own.
func (c *context) returnsToOwn() bool {
	for i := 1; i < len(c.passage); i++ {
		between := c.text[min(c.passage[i-1].end, c.passage[i].start):c.passage[i].start]
		if strings.ContainsAny(between, ends) && (c.is(wordI, c.passage[i].form) || c.is(wordIt, c.passage[i].form)) {
			return true
		}
		if c.is(wordI, c.passage[i].form) && (c.pausesBetween(c.passage[i-1], c.passage[i]) || c.is(wordBreak, c.passage[i-1].form)) {
			return true
		}
	}
	return false
}

// namesSomebody reports whether the row speaks of somebody around the participant.
func (c *context) namesSomebody() bool {
	return slices.ContainsFunc(wordsOf(c.text), func(w word) bool { return c.is(wordKin, w.form) || w.upper && c.names[w.form] })
}

// subjectOf returns the first person or thing that words name and that no preposition stands before.
func (c *context) subjectOf(all []word) subject {
	text := padded(all)
	for i, w := range all {
		governed := false
		for j := i - 1; j >= 0 && j >= i-3; j-- {
			if c.is(wordOf, all[j].form) {
				governed = true
			}
			if c.pausesBetween(all[j], all[j+1]) || c.is(wordBreak, all[j].form) {
				break
			}
		}
		switch {
		case c.is(wordI, w.form):
			return ownSubject
		case i == 0 && c.code == "de" && (w.form == "der" || w.form == "die") && i+1 < len(all) && !all[i+1].upper && strings.HasSuffix(all[i+1].form, "t") && c.namesSomebody():
			return otherSubject // "der leiht sich": he borrows
		case governed:
		case c.is(wordHe, w.form):
			if slices.Contains([]string{"de", "fr", "it", "pt", "nl"}, c.code) && !c.namesSomebody() {
				return neutralSubject // a thing that has a gender
			}
			return otherSubject
		case c.is(wordKin, w.form) || c.names[w.form] && w.upper:
			return otherSubject
		case c.is(wordIt, w.form):
			return neutralSubject
		}
		if i == 0 {
			for _, phrase := range c.words[wordHe] {
				if strings.Contains(phrase, " ") && strings.HasPrefix(text, " "+phrase+" ") {
					return otherSubject
				}
			}
		}
	}
	return noSubject
}

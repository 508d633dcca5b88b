package statement

import (
	"regexp"
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

// contrasts begin what no condition before them reaches.
var contrasts = []string{"but", "aber", "mais", "pero", "ma", "mas", "maar", "لكن", "yet", "doch", "though", "although", "because", "since", "weil"}

// conditional reports whether the passage depends on a condition outside of it.
func (c *context) conditional() bool {
	switch c.code {
	case "ja":
		return c.has(wordIf, c.beforeText) && !strings.HasSuffix(strings.TrimRight(c.beforeText, "、 "), "けど")
	case "zh":
		return c.has(wordIf, after(c.beforeText, "但")) || c.has(wordIf, upTo(c.behind, "但"))
	}
	before, behind := c.before, c.after
	for i := len(before) - 1; i >= 0; i-- {
		if slices.Contains(contrasts, before[i].form) {
			before = before[i+1:]
			break
		}
	}
	for i, w := range behind {
		if slices.Contains(contrasts, w.form) {
			behind = behind[:i]
			break
		}
	}
	return c.hasCondition(before) || c.hasCondition(behind)
}

// hasCondition reports whether words state a condition. In some languages its word has other meanings, and begins a clause when it
// states one.
func (c *context) hasCondition(all []word) bool {
	if c.inverted(all) {
		return true
	}
	if !c.within(wordIf, padded(all)) {
		return false
	}
	if slices.Contains([]string{"en", "de", "es", "ar"}, c.code) {
		return true
	}
	function := lang.FunctionWords(c.code)
	for i, w := range all {
		if !c.is(wordIf, w.form) {
			continue
		}
		begins := i == 0 || c.pausesBetween(all[i-1], w) || c.is(wordBreak, all[i-1].form)
		follows := c.code != "pt" && i+1 < len(all) && (function[all[i+1].form] || c.is(wordKin, all[i+1].form)) && all[i+1].form != "ne"
		if begins || follows {
			return true
		}
	}
	return false
}

// inverting are the verbs that state a condition where they stand before their subject: "Were there a counter, I'd go".
var inverting = map[string]map[string]bool{
	"en": wordSet("were had should"), "de": wordSet("wäre wären hätte hätten sollte sollten würde würden käme könnte dürfte"), "nl": wordSet("was had mocht zou"),
}

// inverted reports whether a clause begins with such a verb. A question begins so, too.
func (c *context) inverted(all []word) bool {
	if strings.HasPrefix(strings.TrimSpace(c.text[c.sentenceEnd():]), "?") {
		return false
	}
	function := functionOf(c.code)
	for i, w := range all {
		if !inverting[c.code][w.form] || i+1 == len(all) || c.pausesBetween(w, all[i+1]) {
			continue
		}
		next := all[i+1].form
		subject := c.is(wordI, next) || c.is(wordIt, next) || c.is(wordHe, next)
		begins := i == 0 && (len(c.before) == 0 || w.start == c.before[0].start) || c.code != "en" && i > 0 && c.pausesBetween(all[i-1], w) && len(c.after) > 0 && w.start < c.after[0].start
		if begins && (subject || function[next] && next != "been") || subject && c.code == "en" && w.form == "had" && i > 0 && !c.is(wordIt, all[i-1].form) {
			return true
		}
		if i == 0 && len(c.after) > 0 && w.start == c.after[0].start && subject && c.code == "en" {
			return true // "I would have taken it | had it not whistled"
		}
	}
	return false
}

// sentenceEnd returns where the words of the sentence end.
func (c *context) sentenceEnd() int {
	if len(c.after) > 0 {
		return c.after[len(c.after)-1].end
	}
	if len(c.passage) > 0 {
		return c.passage[len(c.passage)-1].end
	}
	return len(c.text)
}

// doubted reports whether the passage is a clause that a doubt stands directly before.
func (c *context) doubted() bool {
	if c.code == "ja" {
		return c.has(wordHedge, upTo(c.behind, "、,。"))
	}
	if c.code == "zh" {
		tail := []rune(after(c.beforeText, "，,"))
		return len([]rune(c.inside)) >= 5 && c.has(wordHedge, string(tail[max(0, len(tail)-4):]))
	}
	tail := c.lastClause()
	return len(c.passage) >= 4 && c.within(wordHedge, padded(tail[max(0, len(tail)-4):]))
}

// reported reports whether the passage is what somebody else says or thinks.
func (c *context) reported() bool {
	switch c.code {
	case "ja":
		return c.has(wordSays, c.behind) && c.topicIsOther(c.beforeText+c.inside) || strings.Contains(c.behind, "と言われ")
	case "zh":
		head := c.beforeText
		for _, verb := range c.words[wordSays] {
			if at := strings.LastIndex(head, verb); at >= 0 && (c.topicIsOther(head[:at]) || !strings.Contains(head[:at], "我")) {
				return !strings.HasPrefix(verb, "觉") || c.topicIsOther(head[:at])
			}
		}
		return false
	}
	before := c.before
	for i := len(before) - 1; i >= 0; i-- {
		if slices.Contains(contrasts, before[i].form) || c.is(wordBreak, before[i].form) && i > 0 && c.pausesBetween(before[i-1], before[i]) && !c.is(wordThat, before[i].form) {
			before = before[i+1:]
			break
		}
	}
	if c.saidByOthers(before) || c.opinionOfOthers(before) {
		return true
	}
	return len(c.after) > 0 && len(c.passage) > 0 && c.pausesBetween(c.passage[len(c.passage)-1], c.after[0]) &&
		c.saidByOthers(c.after[:min(3, len(c.after))]) && !slices.ContainsFunc(c.after[:min(3, len(c.after))], func(w word) bool { return c.is(wordI, w.form) || c.is(wordBreak, w.form) })
}

// possessors say that something is somebody else's.
var possessors = regexp.MustCompile(`^(?:'s|his|her|their|seine?[rm]?|ihre?[rm]?|sa|son|leur|su|sus|seu|sua|suo|loro|zijn|haar|hun)$`)

// being are the forms of "to be" that join what somebody holds to what it says.
var being = wordSet(`is was ist war est était es era é è`)

// opinionOfOthers reports whether words end with what is somebody else's and "is that": "their line is that".
func (c *context) opinionOfOthers(all []word) bool {
	for i := len(all) - 1; i > 1; i-- {
		if !being[all[i].form] {
			continue
		}
		joins := i+1 < len(all) && c.is(wordThat, all[i+1].form) || i+1 == len(all) && len(c.passage) > 0 && c.pausesBetween(all[i], c.passage[0])
		owned := slices.ContainsFunc(all[max(0, i-3):i], func(w word) bool { return possessors.MatchString(w.form) })
		return joins && owned
	}
	return false
}

// saidByOthers reports whether words hold a verb of saying whose subject is not the participant.
func (c *context) saidByOthers(all []word) bool {
	if c.within(wordSays, padded(slices.DeleteFunc(slices.Clone(all), func(w word) bool { return c.toldByThing(all, w) }))) {
		return true
	}
	for i, w := range all {
		near := all[max(0, i-3):i]
		own := slices.ContainsFunc(near, func(w word) bool { return c.is(wordI, w.form) })
		if c.is(wordSaid, w.form) && !own && (i > 0 || len(all) <= 3) {
			return true
		}
	}
	return false
}

// toldByThing reports whether a thing is the subject of a verb of saying: "it tells you how many".
func (c *context) toldByThing(all []word, w word) bool {
	i := slices.Index(all, w)
	return i > 0 && c.is(wordSays, w.form) && slices.Contains([]string{"it", "this", "es", "das", "ça", "cela", "eso", "esto", "ciò", "questo", "isso", "isto", "het", "dit"}, all[i-1].form)
}

// topicIsOther reports whether the last person that a text without spaces names is somebody else.
func (c *context) topicIsOther(text string) bool {
	last := func(kinds ...string) (at int) {
		at = -1
		for _, kind := range kinds {
			for _, form := range c.words[kind] {
				if i := strings.LastIndex(text, form); i >= 0 {
					if c.code == "ja" && !isTopic(text[i+len(form):]) {
						continue
					}
					at = max(at, i)
				}
			}
		}
		return at
	}
	return last(wordKin, wordHe) > last(wordI)
}

// isTopic reports whether what follows a noun of Japanese makes it the topic or the subject.
func isTopic(rest string) bool {
	for _, mark := range []string{"は", "が", "も", "さんは", "さんが", "たちは", "たちが", "、"} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

// subject tells the participant from others, as the subject of a clause.
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

package statement

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"verbatim/internal/domain/evidence"
)

// numbersHold checks that each number of the statement was said of the same thing.
func (c *Checker) numbersHold(s *claim) error {
	all := numbersIn(s.rest, s.lexicon.code)
	shares, err := c.sharesHold(s, all)
	if err != nil {
		return err
	}
	for _, n := range all {
		if slices.ContainsFunc(shares, func(share number) bool { return share.start <= n.start && n.end <= share.end }) {
			continue
		}
		if s.lexicon.dense() && n.unit == "" && denseNumerals.MatchString(n.text) {
			continue
		}
		if !c.wasSaid(s, &n) && !c.derived(s, &n) {
			return fmt.Errorf("%w: %s", ErrNumber, n.text)
		}
	}
	return nil
}

// sharesHold checks the shares of a statement: where a row states shares, one of them is meant. It returns what they cover.
func (c *Checker) sharesHold(s *claim, all []number) (held []number, err error) {
	for _, share := range append(ratios(s.rest, all), durations(s.rest, all)...) {
		rest := share // the other part
		rest.values = []float64{1 - share.values[0]}
		if c.wasSaid(s, &share) || share.share && s.lexicon.has(wordNot, s.rest) && c.wasSaid(s, &rest) { // seven of nine did not, two did
			held = append(held, share)
		} else if share.share && slices.ContainsFunc(s.rows, func(r *row) bool {
			return slices.ContainsFunc(r.numbers, func(said number) bool { return said.share && said.below == share.below })
		}) {
			return nil, fmt.Errorf("%w: %s", ErrNumber, share.text)
		}
	}
	return held, nil
}

// derived reports whether a number is the sum or the difference of two that the quotes say in one row, and of which the statement says
// one, too.
func (c *Checker) derived(s *claim, n *number) bool {
	if len(n.values) != 1 {
		return false
	}
	for _, r := range s.rows {
		var quoted []*number
		for i := range r.numbers {
			said := &r.numbers[i]
			if len(said.values) > 0 && !said.share && sameUnit(n.unit, said.unit) && s.quotes(r, said) {
				quoted = append(quoted, said)
			}
		}
		for _, a := range quoted {
			for _, b := range quoted {
				sum, difference := a.values[0]+b.values[0], a.values[0]-b.values[0]
				part := a.values[0] / b.values[0]
				if a.end <= b.start && (n.values[0] < 1 && (equal(n.values[0], part) || equal(n.values[0], 1/part)) || equal(n.values[0], sum) || equal(n.values[0], math.Abs(difference))) && c.stated(s, r, n, a, b) {
					return true
				}
			}
		}
	}
	return false
}

// stated reports whether the statement has one of two numbers, or a result that is hardly chance, and all are the participant's own, or said of whom it names.
func (c *Checker) stated(s *claim, r *row, result *number, said ...*number) bool {
	_, end := sentence(r.Answer, said[0].start, said[0].end)
	found := result.values[0] >= 10 || result.values[0] < 1 && said[1].start < end
	for _, one := range said {
		at := contextOf(r.Answer, one.start, one.end, r.lexicon, c.names)
		if at.others() && !s.other {
			return false
		}
		found = found || slices.ContainsFunc(numbersIn(s.rest, s.lexicon.code), func(n number) bool { return n.matches(one) })
	}
	return found
}

// quotes reports whether a quote of the statement holds a number.
func (s *claim) quotes(r *row, said *number) bool {
	return slices.ContainsFunc(s.spans, func(span evidence.Span) bool {
		return span.Row == r.Row.Row && span.Start < said.end && said.start < span.End
	})
}

// compares matches what makes a share one by which things differ.
var (
	compares    = regexp.MustCompile(`^ (?:less|more|fewer|cheaper|dearer|lower|higher|off|mehr|weniger|billiger|teurer|moins|más|menos|plus|meno|più|mais|minder|meer|goedkoper|duurder|أقل|أكثر) `)
	comparative = regexp.MustCompile(`\b(?:less|more|fewer|than|short|below|above|by|cut|off|reduc\w*|ris\w*|rose|increas\w*|decreas\w*|extra|additional|drop\w*|fell|fall\w*|down|up|discount\w*|sav\w*|cheaper|dearer|lower|higher|smaller|greater|under|over)\b`)
)

// dropsComparison reports whether the statement makes a share of what in the interview is a difference: "a fifth less".
func (s *claim) dropsComparison(n, said *number, at *context) bool {
	part := said.unit == "percent" || len(said.values) > 0 && said.values[0] < 1
	return part && s.lexicon.code == "en" && compares.MatchString(padded(at.after[:min(1, len(at.after))])) && !comparative.MatchString(fold(s.rest))
}

// partOf matches what stands behind the number of a part.
var partOf = regexp.MustCompile(`^ (?:out )?of `)

// quotesNumbers reports whether the quotes say at least two of the statement's numbers: such a statement needs no other word of theirs.
func (s *claim) quotesNumbers() bool {
	found := 0
	for _, n := range numbersIn(s.rest, s.lexicon.code) {
		if slices.ContainsFunc(s.rows, func(r *row) bool {
			return slices.ContainsFunc(r.numbers, func(said number) bool { return n.matches(&said) && s.quotes(r, &said) })
		}) {
			found++
		}
	}
	return found > 1 || s.kind == Persona && found == 1
}

// swapsTotal reports whether the statement makes the whole of a share its part: "two of the nine" are not "nine of the guests".
func (s *claim) swapsTotal(r *row, n, said *number) bool {
	return !n.share && partOf.MatchString(fold(s.rest[n.end:])) && total.MatchString(r.Answer[:said.start]) && !total.MatchString(s.rest[:n.start]) &&
		slices.ContainsFunc(r.numbers, func(share number) bool { return share.share && share.end == said.end })
}

// swapsCounts reports whether the statement speaks of what another number of the row stands before, and not of what this one does: of
// "41 begun, 12 finished" it says that 41 were finished.
func (s *claim) swapsCounts(r *row, said *number) bool {
	if !s.sameLanguage(r) || said.share {
		return false
	}
	own, stated := stemsOf(s.text, s.lexicon.code), numbersIn(s.rest, s.lexicon.code)
	counts := r.countedBy(said)
	if len(counts) == 0 || shared(counts, own) > 0 {
		return false
	}
	begin, end := sentence(r.Answer, said.start, said.end)
	return slices.ContainsFunc(r.numbers, func(other number) bool {
		if other.start < begin || other.end > end || other.start == said.start || other.share || shared(r.countedBy(&other), own) == 0 {
			return false
		}
		return !slices.ContainsFunc(stated, func(n number) bool { return n.matches(&other) })
	})
}

// countedBy returns the stem of the word directly behind a number, if it says something.
func (r *row) countedBy(said *number) []string {
	all := wordsOf(r.Answer[said.end:])
	if len(all) == 0 || strings.Trim(r.Answer[said.end:said.end+all[0].start], " ") != "" {
		return nil
	}
	return stemsOf(all[0].form, r.lexicon.code)
}

// doneByOther reports whether somebody or something that the statement does not name does in a sentence what the statement has the
// participant do, and is among the given words: "the insurer paid it" against "Paid it."
func (s *claim) doneByOther(at *context, subjects []word) bool {
	own := wordsOf(s.rest)
	if s.lexicon.code != "en" || at.code != "en" || len(own) == 0 || functionOf("en")[own[0].form] || s.other {
		return false
	}
	verb := stem(own[0].form, "en")
	all := slices.Concat(at.before, at.passage, at.after)
	for i := 2; i < len(all) && i <= len(subjects); i++ {
		subject, first := all[i-1], all[i-2].form
		if stem(all[i].form, "en") == verb && (articles[first] || possessors.MatchString(first)) && !functionOf("en")[subject.form] && !at.pausesBetween(subject, all[i]) {
			return shared([]string{stem(subject.form, "en")}, stemsOf(s.text, "en")) == 0
		}
	}
	return false
}

// dropsCondition reports whether a number is part of a condition, and the statement states none.
func (s *claim) dropsCondition(r *row, said *number) bool {
	if s.lexicon.has(wordIf, s.rest) || s.lexicon.within(wordWish, s.padded) {
		return false
	}
	begin, _ := sentence(r.Answer, said.start, said.end)
	head := r.Answer[begin:said.start]
	if at := strings.LastIndexAny(head, pauses); at >= 0 {
		head = head[at:]
	}
	return slices.ContainsFunc([]string{"en", "ar", "es", "de", "fr"}, func(code string) bool { return code == r.lexicon.code }) && r.lexicon.has(wordIf, head)
}

// changesBy reports whether the statement says that something changed by a number to which, in the interview, it changed.
func (s *claim) changesBy(r *row, n, said *number, begin int) bool {
	if s.lexicon.code != "en" || !strings.HasSuffix(strings.TrimRight(fold(s.rest[:n.start]), " $€£¥"), " by") {
		return false
	}
	_, end := sentence(r.Answer, said.start, said.end)
	return slices.ContainsFunc(r.numbers, func(other number) bool {
		head := fold(r.Answer[begin:max(begin, min(other.start, end))])
		return other.start > said.end && other.start < end && other.unit+said.unit != "" && sameUnit(other.unit, said.unit) && changesFrom.MatchString(head)
	})
}

// changesFrom matches what stands before the number that another came from.
var changesFrom = regexp.MustCompile(` (?:from|von|statt|instead of|contre|depuis|desde|dagli?|da|van)[ $€£]*$`)

// countsOther reports whether a number counts something of its own in the row, while the statement has it count what the row names beside it.
func countsOther(r *row, n, said *number) bool {
	return (n.unit == "child" || n.unit == "person") && said.unit == "" && said.noun != "" && slices.ContainsFunc(wordsOf(r.Answer), func(w word) bool { return units[w.form] == n.unit })
}

// wasSaid reports whether a number was said where the statement's quotes stand, or in the questions that were answered there.
func (c *Checker) wasSaid(s *claim, n *number) bool {
	rows := s.rows
	if s.kind == Summary || s.kind == Persona {
		rows = nil
		for i := range c.rows {
			rows = append(rows, &c.rows[i])
		}
	}
	for _, r := range rows {
		for i := range r.numbers {
			if n.matches(&r.numbers[i]) && c.sameThing(s, r, n, &r.numbers[i]) {
				return true
			}
		}
		if slices.Contains(s.rows, r) && slices.ContainsFunc(r.inAsked, func(asked number) bool { return n.matches(&asked) }) {
			return true
		}
	}
	return false
}

// sameThing reports whether a number of a row is said of what the statement says it of.
func (c *Checker) sameThing(s *claim, r *row, n, said *number) bool {
	begin, end := sentence(r.Answer, said.start, said.end)
	quoted, near := false, false
	for _, span := range s.spans {
		if span.Row == r.Row.Row {
			quoted = quoted || span.Start < said.end && said.start < span.End
			near = near || span.Start < end && begin < span.End
		}
	}
	at := contextOf(r.Answer, said.start, said.end, r.lexicon, c.names)
	if at.others() && !s.other {
		return false
	}
	before := padded(at.lastClause())
	content := stemsOf(r.Answer[begin:end], r.lexicon.code)
	if len(content) <= 1 {
		before += fold(r.Question)
	}
	if unreal.MatchString(described.ReplaceAllString(before, " ")) && !s.lexicon.within(wordWish, s.padded) {
		return false
	}
	if !s.agreesInTime(r, n, said, &at) || s.swapsTotal(r, n, said) || s.swapsCounts(r, said) || s.doneByOther(&at, slices.Concat(at.before, at.passage, at.after)) || s.dropsCondition(r, said) || s.dropsComparison(n, said, &at) || s.changesBy(r, n, said, begin) || countsOther(r, n, said) {
		return false
	}
	if !s.sameLanguage(r) {
		return near || s.kind == Summary
	}
	if n.noun != "" && said.noun != "" && !alike(n.noun, said.noun) && !total.MatchString(r.Answer[:said.start]) && slices.ContainsFunc(r.numbers, func(other number) bool { return other.noun != "" && alike(n.noun, other.noun) && !n.matches(&other) }) {
		return false // the row says another number of that
	}
	if s.kind == Persona || quoted && n.unit != "" && n.unit != "times" && (n.unit == said.unit || convert(minutes, n.unit, n.unit, 1, 1) && convert(minutes, said.unit, said.unit, 1, 1)) {
		return true
	}
	// A number that stands alone speaks of what was asked, or said before.
	clause := stemsOf(clauseAround(r.Answer, said.start, said.end), r.lexicon.code)
	if len(clause) <= 1 {
		if considered.MatchString(fold(r.Question)) && !s.lexicon.within(wordWish, s.padded) {
			return false
		}
		if quoted && len(clause) == 0 {
			return true // the quote says the number and nothing else
		}
		content = append(content, r.question...)
		content = append(content, stemsOf(previousSentence(r.Answer, begin), r.lexicon.code)...)
	}
	if quoted && n.unit == said.unit {
		content = append(content, r.question...)
		for _, span := range s.spans {
			if span.Row == r.Row.Row {
				content = append(content, stemsOf(r.Answer[span.Start:span.End], r.lexicon.code)...)
			}
		}
	}
	own := stemsOf(s.text, s.lexicon.code)
	return shared(own, content) > 0 || len(own) == 0
}

// total matches what stands before the number that a share is of.
var total = regexp.MustCompile(`(?i)(?:\b(?:of|von|sur|de|di|su|em|van|op)|من)(?: the| den| les| las| los)? ?$`)

// unreal matches words that say that what follows was expected, wished or thought about, in all languages.
var unreal = regexp.MustCompile(` (?:would|expected|expect|hoped|hope|planned|plan|promised|thought about|thought of|considered|wanted|claimed|supposed to|erwartet|erwarte|erwartete|hoffte|hoffe|plante|würde|wollte|versprochen|espérais|attendais|pensais|prévu|promis|voulais|esperaba|pensaba|quería|prometió|prometieron|speravo|aspettavo|promesso|volevo|esperava|queria|prometeu|verwachtte|hoopte|wilde|beloofd|zou|توقعت|كنت أتوقع|وعد) `)

// considered matches questions about what was thought of and perhaps never done.
var considered = regexp.MustCompile(`\b(?:thought (?:about|of)|considered|considering|planned|überlegt|nachgedacht|songé|pensé|envisagé|pensado|pensato|considerado|considerato|overwogen|nagedacht)\b`)

// described matches what a thing would be, which is no wish.
var described = regexp.MustCompile(` (?:it|that|this|there|which) would (?:have been|be|have cost|cost) | (?:i would|ich würde) (?:say|guess|think|sagen) `)

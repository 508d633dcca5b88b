package statement

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

// judges refuses names of people as topics, insults, diagnoses, and traits that nobody may be sorted by.
func (c *Checker) judges(s *claim) error {
	said := ""
	for _, r := range s.rows {
		said += " " + r.Answer
	}
	unsaid := func(list *regexp.Regexp) bool {
		return slices.ContainsFunc(list.FindAllString(s.rest, -1), func(found string) bool {
			return !c.spokenOf(found) || s.kind == Persona && !s.other
		})
	}
	if c.listed(s.text) {
		return nil
	}
	switch s.kind {
	case Sentence, Summary:
		if unsaid(diagnoses) || unsaid(insults) {
			return ErrJudgement
		}
		return nil
	case Persona:
		if insults.MatchString(s.rest) || unsaid(diagnoses) {
			return ErrJudgement
		}
		found := traits.FindAllString(ages.ReplaceAllString(s.rest, ""), -1)
		if slices.ContainsFunc(found, func(trait string) bool { return !wordsStand(trait, said) }) {
			return ErrJudgement
		}
	default:
		if unsaid(diagnoses) || unsaid(insults) || s.kind == Tag && unsaid(traits) {
			return ErrJudgement
		}
	}
	if c.NamesPerson(s.rest) {
		return ErrName
	}
	return nil
}

// listed reports whether the author listed a topic.
func (c *Checker) listed(text string) bool {
	return slices.ContainsFunc(c.in.Topics, func(topic string) bool { return fold(topic) == fold(text) })
}

// spokenOf reports whether the words of a phrase, or words that begin as they do, were said or asked.
func (c *Checker) spokenOf(phrase string) bool {
	return !slices.ContainsFunc(wordsOf(phrase), func(w word) bool {
		begins := []rune(stem(w.form, c.in.Written))
		begins = begins[:min(len(begins), max(5, len(begins)-2))]
		return !slices.ContainsFunc(slices.Concat(c.said, c.asked), func(said string) bool { return strings.HasPrefix(said, plain(string(begins))) })
	})
}

// ages match the age of a child or a thing: four-year-old.
var ages = regexp.MustCompile(`(?i)[- ]?years?[- ]olds?\b`)

// wordsStand reports whether all words of a phrase stand in a text.
func wordsStand(phrase, text string) bool {
	all := padded(wordsOf(text))
	for _, w := range wordsOf(phrase) {
		if !strings.Contains(all, " "+w.form+" ") {
			return false
		}
	}
	return true
}

// NamesPerson reports whether a text has the name of a person whom the interview names.
func (c *Checker) NamesPerson(text string) bool {
	folded := fold(text)
	return slices.ContainsFunc(wordsOf(text), func(w word) bool { return c.names[w.form] }) || func() bool {
		for name := range c.names {
			if r, _ := utf8.DecodeRuneInString(name); lang.Unspaced(r) && strings.Contains(folded, name) {
				return true
			}
		}
		return false
	}()
}

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
	for _, share := range ratios(s.rest, all) {
		if c.wasSaid(s, &share) {
			held = append(held, share)
		} else if slices.ContainsFunc(s.rows, func(r *row) bool {
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
				if a.end <= b.start && (equal(n.values[0], sum) || equal(n.values[0], math.Abs(difference))) && c.stated(s, r, n, a, b) {
					return true
				}
			}
		}
	}
	return false
}

// stated reports whether the statement has one of two numbers, or a result that is no chance of two of one sentence, and all are the participant's own, or said of whom it names.
func (c *Checker) stated(s *claim, r *row, result *number, said ...*number) bool {
	_, end := sentence(r.Answer, said[0].start, said[0].end)
	found := result.values[0] >= 10 && said[1].start < end
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
	if s.kind == Summary {
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
	if !s.agreesInTime(r, n, said, &at) || s.dropsComparison(n, said, &at) || s.changesBy(r, n, said, begin) || countsOther(r, n, said) {
		return false
	}
	if !s.sameLanguage(r) {
		return near || s.kind == Summary
	}
	if n.noun != "" && said.noun != "" && !alike(n.noun, said.noun) && !total.MatchString(r.Answer[:said.start]) && slices.ContainsFunc(r.numbers, func(other number) bool { return other.noun != "" && alike(n.noun, other.noun) && !n.matches(&other) }) {
		return false // the row says another number of that
	}
	if quoted && n.unit != "" && n.unit != "times" && n.unit == said.unit {
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
var described = regexp.MustCompile(` (?:it|that|this|there|which) would (?:have been|be|have cost|cost) `)

// present reports whether a sentence states how things are now.
func (s *claim) present() bool {
	if s.lexicon.within(wordPast, s.padded) {
		return false
	}
	all := wordsOf(s.rest)
	now := slices.ContainsFunc(all, func(w word) bool {
		return slices.Contains([]string{"now", "nowadays", "today", "currently", "still", "is", "are", "has", "heute", "jetzt", "inzwischen"}, w.form)
	})
	past := slices.ContainsFunc(all, func(w word) bool {
		return slices.Contains([]string{"was", "were", "had", "did", "once", "been"}, w.form) || strings.HasSuffix(w.form, "ed")
	})
	return now || s.lexicon.code == "en" && !past && len(all) > 0 && strings.HasSuffix(all[0].form, "s")
}

// clauseAround returns the words between the pauses around a passage, without it.
func clauseAround(text string, from, to int) string {
	begin, end := sentence(text, from, to)
	before, behind := text[begin:from], text[to:max(to, end)]
	if at := strings.LastIndexAny(before, pauses); at >= 0 {
		before = before[at:]
	}
	if at := strings.IndexAny(behind, pauses); at >= 0 {
		behind = behind[:at]
	}
	return before + " " + behind
}

// previousSentence returns the sentence that ends before an offset.
func previousSentence(text string, begin int) string {
	head := strings.TrimRight(text[:begin], ends+" ")
	if head == "" {
		return ""
	}
	all := sentencesOf(head)
	return all[len(all)-1]
}

// reasons match what introduces a reason or a purpose in English.
var reasons = regexp.MustCompile(`(?i)\b(?:because of|because|in order to|so that|so as to|due to|owing to|out of|for fear of|for the sake of|thanks to)\b`)

// purpose matches a purpose of several words at the end of a sentence.
var purpose = regexp.MustCompile(`(?i)\bto (\pL+ .{12,})$`)

// supported checks the words of a statement against those that were said.
func (c *Checker) supported(s *claim) error {
	language := s.lexicon.code
	own := stemsOf(s.rest, language)
	var said, topics []string
	same := false
	for _, r := range s.rows {
		said = append(append(said, r.stems...), r.question...)
		same = same || s.sameLanguage(r)
	}
	topics = append(append(topics, c.said...), stemsOf(strings.Join(c.in.Topics, " "), language)...)
	switch s.kind {
	case Tag:
		own = stemsOf(s.text, language)
		if c.listed(s.text) || c.stands(s.text) {
			return nil
		}
		if foreign := s.rows[0].lexicon.code; foreign != language {
			own = stemsOf(s.text, foreign)
		}
		if n := shared(own, topics); n == 0 || n*2 < len(own) {
			return ErrUnsupported
		}
		return nil
	case Theme:
		if same && shared(own, append(said, c.asked...)) == 0 {
			return ErrUnsupported
		}
		return nil
	case Persona:
		known := append(append(said, c.said...), c.asked...)
		if same && (shared(own, append(said, c.asked...)) == 0 || !fits(s.rest, language, known)) {
			return ErrUnsupported
		}
		return nil
	}
	if err := c.reasonHolds(s, said, same); err != nil {
		return err
	}
	if same && len(s.inner) == 0 && !strings.Contains(s.rest, counted) && len(own) > 0 && shared(own, append(said, c.asked...)) == 0 {
		return ErrUnsupported
	}
	return c.polarityHolds(s)
}

// reasonHolds checks what the statement gives as a reason or a purpose: somebody gave a reason there, or was asked for one, and it has a
// word of what was said.
func (c *Checker) reasonHolds(s *claim, said []string, same bool) error {
	if s.lexicon.code != "en" {
		return nil
	}
	tail, gives := "", false
	if at := reasons.FindStringIndex(s.rest); at != nil {
		tail, gives = s.rest[at[1]:], !strings.EqualFold(s.rest[at[0]:at[1]], "out of")
	} else if match := purpose.FindStringSubmatch(s.rest); match != nil {
		tail = match[1]
	}
	if tail == "" {
		return nil
	}
	own := stemsOf(tail, s.lexicon.code)
	known := shared(own, said)
	if same && len(own) > 0 && (gives || len(own) > 2) && (known == 0 || gives && len(own) > 2 && known*2 < len(own)) && !strings.Contains(tail, "¶") {
		return ErrUnsupported
	}
	if gives && !slices.ContainsFunc(s.rows, func(r *row) bool {
		return r.lexicon.has(wordWhy, r.Answer) || lexiconOf(languageOf(r.Question, r.lexicon.code)).has(wordWhy, r.Question)
	}) {
		return ErrUnsupported
	}
	return nil
}

// deniedIn reports whether a passage denies one of the stems: a negation stands shortly before it.
func deniedIn(passage string, l *lexicon, stems []string) bool {
	all := wordsOf(passage)
	for i, w := range all {
		if !l.is(wordNot, w.form) {
			continue
		}
		for j := i + 1; j < len(all) && j <= i+3; j++ {
			if strings.ContainsAny(passage[all[j-1].end:all[j].start], pauses) || l.is(wordBreak, all[j].form) {
				break
			}
			if !functionOf(l.code)[all[j].form] && shared([]string{stem(all[j].form, l.code)}, stems) > 0 {
				return true
			}
		}
	}
	return false
}

// polarityHolds checks that a statement about what was denied denies something, too.
func (c *Checker) polarityHolds(s *claim) error {
	if len(s.inner) > 0 || s.denies() {
		return nil
	}
	for _, span := range s.spans {
		r := c.rows[slices.IndexFunc(c.rows, func(r row) bool { return r.Row.Row == span.Row })]
		passage := r.Answer[span.Start:span.End]
		if s.sameLanguage(&r) && !r.lexicon.dense() && deniedIn(passage, r.lexicon, stemsOf(s.rest, s.lexicon.code)) {
			return ErrReversed
		}
		main := passage
		if !r.lexicon.dense() {
			all := wordsOf(passage)
			for i, w := range all {
				if i > 0 && (r.lexicon.is(wordBreak, w.form) || strings.ContainsAny(passage[all[i-1].end:w.start], pauses)) && i >= 3 {
					main = passage[:w.start]
					break
				}
			}
		}
		if !r.lexicon.has(wordNot, main) && !(len(s.spans) == 1 && excluding.MatchString(fold(passage))) {
			return nil
		}
	}
	return ErrReversed
}

// excluding matches what takes something out of a statement.
var excluding = regexp.MustCompile(`[,،] ?(?:but )?(?:not |without|excluding|except|ohne|nicht|sans|sin|sem|senza|zonder|بدون|دون)`)

// Remark returns where a remark of the participant's stands; ok is false if nobody said it, or if its sentence turns it around.
func (c *Checker) Remark(quote string) (span evidence.Span, ok bool) {
	s := &claim{kind: Sentence, lexicon: lexiconOf(c.in.Written)}
	if err := c.findQuotes(s, []string{quote}); err != nil {
		return span, false
	}
	return s.spans[0], true
}

package statement

import (
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
	return slices.ContainsFunc(wordsOf(text), func(w word) bool { return c.names[w.form] || w.upper && c.names[strings.TrimSuffix(w.form, "s")] }) || func() bool {
		for name := range c.names {
			if r, _ := utf8.DecodeRuneInString(name); lang.Unspaced(r) && strings.Contains(folded, name) {
				return true
			}
		}
		return false
	}()
}

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
		if same && (shared(own, append(said, c.asked...)) == 0 && !s.quotesNumbers() || !fits(s.rest, language, known)) {
			return ErrUnsupported
		}
		return nil
	}
	if err := c.reasonHolds(s, said, same); err != nil {
		return err
	}
	if same && len(s.inner) == 0 && !strings.Contains(s.rest, counted) && len(own) > 0 && shared(own, append(said, c.asked...)) == 0 && !s.quotesNumbers() {
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

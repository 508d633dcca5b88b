package statement

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

// Kind is the form of a statement: a sentence, a topic or a persona.
type Kind int

// The kinds of statements.
const (
	Sentence Kind = iota
	Summary       // a sentence that brings several rows together: its numbers may stand in any of them
	Tag           // a topic in words that were said, or that the author listed
	Theme         // a topic in words of its own
	Persona       // a kind of person, by what they do and want
)

// Interview holds the words of an interview and of its author.
type Interview struct {
	Language string // of the participant
	Written  string // of the statements
	Title    string // of the study
	Goal     string
	Topics   []string // that the author listed
	Rows     []Row
}

// Row is a question with its answer.
type Row struct {
	Row      int
	Question string
	Answer   string
}

// Checker checks statements about one interview. It is read-only.
type Checker struct {
	in    Interview
	rows  []row
	names map[string]bool
	said  []string // stems of all answers
	asked []string // stems of title, goal, questions and topics
}

type row struct {
	Row
	reader   *evidence.Reader
	lexicon  *lexicon
	numbers  []number
	inAsked  []number
	stems    []string
	question []string
}

// New prepares an interview.
func New(in Interview) *Checker {
	c := &Checker{in: in, names: map[string]bool{}}
	c.in.Written, _, _ = strings.Cut(in.Written, "-")
	for _, r := range in.Rows {
		language := languageOf(r.Answer, in.Language)
		one := row{Row: r, reader: evidence.Read([]evidence.Turn{{Row: r.Row, Text: r.Answer}}), lexicon: lexiconOf(language)}
		one.numbers, one.inAsked = numbersIn(r.Answer, language), numbersIn(r.Question, languageOf(r.Question, c.in.Written))
		one.numbers = slices.Concat(one.numbers, ratios(r.Answer, one.numbers), durations(r.Answer, one.numbers))
		one.stems, one.question = stemsOf(r.Answer, language), stemsOf(r.Question, language)
		c.said, c.asked = append(c.said, one.stems...), append(c.asked, one.question...)
		for name := range peopleOf(r.Answer, one.lexicon) {
			c.names[name] = true
		}
		c.rows = append(c.rows, one)
	}
	c.asked = append(c.asked, stemsOf(in.Title+" "+in.Goal+" "+strings.Join(in.Topics, " "), c.in.Written)...)
	author := strings.Join(in.Topics, " ") + " " + in.Title + " " + in.Goal
	for _, w := range wordsOf(author) {
		delete(c.names, w.form)
	}
	return c
}

// Reasons why a statement is refused.
var (
	ErrMarkup      = errors.New("it holds markup or a link")
	ErrUnsaid      = errors.New("nobody said what it quotes")
	ErrCut         = errors.New("a quotation is cut")
	ErrNoQuote     = errors.New("no quote supports it")
	ErrNumber      = errors.New("a number of it was not said, or of something else")
	ErrName        = errors.New("it names a person")
	ErrJudgement   = errors.New("it judges the person, or guesses what they are")
	ErrUnsupported = errors.New("its words were not said")
	ErrReversed    = errors.New("it says the opposite, or another's doing as the participant's")
)

// claim is a statement that is being checked.
type claim struct {
	kind    Kind
	text    string
	rest    string // the text without its quotations
	inner   []string
	lexicon *lexicon // of the language it is written in
	padded  string   // words of rest
	spans   []evidence.Span
	rows    []*row // that its quotes stand in
	other   bool   // it names somebody else
}

// Check checks a statement, in which names in braces stand for counts. It returns the text with the counts, and where its quotes stand. A
// quote that does not hold is left out; a statement without any other is refused.
func (c *Checker) Check(kind Kind, text string, quotes []string, counts map[string]int) (inserted string, spans []evidence.Span, err error) {
	if !slices.ContainsFunc(quotes, func(quote string) bool { return c.stands(unquoted(quote)) }) {
		return "", nil, ErrNoQuote
	}
	inserted, text, err = insert(text, counts)
	if err != nil {
		return "", nil, err
	}
	if Marked(text) {
		return "", nil, ErrMarkup
	}
	s := &claim{kind: kind, text: text}
	s.inner, s.rest = passages(text)
	s.lexicon = lexiconOf(languageOf(s.rest, c.in.Written))
	if kind == Persona || kind == Tag || kind == Theme {
		s.lexicon = lexiconOf(c.in.Written)
	}
	s.padded = padded(wordsOf(s.rest))
	s.other = s.namesOther(c)
	if kind != Tag && kind != Theme {
		for _, passage := range s.inner {
			if err := c.quotationHolds(s, passage); err != nil {
				return "", nil, err
			}
		}
	} else if len(s.inner) > 0 && slices.ContainsFunc(s.inner, func(p string) bool { return !c.stands(p) }) {
		return "", nil, ErrUnsaid
	}
	if err := c.findQuotes(s, quotes); err != nil {
		return "", nil, err
	}
	for _, check := range []func(*claim) error{c.judges, c.numbersHold, c.supported} {
		if err := check(s); err != nil {
			return "", nil, err
		}
	}
	return inserted, s.spans, nil
}

// namesOther reports whether the statement names somebody else than the participant, and not only as the object of what the
// participant does.
func (s *claim) namesOther(c *Checker) bool {
	all := wordsOf(s.rest)
	for _, kind := range []string{wordKin, wordStaff} {
		for _, phrase := range s.lexicon.words[kind] {
			if strings.Contains(phrase, " ") && strings.Contains(s.padded, " "+phrase+" ") {
				return true
			}
		}
	}
	for i, w := range all {
		if !s.lexicon.is(wordKin, w.form) && !s.lexicon.is(wordStaff, w.form) && !(w.upper && c.names[w.form]) {
			continue
		}
		if s.kind == Persona || !s.objectOfOwn(all, i) {
			return true
		}
	}
	return false
}

// toward are the prepositions before whom something is done to or with.
var toward = wordSet(`to with for at near against without towards beside`)

// objectOfOwn reports whether a word is the object of the verb that a statement begins with: "Visits the mother every week."
func (s *claim) objectOfOwn(all []word, at int) bool {
	if s.lexicon.code != "en" || at == 0 {
		return false
	}
	first := all[0].form
	if !strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "ss") || possessors.MatchString(first) || s.lexicon.is(wordSays, first) || s.lexicon.is(wordSaid, first) || s.lexicon.is(wordKin, first) || s.lexicon.is(wordStaff, first) || functionOf("en")[first] {
		return false
	}
	if at > 2 && toward[all[at-1].form] || at > 3 && toward[all[at-2].form] && functionOf("en")[all[at-1].form] {
		return at+1 >= len(all) || !s.lexicon.is(wordBreak, all[at+1].form) && all[at+1].form != "'s"
	}
	if at > 3 {
		return false
	}
	for _, w := range all[1:at] {
		if !functionOf("en")[w.form] || s.lexicon.is(wordBreak, w.form) || s.lexicon.is(wordThat, w.form) || s.lexicon.is(wordOf, w.form) {
			return false
		}
	}
	if at+1 >= len(all) {
		return true
	}
	next := all[at+1]
	return next.form != "'s" && !s.lexicon.is(wordBreak, next.form) && !strings.ContainsAny(s.rest[all[at].end:next.start], pauses) || next.form == "every"
}

// markup matches what Markdown and HTML make of a text, and addresses of pages and people.
var markup = regexp.MustCompile(`\*\*|__|~~|\*\S[^*]*\*|(?:^|\s)_\S[^_]*_(?:\s|$|[.,;:!?])|^\s*(?:#{1,6}\s|[-*+•]\s|>|\d+[.)]\s|\|)|\]\(|\[[^\]]*\]|!\[|[<>{}|\\]|&[a-z]+;|&#\d+;|://|\S@\S|(?i)\bwww\.|^-{3,}|^={3,}|(?:^|\s)#\pL|` + "```")

// Marked reports whether a text holds Markdown, HTML or a link.
func Marked(text string) bool { return markup.MatchString(strings.TrimSpace(text)) }

// locate returns where a quote stands in a row. A final full stop is not part of it.
func (r *row) locate(quote string) (span evidence.Span, found bool) {
	quote = strings.TrimSpace(quote)
	for _, form := range []string{quote, strings.TrimRight(quote, ".,;:!?。、！？؟،… ")} {
		if span, found = r.reader.Locate(form); found {
			return span, true
		}
		if r.lexicon.code == "ar" { // "and" is written with the next word
			if span, found = r.reader.Locate("و" + form); found {
				span.Start += len("و")
				return span, true
			}
		}
	}
	return span, false
}

func (c *Checker) stands(passage string) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { _, found := r.locate(passage); return found })
}

// quotationHolds checks what the text itself puts between quotation marks.
func (c *Checker) quotationHolds(s *claim, passage string) error {
	if strings.Trim(passage, ".,;:!? ") == "" {
		return nil
	}
	err := ErrUnsaid
	for i := range c.rows {
		r := &c.rows[i]
		span, found := r.locate(passage)
		if !found {
			continue
		}
		if err = c.complete(s, r, span, true); err == nil {
			return nil
		}
	}
	return err
}

// complete returns an error if the sentence of a passage turns it around, and the statement does not say so.
func (c *Checker) complete(s *claim, r *row, span evidence.Span, shown bool) error {
	at := contextOf(r.Answer, span.Start, span.End, r.lexicon, c.names)
	if !shown && s.kind < Tag && s.doneByOther(&at, at.before) {
		return fmt.Errorf("%w: somebody else does %q", ErrCut, r.Answer[span.Start:span.End])
	}
	for _, turn := range at.turns() {
		said := false
		switch turn {
		case turnNegated:
			said = !shown && s.denies()
		case turnCondition:
			// What somebody does on a condition is what they are like, unless they only would do it.
			said = s.kind == Persona && !unreal.MatchString(padded(slices.Concat(at.before, at.passage, at.after))) || s.lexicon.has(wordIf, s.rest) || !shown && s.lexicon.has(wordWish, s.rest)
		case turnDoubted:
			said = s.lexicon.has(wordHedge, s.rest) || s.lexicon.has(wordWish, s.rest)
		case turnReported:
			said = s.other
		case turnOther:
			said = s.other || shown && len(at.passage) <= 2
		}
		if !said {
			return fmt.Errorf("%w: %s stands around %q", ErrCut, turn, r.Answer[span.Start:span.End])
		}
	}
	return nil
}

// denying are words of English that deny.
var denying = regexp.MustCompile(`\b(?:un(?:able|aw|av|b|c|deci|desi|e|f|h|j|k|l|m|n[eo]|o|p|r|s|tr|to|u|w)\pL+|\pL{3,}less|refus|reject|avoid|ignor|lack|fail|declin|oppos|against|rather than|instead|stop|skip|miss|drop|lost|loses|less|few|seldom|rul(?:ed|es) out|except|excluding|gave up|gives up|absent|abandon|neither|nor|quit|cancel|distrust|disagree|disappoint|dissatisf|dislik|inconvenien|incomplete|insufficien|impossible|indifferen|worr|hate|deni|fear|only|hard|difficult|slow|bare|doubt|sceptic|skeptic|broken|defect|fault|out of order|too)\w*`)

// denies reports whether the statement holds anything negative, in its own words or in those it quotes.
func (s *claim) denies() bool {
	return s.lexicon.has(wordNot, s.text) || s.lexicon.code == "en" && denying.MatchString(strings.ToLower(s.text)) || slices.ContainsFunc(s.inner, func(p string) bool {
		return lexiconOf(languageOf(p, s.lexicon.code)).has(wordNot, p)
	})
}

// findQuotes looks the quotes up, and leaves out those that do not hold.
func (c *Checker) findQuotes(s *claim, quotes []string) error {
	err := ErrNoQuote
	for _, quote := range quotes {
		quote = unquoted(quote)
		for i := range c.rows {
			r := &c.rows[i]
			span, found := r.locate(quote)
			if !found || !proves(s.kind, r, span) || slices.Contains(s.spans, span) {
				continue
			}
			if s.kind != Tag && s.kind != Theme {
				if cut := c.complete(s, r, span, false); cut != nil {
					err = cut
					continue
				}
			}
			s.spans = append(s.spans, span)
			if !slices.Contains(s.rows, r) {
				s.rows = append(s.rows, r)
			}
			break
		}
	}
	if len(s.spans) == 0 {
		return err
	}
	return nil
}

// proves reports whether a quote is long enough: evidence.MinLetters, or a complete sentence, or a word of a topic.
func proves(kind Kind, r *row, span evidence.Span) bool {
	passage := r.Answer[span.Start:span.End]
	if evidence.Letters(passage) >= evidence.MinLetters {
		return true
	}
	begin, end := sentence(r.Answer, span.Start, span.End)
	ends := strings.TrimSpace(r.Answer[begin:end]) == strings.TrimRight(passage, ".!?。 ") || strings.TrimSpace(r.Answer[begin:end]) == passage
	return evidence.Letters(passage) >= 4 && (ends || kind == Tag || kind == Theme || kind == Persona)
}

// unquoted removes the quotation marks that a model puts around a quote.
func unquoted(quote string) string {
	quote = strings.TrimSpace(quote)
	first, n := utf8.DecodeRuneInString(quote)
	last, m := utf8.DecodeLastRuneInString(quote)
	if marks, opens := closing[first]; opens && len(quote) > n+m && strings.ContainsRune(marks, last) {
		return strings.TrimSpace(quote[n : len(quote)-m])
	}
	return quote
}

// sameLanguage reports whether the statement and a row are written in one language.
func (s *claim) sameLanguage(r *row) bool { return s.lexicon.code == r.lexicon.code }

func functionOf(language string) map[string]bool { return lang.FunctionWords(language) }

// HasNumber reports whether a text in a language has a number, in figures or in words. One alone is an article.
func HasNumber(text, language string) bool {
	language, _, _ = strings.Cut(language, "-")
	language = languageOf(text, language)
	return slices.ContainsFunc(numbersIn(text, language), func(n number) bool {
		return !lexiconOf(language).dense() || n.unit != "" || !denseNumerals.MatchString(n.text)
	})
}

// Theme checks the name and the description of a theme that a model found in many answers: neither names a person, judges anybody, or
// names an illness that nobody spoke of, and where the answers are in the theme's language one of its words was said.
func (c *Checker) Theme(name, description string) error {
	said := strings.Builder{}
	same := false
	for i := range c.rows {
		said.WriteString(c.rows[i].Answer + "\n")
		same = same || c.rows[i].lexicon.code == c.in.Written
	}
	for _, text := range []string{name, description} {
		for _, list := range []*regexp.Regexp{insults, diagnoses} {
			for _, found := range list.FindAllString(text, -1) {
				if !wordsStand(found, said.String()) {
					return ErrJudgement
				}
			}
		}
		if c.NamesPerson(text) {
			return ErrName
		}
		if quoted, _ := passages(text); slices.ContainsFunc(quoted, func(p string) bool { return !c.stands(p) }) {
			return ErrUnsaid
		}
	}
	if same && shared(stemsOf(name+" "+description, c.in.Written), slices.Concat(c.said, c.asked)) == 0 {
		return ErrUnsupported
	}
	return nil
}

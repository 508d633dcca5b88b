package guardrail

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Guard judges probes at one point of one interview. It is made by For, never changes, and is safe for concurrent use.
type Guard struct {
	in         Context
	lexicon    *lexicon
	vocabulary *vocabulary // nil: none for the language
	ties       *ties       // nil: the structure is not judged
	known      string      // in the form of Plain: the guide's texts for this point and the participant's replies
	guide      string      // the part of known that the researcher wrote
	topic      string      // known, the study's goal and what was asked
	asked      []earlier
	sites      []string        // named by the researcher
	others     []groups        // of in.Questions; nil for the question itself
	secrets    map[string]bool // passages that must not be echoed
}

// For prepares the judging of probes in a context, which must not be changed afterwards.
func For(in Context) *Guard {
	g := &Guard{in: in, lexicon: lexiconFor(in.Language)}
	g.guide = g.plain(in.Question, in.ConceptTitle, in.StudyTitle)
	g.sites = sitesIn(in.Question, in.ConceptTitle, in.StudyTitle)
	g.known = g.guide + g.plain(append([]string{in.Answer}, in.Earlier...)...)
	g.topic = g.known + g.plain(append([]string{in.StudyGoal}, in.Asked...)...)
	for _, a := range in.Asked {
		g.asked = append(g.asked, g.earlier(a, a))
	}
	if in.Question != "" {
		g.asked = append(g.asked, g.earlier(in.Question, "the question itself"))
	}
	for _, q := range in.Questions {
		var other groups
		if q != in.Question {
			other = trigrams(q)
		}
		g.others = append(g.others, other)
	}
	if v := vocabularies[g.lexicon.code]; v != nil {
		g.vocabulary = v()
	}
	if g.judgesStructure() {
		g.ties = g.tie()
	}
	g.secrets = map[string]bool{}
	for _, secret := range in.Secrets {
		windows(g.plain(secret), func(stretch string) bool {
			g.secrets[stretch] = true
			return true
		})
	}
	return g
}

// plain returns the words of texts, divided as the language divides them.
func (g *Guard) plain(texts ...string) string {
	text := strings.Join(texts, " . ")
	if g.lexicon.elides {
		text = strings.NewReplacer("'", " ", "’", " ").Replace(text)
	}
	return Plain(text)
}

// Judge returns all violations of a probe, in a fixed order, or nothing if it may be asked. The same words in the same context
// have the same violations.
func Judge(words string, in Context) []Violation { return For(in).Judge(words) }

// Judge is like the function Judge, in this context.
func (g *Guard) Judge(words string) []Violation {
	violations := g.budget()
	if strings.TrimSpace(Clean(words)) == "" {
		return append(violations, violation(Empty, "It has no words."))
	}
	violations = append(violations, g.length(words)...)
	words = g.cut(words)
	violations = append(violations, g.unclean(words)...)
	violations = append(violations, g.links(words)...)
	violations = append(violations, g.elicits(fold(words))...)
	own := g.own(fileName.ReplaceAllString(norm.NFKC.String(words), " "))
	all := g.lexicon.sentences(own)
	tokens := flat(all)
	violations = append(violations, g.questions(all)...)
	for _, check := range []func([]string) []Violation{g.script, g.language, g.beginning} {
		if wrong := check(tokens); len(wrong) > 0 {
			violations = append(violations, wrong...)
			break
		}
	}
	violations = append(violations, g.phrases(all)...)
	violations = append(violations, g.machine(words, own, all)...)
	violations = append(violations, g.echoes(own)...)
	violations = append(violations, g.repeats(words)...)
	violations = append(violations, g.leading(all)...)
	violations = append(violations, g.doubled(all)...)
	violations = append(violations, g.subject(tokens)...)
	for _, v := range g.structure(words, all) {
		if !slices.ContainsFunc(violations, func(o Violation) bool { return o.Kind == v.Kind }) {
			violations = append(violations, v)
		}
	}
	return violations
}

// budget refuses whatever is asked beyond the budget.
func (g *Guard) budget() []Violation {
	if g.in.Left > 0 {
		return nil
	}
	return []Violation{violation(OverBudget, "No follow-up is left for this question.")}
}

// length refuses a probe that is too long.
func (g *Guard) length(words string) []Violation {
	limit := g.in.MaxRunes
	if limit <= 0 {
		limit = DefaultMaxRunes
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(words)); n > limit {
		return []Violation{violation(TooLong, "It has more than %d characters.", limit)}
	}
	return nil
}

// cut returns the beginning of what is far too long, so that no text costs more than a known time. It is refused for its length.
func (g *Guard) cut(words string) string {
	limit := max(g.in.MaxRunes, DefaultMaxRunes)
	if len(words) <= limit {
		return words
	}
	for i := range words {
		if limit--; limit < 0 {
			return words[:i]
		}
	}
	return words
}

// flat returns the tokens of all sentences.
func flat(all []sentence) (tokens []string) {
	for _, s := range all {
		tokens = append(tokens, s.tokens[1:len(s.tokens)-1]...)
	}
	return tokens
}

// questions counts what is asked: sentences with a question mark, requests, and questions without a question mark. A word that puts the
// participant at ease invites them to go on.
func (g *Guard) questions(all []sentence) []Violation {
	n, eased := 0, false
	for i, s := range all {
		eased = eased || g.ties != nil && g.eases(g.terms(s))
		if g.asks(s) && !g.setsScene(all[i:]) {
			n++
		}
	}
	switch {
	case n > 1:
		return []Violation{violation(SeveralQuestions, "It asks %d questions; ask one.", n)}
	case n == 0 && !eased && !g.lexicon.unmarked():
		return []Violation{violation(NoQuestion, "It asks nothing.")}
	}
	return nil
}

// asks reports whether a sentence asks for an answer.
func (g *Guard) asks(s sentence) bool {
	if g.ties == nil {
		return s.asks || g.requests(s) || g.unmarkedQuestion(s)
	}
	terms := g.terms(s)
	return g.asking(s, terms) || g.unmarkedQuestion(s) && !g.eases(terms)
}

// setsScene reports whether the first of some sentences only leads to an occasion that the next one asks about: "Take me to that morning. What
// was going on?"
func (g *Guard) setsScene(all []sentence) bool {
	if g.ties == nil || len(all) != 2 || all[0].asks || !all[1].asks {
		return false
	}
	terms := g.terms(all[0])
	if slices.ContainsFunc(terms[:min(len(terms), 3)], func(t term) bool { return backs[t.text] }) {
		return true
	}
	return len(terms) > 0 && terms[0].classes.has(keepClass) && !slices.ContainsFunc(terms, func(t term) bool { return t.ask || tells(t) })
}

// requests reports whether a sentence asks for an answer without being a question.
func (g *Guard) requests(s sentence) bool {
	_, found := find(g.lexicon.requests, s.tokens)
	return found && len(s.tokens) > 4
}

// unmarkedQuestion reports whether a sentence begins like a question and has no question mark.
func (g *Guard) unmarkedQuestion(s sentence) bool {
	first := s.tokens[1]
	return len(s.tokens) > 4 && g.lexicon.questionWords[first] && !g.lexicon.settings[first] && !isDense(first)
}

// beginning checks the language of the first words.
func (g *Guard) beginning(tokens []string) []Violation {
	words := make([]string, 0, firstWords)
	for _, t := range tokens {
		if isWord(t) {
			if words = append(words, t); len(words) == firstWords {
				break
			}
		}
	}
	if len(words) < firstWords {
		return nil
	}
	if name := g.otherLanguage(words); name != "" {
		return []Violation{violation(Language, "It begins in %s, not in the interview's language (%s).", name, g.lexicon.name)}
	}
	return nil
}

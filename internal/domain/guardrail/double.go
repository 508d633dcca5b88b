package guardrail

import (
	"slices"
	"strings"
)

// doubled finds one question that asks for two things: a second question after "and", two objects that each have their own
// article, two attributes, two measures. Pairs that are one thing, or that the participant or the guide put together, count as
// one thing, and a clause that only sets the scene may name any number of things.
func (g *Guard) doubled(all []sentence) []Violation {
	for _, s := range all {
		if !s.asks && !g.requests(s) {
			continue
		}
		tokens := g.mainClause(s.tokens)
		if words, found := g.twoQuestions(tokens); found {
			return []Violation{violation(DoubleBarrelled, "“%s” asks for two things at once; ask for one.", words)}
		}
		if _, found := find(g.lexicon.both, tokens); found {
			continue
		}
		if words, found := g.twoThings(g.withoutSetting(tokens)); found {
			return []Violation{violation(DoubleBarrelled, "“%s” puts two things into one question; ask about one.", words)}
		}
	}
	return nil
}

// mainClause removes a clause at the beginning that only sets the scene: "when you think of the price and the quality, ...".
func (g *Guard) mainClause(tokens []string) []string {
	if len(tokens) < 4 {
		return tokens
	}
	_, recalled := find(g.lexicon.introduction, tokens)
	if !g.lexicon.settings[tokens[1]] && !g.lexicon.before[tokens[1]] && !recalled {
		return tokens
	}
	at := slices.Index(tokens, ",")
	if at < 0 || len(tokens)-at < 4 || slices.ContainsFunc(tokens[1:3], func(w string) bool { return g.lexicon.questionWords[w] && !g.lexicon.settings[w] }) {
		return tokens
	}
	return append([]string{"^"}, tokens[at+1:]...)
}

// withoutSetting removes a clause at the end that only sets the scene: "... when you opened the app and the page".
func (g *Guard) withoutSetting(tokens []string) []string {
	for i := 4; i < len(tokens); i++ {
		if g.lexicon.settings[tokens[i]] && !g.lexicon.ands[tokens[i-1]] && !g.lexicon.ors[tokens[i-1]] {
			return append(slices.Clone(tokens[:i]), "$")
		}
	}
	return tokens
}

// twoQuestions finds "and", or "or", with a second question after it.
func (g *Guard) twoQuestions(tokens []string) (string, bool) {
	if words, found := find(g.lexicon.degree, tokens); found {
		return words, true
	}
	if words, found := find(g.lexicon.second, tokens[2:]); found && g.asksBefore(tokens, words) {
		return words, true
	}
	for at := 3; at < len(tokens)-1; at++ {
		if !g.joins(tokens[at]) || g.single(tokens, at) {
			continue
		}
		next := at + 1
		if g.lexicon.before[tokens[next]] {
			next++
		}
		if g.lexicon.questionWords[tokens[next]] && !isDense(tokens[next]) {
			return show(tokens[at : next+1]), true
		}
	}
	return "", false
}

// asksBefore reports whether a question stands before the words of a second one. In languages with spaces the words for "and" tell.
func (g *Guard) asksBefore(tokens []string, words string) bool {
	text := show(tokens)
	at := strings.Index(text, words)
	return at < 0 || !isDense(tokens[1]) || holdsAsk([]rune(text[:at])) || strings.ContainsAny(text[:at], "吗嗎か")
}

// twoThings finds two objects, each with an article or a possessive, and two attributes at the end of a closed question.
func (g *Guard) twoThings(tokens []string) (string, bool) {
	l := g.lexicon
	for at := 3; at < len(tokens)-2; at++ {
		if !l.ands[tokens[at]] || g.single(tokens, at) || g.together(tokens[at-1], tokens[at+1:]) {
			continue
		}
		left := slices.ContainsFunc(tokens[max(1, at-3):at-1], func(w string) bool { return l.articles[w] })
		right := at + 1
		if l.before[tokens[right]] && !l.articles[tokens[right]] {
			right++
		}
		if left && l.articles[tokens[right]] {
			return show(tokens[at-1 : min(len(tokens), right+2)]), true
		}
		last := at+3 == len(tokens) // "X and Y $"
		if last && !slices.ContainsFunc(tokens[:at], func(w string) bool { return l.questionWords[w] }) {
			return show(tokens[at-1:]), true
		}
	}
	return "", false
}

func (g *Guard) joins(token string) bool { return g.lexicon.ands[token] || g.lexicon.ors[token] }

// single reports whether the words around a joining word are a pair that is one thing.
func (g *Guard) single(tokens []string, at int) bool {
	for from := max(0, at-2); from < at; from++ {
		for end := range g.lexicon.oneThing.at(tokens, from) {
			if end > at {
				return true
			}
		}
	}
	return false
}

// together reports whether somebody put the two things together before: both words were used.
func (g *Guard) together(left string, after []string) bool {
	if !strings.Contains(g.known, " "+left+" ") {
		return false
	}
	return slices.ContainsFunc(after[:min(3, len(after))], func(w string) bool {
		return isWord(w) && !g.lexicon.articles[w] && !g.lexicon.before[w] && strings.Contains(g.known, " "+w+" ")
	})
}

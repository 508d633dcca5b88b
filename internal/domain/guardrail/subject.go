package guardrail

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minSubjects is the number of words with a subject from which on one of them has to be known. A neutral probe has none.
const minSubjects = 4

// subject finds a probe that shares nothing with what was asked and said. It is lenient: one word, or the beginning of one, is
// enough, and so is a quote. Languages without lists are not judged, because their common words cannot be distinguished from
// subjects.
func (g *Guard) subject(tokens []string) []Violation {
	if g.ties != nil || g.lexicon.neutral == nil || strings.TrimSpace(g.topic) == "" {
		return nil
	}
	var own []string
	for _, w := range g.lexicon.subjects(tokens) {
		if w == mark || g.onTopic(w) {
			return nil
		}
		own = append(own, w)
	}
	if len(own) < minSubjects || isDense(own[0]) && len(own) < 2*minSubjects {
		return nil
	}
	return []Violation{violation(OffSubject, "It shares no word with what was asked and said: %s.", strings.Join(own[:minSubjects], ", "))}
}

// subjects returns the words that carry a subject; in scripts without spaces, every two successive characters that do.
func (l *lexicon) subjects(tokens []string) (all []string) {
	before := ""
	for i := 0; i < len(tokens); i++ {
		w := tokens[i]
		switch {
		case w == mark:
			all = append(all, w)
		case !isWord(w) || unicode.IsDigit([]rune(w)[0]):
			before = ""
		case isDense(w):
			if n := l.neutralRun(tokens[i:]); n > 0 {
				i += n - 1
				before = ""
			} else if r, _ := utf8.DecodeRuneInString(w); unicode.In(r, unicode.Han, unicode.Katakana) {
				if before != "" {
					all = append(all, before+w)
				}
				before = w
			} else {
				before = ""
			}
		case !l.stop[w] && !l.neutral[w] && !l.questionWords[w] && !l.articles[w] && utf8.RuneCountInString(w) > 2:
			all = append(all, w)
		}
	}
	return all
}

// neutralRun returns how many characters at the beginning, up to four, make a neutral word, or 0.
func (l *lexicon) neutralRun(tokens []string) int {
	for n := min(4, len(tokens)); n > 0; n-- {
		if l.neutral[strings.Join(tokens[:n], "")] {
			return n
		}
	}
	return 0
}

// onTopic reports whether a word, or its first five letters, stands in what was asked and said.
func (g *Guard) onTopic(word string) bool {
	if isDense(word) {
		return strings.Contains(g.topic, word)
	}
	if g.lexicon.code == "ar" {
		for _, article := range []string{"وال", "بال", "ال"} {
			if rest, found := strings.CutPrefix(word, article); found && utf8.RuneCountInString(rest) > 2 {
				word = rest
				break
			}
		}
		return strings.Contains(g.topic, string([]rune(word)[:min(3, utf8.RuneCountInString(word))]))
	}
	runes := []rune(word)
	if len(runes) < 5 {
		return strings.Contains(g.topic, " "+word)
	}
	return strings.Contains(g.topic, string(runes[:5])) || strings.Contains(g.topic, " "+string(runes[:4]))
}

package textanalysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/response"
)

const (
	maxTags   = 8
	fewTags   = 3
	tagWeight = 1.6 // a word below this was said in passing; it becomes a tag only if there are few others
)

// tag is a word or a pair of words that the answers are about.
type tag struct {
	text   string
	stems  []string
	weight float64
	count  int
	first  int // order in which the tags came up, for equal weights
}

// topic counts the forms of one stem, or of a pair of stems.
type topic struct {
	tag
	forms   map[string]int
	answers map[int]bool
}

// tags returns what the open answers are about, the largest weight first: words that recur, in several answers, and that stand
// where nouns stand. A pair of words wins over its parts if they seldom stand alone.
func (r *reading) tags() []tag {
	topics := map[string]*topic{}
	note := func(stems []string, form string, weight float64, answer int) {
		key := stems[0]
		if len(stems) > 1 {
			key += " " + stems[1]
		}
		t := topics[key]
		if t == nil {
			t = &topic{tag: tag{stems: stems, first: len(topics)}, forms: map[string]int{}, answers: map[int]bool{}}
			topics[key] = t
		}
		t.forms[form]++
		t.answers[answer] = true
		t.weight += weight
		t.count++
	}
	for i := range r.answers {
		for _, s := range r.answers[i].sentences {
			for j := range s.tokens {
				w := &s.tokens[j]
				if w.stem == "" || w.name {
					continue
				}
				note([]string{w.stem}, r.form(s.tokens, j), w.weight, i)
				if j > 0 && w.joined && s.tokens[j-1].stem != "" && !s.tokens[j-1].name && s.tokens[j-1].stem != w.stem && w.weight >= 0.9 && s.tokens[j-1].weight > 0.4 {
					note([]string{s.tokens[j-1].stem, w.stem}, r.form(s.tokens, j-1)+" "+r.form(s.tokens, j), 0.7*(w.weight+s.tokens[j-1].weight), i)
				}
			}
		}
	}
	ranked := make([]tag, 0, len(topics))
	for _, t := range topics {
		t.weight *= 1 + 0.35*float64(len(t.answers)-1)
		if len(t.stems) > 1 && t.count == 1 {
			t.weight *= 0.8 // a pair that occurs once may be chance
		}
		t.text = mostCommon(t.forms)
		ranked = append(ranked, t.tag)
	}
	slices.SortFunc(ranked, func(a, b tag) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.first, b.first))
	})
	return choose(ranked)
}

// choose returns the tags with the largest weights, and leaves out those that overlap with them.
func choose(ranked []tag) []tag {
	chosen := make([]tag, 0, maxTags)
	for i, t := range ranked {
		if len(chosen) == maxTags || len(chosen) >= fewTags && t.weight < tagWeight {
			break
		}
		if t.weight < 0.9 || slices.ContainsFunc(chosen, func(c tag) bool { return overlap(c, t) }) {
			continue
		}
		if len(t.stems) == 1 {
			// The pair says more if the word seldom occurs without it.
			if p := slices.IndexFunc(ranked[i:], func(p tag) bool {
				return len(p.stems) == 2 && slices.Contains(p.stems, t.stems[0]) && p.count > 1 && p.count*4 >= t.count*3
			}); p >= 0 {
				if pair := ranked[i+p]; !slices.ContainsFunc(chosen, func(c tag) bool { return overlap(c, pair) }) {
					t = pair
				}
			}
		}
		chosen = append(chosen, t)
	}
	return chosen
}

func overlap(a, b tag) bool {
	if first, _ := utf8.DecodeRuneInString(a.text); lang.Unspaced(first) && (strings.Contains(a.text, b.text) || strings.Contains(b.text, a.text)) {
		return true
	}
	return slices.ContainsFunc(a.stems, func(s string) bool { return slices.Contains(b.stems, s) })
}

// form returns how a word is displayed: names and German nouns as written, other words in lower case.
func (r *reading) form(tokens []token, i int) string {
	w := tokens[i].text
	if i > 0 && startsUpper(w) || r.lang.capitalNouns || utf8.RuneCountInString(w) <= 4 && isUpper(w) {
		return w
	}
	return lower(w)
}

// mostCommon returns the form that was used most; among equals the shortest, then the first in the alphabet.
func mostCommon(forms map[string]int) string {
	best := ""
	for form, n := range forms {
		if best == "" || cmp.Or(cmp.Compare(n, forms[best]), cmp.Compare(len(best), len(form)), cmp.Compare(best, form)) > 0 {
			best = form
		}
	}
	return best
}

func (r *reading) tagTexts(tags []tag) []string {
	texts := make([]string, len(tags))
	for i, t := range tags {
		texts[i] = t.text
		r.claim(response.PartTags, t.text, r.mentions(t.text)...)
	}
	return texts
}

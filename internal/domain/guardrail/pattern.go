package guardrail

import (
	"iter"
	"slices"
	"strings"
)

type step struct {
	gap     int // tokens that may be skipped; if it is set, the other fields are empty
	any     bool
	choices []choice
}

type choice struct {
	text   string
	prefix bool
}

// pattern matches words in the tokens of a sentence. It is written:
//
//	word      this word, or the sign "^" (the sentence begins), "$" (it ends), "," or ":"
//	a|b|c     one of these
//	word*     a word that begins so
//	_         any one word
//	..        up to three tokens, "..." up to eight; no comma is skipped
//
// In scripts without spaces every character is a word, and words are written together: 能不能 stands for three.
type pattern []step

// patterns is a list of patterns, indexed by their first word.
type patterns struct {
	beginning map[string][]pattern
	other     []pattern // those that begin with a prefix or with any word
}

func compile(lines ...string) patterns {
	all := patterns{beginning: map[string][]pattern{}}
	for _, line := range lines {
		var p pattern
		for field := range strings.FieldsSeq(line) {
			p = append(p, steps(field)...)
		}
		if slices.ContainsFunc(p[0].choices, func(c choice) bool { return c.prefix }) || len(p[0].choices) == 0 {
			all.other = append(all.other, p)
			continue
		}
		for _, c := range p[0].choices {
			all.beginning[c.text] = append(all.beginning[c.text], p)
		}
	}
	return all
}

// at yields the end of each pattern that matches from a token on: the index after its last token.
func (p patterns) at(tokens []string, at int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, list := range [][]pattern{p.beginning[tokens[at]], p.other} {
			for _, steps := range list {
				if end := match(steps, tokens, at); end >= 0 && !yield(end) {
					return
				}
			}
		}
	}
}

func steps(field string) []step {
	switch field {
	case "_":
		return []step{{any: true}}
	case "..":
		return []step{{gap: 3}}
	case "...":
		return []step{{gap: 8}}
	}
	if !strings.Contains(field, "|") && isDense(field) {
		var all []step
		for _, r := range field {
			all = append(all, step{choices: []choice{{text: string(r)}}})
		}
		return all
	}
	var s step
	for c := range strings.SplitSeq(field, "|") {
		text, prefix := strings.CutSuffix(c, "*")
		s.choices = append(s.choices, choice{text, prefix})
	}
	return []step{s}
}

// match returns the index after the last token that the steps match from a token on, or -1.
func match(steps []step, tokens []string, at int) int {
	for i, s := range steps {
		if s.gap > 0 {
			for skipped := range s.gap + 1 {
				if end := match(steps[i+1:], tokens, at+skipped); end >= 0 {
					return end
				}
				if at+skipped >= len(tokens) || tokens[at+skipped] == "," {
					return -1
				}
			}
			return -1
		}
		if at >= len(tokens) || !s.matches(tokens[at]) {
			return -1
		}
		at++
	}
	return at
}

func (s *step) matches(token string) bool {
	if s.any {
		return isWord(token) || token == mark
	}
	for _, c := range s.choices {
		if c.text == token || c.prefix && strings.HasPrefix(token, c.text) {
			return true
		}
	}
	return false
}

// find returns the words of the first match of one of the patterns.
func find(all patterns, tokens []string) (string, bool) {
	for at := range tokens {
		for end := range all.at(tokens, at) {
			return show(tokens[at:end]), true
		}
	}
	return "", false
}

// show returns tokens in readable form.
func show(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		switch {
		case t == "^" || t == "$":
			continue
		case t == mark:
			t = "“…”"
		}
		if b.Len() > 0 && t != "," && t != ":" && !isDense(t) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

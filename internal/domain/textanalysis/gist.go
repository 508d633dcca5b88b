package textanalysis

import (
	"fmt"
	"strings"
	"unicode"

	"verbatim/internal/domain/guide"
)

// gist holds what an open answer says beyond its question.
type gist struct {
	*answer
	topics map[string]bool // keys of its content words
	own    map[string]bool // those that its question does not have; figures and moments too
	plain  map[string]bool // keys of all words
}

// gists reads the open answers that are not blank. It returns nil in a language without a word list.
func (r *reading) gists() (all []gist) {
	list, known := functionWords()[r.lang]
	if !known {
		return nil
	}
	for i := range r.answers {
		a := &r.answers[i]
		if a.item.Type != guide.OpenEnded || a.kind == skipped {
			continue
		}
		g := gist{answer: a, topics: map[string]bool{}, own: map[string]bool{}, plain: map[string]bool{}}
		all = append(all, g)
		if a.kind != substantial {
			continue
		}
		asked := r.keysOf(sentences(a.Question, r.lang), list)
		for key := range r.keysOf(a.sentences, list) {
			if g.topics[key] = true; !asked[key] {
				g.own[key] = true
			}
		}
		for _, s := range a.sentences {
			for _, w := range s.tokens {
				g.plain[keyOf(w.lower)] = true
				if strings.ContainsFunc(w.text, unicode.IsDigit) || w.stem == "" && concreteWords().has(w.lower) {
					g.own[w.lower] = true
				}
			}
		}
	}
	return all
}

// keysOf returns the keys of the words that name a topic.
func (r *reading) keysOf(all []sentence, list lexicon) map[string]bool {
	keys := map[string]bool{}
	for _, s := range all {
		for _, w := range s.tokens {
			if w.stem != "" && !list.has(w.lower) && !blandWords[w.lower] {
				keys[keyOf(w.stem)] = true
			}
		}
	}
	return keys
}

// blandWords are words of approval or indifference that answer any question.
var blandWords = set(`fine normal same usual alright whatever correct standard perfect special happened
	passt gleich ok okay super prima bestens üblich besonderes klar richtig egal
	normale correct pareil parfait spécial ordinaire habituel
	correcto normal igual perfecto regular especial vale
	certo perfeito comum tranquilo uguale perfetto speciale solito giusto normaal hetzelfde bijzonders gewone`)

// repetition looks for one text, or nearly one, under several questions.
func (r *reading) repetition(gists []gist) sign {
	s := sign{part: partAttention}
	long, repeated := 0, 0
	for i, g := range gists {
		if g.kind != substantial || g.words < 4 {
			continue
		}
		long++
		for _, earlier := range gists[:i] {
			if earlier.kind == substantial && earlier.words >= 4 && likeness(g.plain, earlier.plain) >= 0.75 {
				repeated++
				s.rows = append(s.rows, g.rows()...)
				break
			}
		}
	}
	if repeated > 0 {
		s.weight = ramp(float64(repeated)/float64(long-1), 0, 0.6, 0.9)
		s.reason = fmt.Sprintf("%s nearly the words of another.", upperFirst(plural(repeated, "answer")+has(repeated)))
	}
	return s
}

func has(n int) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// likeness is the share of common keys in all keys of two texts.
func likeness(a, b map[string]bool) float64 {
	common := 0
	for key := range a {
		if b[key] {
			common++
		}
	}
	return float64(common) / float64(max(1, len(a)+len(b)-common))
}

// emptiness looks for interviews that name nothing at all. A word or two that answer the question are enough.
func (r *reading) emptiness(gists []gist) sign {
	s := sign{part: partEffort}
	named, open := map[string]bool{}, 0
	for _, g := range gists {
		if g.kind == gibberish {
			continue
		}
		open++
		for key := range g.own {
			named[key] = true
		}
		if len(g.own) == 0 {
			s.rows = append(s.rows, g.rows()...)
		}
	}
	if open < 2 {
		return s
	}
	s.weight = ramp(float64(len(named))/float64(open), 0.95, 0.5, 0.85)
	s.reason = fmt.Sprintf("The open answers name nothing beyond their questions, or hardly anything (%s over %s).", plural(len(named), "word"), plural(open, "answer"))
	return s
}

// echo looks for answers that are made of their question's words and of small words: long enough, and nothing added.
func (r *reading) echo(gists []gist) sign {
	s := sign{part: partRelevance}
	long, echoes := 0, 0
	for _, g := range gists {
		if g.kind != substantial || g.words < 6 {
			continue
		}
		long++
		shared := r.sharedWith(g, g.Question)
		if len(g.own) <= max(1, g.words/8) && shared >= 0.3 || len(g.own) <= g.words/6 && shared >= 0.4 {
			echoes++
			s.rows = append(s.rows, g.rows()...)
		}
	}
	if echoes < 2 {
		return s
	}
	s.weight = ramp(float64(echoes)/float64(long), 0.3, 0.7, 0.9)
	s.reason = fmt.Sprintf("%d of %s longer than a few words repeat their question and add next to nothing.", echoes, plural(long, "open answer"))
	return s
}

// sharedWith returns the share of an answer's words, small ones too, that a question has.
func (r *reading) sharedWith(g gist, question string) float64 {
	asked, common := map[string]bool{}, 0
	for _, s := range sentences(question, r.lang) {
		for _, w := range s.tokens {
			asked[keyOf(w.lower)] = true
		}
	}
	for key := range g.plain {
		if asked[key] {
			common++
		}
	}
	return float64(common) / float64(max(1, len(g.plain)))
}

// straightLines looks for rating grids answered in one column. Somebody may mean it, so it is a weak sign.
func (r *reading) straightLines() sign {
	s := sign{part: partAttention}
	lines, grids := 0, 0
	for i := range r.answers {
		if a := &r.answers[i]; a.kind == closed && a.item.Type == guide.Matrix {
			grids++
			if straight(a.Text) >= 4 {
				lines++
			}
		}
	}
	s.weight = ramp(float64(lines), 0, 2, 0.5)
	return s
}

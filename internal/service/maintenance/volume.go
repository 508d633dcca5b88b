package maintenance

import (
	"hash/fnv"
	"slices"
	"strings"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/textanalysis"
)

// volume is what was said in reply to one open question and its follow-ups.
type volume struct {
	subject map[uint32]bool // word stems of the question, the concepts, the study's title and goal
	said    map[uint32]int  // word stems by the number of replies that have them
	replies []reply
}

type reply struct {
	words int
	stems []uint32
}

func newVolume() *volume { return &volume{subject: map[uint32]bool{}, said: map[uint32]int{}} }

// about adds words that tell the subject.
func (v *volume) about(text string) {
	for _, stem := range stems(text) {
		v.subject[stem] = true
	}
}

func (v *volume) add(text string) {
	r := reply{words: lang.Words(text)}
	if textanalysis.SaysSomething(text) {
		r.stems = stems(text)
	}
	for _, stem := range r.stems {
		v.said[stem]++
	}
	v.replies = append(v.replies, r)
}

// words counts those of all replies, and those of the replies on the subject: they say something, and share a word with the
// question, the concept or the study, or with another reply. It is a measure by words alone; it understands nothing.
func (v *volume) words() (all, onSubject int) {
	for _, r := range v.replies {
		all += r.words
		if slices.ContainsFunc(r.stems, func(stem uint32) bool { return v.subject[stem] || v.said[stem] > 1 }) {
			onSubject += r.words
		}
	}
	return all, onSubject
}

// stems are the different words of four letters and more by their first five, which lets most endings go; in scripts without
// spaces, the pairs of characters. They are told apart by a hash.
func stems(text string) (found []uint32) {
	add := func(runes []rune) {
		h := fnv.New32a()
		h.Write([]byte(string(runes)))
		found = append(found, h.Sum32())
	}
	for word := range strings.FieldsSeq(guardrail.Plain(text)) {
		runes := []rune(word)
		switch {
		case lang.Dense(runes[0]):
			for i := range len(runes) - 1 {
				add(runes[i : i+2])
			}
		case len(runes) >= 4:
			add(runes[:min(len(runes), 5)])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

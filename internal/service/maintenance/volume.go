package maintenance

import (
	"hash/fnv"
	"slices"
	"strings"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/textanalysis"
)

// volume collects the replies to one open question and its follow-ups.
type volume struct {
	subject map[uint32]bool // word stems of the question, the concepts, the study's title and goal
	said    map[uint32]int  // number of replies that have each word stem
	replies []reply
}

type reply struct {
	words int
	stems []uint32
}

func newVolume() *volume { return &volume{subject: map[uint32]bool{}, said: map[uint32]int{}} }

// addSubject adds the words of a text that names the subject.
func (v *volume) addSubject(text string) {
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

// words counts the words of all replies, and those of the replies on the subject. Such a reply says something, and shares a word
// with the question, the concept or the study, or with another reply. The measure compares words; it does not understand them.
func (v *volume) words() (all, onSubject int) {
	for _, r := range v.replies {
		all += r.words
		if slices.ContainsFunc(r.stems, func(stem uint32) bool { return v.subject[stem] || v.said[stem] > 1 }) {
			onSubject += r.words
		}
	}
	return all, onSubject
}

// stems returns hashes of the distinct words of at least four letters, cut to their first five, which drops most endings. In
// scripts without spaces it returns hashes of the pairs of characters.
func stems(text string) (found []uint32) {
	add := func(runes []rune) {
		h := fnv.New32a()
		h.Write([]byte(string(runes)))
		found = append(found, h.Sum32())
	}
	for word := range strings.FieldsSeq(guardrail.Plain(text)) {
		runes := []rune(word)
		switch {
		case lang.Unspaced(runes[0]):
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

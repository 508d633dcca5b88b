package keywords

import (
	"slices"

	"verbatim/internal/domain/textanalysis"
)

// PhraseStems returns the stems of a phrase's words that carry a topic, as a Group that is a phrase has them.
func PhraseStems(lexicon textanalysis.Lexicon, phrase string) (stems []string) {
	for _, s := range lexicon.Sentences(phrase) {
		for _, t := range s.Terms {
			stems = append(stems, t.Stem)
		}
	}
	slices.Sort(stems)
	return stems
}

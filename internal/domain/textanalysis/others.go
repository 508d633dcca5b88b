package textanalysis

const (
	othersAtLeast = 10 // earlier responses, before what they speak of says anything of the study
	ownAtLeast    = 12 // content words, before somebody's can be compared with theirs

	// MaxEarlier limits the earlier responses from which to learn what people speak of in a study.
	MaxEarlier = 20
)

// commonGround returns which share of the words that name a topic, beyond those of their questions, earlier responses of the study
// have too. Nobody repeats what others say throughout, but who speaks of the same thing shares many words with them. ok is false
// where there is too little to compare.
func (r *reading) commonGround(gists []gist) (share float64, ok bool) {
	if len(r.in.Earlier) < othersAtLeast || len(gists) == 0 {
		return 0, false
	}
	list, frame := functionWords()[r.lang], r.frame()
	stems, keys := map[string]bool{}, map[string]bool{}
	for _, answers := range r.in.Earlier {
		for _, text := range answers {
			for _, s := range sentences(head(text, maxRead), r.lang) {
				for _, w := range s.tokens {
					if w.stem != "" {
						stems[w.stem], keys[keyOf(w.stem)] = true, true
					}
				}
			}
		}
	}
	all, same, sounds := 0, 0, 0
	for _, g := range gists {
		asked := r.keysOf(sentences(g.Question, r.lang), list)
		for _, w := range r.topicWords(g.sentences, list, frame) {
			key := keyOf(w.stem)
			if asked[key] {
				continue
			}
			all++
			if stems[w.stem] {
				same++
			}
			if keys[key] {
				sounds++
			}
		}
	}
	if all < ownAtLeast {
		return 0, false
	}
	// Keys find misspelled words, and as many others by chance.
	return max(float64(same), float64(sounds)-chanceKeys*float64(all)) / float64(all), true
}

const chanceKeys = 0.2 // of words whose key is that of another word

// topicWords returns the words that name a topic and are no frame of a question.
func (r *reading) topicWords(all []sentence, list lexicon, frame map[string]bool) (words []token) {
	for _, s := range all {
		for _, w := range s.tokens {
			if w.stem != "" && !list.has(w.lower) && !blandWords[w.lower] && !frame[keyOf(w.stem)] {
				words = append(words, w)
			}
		}
	}
	return words
}

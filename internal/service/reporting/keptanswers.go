package reporting

// defaultMemory limits the bytes of open answers that are kept where the service sets no limit.
const defaultMemory = 64 << 20

// answerOverhead estimates the bytes that an answer takes beside its words.
const answerOverhead = 300

// keptAnswers holds the open answers that were read while responses were counted, until they are coded: of all people, or of the first
// ones where there is no room for more.
type keptAnswers struct {
	room int
	full bool // there was no room; people after last are read again
	last int  // readable id of the last person with all answers kept
	of   []keptOf
}

type keptOf struct {
	question *counted
	pending
}

// add keeps one person's answers to a question. People come in the order of their readable ids.
func (k *keptAnswers) add(c *counted, one pending) {
	if k.full || len(one.said) == 0 {
		return
	}
	for _, said := range one.said {
		k.room -= answerOverhead
		for _, text := range said.Texts {
			k.room -= len(text)
		}
	}
	if k.room >= 0 {
		k.of = append(k.of, keptOf{c, one})
		return
	}
	k.full, k.last = true, one.readableID-1
	for len(k.of) > 0 && k.of[len(k.of)-1].readableID == one.readableID { // this person is read again
		k.of[len(k.of)-1] = keptOf{}
		k.of = k.of[:len(k.of)-1]
	}
}

// each calls do for the kept answers to some questions, with how many of all kept ones are done.
func (k *keptAnswers) each(questions []*counted, do func(c *counted, one pending, done, of int) error) error {
	wanted := make(map[*counted]bool, len(questions))
	for _, c := range questions {
		wanted[c] = true
	}
	for i, one := range k.of {
		if !wanted[one.question] {
			continue
		}
		if err := do(one.question, one.pending, i+1, len(k.of)); err != nil {
			return err
		}
	}
	return nil
}

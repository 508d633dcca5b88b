package simulation

import (
	"slices"
	"strings"
)

// intent is the kind of answer that a question asks for.
type intent string

const (
	story    intent = "story"    // what happened, how it goes
	reaction intent = "reaction" // an opinion on something shown
	barrier  intent = "barrier"  // what prevents something
	wish     intent = "wish"     // what else there is to say
)

// cues lists words of a question by which its intent is guessed; the first that occurs decides.
var cues = []struct {
	words  []string
	intent intent
}{
	{[]string{"anything else", "anything about", "should have asked", "like to add"}, wish},
	{[]string{"keeps you", "keep you", "stops you", "would have to change", "annoy", "frustrat", "difficult", "problem"}, barrier},
	{[]string{"idea", "think of", "impression", "reaction", "mind when", "feel about", "concept"}, reaction},
}

func intentOf(at step) intent {
	text := strings.ToLower(at.Question.Text)
	for _, cue := range cues {
		if slices.ContainsFunc(cue.words, func(word string) bool { return strings.Contains(text, word) }) {
			return cue.intent
		}
	}
	if at.Concept != nil {
		return reaction
	}
	return story
}

// aboutCoffee reports whether an interview is about the topic of the sample study, so that the demo's answers fit it.
func aboutCoffee(at step) bool {
	text := strings.ToLower(at.Question.Text)
	return slices.ContainsFunc([]string{"coffee", "capsule", "beans", "cleaning up"}, func(word string) bool { return strings.Contains(text, word) })
}

// compose composes an open answer.
func (m *mind) compose(at step) string {
	about := intentOf(at)
	stock := sentences[about]
	if aboutCoffee(at) && len(coffeeSentences[about]) > 0 {
		stock = coffeeSentences[about]
	}
	if m.Sentences <= 1 {
		return m.pick("brief", briefAnswers[m.Mood])
	}
	count := max(1, m.Sentences-1+m.chance.IntN(3))
	parts := make([]string, 0, count)
	for range count {
		pool := stock[Mixed]
		if m.happens(60) {
			pool = stock[m.Mood]
		}
		parts = append(parts, m.pick(string(about), pool))
	}
	return m.fill(at, strings.Join(compact(parts), " "))
}

// reply composes the answer to a follow-up: an example, a reason, or that there is no more to say.
func (m *mind) reply(at step) string {
	if m.Sentences <= 1 || m.happens(12) {
		return m.pick("more", noMore)
	}
	parts := []string{m.pick("reply", replies[m.Mood])}
	if m.happens(20 * m.Sentences) {
		parts = append(parts, m.pick("detail", details))
	}
	return m.fill(at, strings.Join(compact(parts), " "))
}

// pick chooses a line that the participant has not used yet, if there is one.
func (m *mind) pick(what string, lines []string) string {
	at := m.chance.IntN(len(lines))
	for i := range lines {
		line := lines[(at+i)%len(lines)]
		if key := what + ":" + line; !m.used[key] {
			m.used[key] = true
			return line
		}
	}
	return lines[at]
}

// fill inserts the question's topic into a sentence.
func (m *mind) fill(at step, text string) string {
	thing := "this"
	if at.Concept != nil && at.Concept.Title != "" {
		thing = strings.ToLower(at.Concept.Title[:1]) + at.Concept.Title[1:]
	}
	text = strings.ReplaceAll(text, "{thing}", thing)
	return strings.ReplaceAll(text, "{Thing}", strings.ToUpper(thing[:1])+thing[1:])
}

// compact removes the second of two equal sentences.
func compact(parts []string) []string {
	var kept []string
	for _, part := range parts {
		if !slices.Contains(kept, part) {
			kept = append(kept, part)
		}
	}
	return kept
}

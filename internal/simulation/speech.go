package simulation

import (
	"slices"
	"strconv"
	"strings"
)

// compose composes an open answer: sentences of one thread, as many as the participant usually says.
func (m *mind) compose(at step) string {
	all := threadsFor(at)
	fitting := slices.DeleteFunc(slices.Clone(all), func(t thread) bool { return t.mood != m.Mood })
	if len(fitting) == 0 || !m.happens(70) {
		fitting = all
	}
	m.thread, m.replied = m.chooseThread(fitting), false
	count := 1
	if m.Sentences > 1 {
		count = min(len(m.thread.says), m.Sentences-1+m.chance.IntN(3))
	}
	text := m.fill(at, strings.Join(m.thread.says[:max(1, count)], " "))
	if count > 1 && m.happens(60) {
		text = m.pick("opening", openings) + " " + text
	}
	return text
}

// chooseThread chooses a thread that the participant has not used yet, if there is one.
func (m *mind) chooseThread(threads []thread) thread {
	at := m.chance.IntN(len(threads))
	for i := range threads {
		t := threads[(at+i)%len(threads)]
		if !m.used[t.says[0]] {
			m.used[t.says[0]] = true
			return t
		}
	}
	return threads[at]
}

// reply composes the answer to a follow-up: what the thread of the answer has to it, once each, or that there is no more to say.
// Terse participants reply once.
func (m *mind) reply(at step) string {
	asked := ""
	if at.Moderator != nil {
		asked = *at.Moderator
	}
	text := aimOf(asked, m.thread)
	if m.used[text] {
		text = m.thread.detail
	}
	if text == "" || m.used[text] || m.replied && (m.Sentences <= 1 || m.happens(12)) {
		return m.pick("more", noMore)
	}
	m.used[text], m.replied = true, true
	return m.fill(at, text)
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

// fill inserts the question's topic into a sentence, and what is the participant's own: the same person, day and number each time.
func (m *mind) fill(at step, text string) string {
	thing := "this"
	if at.Concept != nil && at.Concept.Title != "" {
		thing = strings.ToLower(at.Concept.Title[:1]) + at.Concept.Title[1:]
	}
	own := func(what string, from []string) string { return from[int(float(m.seed, what)*float64(len(from)))] }
	return strings.NewReplacer(
		"{thing}", thing, "{Thing}", capital(thing),
		"{who}", own("who", people), "{Who}", capital(own("who", people)), "{day}", own("day", days), "{place}", own("place", places),
		"{n}", strconv.Itoa(3+int(float(m.seed, "n")*9)), "{clock}", own("clock", clocks),
	).Replace(m.inOwnWords(text))
}

// capital returns a text with a capital at its beginning.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

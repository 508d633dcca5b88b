package simulation

import (
	"hash/fnv"
	"math/rand/v2"
)

// Mood influences what a participant says and how they rate.
type Mood int

// The moods.
const (
	Critical Mood = iota - 1
	Mixed
	Pleased
)

// Persona describes how somebody behaves in an interview.
type Persona struct {
	Mood       Mood
	Sentences  int  // approximate number of sentences in an open answer; 1 is terse
	Unfit      bool // tries to be screened out
	LeaveAfter int  // stops without notice after so many answers; 0: stays to the end
}

// Draw draws a persona: of a hundred, about eight are unfit for the study, seven leave half-way, and fifteen are terse.
func Draw(seed uint64) Persona {
	r := rand.New(rand.NewPCG(seed, 1))
	p := Persona{Mood: Mood(r.IntN(3) - 1), Sentences: 2 + r.IntN(4)}
	switch chance := r.IntN(100); {
	case chance < 8:
		p.Unfit = true
	case chance < 15:
		p.LeaveAfter = 2 + r.IntN(8)
	case chance < 30:
		p.Sentences = 1
	}
	return p
}

// mind is a participant's state during one interview.
type mind struct {
	Persona
	rejects map[string][]string
	seed    uint64
	about   string // the current concept; empty if there is none
	chance  *rand.Rand
	used    map[string]bool // sentences already used
	thread  thread          // of the open answer given last
	replied bool            // something was said to a follow-up about it
}

func newMind(p *Participant) *mind {
	return &mind{
		Persona: p.Persona, rejects: p.Rejects, seed: p.Seed,
		chance: rand.New(rand.NewPCG(p.Seed, 2)), used: map[string]bool{},
	}
}

// preference returns how much the participant likes something, from 0 to 1: half of it is shared by everybody, half is their
// own. It never changes, but differs from concept to concept.
func (m *mind) preference(what string) float64 {
	what = m.about + "/" + what
	return (float(0, what) + float(m.seed, what)) / 2
}

// float returns a number from 0 to 1 drawn for a seed and a text.
func float(seed uint64, text string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
}

// happens returns true in the given percentage of cases.
func (m *mind) happens(percent int) bool { return m.chance.IntN(100) < percent }

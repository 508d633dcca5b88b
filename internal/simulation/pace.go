package simulation

import (
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"
)

// Speeds of a person of average pace.
const (
	readPerSecond = 3.6 // words
	keysPerSecond = 3.2
	choosingTime  = 4 * time.Second
)

// pace draws how long a person takes and which keys are counted. It has its own chance, so that whether somebody takes time does
// not change what they say.
type pace struct {
	speed  float64 // 1: average
	chance *rand.Rand
}

func newPace(seed uint64) pace {
	chance := rand.New(rand.NewPCG(seed, 3))
	return pace{speed: 0.7 + 0.6*chance.Float64(), chance: chance}
}

// telemetry holds what a page reports of a typed answer.
type telemetry struct {
	Typed   int `json:"typed"`
	Pasted  int `json:"pasted"`
	Seconds int `json:"seconds"`
	Blurs   int `json:"blurs"`
}

// timeFor returns how long reading a step and giving an answer takes, and how its text was typed; nil for an answer without text.
func (p pace) timeFor(at step, body Body) (time.Duration, *telemetry) {
	asked := ""
	if at.Question != nil {
		asked = at.Question.Text
		for _, listed := range [][]option{at.Question.Options, at.Question.Rows} {
			for _, o := range listed {
				asked += " " + o.Text
			}
		}
	}
	if at.Moderator != nil {
		asked = *at.Moderator
	}
	reading := p.vary(time.Duration(float64(len(strings.Fields(asked)))/readPerSecond*float64(time.Second)) + choosingTime)
	text, _ := body["text"].(string)
	if text == "" {
		choices := 1
		if at.Question != nil {
			choices = max(1, len(at.Question.Rows))
		}
		return reading + time.Duration(choices-1)*p.vary(choosingTime/2), nil
	}
	keys := utf8.RuneCountInString(text) * (100 + p.chance.IntN(15)) / 100 // some are taken back
	typing := p.vary(time.Duration(float64(keys) / keysPerSecond * float64(time.Second)))
	return reading + typing, &telemetry{Typed: keys, Seconds: int(typing.Seconds())}
}

// vary returns a time as this person may take it.
func (p pace) vary(d time.Duration) time.Duration {
	return time.Duration(float64(d) / p.speed * (0.8 + 0.5*p.chance.Float64()))
}

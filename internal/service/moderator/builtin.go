package moderator

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

// Limits of the rules, in words (see lang.Words for scripts without spaces).
const (
	shortAnswer   = 12  // up to this an answer is short, and the light level asks
	vagueAnswer   = 25  // up to this one vague word makes the complete answer vague
	fullAnswer    = 60  // above this an answer says enough
	fullTopic     = 140 // above this, all replies to one item together say enough
	bareAnswer    = 4   // up to this the first question is what was meant
	stopSentence  = 8   // up to this "I don't know" is the complete answer and not the start of one
	maxProbeRunes = 240
)

// BuiltIn is the rule-based moderator. It has no state: the same ask gets the same words.
type BuiltIn struct{}

// kinds maps a stage to the kind of its probes, reasons to the reason for asking.
var kinds = map[stage]interview.ProbeKind{
	meaning: interview.Clarifying, example: interview.Idiographic, process: interview.Descriptive, effect: interview.Descriptive, reason: interview.Explanatory,
}

var reasons = map[stage]string{
	meaning: "what the words stand for is open", example: "no example was given yet", process: "how it went is open",
	effect: "what follows from it is open", reason: "why is open",
}

// Decide returns the words of one follow-up question, at most 240 characters, or declines.
func (BuiltIn) Decide(_ context.Context, in interview.Ask) interview.Decision {
	decided := interview.Decision{Provider: interview.BuiltIn}
	book := bookFor(in.Language)
	answer := strings.TrimSpace(in.Answer)
	switch {
	case in.Item == nil || book == nil:
		decided.Reason = "no phrasebook for the language"
		return decided
	case answer == "":
		decided.Reason = "the answer has no words"
		return decided
	case saysEnough(book, in, answer):
		decided.Reason = "the answer says enough, or the participant has no more to say"
		return decided
	}
	for _, stage := range book.stages(in, answer) {
		quote := ""
		if focus := book.focus(answer, stage); focus != "" {
			quote = book.open + focus + book.close
		}
		for _, p := range book.inTurn(stage, quote != "", in) {
			words := strings.ReplaceAll(p.text, quoteMark, quote)
			if len([]rune(words)) <= maxProbeRunes && !guardrail.Repeats(words, in.Asked) {
				decided.Words, decided.Kind, decided.Reason = words, kinds[stage], reasons[stage]
				return decided
			}
		}
	}
	decided.Reason = "everything that could be asked was asked"
	return decided
}

// saysEnough reports whether another question would press, bore or annoy.
func saysEnough(book *phrasebook, in interview.Ask, answer string) bool {
	limit := in.Item.FollowUp.Limit()
	if in.FollowUps >= limit || book.wantsNoMore(answer) {
		return true
	}
	said := guardrail.Plain(answer)
	words := lang.Words(answer)
	total := words
	for _, e := range in.Earlier {
		if guardrail.Plain(e) == said {
			return true // the participant repeats the answer, so there is nothing to add
		}
		total += lang.Words(e)
	}
	if words > fullAnswer || total > fullTopic {
		return true
	}
	return in.Item.FollowUp == guide.FollowUpLight && words > shortAnswer && (words > vagueAnswer || !book.isVague(answer))
}

// stages returns what to ask for next about this item, in order, without what was already asked for. "Why" comes after "what" and
// "how": people who are asked for reasons early answer with theories before they have said what happened.
func (book *phrasebook) stages(in interview.Ask, answer string) []stage {
	order := []stage{example, process, effect, reason, meaning}
	if words := lang.Words(answer); words <= bareAnswer || words <= vagueAnswer && book.isVague(answer) {
		order = []stage{meaning, example, process, effect, reason}
	}
	own := in.Asked[max(0, len(in.Asked)-in.FollowUps):]
	return slices.DeleteFunc(order, func(s stage) bool {
		if s == reason && in.FollowUps == 0 || s == example && book.isExample(answer) {
			return true
		}
		return slices.ContainsFunc(own, func(asked string) bool {
			return slices.ContainsFunc(book.probes, func(p wording) bool { return p.stage == s && guardrail.Alike(p.text, asked) })
		})
	})
}

// inTurn returns the probes of a stage, starting at a place drawn from the seed. Probes that quote come first on one follow-up
// and last on the next, so that the moderator does not sound like an echo.
func (book *phrasebook) inTurn(s stage, canQuote bool, in interview.Ask) []wording {
	var quoting, plain []wording
	for _, p := range book.probes {
		switch {
		case p.stage != s:
		case !strings.Contains(p.text, quoteMark):
			plain = append(plain, p)
		case canQuote:
			quoting = append(quoting, p)
		}
	}
	draw := drawFrom(in)
	rotate(quoting, draw)
	rotate(plain, draw)
	if in.FollowUps%2 == 0 {
		return append(quoting, plain...)
	}
	return append(plain, quoting...)
}

func rotate(probes []wording, by uint64) {
	if n := uint64(len(probes)); n > 0 {
		at := by % n
		copy(probes, slices.Concat(probes[at:], probes[:at]))
	}
}

// drawFrom returns a number that differs between participants, items and follow-ups, and is the same for equal ones.
func drawFrom(in interview.Ask) uint64 {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(nil, in.Seed))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(in.FollowUps)))
	h.Write([]byte(in.Item.ID))
	if in.Concept != nil {
		h.Write([]byte{0})
		h.Write([]byte(in.Concept.ID))
	}
	return h.Sum64() >> 16 // the low bits of FNV mix poorly
}

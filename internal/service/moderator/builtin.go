package moderator

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

// Limits of the rules, in words (see lang.Words for scripts without spaces).
const (
	vagueAnswer   = 25  // up to this one vague word makes the complete answer vague, and the light level asks
	fullAnswer    = 60  // above this an answer says enough, until it is so long that it has many threads
	fullTopic     = 140 // above this, all replies to one item together say enough
	maxProbeRunes = 240
	usualProbes   = 2 // follow-ups about one question, unless the replies grow
	openingWords  = 3 // at the beginning of a follow-up that no other in the interview begins with
	openingRunes  = 5 // the same in scripts without spaces
	tersest       = 3 // up to this nothing was told yet, of which there could be details
)

// BuiltIn is the rule-based moderator. It has no state: the same ask gets the same words.
type BuiltIn struct{}

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
	}
	r := read(book, in, answer)
	found := r.class()
	switch decided.Reason = found.name; {
	case len(found.needs) == 0:
		return decided
	case r.saysEnough(found):
		decided.Reason = "the answer says enough, or adds nothing"
		return decided
	}
	for _, n := range r.open(found.needs) {
		probes := inTurn(book.probes[n], in)
		if found.name == aloneYesNo.name || r.words <= tersest {
			probes = book.probes[n] // the first asks for anything; others ask for more of what was told
			if n == more && len(probes) > 2 {
				probes = []string{probes[0], probes[2]} // the second asks for details, of which there are none
			}
		}
		for _, probe := range probes {
			words, ok := r.fill(n, probe)
			if ok && book.mayAsk(words, in.Asked) {
				decided.Words, decided.Kind = words, kinds[n]
				return decided
			}
		}
	}
	decided.Reason = "everything that could be asked was asked"
	return decided
}

// fill puts the participant's words into a probe, and reports whether it can be asked.
func (r *reading) fill(n need, probe string) (string, bool) {
	if !strings.Contains(probe, quoteMark) {
		return probe, true
	}
	quoted := r.book.thingIn(r.answer)
	if n == judged {
		quoted = r.book.judgementIn(r.answer)
	}
	return strings.ReplaceAll(probe, quoteMark, r.book.open+quoted+r.book.close), quoted != ""
}

// mayAsk reports whether nothing like a probe was asked before in the interview, and none began with the same words.
func (book *phrasebook) mayAsk(words string, asked []string) bool {
	begin := opening(words)
	return len([]rune(words)) <= maxProbeRunes && !guardrail.Repeats(words, asked) &&
		!slices.ContainsFunc(asked, func(a string) bool { return opening(a) == begin })
}

// opening returns the first words of a probe.
func opening(probe string) string {
	words := strings.FieldsFunc(strings.ToLower(probe), func(r rune) bool { return unicode.IsSpace(r) || isBreak(r) })
	if len(words) == 0 {
		return ""
	}
	if first := []rune(words[0]); lang.Unspaced(first[0]) {
		return string(first[:min(len(first), openingRunes)])
	}
	return strings.Join(words[:min(len(words), openingWords)], " ")
}

// saysEnough reports whether another question would press, bore or annoy.
func (r *reading) saysEnough(found class) bool {
	in := r.in
	if in.FollowUps >= in.Item.FollowUp.Limit() || in.FollowUps >= usualProbes && !r.grows() {
		return true
	}
	total := r.words
	for _, e := range in.Earlier {
		total += lang.Words(e)
	}
	switch {
	case len(in.Earlier) > 0 && r.addsNothing():
		return true
	case total > fullTopic && len(in.Earlier) > 0, r.words > fullAnswer && r.words <= longRamble:
		return true
	}
	if found.name == list.name && r.words <= vagueAnswer {
		return false
	}
	return in.Item.FollowUp == guide.FollowUpLight && r.words > shortAnswer && (r.words > vagueAnswer || !r.has(judgement))
}

// grows reports whether each reply to this question was longer than the one before.
func (r *reading) grows() bool {
	last := 0
	for _, reply := range append(slices.Clone(r.in.Earlier), r.answer) {
		n := lang.Words(reply)
		if n <= last {
			return false
		}
		last = n
	}
	return true
}

// addsNothing reports whether a reply only repeats what the participant said before.
func (r *reading) addsNothing() bool {
	earlier := r.book.fold(strings.Join(r.in.Earlier, " . "))
	for word := range strings.FieldsSeq(r.said) {
		if first := []rune(word)[0]; lang.Unspaced(first) {
			if !strings.Contains(earlier, word) {
				return false
			}
		} else if !r.book.function[word] && !strings.Contains(earlier, " "+word+" ") {
			return false
		}
	}
	return true
}

// open returns the needs that were not asked for yet about this question.
func (r *reading) open(all []need) []need {
	own := r.in.Asked[max(0, len(r.in.Asked)-r.in.FollowUps):]
	return slices.DeleteFunc(slices.Clone(all), func(n need) bool {
		return slices.ContainsFunc(own, func(asked string) bool { return r.book.needOf(asked) == n })
	})
}

// needOf returns what a follow-up of the built-in moderator asked for, or needs for another's.
func (book *phrasebook) needOf(asked string) need {
	for n, probes := range book.probes {
		if slices.ContainsFunc(probes, func(p string) bool {
			before, after, _ := strings.Cut(p, quoteMark)
			return strings.HasPrefix(asked, before) && strings.HasSuffix(asked, after) && len(asked) >= len(before)+len(after)
		}) {
			return need(n)
		}
	}
	return needs
}

// inTurn returns the probes of a need, starting at a place drawn from the seed.
func inTurn(probes []string, in interview.Ask) []string {
	if len(probes) == 0 {
		return nil
	}
	at := int(drawFrom(in) % uint64(len(probes)))
	return slices.Concat(probes[at:], probes[:at])
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

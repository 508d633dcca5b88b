package textanalysis

import (
	"regexp"
	"strings"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

const (
	labelWords = 9 // of a question as the heading of a bullet
	turnWords  = 7 // of a moderator's turn in the short transcript
)

// politeStart matches the polite beginnings of questions, which say nothing of what is asked.
var politeStart = regexp.MustCompile(`(?i)^(?:(?:and|so|now|first|finally|lastly|next|then|thinking back|in general|overall|to start|to begin with)[, ]+)*` +
	`(?:(?:please )?(?:can|could|would|will) you (?:please |briefly |kindly )?(?:tell me|tell us|describe|explain|share|walk me through|walk us through|talk me through|talk us through|give me)(?: a bit| a little| more| some)*(?: about| of)? |` +
	`(?:please )?(?:tell me|tell us|describe|explain|share|walk me through|walk us through|talk me through|talk us through)(?: a bit| a little| more)*(?: about| of)? |` +
	`what (?:is|are|was|were) )`)

// asides matches insertions that do not change a question.
var asides = regexp.MustCompile(`(?i), if (?:anything|any|at all|so),`)

// label returns a question as a heading: without its polite beginning and its end mark, a few words long.
func label(text string) string {
	return upperFirst(start(strings.TrimRight(bare(text), "?？.!。؟: "), labelWords))
}

// bare returns a question on one line without its polite beginning, unless less than two words would be left.
func bare(text string) string {
	text = asides.ReplaceAllString(oneLine(text), "")
	if rest := text[len(politeStart.FindString(text)):]; lang.Words(rest) >= 2 {
		return rest
	}
	return text
}

// shortMessages returns the moderator's turns, each in a few words.
func shortMessages(exchanges []interview.Exchange) []string {
	short := make([]string, len(exchanges))
	for i, e := range exchanges {
		short[i] = condense(e.Moderator)
	}
	return short
}

var (
	quotedPart = regexp.MustCompile(`“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」`)
	lastAsked  = regexp.MustCompile(`[^.!?。？！؟]*[?？؟]\s*$`)
)

// condense shortens a turn. Of a follow-up that quotes and then asks, it keeps the question.
func condense(text string) string {
	text = oneLine(text)
	if asked := strings.TrimSpace(lastAsked.FindString(text)); lang.Words(asked) >= 2 && !quotedPart.MatchString(asked) {
		text = asked
	}
	return upperFirst(start(bare(text), turnWords))
}

// ShortTranscript returns the interview with the given short forms of the moderator's turns, one for each exchange.
func ShortTranscript(in Input, short []string) string { return read(in).shortTranscript(short) }

// shortTranscript returns the interview with one line per turn: the moderator's turns shortened, the participant's in full. A
// turn without a reply has only the moderator's line.
func (r *reading) shortTranscript(short []string) string {
	chosen := map[string]bool{}
	for i := range r.answers {
		chosen[r.answers[i].ItemID] = r.answers[i].kind == closed
	}
	var b strings.Builder
	line := func(speaker, words string) {
		if words == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(speaker + ": " + words)
	}
	for i, e := range r.in.Exchanges {
		line("Moderator", short[i])
		reply := e.User
		if chosen[e.ItemID] {
			reply = strings.ReplaceAll(reply, "\n", " / ") // the lines of a ranking or a grid
		}
		line("Participant", oneLine(reply))
	}
	return b.String()
}

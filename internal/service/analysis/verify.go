package analysis

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
)

// maxLength limits what a model writes for each part, in characters.
var maxLength = map[response.Part]int{
	response.PartSummary: 500, response.PartTagline: 160, response.PartBullets: 300, response.PartTags: 40, response.PartPersonas: 160,
	response.PartOtherRemarks: 2000, response.PartShortTranscript: 90,
}

// maxStatements is how many statements of a part are kept.
var maxStatements = map[response.Part]int{
	response.PartSummary: 10, response.PartTagline: 1, response.PartBullets: 6, response.PartTags: 8, response.PartPersonas: 2, response.PartOtherRemarks: 6,
}

// leakWords is the number of successive words in common with a prompt that cannot be chance.
const leakWords = 7

// verifier checks what a model writes against the interview. What it accepts was said: each quote stands in one turn of the
// participant, and each number stands in a quote, in the question that it answers, or among the counts.
type verifier struct {
	in     textanalysis.Input
	turns  *evidence.Reader
	counts map[string]int
}

func newVerifier(in textanalysis.Input) *verifier {
	return &verifier{in: in, turns: evidence.Read(textanalysis.Turns(in.Exchanges)), counts: countsOf(in)}
}

// secrets holds every sequence of leakWords words of the prompts.
var secrets = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, prompt := range []llm.Prompt{promptAnalyse, promptMerge} {
		for run := range runs(prompt.Text) {
			all[run] = true
		}
	}
	return all
})

// runs yields every sequence of leakWords words of a text, folded.
func runs(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		all := strings.Fields(words(text))
		for i := 0; i+leakWords <= len(all); i++ {
			if !yield(strings.Join(all[i:i+leakWords], " ")) {
				return
			}
		}
	}
}

// claims returns the statements of a part that can be verified, each once, and no more than the part may have.
func (v *verifier) claims(part response.Part, all []statement) (kept []response.Claim) {
	for _, s := range all {
		claim, ok := v.claim(part, s)
		if ok && len(kept) < maxStatements[part] && !slices.ContainsFunc(kept, func(k response.Claim) bool { return evidence.Fold(k.Text) == evidence.Fold(claim.Text) }) {
			kept = append(kept, claim)
		}
	}
	return kept
}

// claim verifies one statement. Quotes that nobody said are left out; a statement without any other quote is dropped.
func (v *verifier) claim(part response.Part, s statement) (claim response.Claim, ok bool) {
	text, err := evidence.Insert(oneLine(s.Text), v.counts)
	if err != nil || !clean(part, text) {
		return claim, false
	}
	claim = response.Claim{Part: part, Text: text, Verified: true}
	sources := []string(nil)
	for _, quote := range s.Quotes {
		span, found := v.turns.Find(unquoted(quote))
		if !found || slices.Contains(claim.Spans, span) {
			continue
		}
		claim.Spans = append(claim.Spans, span)
		sources = append(sources, v.turns.Text(span), v.in.Exchanges[span.Row-1].Moderator)
	}
	if len(claim.Spans) == 0 || !v.quotesHold(text) {
		return claim, false
	}
	for _, site := range sites.FindAllString(text, -1) {
		if !strings.Contains(evidence.Fold(strings.Join(sources, "\n")), evidence.Fold(site)) {
			return claim, false
		}
	}
	return claim, len(evidence.Uncounted(text, slices.Collect(maps.Values(v.counts)), sources...)) == 0
}

// remarks returns the quotes that were said. Each is a claim of its own.
func (v *verifier) remarks(all []string) (kept []response.Claim) {
	for _, quote := range all {
		span, found := v.turns.Find(unquoted(quote))
		if !found || len(kept) == maxStatements[response.PartOtherRemarks] || utf8.RuneCountInString(quote) > maxLength[response.PartOtherRemarks] {
			continue
		}
		claim := response.Claim{Part: response.PartOtherRemarks, Text: v.turns.Text(span), Spans: []evidence.Span{span}, Verified: true}
		if !slices.ContainsFunc(kept, func(k response.Claim) bool { return k.Spans[0] == span }) {
			kept = append(kept, claim)
		}
	}
	return kept
}

// short replaces turns of the built-in analyst by the model's shortened turns that can be verified, and returns how many it
// replaced. A shortened turn is accepted if all its words stand in the turn.
func (v *verifier) short(builtIn []string, all []shortTurn) (turns []string, replaced int) {
	turns = slices.Clone(builtIn)
	for _, s := range all {
		text, i := oneLine(s.Text), s.Row-1
		if i < 0 || i >= len(turns) || !clean(response.PartShortTranscript, text) {
			continue
		}
		original := words(v.in.Exchanges[i].Moderator)
		if slices.ContainsFunc(strings.Fields(words(text)), func(word string) bool { return !strings.Contains(original, " "+word+" ") }) || len(text) > len(original) {
			continue
		}
		turns[i] = text
		replaced++
	}
	return turns, replaced
}

// clean reports whether a text may be shown as an analyst's: within bounds, without a passage of the prompts, and without
// addresses.
func clean(part response.Part, text string) bool {
	n := utf8.RuneCountInString(text)
	if n == 0 || n > maxLength[part] || leads.MatchString(text) || strings.ContainsFunc(text, unseen) || strings.ContainsAny(text, "<>{}") {
		return false
	}
	for run := range runs(text) {
		if secrets()[run] {
			return false
		}
	}
	return true
}

// leads matches addresses of pages and people, and telephone numbers. sites matches names of sites that people may speak of.
var (
	leads = regexp.MustCompile(`://|\S@\S|\d[\d ().-]{7,}\d`)
	sites = regexp.MustCompile(`(?i)[\pL\d-]+\.[a-z]{2,}\S*`)
)

func unseen(r rune) bool {
	return unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d'
}

// inner matches passages between quotation marks.
var inner = regexp.MustCompile(`“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|「([^」]*)」|"([^"]*)"`)

// quotesHold reports whether everything that a text puts between quotation marks was said.
func (v *verifier) quotesHold(text string) bool {
	for _, match := range inner.FindAllStringSubmatch(text, -1) {
		quote := strings.TrimRight(strings.Join(match[1:], ""), ".,;:!?。、 ")
		if _, found := v.turns.Locate(quote); !found {
			return false
		}
	}
	return true
}

// unquoted removes the quotation marks that a model puts around a quote.
func unquoted(quote string) string {
	quote = strings.TrimSpace(quote)
	for _, marks := range []string{`""`, "“”", "„“", "«»", "「」", "''", "‘’"} {
		pair := []rune(marks)
		if first, last := string(pair[0]), string(pair[1]); len(quote) > len(first)+len(last) && strings.HasPrefix(quote, first) && strings.HasSuffix(quote, last) {
			return strings.TrimSpace(quote[len(first) : len(quote)-len(last)])
		}
	}
	return quote
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// words returns the words of a text, folded, separated by single spaces, with a space at each end.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(evidence.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }), " ") + " "
}

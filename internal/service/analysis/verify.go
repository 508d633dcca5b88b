package analysis

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
	statements "verbatim/internal/domain/statement"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
)

// partThemes is the part of theme names, which are checked as tags are.
const partThemes response.Part = "themes"

// maxLength limits what a model writes for each part, in characters.
var maxLength = map[response.Part]int{
	response.PartSummary: 500, response.PartTagline: 160, response.PartBullets: 300, response.PartTags: 40, response.PartPersonas: 160,
	response.PartOtherRemarks: 2000, response.PartShortTranscript: 90, partThemes: 60,
}

// maxStatements limits the statements of a part that are kept.
var maxStatements = map[response.Part]int{
	response.PartSummary: 10, response.PartTagline: 1, response.PartBullets: 6, response.PartTags: 8, response.PartPersonas: 2, response.PartOtherRemarks: 6,
}

// leakWords is the number of successive words in common with a prompt that cannot be chance.
const leakWords = 7

// verifier checks what a model writes against the interview. What it accepts was said: each quote stands in one turn of the
// participant, and each number stands in a quote, in the question that it answers, or among the counts.
type verifier struct {
	in      textanalysis.Input
	turns   *evidence.Reader
	checker *statements.Checker
	counts  map[string]int
}

func newVerifier(in textanalysis.Input) *verifier {
	return &verifier{in: in, turns: evidence.Read(textanalysis.Turns(in.Exchanges)), checker: statements.New(interviewOf(in)), counts: countsOf(in)}
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
		if len(kept) == maxStatements[part] {
			break
		}
		claim, ok := v.claim(part, s)
		if ok && !slices.ContainsFunc(kept, func(k response.Claim) bool { return evidence.Fold(k.Text) == evidence.Fold(claim.Text) }) {
			kept = append(kept, claim)
		}
	}
	return kept
}

// kinds has the kind of the statements of each part; those of the others are sentences.
var kinds = map[response.Part]statements.Kind{
	response.PartSummary: statements.Summary, response.PartTags: statements.Tag, response.PartPersonas: statements.Persona, partThemes: statements.Theme,
}

// interviewOf returns an interview as its statements are checked against it.
func interviewOf(in textanalysis.Input) statements.Interview {
	brief := briefOf(in)
	checked := statements.Interview{Language: in.Response.Language, Written: brief.Language, Title: brief.Study.Title, Goal: brief.Study.Goal, Topics: in.Topics}
	if checked.Language == "" {
		checked.Language = checked.Written
	}
	for _, turn := range textanalysis.Turns(in.Exchanges) {
		checked.Rows = append(checked.Rows, statements.Row{Row: turn.Row, Question: in.Exchanges[turn.Row-1].Moderator, Answer: turn.Text})
	}
	return checked
}

// claim verifies one statement. Quotes that nobody said, or that were cut where their sentence turns them around, are left out; a
// statement without any other quote is dropped.
func (v *verifier) claim(part response.Part, s statement) (claim response.Claim, ok bool) {
	text, spans, err := v.checker.Check(kinds[part], oneLine(s.Text), s.Quotes, v.counts)
	if err != nil || !clean(part, text) {
		return claim, false
	}
	claim = response.Claim{Part: part, Text: text, Spans: spans, Verified: true}
	sources := ""
	for _, span := range claim.Spans {
		sources += v.turns.Text(span) + "\n" + v.in.Exchanges[span.Row-1].Moderator + "\n"
	}
	for _, site := range sites.FindAllString(text, -1) {
		if !strings.Contains(evidence.Fold(sources), evidence.Fold(site)) {
			return claim, false
		}
	}
	return claim, true
}

// remarks returns the quotes that were said. Each is a claim of its own.
func (v *verifier) remarks(all []string) (kept []response.Claim) {
	for _, quote := range all {
		span, found := v.checker.Remark(quote)
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

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// words returns the words of a text, folded, separated by single spaces, with a space at each end.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(evidence.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }), " ") + " "
}

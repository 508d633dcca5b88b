package analysis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
)

// Model is the Analyst that has a language model write, and trusts none of it: what stands in the analysis was verified against
// the interview, part by part, and a part with too few verified claims is the built-in analyst's. The score is always counted,
// never written by the model.
type Model struct {
	Chat   llm.ChatModel
	Within time.Duration // timeout of each call; 0: 3 minutes
	Runes  int           // characters of the transcript rows sent in one call; 0: 20,000. A longer interview is cut between turns
}

// maxParts is the most parts into which an interview is cut.
const maxParts = 24

var (
	// ErrNothingVerified means that nothing of what the model wrote could be verified.
	ErrNothingVerified = errors.New("nothing that the model wrote could be verified")
	// ErrTooLong means that the interview is longer than maxParts calls allow; another try would fail, too.
	ErrTooLong = errors.New("the interview is too long for the model")
)

// Analyse has the model write about the interview. An interview without words to quote is left to the built-in analyst. The
// errors are those of llm, ErrNothingVerified and ErrTooLong.
func (m Model) Analyse(ctx context.Context, in textanalysis.Input) (_ response.Analysis, err error) {
	defer operation.Wrap(&err, "analysis.Model.Analyse")
	written := textanalysis.Analyse(in)
	rows := sendable(in)
	if !saysSomething(rows) {
		return written, nil
	}
	v := newVerifier(in)
	parts, err := m.cut(rows)
	if err != nil {
		return response.Analysis{}, err
	}
	var found checked
	var author response.Author
	for i, rows := range parts {
		brief := briefOf(in)
		brief.Rows = rows
		if len(parts) > 1 {
			brief.Part = fmt.Sprintf("%d of %d", i+1, len(parts))
		}
		var d draft
		if author, d, err = m.ask(ctx, in, promptAnalyse, brief); err != nil {
			return response.Analysis{}, err
		}
		found.add(v.check(d))
	}
	if len(parts) > 1 {
		brief := briefOf(in)
		brief.Statements = found.draft(v)
		var d draft
		if author, d, err = m.ask(ctx, in, promptMerge, brief); err != nil {
			return response.Analysis{}, err
		}
		merged := v.check(d)
		merged.short = found.short
		found = merged.orParts(found, written)
	}
	if !found.enter(&written, in, v, author) {
		return response.Analysis{}, ErrNothingVerified
	}
	return written, nil
}

// saysSomething reports whether an open answer has anything to quote.
func saysSomething(rows []rowBrief) bool {
	for _, row := range rows {
		if row.Open && textanalysis.SaysSomething(row.Participant) {
			return true
		}
	}
	return false
}

// cut distributes rows over as few calls as can hold them, complete and in order. A row that is longer than the limit of a call
// has a call for itself.
func (m Model) cut(rows []rowBrief) (parts [][]rowBrief, err error) {
	limit := m.Runes
	if limit == 0 {
		limit = 20_000
	}
	size := 0
	for _, row := range rows {
		n := utf8.RuneCountInString(row.Moderator) + utf8.RuneCountInString(row.Participant)
		if len(parts) == 0 || size+n > limit && size > 0 {
			parts, size = append(parts, nil), 0
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], row)
		size += n
	}
	if len(parts) > maxParts {
		return nil, fmt.Errorf("%w: %d parts", ErrTooLong, len(parts))
	}
	return parts, nil
}

// ask sends one prompt to the model.
func (m Model) ask(ctx context.Context, in textanalysis.Input, prompt llm.Prompt, brief briefing) (by response.Author, d draft, err error) {
	messages, err := brief.message()
	if err != nil {
		return by, d, err
	}
	within := m.Within
	if within == 0 {
		within = 3 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r := in.Response
	reply, err := m.Chat.Chat(ctx, llm.Request{
		Purpose:    "analyse",
		Scope:      usage.Scope{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID},
		System:     prompt.Text,
		Messages:   messages,
		Schema:     &shape,
		MaxTokens:  4096,
		Seed:       int64(r.Seed >> 1),
		Masker:     masking.OfInterview(in.Exchanges, withheld(in), masking.PrivateValues(r.URLParams)),
		Background: true,
	})
	if err != nil {
		return by, d, err
	}
	by = response.Author{Provider: reply.Provider, Model: reply.Model, Prompt: promptAnalyse.Name}
	if prompt != promptAnalyse {
		by.Prompt += "+" + prompt.Name
	}
	return by, d, llm.Decode(reply.Text, &shape, &d)
}

// checked holds the claims of a draft that were verified.
type checked struct {
	summary, tagline, bullets, tags, personas, remarks []response.Claim
	short                                              []shortTurn
}

func (v *verifier) check(d draft) checked {
	return checked{
		summary:  v.claims(response.PartSummary, d.Summary),
		tagline:  v.claims(response.PartTagline, []statement{d.Tagline}),
		bullets:  v.claims(response.PartBullets, d.Bullets),
		tags:     v.claims(response.PartTags, d.Tags),
		personas: v.claims(response.PartPersonas, d.Personas),
		remarks:  v.remarks(d.OtherRemarks),
		short:    d.Moderator,
	}
}

// add appends what was verified of a later part of the interview.
func (c *checked) add(later checked) {
	c.summary = append(c.summary, later.summary...)
	c.tagline = append(c.tagline, later.tagline...)
	c.bullets = append(c.bullets, later.bullets...)
	c.tags = append(c.tags, later.tags...)
	c.personas = append(c.personas, later.personas...)
	c.remarks = append(c.remarks, later.remarks...)
	c.short = append(c.short, later.short...)
}

// draft returns the verified claims as statements with their quotes, as input for merging the parts.
func (c *checked) draft(v *verifier) *draft {
	statements := func(claims []response.Claim) []statement {
		all := make([]statement, len(claims))
		for i, claim := range claims {
			all[i].Text = claim.Text
			for _, span := range claim.Spans {
				all[i].Quotes = append(all[i].Quotes, v.turns.Text(span))
			}
		}
		return all
	}
	d := &draft{
		Summary: statements(c.summary), Bullets: append(statements(c.bullets), statements(c.tagline)...), Tags: statements(c.tags),
		Personas: statements(c.personas), OtherRemarks: []string{}, Moderator: []shortTurn{},
	}
	for _, claim := range c.remarks {
		d.OtherRemarks = append(d.OtherRemarks, claim.Text)
	}
	return d
}

// orParts chooses, part by part, between what was written of the complete interview and, where too little of that was verified, what
// was written of its parts: as much as the part may have, spread over them.
func (c checked) orParts(parts checked, builtIn response.Analysis) checked {
	c.summary = enough(c.summary, spread(parts.summary, maxStatements[response.PartSummary]), least(response.PartSummary, builtIn))
	c.tagline = enough(c.tagline, spread(parts.tagline, 1), 1)
	c.bullets = enough(c.bullets, spread(parts.bullets, maxStatements[response.PartBullets]), least(response.PartBullets, builtIn))
	c.tags = enough(c.tags, spread(parts.tags, maxStatements[response.PartTags]), least(response.PartTags, builtIn))
	c.remarks = enough(c.remarks, spread(parts.remarks, maxStatements[response.PartOtherRemarks]), 1)
	return c
}

func enough(first, second []response.Claim, least int) []response.Claim {
	if len(first) >= least {
		return first
	}
	return second
}

// spread returns up to n claims, chosen evenly from first to last.
func spread(claims []response.Claim, n int) []response.Claim {
	if len(claims) <= n {
		return claims
	}
	taken := make([]response.Claim, n)
	for i := range taken {
		taken[i] = claims[i*len(claims)/n]
	}
	return taken
}

// least returns how many claims a part needs to replace the built-in analyst's.
func least(part response.Part, builtIn response.Analysis) int {
	switch part {
	case response.PartSummary:
		return 2
	case response.PartBullets:
		return max(1, min(3, len(builtIn.Bullets)))
	case response.PartTags:
		return max(1, min(3, len(builtIn.Tags)))
	}
	return 1
}

// enter puts the parts with enough verified claims into the built-in analyst's work. It reports whether one of the parts that
// hold findings (summary, tagline, bullets) is among them.
func (c *checked) enter(a *response.Analysis, in textanalysis.Input, v *verifier, by response.Author) (held bool) {
	built := *a // the built-in counts stay the same while parts are replaced
	put := func(part response.Part, claims []response.Claim, set func(texts []string)) bool {
		if len(claims) < least(part, built) {
			return false
		}
		texts := make([]string, len(claims))
		for i, claim := range claims {
			texts[i] = claim.Text
		}
		set(texts)
		a.Claims = append(without(a.Claims, part), claims...)
		a.Authors[part] = by
		a.Provider = by.Provider
		return true
	}
	held = put(response.PartSummary, c.summary, func(texts []string) { a.Summary = strings.Join(texts, " ") })
	held = put(response.PartTagline, c.tagline, func(texts []string) { a.Tagline = texts[0] }) || held
	held = put(response.PartBullets, c.bullets, func(texts []string) { a.Bullets = texts }) || held
	if !held {
		return false
	}
	put(response.PartTags, c.tags, func(texts []string) { a.Tags = texts })
	put(response.PartPersonas, c.personas, func(texts []string) { a.Personas = strings.Join(texts, " ") })
	put(response.PartOtherRemarks, c.remarks, func(texts []string) { a.OtherRemarks = strings.Join(texts, "\n\n") })
	if turns, replaced := v.short(a.ShortAssistantMessages, c.short); replaced > 0 {
		a.ShortAssistantMessages, a.ShortTranscript = turns, textanalysis.ShortTranscript(in, turns)
		a.Authors[response.PartShortTranscript] = by
	}
	return true
}

// without returns the claims of all other parts.
func without(claims []response.Claim, part response.Part) (others []response.Claim) {
	for _, claim := range claims {
		if claim.Part != part {
			others = append(others, claim)
		}
	}
	return others
}

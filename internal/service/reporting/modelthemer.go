package reporting

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/statement"
	"verbatim/internal/domain/tables"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
)

// ModelThemer has a language model name the themes of a question and sort the answers into them, and trusts none of it: a mention
// counts only if its quote stands in that very answer, and the report's numbers are counts of such mentions. It fails with
// *ThemerError, which wraps ErrNoThemes, ErrTooFew or an error of llm.
type ModelThemer struct {
	Chat   llm.ChatModel
	Within time.Duration // timeout of each call; 0: 3 minutes
	Runes  int           // characters of the answers sent in one call; 0: 12,000. An answer is never split
}

const (
	maxThemes  = 12
	maxName    = 60 // characters
	maxMeaning = 240
)

var (
	// ErrNoThemes means that none of the themes that the model proposed can be used.
	ErrNoThemes = errors.New("the model named no theme that can be used")
	// ErrTooFew means that too few answers were sorted verifiably; see MinSorted.
	ErrTooFew = errors.New("the model sorted too few of the answers verifiably")
)

// Learn asks for a code frame, given as much of the sample as fits into one call: complete answers, in the sample's order.
func (m ModelThemer) Learn(ctx context.Context, q OpenQuestion, sample []OpenAnswer) (_ Codebook, err error) {
	defer operation.Wrap(&err, "reporting.ModelThemer.Learn")
	sent, size := 0, 0
	for sent < len(sample) {
		if size += sample[sent].runes(); size > m.runes() && sent > 0 {
			break
		}
		sent++
	}
	var f frame
	brief, masker := q.brief(sample[:sent])
	by, err := m.ask(ctx, q, promptThemes, &frameShape, brief, masker, &f)
	if err != nil {
		return nil, &ThemerError{by, err}
	}
	book := &modelBook{model: m, open: q, source: by, themes: f.usable(q, sample)}
	if len(book.themes) == 0 {
		return nil, &ThemerError{by, ErrNoThemes}
	}
	return book, nil
}

func (m ModelThemer) runes() int { return cmp.Or(m.Runes, 12_000) }

// ask sends one prompt to the model. It returns the source beside an error, too.
func (m ModelThemer) ask(ctx context.Context, q OpenQuestion, prompt llm.Prompt, shape *llm.Schema, b briefing, masker *masking.Masker, into any) (by tables.Source, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(m.Within, 3*time.Minute))
	defer cancel()
	reply, err := m.Chat.Chat(ctx, llm.Request{
		Purpose:    "themes",
		Scope:      usage.Scope{OrgID: q.OrgID, StudyID: q.StudyID},
		System:     prompt.Text,
		Messages:   b.message(),
		Schema:     shape,
		MaxTokens:  4096,
		Seed:       1,
		Background: true,
		Masker:     masker,
		// A frame is about many people, so no detail of one may come back; usable refuses brackets.
		KeepPlaceholders: prompt == promptThemes,
	})
	by = tables.Source{Provider: reply.Provider, Model: reply.Model, Version: promptThemes.Name + "+" + promptAssign.Name}
	if err == nil {
		err = llm.Decode(reply.Text, shape, into)
	}
	return by, err
}

// usable returns the themes that can stand in a report: with a name and a description within bounds, each once, without numbers
// (a model's numbers are not counted by anybody), markup, addresses, names of people, insults and diagnoses that nobody spoke of, and with a word
// that was said where the answers are in the language of the themes.
func (f frame) usable(q OpenQuestion, sample []OpenAnswer) (themes []Theme) {
	in := statement.Interview{Written: q.Language, Title: q.Title, Goal: q.Goal}
	for i := range sample {
		in.Rows = append(in.Rows, statement.Row{Row: i, Question: q.Text, Answer: strings.Join(sample[i].Texts, "\n")})
	}
	checker := statement.New(in)
	known := map[string]bool{evidence.Fold(noTheme): true}
	for _, t := range f.Themes {
		name, meaning := strings.Join(strings.Fields(t.Name), " "), strings.Join(strings.Fields(t.Description), " ")
		if key := evidence.Fold(name); !known[key] && clean(name, maxName, q.Language) && clean(meaning, maxMeaning, q.Language) && checker.Theme(name, meaning) == nil && len(themes) < maxThemes {
			known[key] = true
			themes = append(themes, Theme{name, meaning})
		}
	}
	return themes
}

// leads matches addresses.
var leads = regexp.MustCompile(`(?i)://|\S@\S|www\.`)

func clean(text string, limit int, language string) bool {
	n := utf8.RuneCountInString(text)
	return n > 0 && n <= limit && !leads.MatchString(text) && !strings.ContainsAny(text, "<>{}[]") && !strings.ContainsFunc(text, unseen) &&
		!statement.Marked(text) && !statement.HasNumber(text, language)
}

func unseen(r rune) bool {
	return unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d'
}

package reporting

import (
	"context"
	"errors"
	"strings"
	"sync"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/tables"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
)

// MinSorted is the share of the answers, in percent, that a model must sort verifiably: into a theme with a quote that stands
// in the answer, or expressly into no theme. If the share is lower after any batch, the model's themes are not used.
const MinSorted = 60

const (
	maxAnswers      = 25 // answers in one call: the reply must fit into its token limit
	concurrentCalls = 4
)

// modelBook is the Codebook of a model for one question.
type modelBook struct {
	model        ModelThemer
	open         OpenQuestion
	source       tables.Source
	themes       []Theme
	seen, sorted int // answers so far, and how many of them were sorted verifiably
}

// Source implements Codebook.
func (b *modelBook) Source() tables.Source { return b.source }

// Name implements Codebook.
func (b *modelBook) Name() string { return "Themes" }

// Themes implements Codebook.
func (b *modelBook) Themes() []Theme { return b.themes }

// Mentions implements Codebook. A call whose reply has the wrong shape leaves its answers without themes. A call that fails
// because of the service or a ceiling ends the question.
func (b *modelBook) Mentions(ctx context.Context, said []OpenAnswer) ([][]Mention, error) {
	mentions, sorted := make([][]Mention, len(said)), make([]bool, len(said))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var calls sync.WaitGroup
	slots := make(chan struct{}, concurrentCalls)
	for _, part := range b.cut(said) {
		calls.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			err := b.sort(ctx, said, part, mentions, sorted)
			if err != nil && !errors.Is(err, llm.ErrShape) && !errors.Is(err, llm.ErrRefused) {
				stop(err)
			}
		})
		b.seen += len(part)
	}
	calls.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, &ThemerError{b.source, err}
	}
	for _, holds := range sorted {
		if holds {
			b.sorted++
		}
	}
	if b.sorted*100 < b.seen*MinSorted {
		return nil, &ThemerError{b.source, ErrTooFew}
	}
	return mentions, nil
}

// cut distributes the indexes of the answers over as few calls as can hold them. An answer that is longer than the limit of a
// call has a call for itself.
func (b *modelBook) cut(said []OpenAnswer) (parts [][]int) {
	size := 0
	for i := range said {
		n, last := said[i].runes(), len(parts)-1
		if last < 0 || size+n > b.model.runes() || len(parts[last]) == maxAnswers {
			parts, size, last = append(parts, nil), 0, last+1
		}
		parts[last] = append(parts[last], i)
		size += n
	}
	return parts
}

// sort has the model sort the answers at the given indexes, and keeps only results for answers and themes that exist. No two
// calls share an index, so concurrent calls write to different elements of mentions and sorted.
func (b *modelBook) sort(ctx context.Context, said []OpenAnswer, part []int, mentions [][]Mention, sorted []bool) error {
	sent := make([]OpenAnswer, len(part))
	for i, place := range part {
		sent[i] = said[place]
	}
	brief, masker := b.open.brief(sent)
	for i, theme := range b.themes {
		brief.Themes = append(brief.Themes, themeBrief{i + 1, theme.Label, theme.Meaning})
	}
	var p placed
	if _, err := b.model.ask(ctx, b.open, promptAssign, &placedShape, brief, masker, &p); err != nil {
		return err
	}
	seen := make([]bool, len(part))
	for _, answer := range p.Answers {
		i := answer.Answer - 1
		if i < 0 || i >= len(part) || seen[i] {
			continue
		}
		seen[i] = true
		place := part[i]
		sorted[place] = len(answer.Themes) == 0
		reader, named := readerOf(sent[i]), make([]bool, len(b.themes))
		for _, t := range answer.Themes {
			theme := t.Theme - 1
			if theme < 0 || theme >= len(b.themes) || named[theme] {
				continue
			}
			named[theme] = true
			quote := proof(reader, sent[i], t.Quote)
			mentions[place] = append(mentions[place], Mention{Theme: theme, Quote: quote, Weight: readability(sent[i], quote)})
			sorted[place] = sorted[place] || quote != ""
		}
	}
	return nil
}

// proof returns a quote as it stands in the answer. It returns "" if the quote does not stand there, or is too short to prove
// anything: a single word, or less than evidence asks for, unless it is the complete text.
func proof(reader *evidence.Reader, said OpenAnswer, quote string) string {
	quote = strings.Trim(quote, "\"“”„«»「」 \t\n")
	span, stands := reader.Locate(quote)
	if !stands {
		return ""
	}
	text := reader.Text(span)
	if _, proves := reader.Find(quote); (!proves || lang.Words(quote) < 2) && strings.Trim(said.Texts[span.Row], " \t\n.,;!?。") != strings.Trim(text, " \t\n.,;!?。") {
		return ""
	}
	return text
}

// readability weighs a quote by its length. It returns 0 if the quote should not be shown, for example because it holds an
// address, or is too long.
func readability(said OpenAnswer, quote string) float64 {
	words := 0
	for _, s := range textanalysis.LexiconOf(said.Language, said.Texts...).Sentences(quote) {
		if !s.Quotable {
			return 0
		}
		words += s.Words
	}
	return atLength(words)
}

package reporting

import (
	"context"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/keywords"
	"verbatim/internal/domain/tables"
	"verbatim/internal/domain/textanalysis"
)

// rooted is a Codebook whose themes can be stored.
type rooted interface {
	roots() []codeframe.Root
}

func (b keywordBook) roots() []codeframe.Root {
	roots := make([]codeframe.Root, len(b))
	for i, theme := range b.Themes() {
		roots[i] = codeframe.Root{Label: theme.Label, Meaning: theme.Meaning, Words: b[i].Words, Stems: b[i].Stems, Phrase: b[i].Phrase}
	}
	return roots
}

func (b *modelBook) roots() []codeframe.Root {
	roots := make([]codeframe.Root, len(b.themes))
	for i, theme := range b.themes {
		roots[i] = codeframe.Root{Label: theme.Label, Meaning: theme.Meaning}
	}
	return roots
}

// resumer is a Themer that sorts answers into themes that it found earlier.
type resumer interface {
	resume(q OpenQuestion, source tables.Source, themes []Theme) Codebook
}

func (m ModelThemer) resume(q OpenQuestion, source tables.Source, themes []Theme) Codebook {
	return &modelBook{model: m, open: q, source: source, themes: themes}
}

// storedBook is the Codebook of themes that people changed. base finds the themes from which they began.
type storedBook struct {
	frame     codeframe.Frame
	base      Codebook
	live      []codeframe.Theme
	place     map[int]int // of the live themes, by number
	decisions map[int][]codeframe.Decision
}

// newStoredBook returns the Codebook of a frame. Where a model found its themes, a Themer with a model sorts the answers into them; without
// one, answers belong to the themes whose names they say.
func newStoredBook(f codeframe.Frame, decisions []codeframe.Decision, q OpenQuestion, themer Themer) *storedBook {
	b := &storedBook{frame: f, live: f.Live(), place: map[int]int{}, decisions: map[int][]codeframe.Decision{}}
	for i, t := range b.live {
		b.place[t.Number] = i
	}
	for _, d := range decisions {
		b.decisions[d.ReadableID] = append(b.decisions[d.ReadableID], d)
	}
	if model, ok := themer.(resumer); ok && f.Provider != builtInSource.Provider {
		themes := make([]Theme, len(f.Roots))
		for i, r := range f.Roots {
			themes[i] = Theme{r.Label, r.Meaning}
		}
		b.base = model.resume(q, b.Source(), themes)
		return b
	}
	groups := make(keywordBook, len(f.Roots))
	for i, r := range f.Roots {
		if groups[i] = (keywords.Group{Label: r.Label, Words: r.Words, Stems: r.Stems, Phrase: r.Phrase}); len(r.Stems) == 0 {
			groups[i].Phrase, groups[i].Stems = true, keywords.PhraseStems(textanalysis.LexiconOf(q.Language, r.Label), r.Label)
		}
	}
	b.base = groups
	return b
}

// Source implements Codebook.
func (b *storedBook) Source() tables.Source {
	return tables.Source{Provider: b.frame.Provider, Model: b.frame.Model, Version: b.frame.Release}
}

// Name implements Codebook.
func (b *storedBook) Name() string {
	if !b.frame.Edited {
		return b.frame.Name
	}
	return b.frame.Name + ", edited"
}

// Themes implements Codebook.
func (b *storedBook) Themes() []Theme {
	themes := make([]Theme, len(b.live))
	for i, t := range b.live {
		themes[i] = Theme{t.Label, t.Meaning}
	}
	return themes
}

// Mentions implements Codebook.
func (b *storedBook) Mentions(ctx context.Context, said []OpenAnswer) ([][]Mention, error) {
	found, err := b.base.Mentions(ctx, said)
	if err != nil {
		return nil, err
	}
	mentions := make([][]Mention, len(said))
	onAllProcessors(len(said), func(begin, end int) {
		for i := begin; i < end; i++ {
			mentions[i] = b.fold(said[i], found[i])
		}
	})
	return mentions, nil
}

// fold applies what people changed to the themes of one answer.
func (b *storedBook) fold(said OpenAnswer, found []Mention) (mentions []Mention) {
	codings := make([]codeframe.Coding, len(found))
	for i, m := range found {
		codings[i] = codeframe.Coding{Theme: m.Theme + 1, Quote: m.Quote, Weight: m.Weight}
	}
	var decisions []codeframe.Decision
	for _, d := range b.decisions[said.ReadableID] {
		if d.ConceptID == "" || d.ConceptID == said.ConceptID {
			decisions = append(decisions, d)
		}
	}
	says := func(phrases []string) (codeframe.Coding, bool) { return saysPhrase(said, phrases) }
	for _, c := range b.frame.Fold(codings, says, decisions) {
		if place, live := b.place[c.Theme]; live {
			mentions = append(mentions, Mention{Theme: place, Quote: c.Quote, Weight: c.Weight, ByHand: c.ByHand})
		}
	}
	return mentions
}

// saysPhrase returns the best sentence of an answer that says one of some phrases, in any form of their words.
func saysPhrase(said OpenAnswer, phrases []string) (best codeframe.Coding, found bool) {
	lexicon := textanalysis.LexiconOf(said.Language, said.Texts...)
	var groups keywordBook
	for _, phrase := range phrases {
		if stems := keywords.PhraseStems(lexicon, phrase); len(stems) > 0 {
			groups = append(groups, keywords.Group{Label: phrase, Stems: stems, Phrase: true})
		} else if span, stands := readerOf(said).Locate(phrase); stands { // nothing but small words
			return codeframe.Coding{Quote: readerOf(said).Text(span)}, true
		}
	}
	for _, m := range groups.mentions(said) {
		if !found || m.Weight > best.Weight {
			best, found = codeframe.Coding{Quote: m.Quote, Weight: m.Weight}, true
		}
	}
	return best, found
}

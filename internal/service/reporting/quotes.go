package reporting

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
)

const (
	sampleSize = 400  // answers that themes are learned from
	maxSampled = 2000 // bytes of one text in a sample
	maxQuotes  = 3    // quotes shown for a theme
)

// sample keeps a fixed number of answers: those with the lowest hashes of their responses' ids. The order in which answers are
// added does not matter, and the same responses give the same sample.
type sample struct{ kept []sampled }

type sampled struct {
	hash uint64
	said OpenAnswer
}

func (s *sample) add(responseID, conceptID string, said OpenAnswer) {
	hash := fnv.New64a()
	hash.Write([]byte(responseID + "\x00" + conceptID))
	lot := hash.Sum64()
	place, _ := slices.BinarySearchFunc(s.kept, lot, func(d sampled, lot uint64) int { return cmp.Compare(d.hash, lot) })
	if place == sampleSize {
		return
	}
	s.kept = slices.Insert(s.kept, place, sampled{lot, shortened(said)})
	s.kept = s.kept[:min(len(s.kept), sampleSize)]
}

// shortened cuts long texts, so that a sample takes little memory.
func shortened(said OpenAnswer) OpenAnswer {
	short := said
	short.Texts = slices.Clone(said.Texts)
	for i, text := range short.Texts {
		short.Texts[i] = shortText(text, maxSampled)
	}
	return short
}

// shortText returns the first bytes of a text, and does not split a character.
func shortText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.Clone(text[:limit])
}

func (s *sample) all() []OpenAnswer {
	all := make([]OpenAnswer, len(s.kept))
	for i := range s.kept {
		all[i] = s.kept[i].said
	}
	return all
}

// quotes holds the best quotes of a theme so far, the best first.
type quotes []quote

type quote struct {
	weight     float64
	readableID int
	row        int // of the transcript; 0 if it is not known
	conceptID  string
	text       string
}

func (q *quotes) add(one quote) {
	if len(*q) == maxQuotes && before(one, (*q)[maxQuotes-1]) > 0 ||
		slices.ContainsFunc(*q, func(kept quote) bool { return kept.text == one.text && before(kept, one) <= 0 }) {
		return
	}
	list := append(*q, one)
	slices.SortFunc(list, before)
	distinct := list[:0]
	for _, one := range list { // keeps the first of equal quotes, and the first of each person
		if !slices.ContainsFunc(distinct, func(kept quote) bool {
			return kept.readableID == one.readableID || evidence.Fold(kept.text) == evidence.Fold(one.text)
		}) {
			distinct = append(distinct, one)
		}
	}
	*q = distinct[:min(len(distinct), maxQuotes)]
}

// before compares quotes, the better one first.
func before(a, b quote) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.readableID, b.readableID), cmp.Compare(a.text, b.text))
}

// checkedMentions are the mentions of an answer whose quotes stand in it, and how many do not hold.
type checkedMentions struct {
	named   []int
	quotes  []sourced
	refused int
}

// sourced is a quote that may be shown for a theme.
type sourced struct {
	theme  int
	weight float64
	row    int // of the transcript; 0 if it is not known
	text   string
}

// check looks up the quotes of an answer's mentions, which are of so many themes.
func check(mentions []Mention, said OpenAnswer, themes int) (c checkedMentions) {
	if len(mentions) == 0 {
		return c
	}
	reader := readerOf(said)
	for _, m := range mentions {
		if m.ByHand && m.Quote == "" {
			c.named = append(c.named, m.Theme)
			continue
		}
		span, stands := reader.Locate(m.Quote)
		if !stands || m.Theme < 0 || m.Theme >= themes || slices.Contains(c.named, m.Theme) {
			c.refused++
			continue
		}
		c.named = append(c.named, m.Theme)
		if _, proves := reader.Find(m.Quote); proves && m.Weight > 0 {
			c.quotes = append(c.quotes, sourced{m.Theme, m.Weight, said.row(span.Row), reader.Text(span)})
		}
	}
	return c
}

// count adds the quotes to the slices, and returns the themes that the answer mentions.
func (c *checkedMentions) count(said OpenAnswer, about []*slice) (named []int) {
	for _, s := range about {
		s.refused += c.refused
		for _, one := range c.quotes {
			s.quotes[one.theme].add(quote{one.weight, said.ReadableID, one.row, said.ConceptID, one.text})
		}
	}
	return c.named
}

// readerOf returns a Reader for quotes in an answer. The rows of its spans are the indexes of the texts.
func readerOf(said OpenAnswer) *evidence.Reader {
	turns := make([]evidence.Turn, len(said.Texts))
	for i, text := range said.Texts {
		turns[i] = evidence.Turn{Row: i, Text: text}
	}
	return evidence.Read(turns)
}

// row returns the row of the transcript in which a text stands; 0 if it is not known.
func (a *OpenAnswer) row(text int) int {
	if text >= len(a.Rows) {
		return 0
	}
	return a.Rows[text]
}

func conceptKey(place int) string { return "c" + strconv.Itoa(place+1) }

package reporting_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/reporting"
)

func TestCountsAreThoseOfTheAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 200, phrase)
	hidden := &w.taken[0]
	storetest.Write(t, w.store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), w.study.OrgID, hidden.ID, true) })
	hidden.Hidden = true
	r := w.report(t, nil, "")

	progress := map[response.Progress]int{}
	for _, one := range w.taken {
		if !one.Hidden {
			progress[one.Progress]++
		}
	}
	want := []string{
		strconv.Itoa(progress[response.Complete]), strconv.Itoa(progress[response.ScreenedOut]), strconv.Itoa(progress[response.InProgress]), "0", "1", "0", "0", "0",
	}
	if diff := cmp.Diff(want, column(t, table(t, section(t, r, "fieldwork"), "responses"), "count")); diff != "" {
		t.Error("responses:", diff)
	}
	for place, item := range w.guide.Items() {
		if item.Type == guide.Statement {
			continue
		}
		s := section(t, r, item.ID)
		if s.Number != place.Number || s.Heading != item.Text {
			t.Errorf("%s is number %d: %s", item.ID, s.Number, s.Heading)
		}
		base := table(t, s, "base")
		if diff := cmp.Diff(w.bases(item), []string{column(t, base, "asked")[0], column(t, base, "answered")[0], column(t, base, "waiting")[0]}); diff != "" {
			t.Errorf("%s: base: %s", item.ID, diff)
		}
		switch item.Type {
		case guide.MultipleChoice:
			if diff := cmp.Diff(w.chosen(item), column(t, table(t, s, "answers"), "count")); diff != "" {
				t.Errorf("%s: %s", item.ID, diff)
			}
			w.checkOwnWords(t, s, item)
		case guide.Matrix:
			if diff := cmp.Diff(w.cells(item), column(t, table(t, s, "cells"), "count")); diff != "" {
				t.Errorf("%s: %s", item.ID, diff)
			}
		case guide.Ranking:
			if diff := cmp.Diff(w.firsts(item), column(t, table(t, s, "ranks"), "first")); diff != "" {
				t.Errorf("%s: %s", item.ID, diff)
			}
		case guide.MaxDiff:
			w.checkMaxDiff(t, s, item)
		}
	}
}

// ended iterates over the visits of an item in the interviews that are counted.
func (w *world) ended(item *guide.Item, each func(one *interviewed, m int)) {
	for i := range w.taken {
		one := &w.taken[i]
		for m, visit := range one.state.VisitedItems() {
			if visit.ItemID == item.ID && one.Progress != response.InProgress && !one.Hidden && !visit.Unasked {
				each(one, m)
			}
		}
	}
}

func (w *world) bases(item *guide.Item) []string {
	asked, answered, waiting := 0, 0, 0
	w.ended(item, func(one *interviewed, m int) {
		asked++
		if visit := one.state.VisitedItems()[m]; visit.Done() {
			answered++
		}
	})
	for _, one := range w.taken {
		if step := one.state.Next(); one.Progress == response.InProgress && step.Item != nil && step.Item.ID == item.ID {
			waiting++
		}
	}
	return []string{strconv.Itoa(asked), strconv.Itoa(answered), strconv.Itoa(waiting)}
}

func (w *world) chosen(item *guide.Item) (counts []string) {
	for _, option := range w.guide.EffectiveOptions(item) {
		n := 0
		w.ended(item, func(one *interviewed, m int) {
			if slices.ContainsFunc(one.state.VisitedItems()[m].Chosen, func(o guide.Option) bool { return o.ID == option.ID }) {
				n++
			}
		})
		counts = append(counts, strconv.Itoa(n))
	}
	return counts
}

func (w *world) checkOwnWords(t *testing.T, s *tables.Section, item *guide.Item) {
	t.Helper()
	if !item.AllowCustomOption {
		return
	}
	written := map[string]int{}
	w.ended(item, func(one *interviewed, m int) {
		if text := one.state.VisitedItems()[m].Answers[0].CustomText; text != "" {
			written[text]++
		}
	})
	words := table(t, s, "own-words")
	if diff := cmp.Diff([]string{strconv.Itoa(written["A moka pot"] + written["a  Moka pot"]), strconv.Itoa(written["=cmd"])}, column(t, words, "count")); diff != "" {
		t.Errorf("%s: own words %v: %s", item.ID, column(t, words, "words"), diff)
	}
}

func (w *world) cells(item *guide.Item) (counts []string) {
	for _, row := range item.Rows {
		for _, option := range item.Options {
			n := 0
			w.ended(item, func(one *interviewed, m int) {
				if one.state.VisitedItems()[m].Answers[0].Cells[row.ID] == option.ID {
					n++
				}
			})
			counts = append(counts, strconv.Itoa(n))
		}
	}
	return counts
}

func (w *world) firsts(item *guide.Item) (counts []string) {
	for _, option := range w.guide.EffectiveOptions(item) {
		n := 0
		w.ended(item, func(one *interviewed, m int) {
			if one.state.VisitedItems()[m].Answers[0].Ranking[0] == option.ID {
				n++
			}
		})
		counts = append(counts, strconv.Itoa(n))
	}
	return counts
}

func (w *world) checkMaxDiff(t *testing.T, s *tables.Section, item *guide.Item) {
	t.Helper()
	best := make([]int, len(item.Options))
	people := 0
	w.ended(item, func(one *interviewed, m int) {
		people++
		for _, a := range one.state.VisitedItems()[m].Answers {
			best[place(item, a.Best)]++
		}
	})
	for option, n := range best {
		if got := column(t, table(t, s, "scores"), "best")[option]; got != strconv.Itoa(n) {
			t.Errorf("%s: option %d was best %s times, want %d", item.ID, option, got, n)
		}
	}
	tenths := 0
	for _, share := range column(t, table(t, s, "utilities"), "share") {
		integer, part, _ := strings.Cut(share, ".")
		n, err := strconv.Atoi(integer + part)
		if err != nil || len(part) != 1 {
			t.Fatalf("share %q: %v", share, err)
		}
		tenths += n
	}
	if tenths != 1000 {
		t.Errorf("shares sum to %d tenths of a percent", tenths)
	}
	if got := column(t, table(t, s, "utilities"), "label")[0]; got != item.Options[0].Text {
		t.Errorf("the dearest is %s: the answers prefer the first option", got)
	}
	if got := column(t, table(t, s, "fit"), "people")[0]; got != strconv.Itoa(people) {
		t.Errorf("%s people have a fit, want %d", got, people)
	}
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?`)

// Every number in a sentence stands in a table, and so does every label.
func TestEveryNumberStandsInATable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 120, phrase)
	for _, by := range []string{"", "param:source", "home-frequency", "Q2"} {
		if numbers := numbersStand(t, w.report(t, nil, by)); numbers < 50 {
			t.Errorf("by %q: only %d numbers in all sentences", by, numbers)
		}
	}
}

// numbersStand looks up every number and label of a report's prose in the tables beside it, and counts the numbers.
func numbersStand(t *testing.T, r *tables.Report) int {
	t.Helper()
	numbers := 0
	for _, s := range r.Sections {
		cells := map[string]bool{}
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				for _, cell := range row {
					text := strings.Join(strings.Fields(cell.String()), " ")
					cells[text], cells[strings.TrimPrefix(text, "< ")] = true, true
				}
			}
		}
		for _, sentence := range slices.Concat(s.Sentences, s.Warnings) {
			words := regexp.MustCompile(`“[^”]*”`).ReplaceAllStringFunc(sentence.Text, func(label string) string {
				if label = strings.TrimSuffix(strings.TrimPrefix(label, "“"), "”"); !cells[label] {
					t.Errorf("%s: %q is in no table: %s", s.Key, label, sentence.Text)
				}
				return ""
			})
			for _, n := range number.FindAllString(words, -1) {
				numbers++
				if !cells[n] {
					t.Errorf("%s: %s is in no table: %s", s.Key, n, sentence.Text)
				}
			}
		}
	}
	proseOfMarkdown(t, r)
	return numbers
}

// proseOfMarkdown looks for numbers in the prose: everything except headings and tables.
func proseOfMarkdown(t *testing.T, r *tables.Report) {
	t.Helper()
	said := map[string]bool{}
	for _, s := range r.Sections {
		for _, sentence := range slices.Concat(s.Sentences, s.Warnings) {
			for _, n := range number.FindAllString(sentence.Text, -1) {
				said[n] = true
			}
		}
	}
	for line := range strings.Lines(string(r.Markdown())) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "By ") {
			continue
		}
		for _, n := range number.FindAllString(line, -1) {
			if !said[n] {
				t.Errorf("%s is said beside the sentences: %s", n, line)
			}
		}
	}
}

func TestQuotesStandInTheAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 150, phrase)
	r := w.report(t, nil, "")
	quotes := 0
	for _, s := range r.Sections {
		for _, table := range s.Tables {
			if !strings.HasPrefix(table.Key, "quotes") {
				continue
			}
			ids, texts := column(t, table, "response"), column(t, table, "quote")
			for i, text := range texts {
				quotes++
				one := w.taken[slices.IndexFunc(w.taken, func(one interviewed) bool { return strconv.Itoa(one.ReadableID) == ids[i] })]
				if !slices.ContainsFunc(one.state.Answers(), func(a interview.Answered) bool { return a.ItemID == s.Key && strings.Contains(a.Text, text) }) {
					t.Errorf("%s: response %s did not say %q", s.Key, ids[i], text)
				}
			}
		}
	}
	if quotes < 10 {
		t.Errorf("only %d quotes", quotes)
	}
	story := section(t, r, "morning-story")
	labels := strings.Join(column(t, table(t, story, "themes"), "label"), "; ")
	for _, word := range []string{"milk", "beans", "machine"} {
		if !strings.Contains(labels, word) {
			t.Errorf("no group is about %s: %s", word, labels)
		}
	}
	if got := table(t, story, "themes"); got.Source.Provider != "builtin" || !strings.Contains(got.Title, "Keyword groups") {
		t.Errorf("%+v %s", got.Source, got.Title)
	}
}

// liar is a Themer with quotes that nobody said, and with quotes that somebody said.
type liar struct{}

func (liar) Learn(context.Context, reporting.OpenQuestion, []reporting.OpenAnswer) (reporting.Codebook, error) {
	return liar{}, nil
}

func (liar) Source() tables.Source     { return tables.Source{Provider: "a-model", Version: "themes/3"} }
func (liar) Name() string              { return "Themes" }
func (liar) Themes() []reporting.Theme { return []reporting.Theme{{Label: "True"}, {Label: "False"}} }

func (liar) Mentions(_ context.Context, said []reporting.OpenAnswer) (all [][]reporting.Mention, err error) {
	for _, one := range said {
		all = append(all, []reporting.Mention{{Theme: 0, Quote: strings.ToUpper(one.Texts[0]), Weight: 1}, {Theme: 1, Quote: "Nobody said this.", Weight: 1}, {Theme: 7, Quote: one.Texts[0]}})
	}
	return all, nil
}

func TestFalseQuotesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 30, func(*rand.Rand) string { return "The Frother is loud." })
	s := section(t, w.report(t, liar{}, ""), "morning-story")
	counts := column(t, table(t, s, "themes"), "count")
	if base := column(t, table(t, s, "themes"), "base")[0]; counts[0] != base || counts[1] != "0" || base == "0" {
		t.Errorf("counts %v of %s", counts, base)
	}
	quotes := table(t, s, "quotes")
	for _, text := range column(t, quotes, "quote") {
		if text != "The Frother is loud." {
			t.Errorf("%q is not in the words of the answer", text)
		}
	}
	if len(quotes.Rows) != 1 || quotes.Source.Provider != "a-model" {
		t.Errorf("%d quotes of the same words by %s", len(quotes.Rows), quotes.Source.Provider)
	}
	if !slices.ContainsFunc(s.Warnings, func(w tables.Sentence) bool { return strings.Contains(w.Text, "were left out") }) {
		t.Error("refused mentions are not reported")
	}
}

func TestSubgroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 150, phrase)
	r := w.report(t, nil, "param:source")
	s := section(t, r, "home-frequency")
	counts := table(t, s, "by-counts")
	if got := len(counts.Columns); got != 1+4 {
		t.Errorf("%d columns: panel, newsletter, website and none are there", got)
	}
	totals := column(t, table(t, s, "answers"), "count")
	for row, total := range totals {
		sum := 0
		for _, cell := range counts.Rows[row][1:] {
			n, err := strconv.Atoi(cell.String())
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if strconv.Itoa(sum) != total {
			t.Errorf("row %d: the groups sum to %d, all are %s", row, sum, total)
		}
	}
	table(t, s, "by-test")
	table(t, section(t, r, "bean-priorities"), "by-shares")
	table(t, section(t, r, "morning-story"), "themes-by-counts")
	table(t, section(t, r, "pay-ranking"), "points-by")
	for _, table := range section(t, r, "idea-use").Tables {
		if table.Key == "by-test" {
			t.Error("people answered about several concepts: no test stands on that")
		}
	}
	byQuestion := w.report(t, nil, "1")
	if byQuestion.By != w.guide.Blocks[0].Items[0].Text {
		t.Errorf("by %q", byQuestion.By)
	}
	for _, table := range section(t, byQuestion, "home-frequency").Tables {
		if strings.HasPrefix(table.Key, "by") {
			t.Error("a question is compared with itself")
		}
	}
	for _, by := range []string{"nowhere", "morning-story", "idea-use", "param:", "param:_hidden", "param:nothing", "99"} {
		_, err := (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(t.Context(), w.study, reporting.Options{By: by})
		if _, refused := errors.AsType[*reporting.ByError](err); !refused {
			t.Errorf("by %q: %v", by, err)
		}
	}
}

func TestTheSameStudyGivesTheSameReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	w.fill(t, 80, phrase)
	first, err := w.report(t, nil, "equipment").JSON()
	if err != nil {
		t.Fatal(err)
	}
	second, err := w.report(t, nil, "equipment").JSON()
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("they differ (%v): %s", err, cmp.Diff(string(first), string(second)))
	}
}

func TestNobodyAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sampleGuide(t))
	r := w.report(t, nil, "")
	if got := section(t, r, "bean-priorities").Sentences[0].Text; got != "Asked: 0; answered: 0." {
		t.Error(got)
	}
	if _, err := r.JSON(); err != nil {
		t.Error(err)
	}
}

// holding samples the heap while the answers are read.
type holding struct {
	reporting.Keywords
	peak uint64
}

func (h *holding) Learn(ctx context.Context, q reporting.OpenQuestion, sample []reporting.OpenAnswer) (reporting.Codebook, error) {
	book, err := h.Keywords.Learn(ctx, q, sample)
	return &watched{Codebook: book, of: h}, err
}

type watched struct {
	reporting.Codebook
	of    *holding
	calls int
}

func (b *watched) Mentions(ctx context.Context, said []reporting.OpenAnswer) ([][]reporting.Mention, error) {
	if b.calls%3 == 0 {
		b.of.peak = max(b.of.peak, living())
	}
	b.calls++
	some := (len(said) + 19) / 20 // reading all of them takes long and adds nothing
	mentions, err := b.Codebook.Mentions(ctx, said[:some])
	return append(mentions, make([][]reporting.Mention, len(said)-some)...), err
}

func living() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Thousands of responses with long answers are read and not kept in memory. The test does not run in parallel with other tests,
// whose memory would be counted.
func TestResponsesAreNotHeld(t *testing.T) {
	const people, answerBytes = 3000, 6_000
	g := &guide.Guide{Title: "Long", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
	}}}}
	w := newWorld(t, g)
	filler := strings.Repeat("Coffee. ", answerBytes/8)
	w.fill(t, people, func(chance *rand.Rand) string {
		return phrase(chance) + " " + fmt.Sprint(chance.IntN(1000)) + " " + filler
	})
	w.taken = nil
	before := living()
	h := &holding{}
	at := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	r, err := (&reporting.Service{Store: w.store, Themer: h, Now: at, Memory: people * answerBytes / 10}).Analyse(t.Context(), w.study, reporting.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := column(t, table(t, section(t, r, "why"), "themes"), "base")[0]; got != strconv.Itoa(people) {
		t.Errorf("%s answers are counted", got)
	}
	if held, all := int64(h.peak)-int64(before), int64(people*answerBytes); held > all/3 { // a few chunks are read ahead
		t.Errorf("%d of %d bytes of answers are held", held, all)
	}
}

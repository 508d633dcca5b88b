package reporting_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/importing"
)

// Imported responses have only texts: the same answers, as texts, give the same counts.
func TestImportedAnswersAreRead(t *testing.T) {
	t.Parallel()
	g := sampleGuide(t)
	here, there := newWorld(t, g), newWorld(t, g)
	here.fill(t, 60, phrase)
	var lines bytes.Buffer
	for _, one := range here.taken {
		if one.Progress == response.InProgress {
			continue
		}
		r := one.Response
		r.ID = store.NewID()
		lines.Write(document.ListItem(document.Source{Response: r, Guide: g, Answers: one.state.Answers(), Exchanges: one.state.Exchanges()}))
		lines.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "items.ndjson")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&importing.Service{Store: there.store}).Import(t.Context(), there.study, file); err != nil {
		t.Fatal(err)
	}
	want, got := here.report(t, nil, ""), there.report(t, nil, "")
	for _, item := range g.Items() {
		keys := map[guide.ItemType]string{guide.MultipleChoice: "answers", guide.Matrix: "cells", guide.Ranking: "ranks", guide.OpenEnded: "base"}
		key := keys[item.Type]
		if key == "" {
			continue
		}
		counts := "count"
		switch item.Type {
		case guide.Ranking:
			counts = "first"
		case guide.OpenEnded:
			counts = "worded"
		}
		if column(t, table(t, section(t, want, item.ID), "base"), "answered")[0] == "0" {
			continue // its condition was met in no interview
		}
		if diff := cmp.Diff(column(t, table(t, section(t, want, item.ID), key), counts), column(t, table(t, section(t, got, item.ID), key), counts)); diff != "" {
			t.Errorf("%s: %s", item.ID, diff)
		}
	}
	fieldwork := column(t, table(t, section(t, got, "fieldwork"), "responses"), "count")
	if fieldwork[6] == "0" || fieldwork[7] == "0" { // all are imported, and their MaxDiff answers do not say what was shown
		t.Errorf("fieldwork %v", fieldwork)
	}
	if tables := section(t, got, "bean-priorities").Tables; len(tables) != 1 {
		t.Errorf("MaxDiff of texts has %d tables", len(tables))
	}
}

func TestOptionTextsThatContainSeparators(t *testing.T) {
	t.Parallel()
	g := &guide.Guide{Title: "Marks", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{
		ID: "which", Type: guide.MultipleChoice, Text: "Which?", MultiSelect: true, AllowCustomOption: true,
		Options: []guide.Option{{ID: "1", Text: "tea"}, {ID: "2", Text: "tea; black"}, {ID: "3", Text: "none"}},
	}}}}}
	w := newWorld(t, g)
	at := `"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"`
	var lines strings.Builder
	for i, text := range []string{"tea; black; tea", "tea; my own words", "none", ""} {
		lines.WriteString(`{"id":"` + store.NewID() + `","readableId":` + string(rune('1'+i)) + `,"progress":"complete","responseDurationSeconds":1,"qualityScore":"pending","answers":{},` +
			`"answersArray":[{"answerId":"a","discussionGuideQuestionId":"which","conceptId":null,"question":"Which?","answer":"` + text + `"}],"urlParams":{},"tags":[],"tagline":null,` +
			`"bulletSummary":[],"shortTranscript":null,` + at + "}\n")
	}
	file := filepath.Join(t.TempDir(), "items.ndjson")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&importing.Service{Store: w.store}).Import(t.Context(), w.study, file); err != nil {
		t.Fatal(err)
	}
	s := section(t, w.report(t, nil, ""), "which")
	if diff := cmp.Diff([]string{"2", "1", "1", "1"}, column(t, table(t, s, "answers"), "count")); diff != "" {
		t.Error(diff)
	}
	base := table(t, s, "base").Rows[0]
	if base[1].String() != "4" || base[2].String() != "3" || base[3].String() != "1" {
		t.Errorf("asked, answered, skipped: %v", base)
	}
}

// A question keeps its counts over revisions: questions of earlier revisions alone follow.
func TestRevisionsAreMerged(t *testing.T) {
	t.Parallel()
	item := guide.Item{ID: "which", Type: guide.MultipleChoice, Text: "Which?", Options: []guide.Option{{ID: "old", Text: "Old"}, {ID: "both", Text: "Both"}}}
	gone := guide.Item{ID: "gone", Type: guide.OpenEnded, Text: "Gone?", FollowUp: guide.FollowUpNone}
	g := &guide.Guide{Title: "First", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{item, gone}}}}
	w := newWorld(t, g)
	w.fill(t, 19, func(*rand.Rand) string { return "Words of an earlier revision." })
	item.Options = []guide.Option{{ID: "both", Text: "Both, still"}, {ID: "new", Text: "New"}}
	w.revise(t, &guide.Guide{Title: "Second", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{item}}}})
	before := len(w.taken)
	w.fill(t, 19, phrase)
	r := w.report(t, nil, "")
	answers := table(t, section(t, r, "which"), "answers")
	if diff := cmp.Diff([]string{"Both, still", "New", "Old"}, column(t, answers, "label")); diff != "" {
		t.Error(diff)
	}
	offered := column(t, answers, "base")
	if offered[0] != "38" || offered[1] != "19" || offered[2] != "19" || before != 19 {
		t.Errorf("offered %v", offered)
	}
	if s := section(t, r, "gone"); s.Number != 0 || column(t, table(t, s, "base"), "answered")[0] != "19" {
		t.Errorf("%+v", s)
	}
}

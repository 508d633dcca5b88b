package exporting_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// readCSV returns the rows of a table by the names of its columns.
func readCSV(t testing.TB, b []byte) (header []string, rows []map[string]string) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	all, err := r.ReadAll() // also checks that all have as many fields
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = fields[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

// TestCellsSayWhatTheDocumentsSay compares each answer in the table with the text that the API gives for it, which other code makes.
func TestCellsSayWhatTheDocumentsSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	taken := w.fill(t, 40)
	b, sum := w.write(t, exporting.Options{Format: exporting.CSV, Labels: true})
	_, rows := readCSV(t, b)
	if len(rows) != len(taken) || sum.Responses != len(taken) || sum.Unreadable != 0 {
		t.Fatalf("%d rows of %d responses: %+v", len(rows), len(taken), sum)
	}
	compared := map[guide.ItemType]int{}
	concepts := conceptNumbers(w.compiled.Guide)
	for i, r := range taken {
		row := rows[i]
		stored, err := w.store.View().ItemByResponse(t.Context(), w.study.ID, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		item, err := document.DecodeItem(stored.List)
		if err != nil {
			t.Fatal(err)
		}
		if row["response_id"] != r.ID || row["status"] != string(r.Progress) || row["param_source"] != "'=web()" && row["param_source"] != "mail" {
			t.Errorf("response %d: %q, %q, %q", i+1, row["response_id"], row["status"], row["param_source"])
		}
		for _, a := range item.AnswersArray {
			asked, at, _ := w.compiled.Guide.Item(a.QuestionID)
			name := "q" + strconv.Itoa(at.Number) + concepts[a.ConceptID]
			if got := inWords(row, name, asked, w.compiled.Guide); got != a.Answer {
				t.Errorf("response %d, %s: %q, and the API says %q", i+1, name, got, a.Answer)
			}
			compared[asked.Type]++
		}
	}
	if len(compared) != 5 { // all but files, which the sample does not ask for
		t.Errorf("compared: %v", compared)
	}
}

func conceptNumbers(g *guide.Guide) map[string]string {
	numbers := map[string]string{}
	for b := range g.Blocks {
		for i, c := range g.Blocks[b].Concepts() {
			numbers[c.ID] = "_c" + strconv.Itoa(i+1)
		}
	}
	return numbers
}

// inWords returns an answer in the words of the API, from the cells of a table with labels.
func inWords(row map[string]string, name string, item *guide.Item, g *guide.Guide) string {
	options := g.EffectiveOptions(item)
	var lines []string
	switch item.Type {
	case guide.OpenEnded:
		text := row[name]
		for line := range strings.Lines(row[name+"_followups"]) {
			if said, ok := strings.CutPrefix(strings.TrimSpace(line), "Participant: "); ok {
				text += "\n\n" + said
			}
		}
		return text
	case guide.MultipleChoice:
		for i, o := range options {
			chosen := row[name] == o.Text || item.MultiSelect && row[name+"_"+strconv.Itoa(i+1)] == "selected"
			own := strings.HasPrefix(o.ID, guide.CustomOptionID(""))
			if own && (chosen || row[name] == o.Text+" (own words)") {
				lines = append(lines, strings.TrimPrefix(row[name+"_other"], "'"))
			} else if chosen {
				lines = append(lines, o.Text)
			}
		}
		return strings.Join(lines, "; ")
	case guide.Ranking:
		for rank := 1; rank <= len(options); rank++ {
			for i, o := range options {
				if row[name+"_"+strconv.Itoa(i+1)] == strconv.Itoa(rank) {
					if strings.HasPrefix(o.ID, guide.CustomOptionID("")) {
						o.Text = strings.TrimPrefix(row[name+"_other"], "'")
					}
					lines = append(lines, fmt.Sprintf("%d. %s", rank, o.Text))
				}
			}
		}
	case guide.Matrix:
		for i, r := range item.Rows {
			lines = append(lines, r.Text+": "+row[name+"_"+strconv.Itoa(i+1)])
		}
	case guide.MaxDiff:
		for screen := 1; row[fmt.Sprintf("%s_s%d_best", name, screen)] != ""; screen++ {
			s := fmt.Sprintf("%s_s%d_", name, screen)
			lines = append(lines, fmt.Sprintf("Most: %s; Least: %s", row[s+"best"], row[s+"worst"]))
		}
	}
	return strings.Join(lines, "\n")
}

// TestLayoutsAgree: the long layout and JSON lines hold the cells of the wide table, and the codebook names every variable and every code.
func TestLayoutsAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	w.fill(t, 12)
	b, _ := w.write(t, exporting.Options{Format: exporting.CSV})
	header, wide := readCSV(t, b)
	b, _ = w.write(t, exporting.Options{Format: exporting.CSV, Layout: exporting.Long})
	_, long := readCSV(t, b)
	filled := 0
	for _, row := range wide {
		for name, value := range row {
			if value != "" && name != "response" && name != "response_id" && name != "status" {
				filled++
			}
		}
	}
	if len(long) != filled {
		t.Errorf("%d rows for %d cells", len(long), filled)
	}
	for _, row := range long {
		number, err := strconv.Atoi(row["response"])
		if err != nil {
			t.Fatal(err)
		}
		if cell := wide[number-1][row["variable"]]; cell != row["code"] && cell != row["value"] {
			t.Errorf("%s of response %d: %q in the wide layout, %q and %q in the long one", row["variable"], number, cell, row["code"], row["value"])
		}
	}
	b, _ = w.write(t, exporting.Options{Format: exporting.CSV, Codebook: true})
	_, book := readCSV(t, b)
	var named []string
	codes := map[string]bool{}
	for _, row := range book {
		if row["code"] == "" {
			named = append(named, row["variable"])
		}
		codes[row["variable"]+"="+row["code"]] = true
	}
	if !slices.Equal(named, header) {
		t.Errorf("the codebook names %q, the table %q", named, header)
	}
	for _, name := range []string{"q1", "q5_1", "q9_1", "q11_s1_best"} {
		for _, row := range wide {
			if row[name] != "" && !codes[name+"="+row[name]] {
				t.Errorf("%s has the code %s, which the codebook does not explain", name, row[name])
			}
		}
	}
	b, _ = w.write(t, exporting.Options{Format: exporting.JSONL})
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	if len(lines) != len(wide) {
		t.Fatalf("%d lines for %d rows", len(lines), len(wide))
	}
	for i, line := range lines {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil || len(object) != len(header) {
			t.Fatalf("line %d: %v, %d keys", i+1, err, len(object))
		}
		for name, value := range object {
			text := ""
			if value != nil {
				text = fmt.Sprint(value)
			}
			if cell := strings.TrimPrefix(wide[i][name], "'"); cell != text && !strings.HasPrefix(text, "'") {
				t.Errorf("%s of line %d: %q, and %q in the table", name, i+1, text, cell)
			}
		}
	}
}

// TestNoFormulas: no text of a participant, of a link or of a guide becomes a formula, in cells and in names of columns.
func TestNoFormulas(t *testing.T) {
	t.Parallel()
	g := sampleGuide(t)
	g.Blocks[0].Items[0].Text = "=1+1"
	g.Blocks[0].Items[0].Options[0].Text = "@SUM(A1)"
	w := newWorld(t, storetest.New(t), g)
	signs := []string{"=1+1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "\u00a0=1", "＝1", "－1", "\ufeff=1", "\u200b@x", `"=1`, "'=1", "\n=1", "hi;=1+1;", "a\n-2+3", "b\t@x", "c;\"=1", "milk\n- bread"}
	w.words = func(chance *rand.Rand) string { return signs[chance.IntN(len(signs))] }
	w.fill(t, 20)
	for _, o := range []exporting.Options{
		{Format: exporting.CSV}, {Format: exporting.CSV, Labels: true}, {Format: exporting.CSV, Layout: exporting.Long}, {Format: exporting.CSV, Codebook: true},
	} {
		b, _ := w.write(t, o)
		header, rows := readCSV(t, b)
		guarded := 0
		check := func(name, value string) {
			bare := strings.TrimLeft(value, " \t\r\n\u00a0\u200b\ufeff\"")
			if bare != "" && strings.ContainsAny(bare[:1], "=+-@") && !missingCode(value) || strings.HasPrefix(bare, "＝") || strings.HasPrefix(bare, "－") {
				t.Errorf("%+v: %s is %q", o, name, value)
			}
			for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(";\n\r\t", r) }) {
				if bare := strings.TrimLeft(part, ` "`); bare != "" && strings.ContainsAny(bare[:1], "=+-@") && !strings.HasPrefix(bare, "- ") && !missingCode(value) {
					t.Errorf("%+v: %s is %q, which a semicolon divides", o, name, value)
				}
			}
			if strings.HasPrefix(value, "'") {
				guarded++
			}
		}
		for _, name := range header {
			check("a header", name)
		}
		for _, row := range rows {
			for name, value := range row {
				check(name, value)
			}
		}
		if guarded == 0 {
			t.Errorf("%+v: nothing was guarded, so this test saw nothing", o)
		}
	}
	b, _ := w.write(t, exporting.Options{Format: exporting.XLSX})
	book, err := excelize.OpenReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, worksheet := range book.GetSheetList() {
		all, err := book.GetRows(worksheet)
		if err != nil {
			t.Fatal(err)
		}
		for y, row := range all {
			for x := range row {
				at, _ := excelize.CoordinatesToCellName(x+1, y+1)
				if formula, err := book.GetCellFormula(worksheet, at); err != nil || formula != "" {
					t.Errorf("%s!%s has the formula %q, %v", worksheet, at, formula, err)
				}
			}
		}
	}
}

// missingCode reports whether a text is a code that this program wrote, and not words of others.
func missingCode(s string) bool { return s == "-99" || s == "-98" || s == "-97" }

// TestFilterAndRevisions: an export has what the filter lets through, hidden responses only if they are asked for, and answers of earlier
// revisions in columns of their own.
func TestFilterAndRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	taken := w.fill(t, 10)
	changed := sampleGuide(t)
	changed.Blocks[0].Items[1].ID = "new-trade"
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		if err := tx.HideResponse(t.Context(), w.study.OrgID, taken[0].ID, true); err != nil {
			return err
		}
		if err := tx.ReviseStudy(t.Context(), w.study, guide.Encode(changed)); err != nil {
			return err
		}
		st, err := tx.Study(t.Context(), w.study.OrgID, w.study.ID)
		st.PublishedRevision = st.Revision
		w.study = st
		return err
	})
	b, _ := w.write(t, exporting.Options{Format: exporting.CSV})
	header, rows := readCSV(t, b)
	if len(rows) != 9 || rows[0]["response"] != "2" || !slices.Contains(header, "x1_1") || rows[0]["x1_1"] == "" || rows[0]["q2_1"] != "" {
		t.Errorf("%d rows, %q", len(rows), rows[0])
	}
	b, _ = w.write(t, exporting.Options{Format: exporting.CSV, Filter: response.ReviewFilter{Hidden: response.AnyHidden, Parameter: "source", Value: "mail"}})
	if _, rows = readCSV(t, b); len(rows) != 5 || rows[0]["hidden"] != "1" {
		t.Errorf("filtered: %d rows, %q", len(rows), rows)
	}
	for name, o := range map[string]exporting.Options{
		"format": {Format: "pdf"}, "layout": {Format: exporting.SAV, Layout: exporting.Long}, "labels": {Format: exporting.SAV, Labels: true}, "codebook": {Format: exporting.ZIP, Codebook: true},
	} {
		if _, err := w.exports.Write(t.Context(), w.study, o, &bytes.Buffer{}); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := w.exports.Write(ctx, w.study, exporting.Options{Format: exporting.CSV}, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestChosenVariables: variables are left out in every format, and missing values are written where they are asked for.
func TestChosenVariables(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	w.fill(t, 4)
	b, _ := w.write(t, exporting.Options{Format: exporting.CSV})
	all, plain := readCSV(t, b)
	b, _ = w.write(t, exporting.Options{Format: exporting.CSV, Missing: true, Without: []string{"Transcript", "summary"}})
	some, coded := readCSV(t, b)
	if want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "transcript" || name == "summary" }); !slices.Equal(some, want) {
		t.Errorf("variables: %q", some)
	}
	missing := 0
	for i, row := range coded {
		for name, value := range row {
			if plain[i][name] == "" && slices.Contains([]string{"-99", "-98", "-97"}, value) {
				missing++
			} else if plain[i][name] != value {
				t.Errorf("response %d, %s: %q, and without codes %q", i+1, name, value, plain[i][name])
			}
		}
	}
	if missing == 0 {
		t.Error("no code of a missing value")
	}
	for _, o := range []exporting.Options{{Format: exporting.CSV, Codebook: true}, {Format: exporting.JSONL}, {Format: exporting.CSV, Layout: exporting.Long}, {Format: exporting.SAV}, {Format: exporting.XLSX}} {
		complete, _ := w.write(t, o)
		o.Without = []string{"transcript"}
		if less, _ := w.write(t, o); len(less) >= len(complete) {
			t.Errorf("%+v: %d bytes, and %d with the transcript", o, len(less), len(complete))
		}
	}
}

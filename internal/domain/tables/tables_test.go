package tables_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/plaintext"
	"verbatim/internal/domain/tables"
)

var source = tables.Source{Provider: "builtin", Version: "1"}

func TestCellsAreFormattedOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cell       tables.Cell
		text, json string
	}{
		{tables.Count(12), "12", "12"},
		{tables.Percent(0.1), "10.0", "10.0"},
		{tables.Percent(2.0 / 3), "66.7", "66.7"},
		{tables.Fixed(-0.0004, 3), "0.000", "0.000"},
		{tables.Fixed(-1.5, 1), "-1.5", "-1.5"},
		{tables.Fixed(math.NaN(), 2), "", "null"},
		{tables.Fixed(math.Inf(-1), 2), "", "null"},
		{tables.None, "", "null"},
		{tables.Text("a \"b\""), `a "b"`, `"a \"b\""`},
		{tables.Probability(1e-9), "< 0.0001", `"\u003c 0.0001"`},
		{tables.Probability(math.NaN()), "", "null"},
		{tables.Probability(0.04), "0.0400", "0.0400"},
	} {
		got, err := json.Marshal(tt.cell)
		if err != nil || tt.cell.String() != tt.text || string(got) != tt.json {
			t.Errorf("%q and %s (%v), want %q and %s", tt.cell, got, err, tt.text, tt.json)
		}
	}
}

func sample() *tables.Table {
	t := tables.New("prices", "Prices | costs", source, "label", "Label", "count", "Count")
	t.Add(tables.Text("A *bold*\nword"), tables.Count(3))
	t.Add(tables.Text("=1+1"), tables.None)
	return t
}

func TestSentencesAreFilledFromCells(t *testing.T) {
	t.Parallel()
	table := sample()
	s := tables.Say("{} was named {} times.", table.At(0, "label"), table.At(0, "count"))
	if want := "“A *bold* word” was named 3 times."; s.Text != want {
		t.Errorf("%q, want %q", s.Text, want)
	}
	for name, wrong := range map[string]func(){
		"a number of its own": func() { tables.Say("3 times {}.", table.At(0, "count")) },
		"too few cells":       func() { tables.Say("{} and {}", table.At(0, "count")) },
		"too many cells":      func() { tables.Say("Nothing.", table.At(0, "count")) },
		"no such column":      func() { table.At(0, "share") },
		"a short row":         func() { table.Add(tables.Count(1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			wrong()
		}()
	}
}

func report() *tables.Report {
	s := tables.Section{Key: "Ä q/1", Heading: "What <b> costs?", Kind: "open_ended", Tables: []*tables.Table{sample(), tables.New("none", "Empty", source, "label", "Label")}}
	s.Say("{} times.", s.Tables[0].At(0, "count"))
	s.Warn("Few: {}.", s.Tables[0].At(0, "count"))
	s.Warn("Few: {}.", s.Tables[0].At(0, "count"))
	numbered := tables.Section{Key: "why", Number: 7, Heading: "Why?", Tables: []*tables.Table{sample()}}
	return &tables.Report{StudyID: "s", LinkID: "l", Title: "T", MadeAt: time.Unix(0, 0).UTC(), Source: tables.Source{Provider: "model", Version: "x"}, Sections: []tables.Section{s, numbered}}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	body, err := report().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		MadeAt   time.Time
		Sections []struct {
			Key                 string
			Sentences, Warnings []tables.Sentence
			Tables              []struct {
				Key    string
				Source tables.Source
				Rows   []map[string]any
			}
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	first := got.Sections[0]
	if diff := cmp.Diff([]map[string]any{{"label": "A *bold*\nword", "count": 3.0}, {"label": "=1+1", "count": nil}}, first.Tables[0].Rows); diff != "" {
		t.Error(diff)
	}
	if first.Tables[0].Source != source || len(first.Warnings) != 1 || first.Sentences[0].Cells[0].Table != "prices" || len(first.Tables[1].Rows) != 0 {
		t.Errorf("%+v", first)
	}
	if strings.Contains(string(body), `"warnings": null`) || strings.Contains(string(body), `"rows": null`) {
		t.Error("lists are lists, also empty ones")
	}
	if !strings.Contains(string(body), `"label": "A *bold*\nword",`) {
		t.Error("a row keeps the order of its columns:", string(body))
	}
}

// written returns the lines of a file.
func written(t *testing.T, file *tables.File) [][]string {
	t.Helper()
	var body strings.Builder
	if err := file.Write(&body); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(body.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestCSV(t *testing.T) {
	t.Parallel()
	files := report().CSV()
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"001-q-1-prices.csv", "002-q-1-none.csv", "003-q7-prices.csv"}, names); diff != "" {
		t.Error(diff)
	}
	rows := written(t, &files[0])
	if diff := cmp.Diff([][]string{{"Label", "Count"}, {"A *bold*\nword", "3"}, {"'=1+1", ""}}, rows); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	text := string(report().Markdown())
	for _, want := range []string{
		"# T\n\nBy model, version x, where no other source is named.\n", "\n## What &lt;b&gt; costs?\n", "\n## Q7: Why?\n", "\n- 3 times.\n", "\n- **Note:** Few: 3.\n", "### Prices \\| costs\n",
		"| Label | Count |\n| --- | ---: |\n| A \\*bold\\* word | 3 |\n| =1+1 |  |\n", "\nNothing.\n", "By builtin, version 1.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// TestHostileCells: what participants wrote stays text in a spreadsheet, in a Markdown viewer and on a terminal.
func TestHostileCells(t *testing.T) {
	t.Parallel()
	table := tables.New("k", "\x1b]0;T\a", source, "label", "\ufeff＝cmd")
	for _, words := range []string{"\u200b＝1+1", "see https://evil.example and www.evil.example\x1b[2J", "\u202egpj.exe"} {
		table.Add(tables.Text(words))
	}
	r := tables.Report{Title: "\u009b31m", Source: source, Sections: []tables.Section{{Key: "s", Heading: "a\u2028# b", Tables: []*tables.Table{table}}}}
	files := r.CSV()
	rows := written(t, &files[0])
	want := [][]string{{`'\ufeff＝cmd`}, {`'\u200b＝1+1`}, {`see https://evil.example and www.evil.example\u001b[2J`}, {`\u202egpj.exe`}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	markdown := string(r.Markdown())
	if i := strings.IndexFunc(markdown, func(c rune) bool { return c != '\n' && plaintext.IsUnsafe(c) }); i >= 0 {
		t.Errorf("Markdown with %+q", markdown[i:i+4])
	}
	for _, link := range []string{"https://", "www."} {
		if strings.Contains(markdown, link) {
			t.Errorf("Markdown with a link of a participant's: %s", markdown)
		}
	}
}

// one returns the answer of a person who was offered two rows.
func one(named ...int) []tables.Answer { return []tables.Answer{{Offered: []int{0, 1}, Named: named}} }

func TestCounter(t *testing.T) {
	t.Parallel()
	counts := tables.NewCounter(3)
	for range 30 {
		counts.Add(one(0))
	}
	for range 10 {
		counts.Add(one(1))
	}
	counts.Add(nil)
	counts.Add([]tables.Answer{{Offered: []int{0, 1}, Named: []int{0}}, {Offered: []int{0, 1}, Named: []int{0, 1}}})
	table := counts.Shares("k", "T", source, "Option", []string{"a", "b", "c"})
	var got []string
	for _, row := range table.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.String())
		}
		got = append(got, strings.Join(cells, " "))
	}
	if diff := cmp.Diff("a 32 42 76.2", got[0][:12]); diff != "" || counts.People != 41 || counts.Answers != 42 || counts.Named(1) != 11 || counts.Offered(2) != 0 {
		t.Error(diff, got)
	}
	if diff := cmp.Diff("c 0 0   ", got[2]); diff != "" {
		t.Error(diff)
	}
}

func cross(t *testing.T, exclusive, apart bool, counts ...[2]int) tables.Section {
	t.Helper()
	c := tables.Cross{Key: "by", Title: "Answers by group", Source: source, What: "answers", Head: "Option", Labels: []string{"yes", "no"}, Exclusive: exclusive, Disjoint: apart}
	for i, n := range counts {
		counter := tables.NewCounter(2)
		for row, times := range n {
			for range times {
				counter.Add(one(row))
			}
		}
		c.Groups, c.Counters = append(c.Groups, string(rune('A'+i))), append(c.Counters, counter)
	}
	var s tables.Section
	c.Family = &tables.Family{}
	c.Into(&s)
	c.Family.Settle()
	return s.Complete()
}

func table(t *testing.T, s tables.Section, key string) *tables.Table {
	t.Helper()
	for _, table := range s.Tables {
		if table.Key == key {
			return table
		}
	}
	t.Fatalf("no table %s", key)
	return nil
}

func TestCross(t *testing.T) {
	t.Parallel()
	s := cross(t, true, true, [2]int{300, 200}, [2]int{100, 400}, [2]int{0, 0})
	if got := table(t, s, "by-counts"); len(got.Columns) != 3 || got.At(0, "g1").Row != 0 || got.Rows[2][1].String() != "500" {
		t.Errorf("%+v", got)
	}
	test := table(t, s, "by-test").Rows[0]
	if test[1].String() != "1000" || test[3].String() != "166.67" || test[5].String() != "< 0.0001" || test[7].String() != "0.408" {
		t.Errorf("%v", test)
	}
	if got := table(t, s, "by-residuals").Rows[0]; got[1].String() != "12.9" || got[2].String() != "-12.9" {
		t.Errorf("%v", got)
	}
	if len(s.Sentences) != 3 || !strings.Contains(s.Sentences[0].Text, "The answers of 1000 people in 2 groups differ by group: chi-square 166.67 with 1 degrees of freedom, p < 0.0001") || !strings.Contains(s.Sentences[1].Text, "“yes” in “A”, with an adjusted residual of 12.9") || len(s.Warnings) != 0 {
		t.Errorf("%+v", s)
	}

	small := cross(t, true, true, [2]int{7, 5}, [2]int{5, 7})
	if !strings.Contains(small.Sentences[0].Text, "no difference between the groups is shown") || len(small.Warnings) != 1 || table(t, small, "by-test").Rows[0][9].String() != "shuffling" || table(t, small, "by-bases").At(0, "base").Row != 0 || table(t, small, "by-bases").Rows[0][3].String() != "small" {
		t.Errorf("%+v", small.Warnings)
	}
	if alone := cross(t, true, true, [2]int{3, 2}, [2]int{0, 0}); len(alone.Tables) != 0 {
		t.Error("one group is compared with itself")
	}
	together := cross(t, true, false, [2]int{30, 20}, [2]int{10, 40})
	if len(together.Tables) != 3 || len(together.Sentences) != 0 {
		t.Errorf("people in several groups: %+v", together)
	}
	for _, exclusive := range []bool{true, false} {
		few := cross(t, exclusive, true, [2]int{3, 0}, [2]int{0, 30}, [2]int{30, 0})
		tested := table(t, few, "by-test").Rows[0]
		if tested[1].String() != "60" || tested[2].String() != "2" || table(t, few, "by-bases").Rows[0][4].String() != "in none: too few people" || len(few.Warnings) != 2 {
			t.Errorf("a group of three people: %v, %+v", tested, few.Warnings)
		}
		if none := cross(t, exclusive, true, [2]int{3, 0}, [2]int{0, 30}); len(none.Tables) != 3 || len(none.Sentences) != 0 {
			t.Errorf("one group of three and one of thirty are tested: %+v", none.Sentences)
		}
	}
	if rows := cross(t, false, true, [2]int{30, 20}, [2]int{10, 40}); len(table(t, rows, "by-test").Rows) != 2 {
		t.Error("each row has a test of its own")
	}
}

package exporting

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestFullWorksheets: a cell that is too long goes on in the next column, and rows that are too many in the next worksheet, with nothing lost.
func TestFullWorksheets(t *testing.T) {
	t.Parallel()
	variables := []variable{{name: "n", kind: number}, {name: "words", kind: text}, {name: "after", kind: text}}
	var b bytes.Buffer
	table, err := newXLSXTable(&b, "Codebook", variables, &export{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	table.cellUnits, table.rowLimit = 10, 4
	texts := []string{"short", strings.Repeat("😀", 12), "", strings.Repeat("a", 10), "=" + strings.Repeat("b", 20), "a\x01\x1b\ufffe b", "last"}
	for i, words := range texts {
		if err := table.row([]cell{intCell(i), textCell(words), textCell("x")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.close(); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	next := 0
	for _, worksheet := range book.GetSheetList() {
		rows, err := book.GetRows(worksheet)
		if err != nil || len(rows) > 4 || strings.Join(rows[0], ",") != "n,words,words (2),words (3),after" {
			t.Fatalf("%s has %d rows: %q, %v", worksheet, len(rows), rows, err)
		}
		for _, row := range rows[1:] {
			got, want := strings.Join(row[1:4], ""), strings.Map(func(r rune) rune { // what XML cannot hold
				if r < ' ' || r == '\ufffe' {
					return '\ufffd'
				}
				return r
			}, texts[next])
			if got != want || row[4] != "x" {
				t.Errorf("row %d: %q, want %q", next, row, want)
			}
			next++
		}
	}
	if next != len(texts) || len(book.GetSheetList()) != 3 {
		t.Errorf("%d rows in %q", next, book.GetSheetList())
	}
}

// TestLabelsKeepTheirPart: in little room, the option stays readable and no character is halved.
func TestLabelsKeepTheirPart(t *testing.T) {
	t.Parallel()
	v := variable{questionnaired: true, question: 12, text: strings.Repeat("Fragé ", 100), concept: "Körner", part: strings.Repeat("ß", 90)}
	got := v.label(255)
	if len(got) > 255 || strings.ToValidUTF8(got, "") != got || !strings.HasPrefix(got, "Q12 Fragé") || !strings.Contains(got, "[Körner] - ß") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

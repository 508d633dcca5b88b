package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Source names the author of something: "builtin" or the host of a model's service, which model, and the version of the program's own
// analysis or of the model's prompts.
type Source struct {
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"` // empty if no model was used
	Version  string `json:"version"`
}

// Column is one column of a table. Key is its name for programs, and stays the same if Head is reworded.
type Column struct{ Key, Head string }

// Table is rows of cells under columns.
type Table struct {
	Key     string // unique within its section
	Title   string
	Columns []Column
	Rows    [][]Cell
	Source  Source

	optional bool // left out if it stays without rows

	// Stream makes the rows of a table that may be as long as the study; Rows is empty then. Such a table is written as CSV, row by
	// row; in JSON it has no rows, and Markdown leaves it out. It ends when row returns false.
	Stream func(row func(cells ...Cell) bool)
}

// New returns a table without rows. columns are alternating keys and headings.
func New(key, title string, source Source, columns ...string) *Table {
	t := &Table{Key: key, Title: title, Source: source}
	for i := 0; i < len(columns); i += 2 {
		t.Columns = append(t.Columns, Column{columns[i], columns[i+1]})
	}
	return t
}

// Optional marks a table that is left out if it gets no rows, and returns it.
func (t *Table) Optional() *Table {
	t.optional = true
	return t
}

// Add adds a row. It panics unless the row has one cell per column.
func (t *Table) Add(cells ...Cell) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("table %s: %d cells in %d columns", t.Key, len(cells), len(t.Columns)))
	}
	t.Rows = append(t.Rows, cells)
}

// Ref is a cell with its position.
type Ref struct {
	Table  string `json:"table"`
	Row    int    `json:"row"` // from 0
	Column string `json:"column"`
	cell   Cell
}

// At returns the cell of a row in the column with a key. It panics if there is no such column.
func (t *Table) At(row int, column string) Ref {
	place := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == column })
	if place < 0 {
		panic(fmt.Sprintf("table %s has no column %s", t.Key, column))
	}
	return Ref{t.Key, row, column, t.Rows[row][place]}
}

// Sentence is text with numbers and labels from cells.
type Sentence struct {
	Text  string `json:"text"`
	Cells []Ref  `json:"cells"`
}

// Say fills a template: each {} in it becomes the next cell, and text is put between quotation marks. A template has no digits of
// its own, so that no sentence can contain a number that is in no table. Say panics if a template has digits, or if the number of
// cells and places differ.
func Say(template string, cells ...Ref) Sentence {
	parts := strings.Split(template, "{}")
	if len(parts) != len(cells)+1 || strings.ContainsAny(template, "0123456789") {
		panic("not a template for " + fmt.Sprint(len(cells)) + " cells: " + template)
	}
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i == len(cells) {
			break
		}
		b.WriteString(cells[i].cell.said())
	}
	return Sentence{b.String(), cells}
}

// MarshalJSON writes the rows as objects with the keys of the columns, in their order.
func (t *Table) MarshalJSON() ([]byte, error) {
	var rows bytes.Buffer
	rows.WriteByte('[')
	for i, row := range t.Rows {
		if i > 0 {
			rows.WriteByte(',')
		}
		rows.WriteByte('{')
		for j, cell := range row {
			if j > 0 {
				rows.WriteByte(',')
			}
			key, err := json.Marshal(t.Columns[j].Key)
			if err != nil {
				return nil, err
			}
			value, err := cell.MarshalJSON()
			if err != nil {
				return nil, err
			}
			rows.Write(key)
			rows.WriteByte(':')
			rows.Write(value)
		}
		rows.WriteByte('}')
	}
	rows.WriteByte(']')
	heads := make([]map[string]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = map[string]string{"key": c.Key, "head": c.Head}
	}
	return json.Marshal(struct {
		Key     string              `json:"key"`
		Title   string              `json:"title"`
		Source  Source              `json:"source"`
		Columns []map[string]string `json:"columns"`
		Rows    json.RawMessage     `json:"rows"`
		CSVOnly bool                `json:"csvOnly,omitempty"` // the rows are in the CSV file alone
	}{t.Key, t.Title, t.Source, heads, rows.Bytes(), t.Stream != nil})
}

// oneLine puts a text on one line, with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/plaintext"
)

// Report holds the findings about a study.
type Report struct {
	StudyID  string    `json:"studyId"`
	LinkID   string    `json:"linkId"`
	Title    string    `json:"title"`
	By       string    `json:"by"`             // what makes the subgroups; empty if there are none
	Only     string    `json:"only,omitempty"` // which responses are counted; empty for all
	MadeAt   time.Time `json:"madeAt"`
	Source   Source    `json:"source"` // source of everything that names no other
	Sections []Section `json:"sections"`
}

// Section is a part of a report, usually one question.
type Section struct {
	Key       string     `json:"key"` // unique within the report: the question's id, or a name that the report chose
	Number    int        `json:"number,omitempty"`
	Heading   string     `json:"heading"`
	Kind      string     `json:"kind"` // the question's type; empty for the report's own sections
	Sentences []Sentence `json:"sentences"`
	Warnings  []Sentence `json:"warnings"`
	Tables    []*Table   `json:"tables"`
}

// Say adds a sentence.
func (s *Section) Say(template string, cells ...Ref) {
	s.Sentences = append(s.Sentences, Say(template, cells...))
}

// Warn adds a warning, but an equal one only once: several tables may give the same reason for it.
func (s *Section) Warn(template string, cells ...Ref) {
	warning := Say(template, cells...)
	if !slices.ContainsFunc(s.Warnings, func(w Sentence) bool { return w.Text == warning.Text }) {
		s.Warnings = append(s.Warnings, warning)
	}
}

// Complete returns the section without those of its optional tables that have no rows.
func (s *Section) Complete() Section {
	done := *s
	done.Tables = slices.DeleteFunc(slices.Clone(s.Tables), func(t *Table) bool { return t.optional && len(t.Rows) == 0 })
	return done
}

// JSON returns the complete report, with empty lists in place of nil, and a line break at the end.
func (r *Report) JSON() ([]byte, error) {
	full := *r
	full.Sections = slices.Clone(r.Sections)
	for i := range full.Sections {
		s := &full.Sections[i]
		s.Sentences, s.Warnings = filled(s.Sentences), filled(s.Warnings)
		if s.Tables == nil {
			s.Tables = []*Table{}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(full)
	return b.Bytes(), err
}

func filled(list []Sentence) []Sentence {
	filled := make([]Sentence, len(list))
	for i, s := range list {
		if filled[i] = s; s.Cells == nil {
			filled[i].Cells = []Ref{}
		}
	}
	return filled
}

// File is one file of a report.
type File struct {
	Name  string
	table *Table
}

// Write writes the file as CSV.
func (f *File) Write(to io.Writer) (err error) {
	w := csv.NewWriter(to)
	line := make([]string, len(f.table.Columns))
	for i, c := range f.table.Columns {
		line[i] = harmless(Text(c.Head))
	}
	if err := w.Write(line); err != nil {
		return err
	}
	write := func(cells ...Cell) bool {
		for i, cell := range cells {
			line[i] = harmless(cell)
		}
		err = w.Write(line)
		return err == nil
	}
	for _, row := range f.table.Rows {
		if !write(row...) {
			return err
		}
	}
	if f.table.Stream != nil {
		f.table.Stream(write)
	}
	if w.Flush(); err == nil {
		err = w.Error()
	}
	return err
}

// CSV returns one file per table, in the report's order. The first line holds the headings of the columns. Text that a
// spreadsheet would take for a formula is preceded by an apostrophe.
func (r *Report) CSV() []File {
	var files []File
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			files = append(files, File{fmt.Sprintf("%03d-%s.csv", len(files)+1, fileName(s, t)), t})
		}
	}
	return files
}

func harmless(c Cell) string {
	if c.number {
		return c.text
	}
	return plaintext.SpreadsheetCell(c.text)
}

// fileName returns a name with characters that every file system accepts.
func fileName(s Section, t *Table) string {
	name := s.Key + "-" + t.Key
	if s.Number > 0 {
		name = fmt.Sprintf("q%d-%s", s.Number, t.Key)
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	return strings.Trim(name[:min(len(name), 80)], "-")
}

package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
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
	By       string    `json:"by"` // what makes the subgroups; empty if there are none
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
	Name string
	Body []byte
}

// CSV returns one file per table, in the report's order. The first line holds the headings of the columns. Text that a
// spreadsheet would take for a formula is preceded by an apostrophe.
func (r *Report) CSV() ([]File, error) {
	var files []File
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			line := make([]string, len(t.Columns))
			for i, c := range t.Columns {
				line[i] = harmless(Text(c.Head))
			}
			if err := w.Write(line); err != nil {
				return nil, err
			}
			for _, row := range t.Rows {
				for i, cell := range row {
					line[i] = harmless(cell)
				}
				if err := w.Write(line); err != nil {
					return nil, err
				}
			}
			if w.Flush(); w.Error() != nil {
				return nil, w.Error()
			}
			files = append(files, File{fmt.Sprintf("%03d-%s.csv", len(files)+1, fileName(s, t)), b.Bytes()})
		}
	}
	return files, nil
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

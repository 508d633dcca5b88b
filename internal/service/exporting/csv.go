package exporting

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// byteOrderMark at the beginning of a CSV file makes spreadsheets read it as UTF-8.
const byteOrderMark = "\ufeff"

// divided finds signs behind which a spreadsheet may begin a cell, followed by what would be a formula. A dash before a space begins an entry of a list.
var divided = regexp.MustCompile(`([;\t\r\n][\s"']*)([=@＝＠]|[-+－＋]\S)`)

type csvTable struct {
	to        *csv.Writer
	variables []variable
	options   Options
	fields    []string
}

func newCSVTable(to io.Writer, variables []variable, o Options) (*csvTable, error) {
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return nil, err
	}
	t := &csvTable{to: csv.NewWriter(to), variables: variables, options: o, fields: make([]string, len(variables))}
	for i := range variables {
		t.fields[i] = guarded(variables[i].name)
	}
	return t, t.to.Write(t.fields)
}

func (t *csvTable) row(cells []cell) error {
	for i := range cells {
		v := &t.variables[i]
		t.fields[i] = v.plain(cells[i], t.options.Labels, t.options.Missing)
		if cells[i].state == filled && (v.kind == text || v.kind == code) {
			t.fields[i] = guarded(t.fields[i])
		}
	}
	return t.to.Write(t.fields)
}

func (t *csvTable) close() error {
	t.to.Flush()
	return t.to.Error()
}

// guarded returns a text that no spreadsheet takes for a formula: one that would be gets an apostrophe in front. What spreadsheets skip before
// they look, and the forms of the signs that East Asian keyboards type, count as well. Where the list separator of the country is a semicolon,
// a spreadsheet divides a CSV file at semicolons, tabs and line breaks inside of a field, so what follows these is guarded, too.
func guarded(s string) string {
	s = divided.ReplaceAllString(s, "$1'$2")
	rest := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '"' || r == '\''
	})
	first, _ := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune("=+-@＝＋－＠", first) && rest != "" || s != "" && (s[0] == '\t' || s[0] == '\r' || s[0] == '\n') {
		return "'" + s
	}
	return s
}

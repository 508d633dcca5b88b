package exporting

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// jsonlTable writes one object a line. Every object has all keys, in the same order; what is missing is null.
type jsonlTable struct {
	to        *bufio.Writer
	variables []variable
	keys      [][]byte
	options   Options
	line      []byte
}

func newJSONLTable(to io.Writer, variables []variable, o Options) *jsonlTable {
	t := &jsonlTable{to: bufio.NewWriterSize(to, 64<<10), variables: variables, options: o}
	for i := range variables {
		key, _ := json.Marshal(variables[i].name) // a text always has JSON
		t.keys = append(t.keys, append(key, ':'))
	}
	return t
}

func (t *jsonlTable) row(cells []cell) error {
	t.line = append(t.line[:0], '{')
	for i := range cells {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		t.line = append(t.line, t.keys[i]...)
		t.line = t.variables[i].appendJSON(t.line, cells[i], t.options)
	}
	t.line = append(t.line, '}', '\n')
	_, err := t.to.Write(t.line)
	return err
}

func (t *jsonlTable) close() error { return t.to.Flush() }

// appendJSON adds a cell as a number, a text or null.
func (v *variable) appendJSON(b []byte, c cell, o Options) []byte {
	switch {
	case c.state == empty, c.state == missed && !o.Missing:
		return append(b, "null"...)
	case v.kind == number || v.kind == code && !o.Labels:
		if c.number == math.Trunc(c.number) {
			return strconv.AppendInt(b, int64(c.number), 10)
		}
		return strconv.AppendFloat(b, c.number, 'f', -1, 64)
	}
	quoted, _ := json.Marshal(v.plain(c, o.Labels, o.Missing)) // a text always has JSON
	return append(b, quoted...)
}

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// row is what a command tells of one thing: named values in the order of the table's columns.
type row []field

type field struct {
	name  string // as a JSON key, camelCase
	value any
}

// MarshalJSON writes the row as an object in its own order.
func (r row) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		value := f.value
		if t, isTime := value.(time.Time); isTime && t.IsZero() {
			value = nil
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", f.name, encoded)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// print tells of one thing: a line a value for people, an object for programs.
func (c *Common) print(r row) error {
	if c.JSON {
		return json.NewEncoder(c.stdout).Encode(r)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, f := range r {
		fmt.Fprintf(w, "%s\t%s\n", label(f.name), cell(f.value))
	}
	return w.Flush()
}

// printAll tells of many: a table for people, an array for programs. none is said to people when there are none.
func (c *Common) printAll(rows []row, none string) error {
	if c.JSON {
		if rows == nil {
			rows = []row{}
		}
		return json.NewEncoder(c.stdout).Encode(rows)
	}
	if len(rows) == 0 {
		fmt.Fprintln(c.stdout, none)
		return nil
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	heads, cells := make([]string, len(rows[0])), make([]string, len(rows[0]))
	for i, f := range rows[0] {
		heads[i] = strings.ToUpper(label(f.name))
	}
	fmt.Fprintln(w, strings.Join(heads, "\t"))
	for _, r := range rows {
		for i, f := range r {
			cells[i] = cell(f.value)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// label writes a camelCase key as words.
func label(name string) string {
	var b strings.Builder
	for _, letter := range name {
		if letter >= 'A' && letter <= 'Z' {
			b.WriteByte(' ')
			letter += 'a' - 'A'
		}
		b.WriteRune(letter)
	}
	return b.String()
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case time.Time:
		if v.IsZero() {
			return "-"
		}
		return v.Format("2006-01-02 15:04:05Z07:00")
	case string:
		if v == "" {
			return "-"
		}
		return v
	}
	return fmt.Sprint(v)
}

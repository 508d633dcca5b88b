package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// row is one result of a command: named values in the order of the table's columns.
type row []field

type field struct {
	name  string // as a JSON key, camelCase
	value any
}

// MarshalJSON encodes the row as an object with its fields in order.
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

// print prints one result: a line for each value, or a JSON object.
func (c *Common) print(r row) error {
	if c.Field != "" {
		return c.printField(r)
	}
	if c.JSON {
		return c.stdout.printJSON(r)
	}
	t := c.stdout.table()
	for _, f := range r {
		t.row(label(f.name), cell(f.value))
	}
	return t.end()
}

// printAll prints several results: a table, or a JSON array. For an empty table it prints none.
func (c *Common) printAll(rows []row, none string) error {
	if c.Field != "" {
		return c.printField(rows...)
	}
	if c.JSON {
		if rows == nil {
			rows = []row{}
		}
		return c.stdout.printJSON(rows)
	}
	if len(rows) == 0 {
		c.stdout.printf("%s\n", none)
		return nil
	}
	t := c.stdout.table()
	heads, cells := make([]string, len(rows[0])), make([]string, len(rows[0]))
	for i, f := range rows[0] {
		heads[i] = strings.ToUpper(label(f.name))
	}
	t.row(heads...)
	for _, r := range rows {
		for i, f := range r {
			cells[i] = cell(f.value)
		}
		t.row(cells...)
	}
	return t.end()
}

// label converts a camelCase key to words.
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
	case float64:
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	case string:
		if v == "" {
			return "-"
		}
		return v
	}
	return fmt.Sprint(v)
}

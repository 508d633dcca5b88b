package tables

import (
	"encoding/json"
	"math"
	"strconv"
)

// Cell is one entry of a table: a number as it is printed everywhere, a text, or nothing.
type Cell struct {
	text   string
	number bool
}

// None is the empty cell.
var None = Cell{}

// Text is a cell of words.
func Text(s string) Cell { return Cell{text: s} }

// Count is a whole number.
func Count(n int) Cell { return Cell{strconv.Itoa(n), true} }

// Fixed is a number with so many digits behind the point; None for what is no number.
func Fixed(x float64, digits int) Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return None
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded == 0 {
		text = strconv.FormatFloat(0, 'f', digits, 64) // no minus before nothing
	}
	return Cell{text, true}
}

// Percent is a part of one, in percent with one digit behind the point.
func Percent(part float64) Cell { return Fixed(100*part, 1) }

// Probability is one with four digits, and never less than the smallest that these can say.
func Probability(p float64) Cell { return Fixed(max(p, 0.0001), 4) }

// String is the cell as it is printed.
func (c Cell) String() string { return c.text }

// IsNumber tells numbers from words.
func (c Cell) IsNumber() bool { return c.number }

// MarshalJSON writes a number with the digits it is printed with, words as a string, and nothing as null.
func (c Cell) MarshalJSON() ([]byte, error) {
	switch {
	case c.number:
		return []byte(c.text), nil
	case c.text == "":
		return []byte("null"), nil
	}
	return json.Marshal(c.text)
}

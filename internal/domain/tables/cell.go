package tables

import (
	"encoding/json"
	"math"
	"strconv"
)

// Cell is one entry of a table: a number as it is printed everywhere, a text, or nothing.
type Cell struct {
	text        string
	number      bool
	probability bool // a p-value: a number, or "< 0.0001"
}

// None is the empty cell.
var None = Cell{}

// Text returns a cell with text.
func Text(s string) Cell { return Cell{text: s} }

// Count returns a cell with an integer.
func Count(n int) Cell { return Cell{text: strconv.Itoa(n), number: true} }

// Fixed returns a cell with a fixed number of digits after the point, or None for NaN and infinity.
func Fixed(x float64, digits int) Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return None
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded == 0 {
		text = strconv.FormatFloat(0, 'f', digits, 64) // no minus sign before zero
	}
	return Cell{text: text, number: true}
}

// Percent returns a cell with a share in percent, with one digit after the point.
func Percent(part float64) Cell { return Fixed(100*part, 1) }

// Probability returns a cell with a p-value: four digits after the point, and the text "< 0.0001" for what these cannot show. In a
// sentence it follows "p" with the right sign. NaN gives None.
func Probability(p float64) Cell {
	if math.IsNaN(p) {
		return None
	}
	c := Fixed(p, 4)
	if c.probability = true; p < smallestShown {
		c.text, c.number = "< 0.0001", false
	}
	return c
}

// smallestShown is the smallest number that Probability shows as it is.
const smallestShown = 0.0001

// said returns the cell as it stands in a sentence.
func (c Cell) said() string {
	switch {
	case c.probability && c.number:
		return "= " + c.text
	case c.number || c.probability:
		return c.text
	}
	return "“" + oneLine(c.text) + "”"
}

// String returns the cell as it is printed.
func (c Cell) String() string { return c.text }

// MarshalJSON writes a number with the digits with which it is printed, text as a string, and the empty cell as null.
func (c Cell) MarshalJSON() ([]byte, error) {
	switch {
	case c.number:
		return []byte(c.text), nil
	case c.text == "":
		return []byte("null"), nil
	}
	return json.Marshal(c.text)
}

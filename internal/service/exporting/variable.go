package exporting

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// kind names the type of a variable's cells.
type kind string

// The kinds.
const (
	number    kind = "number"
	code      kind = "code" // a number that stands for one of the variable's values
	text      kind = "text"
	timestamp kind = "time" // seconds since 1970
)

// Codes of cells that hold no answer, and why. Formats that know missing values write them, the others leave the cell empty.
const (
	notAsked    = -99 // the participant never came to the question, or was led around it
	notAnswered = -98 // the question was shown and not answered
	notOffered  = -97 // the participant was not shown this option or screen
)

// missingLabels names the codes of missing values.
var missingLabels = []value{{notAsked, "", "not asked"}, {notAnswered, "", "not answered"}, {notOffered, "", "not offered"}}

// value is one value of a code.
type value struct {
	code      int
	id, label string
}

// variable is one column.
type variable struct {
	name     string
	kind     kind
	values   []value // of a code
	width    int     // of a text in formats with columns of fixed width, in bytes
	missing  bool    // may hold the codes of missing values
	decimals bool    // a number that is not whole

	// What it is about. Response level variables have a description only.
	description    string
	question       int // its number; 0 if the published revision no longer has it
	itemID, itype  string
	text           string // the question
	conceptID      string
	concept        string
	partID, part   string // of a question with several variables
	questionnaired bool
}

// label returns what the variable means, in at most limit bytes. The part of the question is kept as far as possible: it tells the variables of
// a question apart.
func (v *variable) label(limit int) string {
	if !v.questionnaired {
		return cut(oneLine(v.description), limit)
	}
	head := ""
	if v.question > 0 {
		head = "Q" + strconv.Itoa(v.question) + " "
	}
	tail := ""
	if v.concept != "" {
		tail += " [" + cut(oneLine(v.concept), limit/4) + "]"
	}
	if v.part != "" {
		tail += " - " + cut(oneLine(v.part), limit/2)
	}
	return head + cut(oneLine(v.text), limit-len(head)-len(tail)) + tail
}

// oneLine returns a text with single spaces for all white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut returns a text in at most limit bytes, whole characters only, with a mark where something is left out.
func cut(s string, limit int) string {
	const mark = "…"
	if len(s) <= limit {
		return s
	}
	end := limit - len(mark)
	for end > 0 && s[end]&0xC0 == 0x80 {
		end--
	}
	if end <= 0 {
		return ""
	}
	return s[:end] + mark
}

// cell holds the value of one variable for one response. The zero value is empty.
type cell struct {
	state  state
	number float64 // also a code, and seconds since 1970
	text   string
}

// state tells empty cells, values and missing values apart.
type state uint8

// The states.
const (
	empty  state = iota
	filled       // number or text, by the kind of the variable
	missed       // number is a code of a missing value
)

func numberCell(n float64) cell { return cell{state: filled, number: n} }

func intCell(n int) cell { return numberCell(float64(n)) }

func textCell(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{state: filled, text: s}
}

func timeCell(at time.Time) cell {
	if at.IsZero() {
		return cell{}
	}
	return numberCell(float64(at.Unix()))
}

// missingLabel returns the label of a code of a missing value.
func (v *variable) missingLabel(code int) string {
	missing := variable{values: missingLabels}
	return missing.labelOf(code)
}

// labelOf returns the label of a code.
func (v *variable) labelOf(code int) string {
	for _, one := range v.values {
		if one.code == code {
			return one.label
		}
	}
	return ""
}

// plain returns a cell as text; empty for missing values, unless their codes are asked for. With labels the label stands for a code.
func (v *variable) plain(c cell, labels, missing bool) string {
	switch {
	case c.state == missed && missing && labels:
		return v.missingLabel(int(c.number))
	case c.state == missed && missing:
		return formatNumber(c.number)
	case c.state != filled:
		return ""
	case v.kind == text:
		return c.text
	case v.kind == timestamp:
		return time.Unix(int64(c.number), 0).UTC().Format(time.RFC3339)
	case v.kind == code && labels:
		return v.labelOf(int(c.number))
	}
	return formatNumber(c.number)
}

func formatNumber(n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1e15 {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

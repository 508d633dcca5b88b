package sav

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxWidth is the greatest width of a text, in bytes.
const MaxWidth = 32767

// Limits of labels, in bytes, that every version of the reading programs keeps.
const (
	MaxLabel      = 255
	MaxValueLabel = 120
)

// Variable describes a variable.
type Variable struct {
	Name     string    // a letter, then letters, digits, '.' and '_', at most 64 bytes; unique without regard to case
	Label    string    // at most MaxLabel bytes
	Width    int       // of a text in bytes; 0 for a number
	Decimals int       // of a number, as it is shown
	Time     bool      // a number that is a time, made by Time
	Nominal  bool      // a number without an order
	Values   []Value   // labels of numbers
	Missing  []float64 // at most three numbers that stand for missing values
}

// Value is the label of a number, of at most MaxValueLabel bytes.
type Value struct {
	Number float64
	Label  string
}

// Time returns a time as SPSS counts it: in seconds since the beginning of the Gregorian calendar.
func Time(at time.Time) float64 {
	const gregorian = 141428 * 24 * 60 * 60 // seconds from 14 October 1582 to 1 January 1970
	return float64(at.Unix() + gregorian)
}

// ErrVariable means that a variable cannot be described in the format.
var ErrVariable = errors.New("not a variable of an SPSS file")

// segment is a part of a very long text that is a variable of its own for old readers.
type segment struct {
	short string
	width int // 0: a number
}

const (
	segmentWidth = 255 // of each segment but the last
	segmentShare = 252 // bytes of the width that each of them stands for
)

// segments returns the segments of a variable; for numbers and short texts, one.
func (v *Variable) segments() (all []segment) {
	if v.Width <= segmentWidth {
		return []segment{{width: v.Width}}
	}
	n := (v.Width + segmentShare - 1) / segmentShare
	for range n - 1 {
		all = append(all, segment{width: segmentWidth})
	}
	return append(all, segment{width: v.Width - (n-1)*segmentShare})
}

// blocks returns how many blocks of 8 bytes a segment has in a case.
func (s segment) blocks() int { return max(1, (s.width+7)/8) }

// header encodes all that stands before the cases.
type header struct {
	bytes.Buffer
	variables []Variable
	segments  [][]segment
	blocks    int
}

func (h *header) int(n int) { _ = binary.Write(h, binary.LittleEndian, int32(n)) } // a buffer does not fail

func (h *header) float(n float64) { _ = binary.Write(h, binary.LittleEndian, n) }

// text writes a text in a field of a width, filled with spaces.
func (h *header) text(s string, width int) {
	for len(s) > width {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	h.WriteString(s + strings.Repeat(" ", width-len(s)))
}

func (h *header) check() error {
	seen := map[string]bool{}
	for i := range h.variables {
		v := &h.variables[i]
		lower := strings.ToLower(v.Name)
		if !validName(v.Name) || seen[lower] || v.Width < 0 || v.Width > MaxWidth || len(v.Label) > MaxLabel || len(v.Missing) > 3 {
			return fmt.Errorf("%w: %q", ErrVariable, v.Name)
		}
		for _, value := range v.Values {
			if len(value.Label) > MaxValueLabel || v.Width > 0 {
				return fmt.Errorf("%w: the value %v of %q", ErrVariable, value.Number, v.Name)
			}
		}
		seen[lower] = true
	}
	return nil
}

// reserved are the words that cannot be names.
var reserved = map[string]bool{"all": true, "and": true, "by": true, "eq": true, "ge": true, "gt": true, "le": true, "lt": true, "ne": true, "not": true, "or": true, "to": true, "with": true}

func validName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && r != '.' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && len(s) <= 64 && s[len(s)-1] != '.' && !reserved[strings.ToLower(s)]
}

// nameSegments gives every segment a short name: V and a number in base 36.
func (h *header) nameSegments() {
	next := 0
	for i := range h.variables {
		all := h.variables[i].segments()
		for n := range all {
			next++
			all[n].short = strings.ToUpper("V" + base36(next))
			h.blocks += all[n].blocks()
		}
		h.segments = append(h.segments, all)
	}
}

func base36(n int) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	b := []byte("000000")
	for i := len(b) - 1; n > 0; i-- {
		b[i] = digits[n%36]
		n /= 36
	}
	return string(b)
}

// encode writes the whole header.
func (h *header) encode(product, label string, at time.Time) error {
	if err := h.check(); err != nil {
		return err
	}
	h.nameSegments()
	h.text("$FL2", 4)
	h.text("@(#) SPSS DATA FILE "+product, 60)
	h.int(2)        // layout
	h.int(h.blocks) // of a case
	h.int(1)        // simple compression
	h.int(0)        // no weights
	h.int(-1)       // the number of cases is not known yet
	h.float(bias)
	h.text(at.UTC().Format("02 Jan 06"), 9)
	h.text(at.UTC().Format("15:04:05"), 8)
	h.text(label, 64)
	h.Write(make([]byte, 3))
	for i := range h.variables {
		h.variable(i)
	}
	h.valueLabels()
	h.extensions()
	h.int(999) // the end of the dictionary
	h.int(0)
	return nil
}

// Formats of numbers, texts and times.
const (
	formatA        = 1
	formatF        = 5
	formatDateTime = 22
)

func (v *Variable) format(width int) int {
	switch {
	case v.Width > 0:
		return formatA<<16 | width<<8
	case v.Time:
		return formatDateTime<<16 | 20<<8
	case v.Decimals > 0:
		return formatF<<16 | 8<<8 | v.Decimals
	}
	return formatF<<16 | 8<<8
}

// variable writes the records of a variable: one for each segment, and one for each further block of its text.
func (h *header) variable(i int) {
	v := &h.variables[i]
	for n, s := range h.segments[i] {
		h.int(2)
		h.int(s.width)
		labelled := n == 0 && v.Label != ""
		h.int(map[bool]int{true: 1, false: 0}[labelled])
		missing := v.Missing
		if s.width > 0 {
			missing = nil
		}
		h.int(len(missing))
		h.int(v.format(s.width))
		h.int(v.format(s.width))
		h.text(s.short, 8)
		if labelled {
			h.int(len(v.Label))
			h.text(v.Label, (len(v.Label)+3)/4*4)
		}
		for _, number := range missing {
			h.float(number)
		}
		for range s.blocks() - 1 {
			h.int(2)
			h.int(-1)
			for range 4 {
				h.int(0)
			}
			h.text("", 8)
		}
	}
}

// valueLabels writes the labels of values. A set of labels that several variables share is written once.
func (h *header) valueLabels() {
	var sets [][]byte
	indexes := map[string][]int{}
	block := 1
	for i := range h.variables {
		if values := h.variables[i].Values; len(values) > 0 {
			set := encodeLabels(values)
			if indexes[string(set)] == nil {
				sets = append(sets, set)
			}
			indexes[string(set)] = append(indexes[string(set)], block)
		}
		for _, s := range h.segments[i] {
			block += s.blocks()
		}
	}
	for _, set := range sets {
		h.int(3)
		h.Write(set)
		h.int(4)
		h.int(len(indexes[string(set)]))
		for _, at := range indexes[string(set)] {
			h.int(at)
		}
	}
}

func encodeLabels(values []Value) []byte {
	var set header
	set.int(len(values))
	for _, value := range values {
		set.float(value.Number)
		set.WriteByte(byte(len(value.Label)))
		set.text(value.Label, (len(value.Label)+1+7)/8*8-1)
	}
	return set.Bytes()
}

// extension writes a record that readers may skip.
func (h *header) extension(kind, size int, body []byte) {
	h.int(7)
	h.int(kind)
	h.int(size)
	h.int(len(body) / size)
	h.Write(body)
}

func (h *header) extensions() {
	const utf8Page = 65001
	var integers, floats, display header
	for _, n := range []int{1, 0, 0, -1, 1, 1, 2, utf8Page} { // version, machine, IEEE 754, compression, little-endian, character code
		integers.int(n)
	}
	h.extension(3, 4, integers.Bytes())
	for _, n := range []float64{systemMissing, math.MaxFloat64, math.Nextafter(systemMissing, 0)} {
		floats.float(n)
	}
	h.extension(4, 8, floats.Bytes())
	var long, wide []string
	for i := range h.variables {
		v, all := &h.variables[i], h.segments[i]
		long = append(long, all[0].short+"="+v.Name)
		if len(all) > 1 {
			wide = append(wide, fmt.Sprintf("%s=%05d\x00\t", all[0].short, v.Width))
		}
		for _, s := range all {
			measure, width, alignment := 3, 8, 1 // scale, to the right
			if s.width > 0 {
				measure, width, alignment = 1, 32, 0
			} else if v.Nominal {
				measure = 1
			}
			display.int(measure)
			display.int(width)
			display.int(alignment)
		}
	}
	h.extension(11, 4, display.Bytes())
	h.extension(13, 1, []byte(strings.Join(long, "\t")))
	if len(wide) > 0 {
		h.extension(14, 1, []byte(strings.Join(wide, "")))
	}
	h.extension(20, 1, []byte("UTF-8"))
}

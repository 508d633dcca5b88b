package sav

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"
	"unicode/utf8"
)

// bias is added to small whole numbers, which then are one byte.
const bias = 100

// systemMissing is the number that means that there is none.
const systemMissing = -math.MaxFloat64

// Codes of the compression.
const (
	codeRaw     = 253 // the next block follows as it is
	codeSpaces  = 254
	codeMissing = 255
)

// Writer writes a file.
type Writer struct {
	to        *bufio.Writer
	variables []Variable
	segments  [][]segment

	codes [8]byte // of the blocks that are not written yet
	used  int
	raw   []byte // what follows them
}

// NewWriter writes what stands before the cases. product names the program that writes, label the file.
func NewWriter(to io.Writer, variables []Variable, product, label string, at time.Time) (*Writer, error) {
	h := &header{variables: variables}
	if err := h.encode(product, label, at); err != nil {
		return nil, err
	}
	w := &Writer{to: bufio.NewWriterSize(to, 64<<10), variables: variables, segments: h.segments}
	_, err := w.to.Write(h.Bytes())
	return w, err
}

// Cell is the value of a variable in a case.
type Cell struct {
	Number  float64
	Text    string
	Missing bool // of a number: there is none
}

// Write writes a case, with a cell for each variable. It returns how many texts were longer than their variables, and so were cut between two
// characters.
func (w *Writer) Write(cells []Cell) (cut int, err error) {
	if len(cells) != len(w.variables) {
		return 0, fmt.Errorf("a case of %d cells for %d variables", len(cells), len(w.variables))
	}
	for i := range cells {
		if w.variables[i].Width == 0 {
			err = w.number(cells[i])
		} else {
			words := fit(cells[i].Text, w.variables[i].Width)
			if len(words) < len(cells[i].Text) {
				cut++
			}
			err = w.text(words, w.segments[i])
		}
		if err != nil {
			return cut, err
		}
	}
	return cut, nil
}

// fit returns as many characters of a text as fit into a width.
func fit(s string, width int) string {
	if len(s) <= width {
		return s
	}
	for width > 0 && !utf8.RuneStart(s[width]) {
		width--
	}
	return s[:width]
}

func (w *Writer) number(c Cell) error {
	if c.Missing {
		return w.block(codeMissing, nil)
	}
	if n := c.Number + bias; n == math.Trunc(n) && n >= 1 && n <= 251 {
		return w.block(byte(n), nil)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(c.Number))
	return w.block(codeRaw, b[:])
}

// text writes a text into its segments, 255 bytes into each as long as there are any.
func (w *Writer) text(s string, segments []segment) error {
	for _, part := range segments {
		n := min(len(s), part.width)
		own := s[:n]
		s = s[n:]
		for range part.blocks() {
			var b [8]byte
			blank := true
			for i := range b {
				b[i] = ' '
				if i < len(own) {
					b[i] = own[i]
				}
				blank = blank && b[i] == ' '
			}
			own = own[min(8, len(own)):]
			code, raw := byte(codeRaw), b[:]
			if blank {
				code, raw = codeSpaces, nil
			}
			if err := w.block(code, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// block writes a block of 8 bytes: its code, and after eight codes what belongs to them.
func (w *Writer) block(code byte, raw []byte) error {
	w.codes[w.used] = code
	w.raw = append(w.raw, raw...)
	if w.used++; w.used < len(w.codes) {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	if _, err := w.to.Write(w.codes[:]); err != nil {
		return err
	}
	_, err := w.to.Write(w.raw)
	w.codes, w.used, w.raw = [8]byte{}, 0, w.raw[:0]
	return err
}

// Close writes what is left. It does not close what the file is written to.
func (w *Writer) Close() error {
	if w.used > 0 {
		if err := w.flush(); err != nil { // the code 0 of the rest means nothing
			return err
		}
	}
	return w.to.Flush()
}

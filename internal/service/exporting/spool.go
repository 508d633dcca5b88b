package exporting

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
)

// spool keeps rows in a temporary file until all of them are known.
type spool struct {
	file *os.File
	to   *bufio.Writer
	rows int
}

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "verbatim-export-*")
	if err != nil {
		return nil, err
	}
	// The name is not needed any more: the space is free again when the process ends, however it ends. Where open files cannot be removed,
	// Close does it.
	_ = os.Remove(file.Name())
	return &spool{file: file, to: bufio.NewWriterSize(file, 64<<10)}, nil
}

// add adds a row.
func (s *spool) add(cells []cell) error {
	var b [binary.MaxVarintLen64 + 1]byte
	for _, c := range cells {
		b[0] = byte(c.state)
		record := append(b[:1], binary.AppendUvarint(nil, uint64(len(c.text)))...)
		record = binary.LittleEndian.AppendUint64(record, math.Float64bits(c.number))
		if c.state == empty {
			record = b[:1]
		}
		if _, err := s.to.Write(record); err != nil {
			return err
		}
		if _, err := s.to.WriteString(c.text); err != nil {
			return err
		}
	}
	s.rows++
	return nil
}

// each calls do with every row. The cells are overwritten by the next one.
func (s *spool) each(columns int, do func(cells []cell) error) error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	from, cells := bufio.NewReaderSize(s.file, 64<<10), make([]cell, columns)
	for range s.rows {
		for i := range cells {
			if err := readCell(from, &cells[i]); err != nil {
				return err
			}
		}
		if err := do(cells); err != nil {
			return err
		}
	}
	return nil
}

func readCell(from *bufio.Reader, c *cell) error {
	first, err := from.ReadByte()
	if *c = (cell{state: state(first)}); err != nil || c.state == empty {
		return err
	}
	length, err := binary.ReadUvarint(from)
	if err != nil {
		return err
	}
	var bits [8]byte
	if _, err := io.ReadFull(from, bits[:]); err != nil {
		return err
	}
	c.number = math.Float64frombits(binary.LittleEndian.Uint64(bits[:]))
	words := make([]byte, length)
	_, err = io.ReadFull(from, words)
	c.text = string(words)
	return err
}

// Close removes the file.
func (s *spool) Close() error {
	err := s.file.Close()
	if removed := os.Remove(s.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

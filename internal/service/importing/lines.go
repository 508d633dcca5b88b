package importing

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"verbatim/internal/domain/document"
	"verbatim/internal/platform/store"
)

// maxLine is the longest line in bytes, so that a file without line breaks does not fill the memory.
const maxLine = 16 << 20

// line is one line of the file, decoded.
type line struct {
	number   int // from 1; blank lines count
	bytes    int
	raw      []byte
	item     document.Item
	err      error // *strictjson.SyntaxError, *strictjson.SchemaError or errLineTooLong
	imported store.Imported
}

var errLineTooLong = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// eachBatch decodes a file on all processors, one batch ahead of fn, which is called with the batches in order. If prepare is
// not nil, it is called for each decoded line on the same processor. Blank lines are left out.
func eachBatch(ctx context.Context, path string, size int, prepare func(*line), fn func([]line) error) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	ctx, cancel := context.WithCancel(ctx)
	batches := make(chan []line, 1)
	var reading sync.WaitGroup
	var readErr error
	reading.Go(func() {
		defer close(batches)
		r := &reader{in: bufio.NewReaderSize(file, 1<<20)}
		for readErr == nil {
			var batch []line
			batch, readErr = r.next(size)
			if len(batch) == 0 {
				continue
			}
			decode(batch, prepare)
			select {
			case batches <- batch:
			case <-ctx.Done():
				return
			}
		}
	})
	defer reading.Wait()
	defer cancel()
	for batch := range batches {
		if err := fn(batch); err != nil {
			return err
		}
	}
	reading.Wait()
	if readErr != nil && !errors.Is(readErr, io.EOF) {
		return readErr
	}
	return ctx.Err()
}

// reader splits a file into lines.
type reader struct {
	in     *bufio.Reader
	number int
}

// next reads up to n lines; at the end it returns io.EOF, with or without lines.
func (r *reader) next(n int) (batch []line, err error) {
	for len(batch) < n && err == nil {
		l := line{number: r.number + 1}
		l.raw, l.bytes, err = r.line()
		if l.bytes == 0 {
			break
		}
		r.number++
		if l.bytes > maxLine {
			l.err = errLineTooLong
		}
		l.raw = bytes.TrimSpace(l.raw)
		if l.err != nil || len(l.raw) > 0 {
			batch = append(batch, l)
		}
	}
	return batch, err
}

// line reads one line and returns its length with the line break; the rest of a line that is too long is skipped.
func (r *reader) line() (raw []byte, length int, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		length += len(part)
		if length <= maxLine {
			raw = append(raw, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return raw, length, err
		}
	}
}

// decode decodes the lines of a batch on all processors.
func decode(batch []line, prepare func(*line)) {
	workers := min(runtime.GOMAXPROCS(0), len(batch))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(batch); i += workers {
				l := &batch[i]
				if l.err == nil {
					l.item, l.err = document.ReadItem(l.raw)
				}
				if l.err == nil && prepare != nil {
					prepare(l)
				}
			}
		})
	}
	all.Wait()
}

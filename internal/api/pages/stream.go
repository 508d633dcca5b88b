package pages

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// pageBuffer is the number of bytes of a page that are buffered before any of it is sent. Most pages fit. Until then an error can
// still be answered with an error page, and no page uses more memory than this.
const pageBuffer = 64 << 10

var pageBuffers = sync.Pool{New: func() any { return new([pageBuffer]byte) }}

// errPartlySent is returned when rendering failed after part of the page was sent.
var errPartlySent = errors.New("part of the page was sent")

// stream sends the page that render writes. It returns render's error, joined with errPartlySent where an error page can no longer be
// sent. When the client is gone it stops and returns nil.
func stream(ctx context.Context, w http.ResponseWriter, status int, render func(io.Writer) error) error {
	buffer := pageBuffers.Get().(*[pageBuffer]byte)
	defer pageBuffers.Put(buffer)
	s := pageWriter{ctx: ctx, w: w, status: status, buffered: buffer[:0]}
	err := render(&s)
	if err == nil {
		err = s.end()
	}
	switch {
	case s.clientGone:
		return nil
	case err != nil && s.started:
		return errors.Join(errPartlySent, err)
	}
	return err
}

// pageWriter buffers a page and sends it in parts.
type pageWriter struct {
	ctx        context.Context
	w          http.ResponseWriter
	status     int
	buffered   []byte // not yet sent
	started    bool   // the first part was sent
	clientGone bool   // the request was canceled, or a write failed
}

var errGone = errors.New("the client is gone")

// Write appends to the buffer, and sends the buffer whenever it is full.
func (s *pageWriter) Write(part []byte) (int, error) {
	written := 0
	for written < len(part) {
		if len(s.buffered) == cap(s.buffered) {
			if err := s.flush(); err != nil {
				return written, err
			}
		}
		n := copy(s.buffered[len(s.buffered):cap(s.buffered)], part[written:])
		s.buffered = s.buffered[:len(s.buffered)+n]
		written += n
	}
	return written, nil
}

// end sends the rest of the page.
func (s *pageWriter) end() error {
	if !s.started {
		s.w.Header().Set("Content-Length", strconv.Itoa(len(s.buffered)))
	}
	return s.flush()
}

func (s *pageWriter) flush() error {
	if s.clientGone || s.ctx.Err() != nil {
		s.clientGone = true
		return errGone
	}
	if !s.started {
		s.started = true
		s.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.w.WriteHeader(s.status)
	}
	_, err := s.w.Write(s.buffered)
	s.buffered = s.buffered[:0]
	if err != nil {
		s.clientGone = true
		return errGone
	}
	return nil
}

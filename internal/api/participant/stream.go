package participant

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// pageBuffer is how much of a page is held before any of it is sent: all of most pages. Until then an error still gives an
// error page, and no page takes more memory than this.
const pageBuffer = 64 << 10

var pageBuffers = sync.Pool{New: func() any { return new([pageBuffer]byte) }}

// errHalfSent says that a page broke after its beginning was sent.
var errHalfSent = errors.New("half of the page was sent")

// stream sends what render writes as a page. It returns render's error, with errHalfSent where nobody can be told of it any
// more. It stops, without an error, when the client is gone.
func stream(ctx context.Context, w http.ResponseWriter, status int, render func(io.Writer) error) error {
	buffer := pageBuffers.Get().(*[pageBuffer]byte)
	defer pageBuffers.Put(buffer)
	s := streamed{ctx: ctx, w: w, status: status, held: buffer[:0]}
	err := render(&s)
	if err == nil {
		err = s.end()
	}
	switch {
	case s.gone:
		return nil
	case err != nil && s.begun:
		return errors.Join(errHalfSent, err)
	}
	return err
}

// streamed is a page on its way.
type streamed struct {
	ctx    context.Context
	w      http.ResponseWriter
	status int
	held   []byte // of the page, not yet sent
	begun  bool   // the first part was sent
	gone   bool   // the client is
}

var errGone = errors.New("the client is gone")

// Write holds a part of the page, and sends what was held when it is full.
func (s *streamed) Write(part []byte) (int, error) {
	written := 0
	for written < len(part) {
		if len(s.held) == cap(s.held) {
			if err := s.flush(); err != nil {
				return written, err
			}
		}
		n := copy(s.held[len(s.held):cap(s.held)], part[written:])
		s.held = s.held[:len(s.held)+n]
		written += n
	}
	return written, nil
}

// end sends what is left.
func (s *streamed) end() error {
	if !s.begun {
		s.w.Header().Set("Content-Length", strconv.Itoa(len(s.held)))
	}
	return s.flush()
}

func (s *streamed) flush() error {
	if s.gone || s.ctx.Err() != nil {
		s.gone = true
		return errGone
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.w.WriteHeader(s.status)
	}
	_, err := s.w.Write(s.held)
	s.held = s.held[:0]
	if err != nil {
		s.gone = true
		return errGone
	}
	return nil
}

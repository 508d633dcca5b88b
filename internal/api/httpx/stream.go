package httpx

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// chunkSize is the number of bytes of a long answer that are gathered before they are written, and chunkTimeout limits how long a client may
// take to receive them.
const (
	chunkSize    = 256 << 10
	chunkTimeout = 30 * time.Second
)

var chunks = sync.Pool{New: func() any {
	b := make([]byte, 0, chunkSize+chunkSize/8)
	return &b
}}

// cutOffError is the error of an answer that cannot be completed, because it had started when something failed or because
// the client is gone. Handle aborts the connection for it, so that no client takes half an answer for a complete one.
type cutOffError struct {
	err error // nil when the client is gone
}

// Error implements error.
func (c *cutOffError) Error() string { return "the answer was cut off" }

// errLengthChanged means that an answer was not as long as its Content-Length.
var errLengthChanged = errors.New("the answer's length changed while it was written")

// WriteArray answers with a JSON array, in chunks. each passes the items to its argument, and render encodes each of them.
// An array of a single chunk has a Content-Length.
func WriteArray(w http.ResponseWriter, render func(item []byte) ([]byte, error), each func(item func([]byte) error) error) error {
	buffer := chunks.Get().(*[]byte)
	b := append((*buffer)[:0], '[')
	defer func() {
		if cap(b) <= 2*chunkSize { // a buffer that grew for a huge item is not kept
			*buffer = b
			chunks.Put(buffer)
		}
	}()
	out := newStream(w, -1)
	first := true
	err := each(func(item []byte) error {
		done, err := out.compute(len(b) + len(item))
		if err != nil {
			return err
		}
		defer done()
		json, err := render(item)
		if err != nil {
			return err
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, json...)
		if len(b) < chunkSize {
			return nil
		}
		err = out.write(b)
		b = b[:0]
		return err
	})
	if err == nil {
		b = append(b, "]\n"...)
		if !out.started {
			out.length = len(b)
		}
		err = out.write(b)
	}
	return out.end(err)
}

// ArrayLength returns the length of CopyArray's answer for so many items of so many bytes in total.
func ArrayLength(items, bytes int) int { return len("[]\n") + bytes + max(0, items-1) }

// CopyArray is WriteArray for items that are stored in long chunks already, separated by commas, so that nothing is
// gathered. The Content-Length is length, unless that is negative. An answer that turns out longer or shorter is cut off.
func CopyArray(w http.ResponseWriter, length int, each func(items func(json []byte) error) error) error {
	out := newStream(w, length)
	separator := "["
	err := each(func(json []byte) error {
		done, err := out.compute(len(json))
		if err != nil {
			return err
		}
		defer done()
		if err := out.writeString(separator); err != nil {
			return err
		}
		separator = ","
		return out.write(json)
	})
	if err == nil {
		if separator == "," {
			separator = ""
		}
		err = out.writeString(separator + "]\n")
	}
	return out.end(err)
}

// ArrayHead answers a HEAD request for an array of this length without reading any item, and reports whether r is a HEAD
// request. A negative length means unknown.
func ArrayHead(w http.ResponseWriter, r *http.Request, length int) bool {
	if r.Method != http.MethodHead {
		return false
	}
	newStream(w, length).prepare()
	return true
}

// stream is an answer that is written in chunks.
type stream struct {
	w                   http.ResponseWriter
	length              int // the Content-Length; negative: none
	started, clientGone bool
	written             int
	limited             *limitedWriter // nil: not limited
}

func newStream(w http.ResponseWriter, length int) *stream {
	return &stream{w: w, length: length, limited: limitedWriterOf(w)}
}

// compute waits for a slot to compute the next bytes. If the client leaves meanwhile, the answer ends.
func (s *stream) compute(bytes int) (done func(), err error) {
	done, err = s.limited.compute(s.written + bytes)
	s.clientGone = s.clientGone || err != nil
	return done, err
}

func (s *stream) write(b []byte) error {
	s.prepare()
	if s.length >= 0 && s.written+len(b) > s.length {
		return errLengthChanged
	}
	n, err := s.w.Write(b)
	s.written += n
	s.clientGone = err != nil
	return err
}

// writeString writes the few bytes between chunks.
func (s *stream) writeString(text string) error {
	s.prepare()
	n, err := io.WriteString(s.w, text)
	s.written += n
	s.clientGone = err != nil
	return err
}

// prepare writes the header before the first bytes, and sets the deadline for the next ones.
func (s *stream) prepare() {
	if !s.started {
		s.started = true
		header := s.w.Header()
		header.Set("Content-Type", "application/json; charset=utf-8")
		if s.length >= 0 {
			header.Set("Content-Length", strconv.Itoa(s.length))
		}
		s.w.WriteHeader(http.StatusOK)
	}
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(chunkTimeout)) // fails with httptest.ResponseRecorder, which has no deadlines
}

// end returns the error of the answer: nil, a *cutOffError if the answer had started or the client is gone, or err.
func (s *stream) end(err error) error {
	if err == nil && s.length >= 0 && s.written != s.length {
		err = errLengthChanged
	}
	switch {
	case s.clientGone:
		return &cutOffError{}
	case s.started && err != nil:
		return &cutOffError{err: err}
	}
	return err
}

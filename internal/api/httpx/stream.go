package httpx

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// piece is how many bytes of a long answer are gathered before they are written, and pieceTime how long a client may take
// for each.
const (
	chunkSize    = 256 << 10
	chunkTimeout = 30 * time.Second
)

var chunks = sync.Pool{New: func() any {
	b := make([]byte, 0, chunkSize+chunkSize/8)
	return &b
}}

// cutOff is what stopped an answer that had begun. Handle ends the connection for it, so that no client takes half an
// answer for a whole one.
type cutOffError struct {
	err error // nil when the client went away
}

// Error implements error.
func (c *cutOffError) Error() string { return "the answer was cut off" }

// errLength means that an answer was not as long as was promised.
var errLengthChanged = errors.New("the answer's length changed while it was written")

// WriteArray answers with a JSON array, piece by piece, of the items that each hands to its argument, each as render makes it.
// An array of one piece gets its Content-Length.
func WriteArray(w http.ResponseWriter, render func(item []byte) ([]byte, error), each func(item func([]byte) error) error) error {
	buffer := chunks.Get().(*[]byte)
	b := append((*buffer)[:0], '[')
	defer func() {
		if cap(b) <= 2*chunkSize { // one huge item must not stay for ever
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

// ArrayLength is how long CopyArray's answer is with so many items of so many bytes together.
func ArrayLength(items, bytes int) int { return len("[]\n") + bytes + max(0, items-1) }

// CopyArray is WriteArray for items that stand in long pieces already, with commas between them: nothing is gathered. The
// Content-Length is length, unless that is negative. Where the items turn out longer or shorter, the answer is cut off.
func CopyArray(w http.ResponseWriter, length int, each func(items func(json []byte) error) error) error {
	out := newStream(w, length)
	between := "["
	err := each(func(json []byte) error {
		done, err := out.compute(len(json))
		if err != nil {
			return err
		}
		defer done()
		if err := out.writeString(between); err != nil {
			return err
		}
		between = ","
		return out.write(json)
	})
	if err == nil {
		if between == "," {
			between = ""
		}
		err = out.writeString(between + "]\n")
	}
	return out.end(err)
}

// ArrayHead answers a HEAD request for an array of this length, of which nothing is read then, and reports whether it is one. A
// negative length is not known.
func ArrayHead(w http.ResponseWriter, r *http.Request, length int) bool {
	if r.Method != http.MethodHead {
		return false
	}
	newStream(w, length).prepare()
	return true
}

// stream is an answer that is written piece by piece.
type stream struct {
	w                   http.ResponseWriter
	length              int // the promised length; negative: none
	started, clientGone bool
	written             int
	limited             *limitedWriter // nil: nothing is shared
}

func newStream(w http.ResponseWriter, length int) *stream {
	return &stream{w: w, length: length, limited: limitedWriterOf(w)}
}

// compute waits for a place to compute what comes next, so many bytes. A client that goes away meanwhile ends the answer.
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

// writeString is for the few bytes between pieces.
func (s *stream) writeString(text string) error {
	s.prepare()
	n, err := io.WriteString(s.w, text)
	s.written += n
	s.clientGone = err != nil
	return err
}

// prepare writes the header before the first bytes, and gives the client time for those that follow.
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
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(chunkTimeout)) // a recorder in a test has no deadlines
}

// end tells what became of the answer.
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

package httpio

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// piece is how many bytes of a long answer are gathered before they are written, and pieceTime how long a client may take
// for each.
const (
	piece     = 256 << 10
	pieceTime = 30 * time.Second
)

var pieces = sync.Pool{New: func() any {
	b := make([]byte, 0, piece+piece/8)
	return &b
}}

// cutOff is what stopped an answer that had begun. Handle ends the connection for it, so that no client takes half an
// answer for a whole one.
type cutOff struct {
	err error // nil when the client went away
}

// Error implements error.
func (c *cutOff) Error() string { return "the answer was cut off" }

// WriteArray answers with a JSON array, piece by piece, of the items that each hands to its argument. An array of one
// piece gets its Content-Length.
func WriteArray(w http.ResponseWriter, each func(item func(json []byte) error) error) error {
	buffer := pieces.Get().(*[]byte)
	b := append((*buffer)[:0], '[')
	defer func() {
		if cap(b) <= 2*piece { // one huge item must not stay for ever
			*buffer = b
			pieces.Put(buffer)
		}
	}()
	begun, gone := false, false
	control := http.NewResponseController(w)
	flush := func() error {
		if !begun {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusOK)
			begun = true
		}
		later := time.Now().Add(pieceTime)
		_ = control.SetWriteDeadline(later) // a recorder in a test has no deadlines
		_ = control.SetReadDeadline(later)  // or the request counts as given up when the first one passes
		_, err := w.Write(b)
		b, gone = b[:0], err != nil
		return err
	}
	first := true
	err := each(func(json []byte) error {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, json...)
		if len(b) < piece {
			return nil
		}
		return flush()
	})
	if err == nil {
		b = append(b, ']', '\n')
		if !begun {
			w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		}
		err = flush()
	}
	switch {
	case gone:
		return &cutOff{}
	case begun && err != nil:
		return &cutOff{err: err}
	}
	return err
}

package httpx

import (
	"io"
	"net/http"
	"time"
)

// fileTimeout limits how long a client may take to receive the next bytes of a file.
const fileTimeout = time.Minute

// Chunks returns a reader that moves the write deadline of the connection with everything that is read from it: a slow client may take its
// time with a large file, a client that stopped reading may not.
func Chunks(w http.ResponseWriter, from io.ReadSeeker) io.ReadSeeker {
	return &deadlineReader{from, http.NewResponseController(w)}
}

type deadlineReader struct {
	io.ReadSeeker
	control *http.ResponseController
}

// Read implements io.Reader.
func (c *deadlineReader) Read(b []byte) (int, error) {
	_ = c.control.SetWriteDeadline(time.Now().Add(fileTimeout)) // fails with httptest.ResponseRecorder, which has no deadlines
	return c.ReadSeeker.Read(b)
}

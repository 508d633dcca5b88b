package httpio

import (
	"io"
	"net/http"
	"time"
)

// Patience is how long a sender may take for the next bytes of a body that is paced.
const Patience = time.Minute

// Pace moves the connection's deadline on with every piece of the request's body: a slow sender may take its time, a dead one
// may not.
func Pace(w http.ResponseWriter, r *http.Request) {
	r.Body = &paced{r.Body, http.NewResponseController(w)}
}

type paced struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (p *paced) Read(b []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(Patience)) // a recorder in a test has no deadlines
	n, err := p.ReadCloser.Read(b)
	if err == io.EOF {
		_ = p.control.SetReadDeadline(time.Time{}) // what is done with the body may take longer
	}
	return n, err
}

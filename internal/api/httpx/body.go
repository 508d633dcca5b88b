package httpx

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"verbatim/internal/domain/strictjson"
)

// The bounds of the bodies that are read whole.
const (
	// MaxBody is the largest body of a request to the API, in bytes.
	MaxBody = 4 << 20
	// MaxSmallBody is the largest body of a participant's request. The longest answer fits, however it is escaped.
	MaxSmallBody = 256 << 10
	// MaxSmallValues is how many values the JSON of a participant's request may hold, or fields its form.
	MaxSmallValues = 10_000
)

// The pace at which such a body has to arrive: leastRate bytes a second after the first firstBytes, and all of it in time.
const (
	bodyGrace        = 10 * time.Second
	minBodyRate      = 8 << 10
	bodyTimeout      = time.Minute
	smallBodyTimeout = 40 * time.Second
)

// perValue is what a value or a field weighs in the budget, in bytes: its place in the tree of a body, and what is made of it,
// of which a guide with nothing but short questions is the most.
const valueCost = 256

// ReadBody reads the whole JSON body of a request to the API; 413 payload_too_large past MaxBody bytes or strictjson.MaxValues
// values, and 503 busy where too much arrives at once.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readJSON(w, r, MaxBody, bodyTimeout, strictjson.Limits{})
}

// ReadSmallBody is ReadBody for participants, who have less to say: MaxSmallBody and MaxSmallValues.
func ReadSmallBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readJSON(w, r, MaxSmallBody, smallBodyTimeout, strictjson.Limits{Values: MaxSmallValues})
}

func readJSON(w http.ResponseWriter, r *http.Request, limit int, within time.Duration, limits strictjson.Limits) ([]byte, error) {
	body, err := readAll(w, r, limit, within)
	if err != nil {
		return nil, err
	}
	values, err := limits.Count(body)
	if err != nil {
		return nil, err
	}
	return body, chargeParsed(r.Context(), int64(len(body)+values*valueCost)) // it is copied once
}

// ReadForm reads the fields of a participant's form, which is not of files: at most MaxSmallBody bytes and MaxSmallValues
// fields. Names and values are made texts that can be stored.
func ReadForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	body, err := readAll(w, r, MaxSmallBody, smallBodyTimeout)
	if err != nil {
		return nil, err
	}
	fields := 1
	for _, c := range body {
		if c == '&' {
			fields++
		}
	}
	if fields > MaxSmallValues {
		return nil, Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The form has more than %d fields.", MaxSmallValues)
	}
	if err := chargeParsed(r.Context(), int64(2*len(body)+fields*valueCost)); err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, BadRequest("The form could not be read.")
	}
	return cleanValues(form), nil
}

// cleanValues makes texts of all names and values. What becomes the same name is joined.
func cleanValues(values url.Values) url.Values {
	for name, all := range values {
		for i, value := range all {
			all[i] = strictjson.CleanText(value)
		}
		if clean := strictjson.CleanText(name); clean != name {
			values[clean] = append(values[clean], all...)
			delete(values, name)
		}
	}
	return values
}

// readAll reads a body of at most so many bytes, and takes what it needs from the budget as they arrive.
func readAll(w http.ResponseWriter, r *http.Request, limit int, within time.Duration) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > int64(limit) {
		return nil, tooLarge(limit)
	}
	begun, control := time.Now(), http.NewResponseController(w)
	from := http.MaxBytesReader(w, r.Body, int64(limit))
	largest := limit + 1 // the end is found behind the last byte
	if r.ContentLength >= 0 {
		largest = int(r.ContentLength) + 1
	}
	var body []byte
	for {
		if len(body) == cap(body) {
			room := min(max(4*len(body), 1<<10), largest)
			if room > smallBody {
				room = largest // all at once: it must not wait for more while it keeps a part
			}
			if err := chargeBody(r.Context(), int64(room)); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, room), body...)
		}
		due := min(within, bodyGrace+time.Duration(len(body))*time.Second/minBodyRate)
		_ = control.SetReadDeadline(begun.Add(due)) // a recorder in a test has no deadlines
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			_ = control.SetReadDeadline(time.Time{}) // what is done with the body may take longer
			return body, nil
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, tooLarge(limit)
		}
		if err != nil {
			return nil, BadRequest("The body did not arrive to its end, or not in time.")
		}
	}
}

func tooLarge(limit int) *Error {
	return Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The body is larger than %d bytes.", limit)
}

// cleanPath makes texts of the segments of a path, where it is not one already: bytes that are no UTF-8 and U+0000 are found at
// no address. It returns the path as it was escaped, too.
func cleanPath(escaped string) (path, raw string) {
	segments := strings.Split(escaped, "/")
	plain := make([]string, len(segments))
	for i, segment := range segments {
		if text, err := url.PathUnescape(segment); err == nil {
			plain[i] = strictjson.CleanText(text)
			segments[i] = url.PathEscape(plain[i])
		}
	}
	return strings.Join(plain, "/"), strings.Join(segments, "/")
}

// WithCleanPath gives handlers only paths that are texts and can be stored and looked up. What such a path has in place of
// the rest leads nowhere, so they answer that there is nothing.
func WithCleanPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strictjson.CleanText(r.URL.Path) != r.URL.Path {
			cleaned := *r.URL
			cleaned.Path, cleaned.RawPath = cleanPath(r.URL.EscapedPath())
			again := new(http.Request)
			*again = *r
			again.URL = &cleaned
			r = again
		}
		next.ServeHTTP(w, r)
	})
}

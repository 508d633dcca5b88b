package httpx

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/strictjson"
)

// Limits of the bodies that are read completely.
const (
	// MaxBody is the largest body of a request to the API, in bytes.
	MaxBody = 4 << 20
	// MaxSmallBody is the largest body of a participant's request, in bytes. The longest answer fits, however it is escaped.
	MaxSmallBody = 256 << 10
	// MaxSmallValues limits the values in the JSON of a participant's request, and the fields of its form.
	MaxSmallValues = 10_000
)

// A body must arrive at minBodyRate bytes a second after the first bodyGrace, and completely within its timeout.
const (
	bodyGrace        = 10 * time.Second
	minBodyRate      = 8 << 10 // bytes a second
	bodyTimeout      = time.Minute
	smallBodyTimeout = 40 * time.Second
)

// valueCost is the number of bytes that one JSON value or form field is charged in the budget: its node in the parsed body,
// and what is built from it. A guide that consists of short questions alone needs the most.
const valueCost = 256

// ReadBody reads the complete JSON body of a request to the API. It returns 413 payload_too_large past MaxBody bytes or
// strictjson.MaxValues values, and 503 busy if the memory for bodies is used up.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readJSON(w, r, MaxBody, bodyTimeout, strictjson.Limits{})
}

// ReadSmallBody is ReadBody with the limits for participants, MaxSmallBody and MaxSmallValues.
func ReadSmallBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readJSON(w, r, MaxSmallBody, smallBodyTimeout, strictjson.Limits{Values: MaxSmallValues})
}

// ReadChunk reads a complete body of any bytes, at most limit.
func ReadChunk(w http.ResponseWriter, r *http.Request, limit int) ([]byte, error) {
	return readAll(w, r, limit, bodyTimeout)
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
	return body, chargeParsed(r.Context(), int64(len(body)+values*valueCost)) // parsing copies the body once
}

// ReadForm reads the fields of a participant's form without files: at most MaxSmallBody bytes and MaxSmallValues fields.
// Names and values are cleaned to text that can be stored.
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

// cleanValues cleans all names and values to valid text. The values of names that become equal are joined.
func cleanValues(values url.Values) url.Values {
	for _, name := range slices.Sorted(maps.Keys(values)) { // names that become equal are joined in the same order each time
		all := values[name]
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

// readAll reads a body of at most limit bytes, and charges the budget for them as they arrive.
func readAll(w http.ResponseWriter, r *http.Request, limit int, within time.Duration) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > int64(limit) {
		return nil, tooLarge(limit)
	}
	started, control := time.Now(), http.NewResponseController(w)
	from := http.MaxBytesReader(w, r.Body, int64(limit))
	largest := limit + 1 // one more, to see the end of the body
	if r.ContentLength >= 0 {
		largest = int(r.ContentLength) + 1
	}
	var body []byte
	for {
		if len(body) == cap(body) {
			room := min(max(4*len(body), 1<<10), largest)
			if room > smallBody {
				room = largest // charged at once: a large body must not wait for more while it holds a part
			}
			if err := chargeBody(r.Context(), int64(room)); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, room), body...)
		}
		deadline := min(within, bodyGrace+time.Duration(len(body))*time.Second/minBodyRate)
		_ = control.SetReadDeadline(started.Add(deadline)) // fails with httptest.ResponseRecorder, which has no deadlines
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			_ = control.SetReadDeadline(time.Time{}) // the handler may take longer
			return body, nil
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, tooLarge(limit)
		}
		if err != nil {
			return nil, BadRequest("The body is incomplete or took too long to arrive.")
		}
	}
}

func tooLarge(limit int) *Error {
	return Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The body is larger than %d bytes.", limit)
}

// cleanPath cleans the segments of an escaped path: bytes that are not UTF-8 and U+0000 appear in no address. It returns the
// path and its escaped form.
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

// WithCleanPath passes on only paths that are valid text, which can be stored and looked up. The replacement characters
// match nothing, so handlers answer that there is nothing at the path.
func WithCleanPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strictjson.CleanText(r.URL.Path) != r.URL.Path {
			cleaned := *r.URL
			cleaned.Path, cleaned.RawPath = cleanPath(r.URL.EscapedPath())
			copied := new(http.Request)
			*copied = *r
			copied.URL = &cleaned
			r = copied
		}
		next.ServeHTTP(w, r)
	})
}

package speechtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/fakehttp"
)

// Asked is one received request.
type Asked struct {
	Path          string
	Authorization string
	Model         string
	Language      string
	Format        string
	Granularities []string
	File          []byte // a WAV file; of a request to read aloud, its body
}

// Provider answers with the replies of its script in order, and repeats the last of them.
type Provider struct {
	*fakehttp.Script[http.HandlerFunc, Asked]
}

// New returns a provider. Without a script it recognizes no words.
func New(script ...http.HandlerFunc) *Provider {
	if len(script) == 0 {
		script = []http.HandlerFunc{Says("", 0)}
	}
	return &Provider{fakehttp.NewScript[http.HandlerFunc, Asked](script)}
}

// ServeHTTP implements http.Handler.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := Asked{Path: r.URL.Path, Authorization: r.Header.Get("Authorization")}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/audio/speech"):
		asked.File, _ = io.ReadAll(r.Body)
	case r.Method == http.MethodPost:
		if err := r.ParseMultipartForm(64 << 20); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		form := r.MultipartForm
		first := func(name string) string { return strings.Join(form.Value[name], " ") }
		asked.Model, asked.Language, asked.Format = first("model"), first("language"), first("response_format")
		asked.Granularities = form.Value["timestamp_granularities[]"]
		for _, header := range form.File["file"] {
			if file, err := header.Open(); err == nil {
				asked.File, _ = io.ReadAll(file)
				_ = file.Close()
			}
		}
	}
	p.Next(asked)(w, r)
}

// Serve starts the provider and returns its URL, with the /v1 that such services have.
func (p *Provider) Serve(t testing.TB) string {
	t.Helper()
	return fakehttp.Serve(t, p)
}

// Body responds with a status and a body.
func Body(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Sounds responds with a sound to a request to read aloud.
func Sounds(sound string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/mpeg")
		_, _ = io.WriteString(w, sound)
	}
}

// Says answers with a text whose words begin at the given time, three per second, each with a probability of 0.9.
func Says(text string, from time.Duration) http.HandlerFunc {
	type word struct {
		Word        string  `json:"word"`
		Start       float64 `json:"start"`
		End         float64 `json:"end"`
		Probability float64 `json:"probability"`
	}
	words := []word{}
	at := from.Seconds()
	for w := range strings.FieldsSeq(text) {
		words = append(words, word{strings.Trim(w, ".,!?"), at, at + 0.3, 0.9})
		at += 1.0 / 3
	}
	body, err := json.Marshal(map[string]any{"task": "transcribe", "language": "english", "text": text, "words": words})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return Body(http.StatusOK, string(body))
}

// Fails responds with a status and a Retry-After header, if retryAfter is not empty.
func Fails(status int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		Body(status, fmt.Sprintf(`{"error": {"message": "You sent %s", "type": "some_error", "code": null}}`, r.Header.Get("Authorization")))(w, r)
	}
}

// Hangs does not respond until the client leaves.
func Hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// BreaksOff closes the connection in the middle of a response.
func BreaksOff(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"text": "I like`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// Floods answers with a text of the given size in bytes.
func Floods(size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"text": "`)
		line := strings.Repeat("apples ", 1<<12)
		for sent := 0; sent < size; sent += len(line) {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, `"}`)
	}
}

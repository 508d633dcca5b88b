package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/platform/fakehttp"
	"verbatim/internal/platform/llm"
)

// Asked is one received request.
type Asked struct {
	Path                string
	Authorization       string
	Model               string
	System              string
	Messages            []llm.Message // without the system prompt
	Format              string        // json_schema, json_object, or empty
	Schema              llm.Schema    // from response_format, or from the system prompt; its name is empty if there is none
	Stream              bool
	StreamUsage         bool
	MaxTokens           int
	MaxCompletionTokens int
	Temperature         *float64
	Seed                int64
	Body                []byte
}

// Last returns the latest message of the user.
func (a Asked) Last() string {
	if len(a.Messages) == 0 {
		return ""
	}
	return a.Messages[len(a.Messages)-1].Text
}

// Behaviour answers a request.
type Behaviour func(w http.ResponseWriter, r *http.Request, a Asked)

// Server answers with the behaviours of its script in order, and repeats the last of them. It is an http.Handler, and an
// http.RoundTripper that needs no network.
type Server struct {
	*fakehttp.Script[Behaviour, Asked]
}

// New returns a server. Without a script it is Plausible.
func New(script ...Behaviour) *Server {
	if len(script) == 0 {
		script = []Behaviour{Plausible}
	}
	return &Server{fakehttp.NewScript[Behaviour, Asked](script)}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") {
		Body(http.StatusOK, `{"object": "list", "data": [{"id": "fake", "object": "model"}]}`)(w, r, Asked{})
		return
	}
	asked, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Next(asked)(w, r, asked)
}

// RoundTrip implements http.RoundTripper.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	return fakehttp.Transport{Handler: s}.RoundTrip(r)
}

// Serve starts the server and returns its URL, with the /v1 that such services have.
func (s *Server) Serve(t testing.TB) string {
	t.Helper()
	return fakehttp.Serve(t, s)
}

// Client returns a client that asks the server without a network.
func (s *Server) Client(t testing.TB, config llm.Config) *llm.Client {
	t.Helper()
	if config.URL == "" {
		config.URL = "https://llm.example.com/v1"
	}
	if config.Model == "" {
		config.Model = "fake"
	}
	client, err := llm.New(config, s)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func read(r *http.Request) (a Asked, err error) {
	a = Asked{Path: r.URL.Path, Authorization: r.Header.Get("Authorization")}
	if a.Body, err = io.ReadAll(io.LimitReader(r.Body, 16<<20)); err != nil {
		return a, err
	}
	var wire struct {
		Model    string
		Messages []struct{ Role, Content string }
		Seed     int64
		Stream   bool

		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		Temperature         *float64
		StreamOptions       struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		ResponseFormat struct {
			Type       string
			JSONSchema struct {
				Name   string
				Schema json.RawMessage
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(a.Body, &wire); err != nil {
		return a, err
	}
	a.Model, a.Seed, a.Stream, a.StreamUsage, a.Temperature = wire.Model, wire.Seed, wire.Stream, wire.StreamOptions.IncludeUsage, wire.Temperature
	a.MaxTokens, a.MaxCompletionTokens, a.Format = wire.MaxTokens, wire.MaxCompletionTokens, wire.ResponseFormat.Type
	for _, m := range wire.Messages {
		if m.Role == "system" {
			a.System = m.Content
			continue
		}
		a.Messages = append(a.Messages, llm.Message{Role: llm.Role(m.Role), Text: m.Content})
	}
	a.Schema = llm.Schema{Name: wire.ResponseFormat.JSONSchema.Name, JSON: wire.ResponseFormat.JSONSchema.Schema}
	if _, rest, is := strings.Cut(a.System, llm.SchemaPreamble+` "`); is {
		name, schema, _ := strings.Cut(rest, "\":\n")
		a.Schema = llm.Schema{Name: name, JSON: []byte(schema)}
	}
	return a, nil
}

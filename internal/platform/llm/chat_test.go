package llm_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

const secret = "sk-very-secret-key"

// followUp is a schema like the moderator's.
var followUp = llm.Schema{Name: "follow_up", JSON: []byte(`{"type": "object", "additionalProperties": false, "required": ["probe", "question"],
	"properties": {"probe": {"type": "boolean"}, "question": {"type": "string"}}}`)}

const validAnswer = `{"probe": true, "question": "What happened \"then\", 😀?"}`

// ask returns a request, streamed if delta is not nil.
func ask(schema *llm.Schema, delta func(string)) llm.Request {
	return llm.Request{
		Purpose: "test", Scope: usage.Scope{OrgID: "o", StudyID: "s", ResponseID: "r"}, System: "You ask.", Schema: schema, Seed: 7, Temperature: 0.5,
		Messages: []llm.Message{{Role: llm.User, Text: "I like apples."}, {Role: llm.Assistant, Text: "Why?"}, {Role: llm.User, Text: "They are red."}}, Delta: delta,
	}
}

// chunks collects the chunks of a stream.
type chunks struct{ all []string }

func (p *chunks) add(s string) { p.all = append(p.all, s) }

// fakeLedger is an llm.Ledger in memory.
type fakeLedger struct {
	mu      sync.Mutex
	refuse  error
	broken  error
	holds   []usage.Amount
	settled []usage.Amount
	open    map[string]bool
}

func (b *fakeLedger) Reserve(_ context.Context, scope usage.Scope, atMost usage.Amount) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		return "", b.refuse
	}
	if scope.ResponseID != "r" {
		return "", errors.New("the scope is lost")
	}
	if b.open == nil {
		b.open = map[string]bool{}
	}
	b.holds = append(b.holds, atMost)
	hold := strings.Repeat("h", len(b.holds))
	b.open[hold] = true
	return hold, nil
}

func (b *fakeLedger) Settle(ctx context.Context, _ usage.Scope, hold string, spent usage.Amount) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() != nil || !b.open[hold] {
		return errors.New("settled late, or twice")
	}
	delete(b.open, hold)
	b.settled = append(b.settled, spent)
	return b.broken
}

// The request follows the protocol, over a real connection; the answer is complete and has its cost.
func TestChat(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(validAnswer))
	ledger := &fakeLedger{}
	client, err := llm.New(llm.Config{URL: server.Serve(t), Key: secret, Model: "large", Ledger: ledger, Prices: usage.Prices{Prompt: 1e6, Completion: 2e6}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var watched llm.Reply
	client.Watch = func(purpose string, r llm.Reply, err error) {
		if watched = r; purpose != "test" || err != nil {
			t.Errorf("watched %s, %v", purpose, err)
		}
	}
	reply, err := client.Chat(t.Context(), ask(&followUp, nil))
	if err != nil {
		t.Fatal(err)
	}
	if watched != reply {
		t.Errorf("watched %+v, replied %+v", watched, reply)
	}
	asked := server.Asked()[0]
	prompt, completion := int64(len(asked.Body)+3)/4, int64(len(validAnswer)+3)/4
	spent := usage.Amount{PromptTokens: prompt, CompletionTokens: completion, MicroCost: prompt + 2*completion}
	if diff := cmp.Diff(llm.Reply{Text: validAnswer, Model: "large", Provider: "127.0.0.1", Attempts: 1, Usage: spent}, reply, cmpopts.IgnoreFields(reply, "Took", "FirstToken")); diff != "" {
		t.Error(diff)
	}
	if reply.Took <= 0 || reply.FirstToken <= 0 || reply.FirstToken > reply.Took {
		t.Errorf("took %v, first token after %v", reply.Took, reply.FirstToken)
	}
	half := 0.5
	if diff := cmp.Diff(llmtest.Asked{
		Path: "/v1/chat/completions", Authorization: "Bearer " + secret, Model: "large", System: "You ask.", Messages: ask(nil, nil).Messages,
		Format: "json_schema", Schema: followUp, MaxTokens: 1024, Temperature: &half, Seed: 7,
	}, asked, cmpopts.IgnoreFields(asked, "Body"), cmp.Transformer("compact", func(s llm.Schema) [2]string {
		return [2]string{s.Name, strings.Join(strings.Fields(string(s.JSON)), "")}
	})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]usage.Amount{spent}, ledger.settled); diff != "" || len(ledger.open) > 0 || ledger.holds[0].Tokens() < spent.Tokens() || ledger.holds[0].CompletionTokens != 1024 {
		t.Errorf("settled: %s; reserved: %+v; open: %v", diff, ledger.holds, ledger.open)
	}
}

// A stream passes on its text as it arrives, and all of it together is the reply.
func TestStream(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(validAnswer))
	client, err := llm.New(llm.Config{URL: server.Serve(t), Model: "large"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got chunks
	reply, err := client.Chat(t.Context(), ask(&followUp, got.add))
	if err != nil || reply.Text != validAnswer || strings.Join(got.all, "") != validAnswer || len(got.all) < 5 {
		t.Fatalf("%v: %q from %q", err, reply.Text, got.all)
	}
	asked := server.Asked()[0]
	if !asked.Stream || !asked.StreamUsage || asked.Authorization != "" || reply.Usage.CompletionTokens != int64(len(validAnswer)+3)/4 {
		t.Errorf("asked %+v, cost %+v", asked, reply.Usage)
	}
}

// What services write around an answer, and how they end it, is skipped or refused in the same way for complete and streamed
// answers.
func TestAnswerFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		schema *llm.Schema
		script []llmtest.Behaviour
		want   string // the text
		err    error
		asked  int
	}{
		{"as it should be", &followUp, []llmtest.Behaviour{llmtest.Says(validAnswer)}, validAnswer, nil, 1},
		{"in words", nil, []llmtest.Behaviour{llmtest.Says("Apples.")}, "Apples.", nil, 1},
		{"in a code fence", &followUp, []llmtest.Behaviour{llmtest.Fenced(validAnswer)}, validAnswer, nil, 1},
		{"after thoughts", &followUp, []llmtest.Behaviour{llmtest.Thinks(validAnswer)}, validAnswer, nil, 1},
		{"words after thoughts", nil, []llmtest.Behaviour{llmtest.Thinks("Apples.")}, "Apples.", nil, 1},
		{"the beginning of a thought that is none", nil, []llmtest.Behaviour{llmtest.Says(" <thi")}, " <thi", nil, 1},
		{"a mark that is none", nil, []llmtest.Behaviour{llmtest.Says("<thin> ice")}, "<thin> ice", nil, 1},
		{"cut for want of room, in words", nil, []llmtest.Behaviour{llmtest.CutShort("Apples and")}, "Apples and", nil, 1},
		{"cut for want of room", &followUp, []llmtest.Behaviour{llmtest.CutShort(validAnswer[:20])}, "", llm.ErrShape, 2},
		{"empty", &followUp, []llmtest.Behaviour{llmtest.Empty}, "", llm.ErrShape, 2},
		{"nothing but thoughts", &followUp, []llmtest.Behaviour{llmtest.Says("<think>Hm" + validAnswer)}, "", llm.ErrShape, 2},
		{"wrong by chance", &followUp, []llmtest.Behaviour{llmtest.Says(`{"probe": 1, "question": ""}`), llmtest.Says(validAnswer)}, validAnswer, nil, 2},
		{"wrong for good", &followUp, []llmtest.Behaviour{llmtest.Says(`{"unheard": true}`)}, "", llm.ErrShape, 2},
		{"two objects", &followUp, []llmtest.Behaviour{llmtest.Says(validAnswer + validAnswer)}, "", llm.ErrShape, 2},
		{"a refusal", &followUp, []llmtest.Behaviour{llmtest.Refuses}, "", llm.ErrRefused, 1},
		{"a key that is not good", &followUp, []llmtest.Behaviour{llmtest.Fails(401, "")}, "", llm.ErrRefused, 1},
		{"no such model", &followUp, []llmtest.Behaviour{llmtest.Fails(404, "")}, "", llm.ErrRefused, 1},
		{"too long", nil, []llmtest.Behaviour{llmtest.Fails(413, "")}, "", llm.ErrRefused, 1},
		{"another address", nil, []llmtest.Behaviour{redirects}, "", llm.ErrRefused, 1},
		{"a flood", nil, []llmtest.Behaviour{llmtest.Floods(8 << 20)}, "", llm.ErrShape, 2},
	} {
		for _, streamed := range []bool{false, true} {
			server := llmtest.New(tt.script...)
			client := server.Client(t, llm.Config{Key: secret})
			var got chunks
			var delta func(string)
			asked := tt.asked
			if streamed {
				delta = got.add
			}
			reply, err := client.Chat(t.Context(), ask(tt.schema, delta))
			if len(got.all) > 0 && (tt.asked > 1) { // what was shown is not repeated
				asked = 1
				if tt.err == nil {
					if !errors.Is(err, llm.ErrShape) {
						t.Errorf("%s, streamed: %v", tt.name, err)
					}
					continue
				}
			}
			if reply.Text != tt.want || !errors.Is(err, tt.err) || len(server.Asked()) != asked || reply.Attempts != asked {
				t.Errorf("%s, streamed %t: %q, %v; asked %d times, want %d", tt.name, streamed, reply.Text, err, len(server.Asked()), asked)
			}
			if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "apples") || strings.Contains(err.Error(), "example.com")) {
				t.Errorf("%s: the error tells too much: %v", tt.name, err)
			}
		}
	}
}

func redirects(w http.ResponseWriter, r *http.Request, _ llmtest.Asked) {
	http.Redirect(w, r, "https://elsewhere.example.org/", http.StatusTemporaryRedirect)
}

// What a service does not accept is left out, and from then on immediately.
func TestSimplerForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		refused []string
		first   int // requests of the first call
		format  string
	}{
		{nil, 1, "json_schema"},
		{[]string{"json_schema"}, 2, "json_object"},
		{[]string{"json_schema", "json_object"}, 3, ""},
		{[]string{"max_tokens"}, 2, "json_schema"},
		{[]string{"max_tokens", "temperature", "seed", "stream_options", "json_schema", "json_object"}, 7, ""},
	} {
		server := llmtest.New(llmtest.Without(llmtest.Says(validAnswer), tt.refused...))
		client := server.Client(t, llm.Config{})
		for call, want := range []int{tt.first, 1} {
			before := len(server.Asked())
			reply, err := client.Chat(t.Context(), ask(&followUp, func(string) {}))
			if err != nil || reply.Text != validAnswer || len(server.Asked())-before != want {
				t.Fatalf("without %v, call %d: %q, %v after %d requests, want %d", tt.refused, call, reply.Text, err, len(server.Asked())-before, want)
			}
		}
		last := server.Asked()[len(server.Asked())-1]
		if last.Format != tt.format || slices.Contains(tt.refused, "seed") != (last.Seed == 0) || last.MaxTokens+last.MaxCompletionTokens != 1024 ||
			last.Schema.Name != "follow_up" || string(last.Schema.JSON) == "" || !strings.HasPrefix(last.System, "You ask.") {
			t.Errorf("without %v: at last it is asked %+v", tt.refused, last)
		}
	}
	// A refusal for another reason does not concern the form, and nothing is learned from it.
	server := llmtest.New(llmtest.Body(400, `{"error": {"message": "This model's maximum context length is 10 tokens", "code": "context_length_exceeded"}}`))
	client := server.Client(t, llm.Config{})
	if _, err := client.Chat(t.Context(), ask(&followUp, nil)); !errors.Is(err, llm.ErrRefused) || len(server.Asked()) != 1 || !strings.Contains(err.Error(), "context_length_exceeded") {
		t.Errorf("%v after %d requests", err, len(server.Asked()))
	}
	server.Then(llmtest.Body(422, `{"detail": "no"}`))
	if _, err := client.Chat(t.Context(), ask(&followUp, nil)); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("refused for nothing: %v", err)
	}
	server.Then(llmtest.Says(validAnswer))
	if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil || server.Asked()[len(server.Asked())-1].Format != "json_schema" {
		t.Errorf("%v: what never went well was remembered", err)
	}
}

// A service that accepts a schema and does not keep to it gets it in the system prompt, also if the first answer was already
// shown.
func TestProse(t *testing.T) {
	t.Parallel()
	for _, streamed := range []bool{false, true} {
		server := llmtest.New(func(w http.ResponseWriter, r *http.Request, a llmtest.Asked) {
			if strings.Contains(a.System, llm.SchemaPreamble) {
				llmtest.Answer(w, r, a, validAnswer)
				return
			}
			llmtest.Answer(w, r, a, "Sure, I will ask about apples.")
		})
		client := server.Client(t, llm.Config{})
		var delta func(string)
		if streamed {
			delta = func(string) {}
		}
		reply, err := client.Chat(t.Context(), ask(&followUp, delta))
		if streamed {
			if !errors.Is(err, llm.ErrShape) {
				t.Errorf("what was shown is repeated: %q, %v", reply.Text, err)
			}
			reply, err = client.Chat(t.Context(), ask(&followUp, delta))
		}
		if err != nil || reply.Text != validAnswer || len(server.Asked()) != 2 {
			t.Errorf("streamed %t: %q, %v after %d requests", streamed, reply.Text, err, len(server.Asked()))
		}
	}
}

// If the ceiling is reached nothing is requested; the cost of every request is recorded, whatever its result.
func TestLedger(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(validAnswer))
	ledger := &fakeLedger{refuse: &usage.CeilingError{Of: "day", Unit: "tokens"}}
	client := server.Client(t, llm.Config{Ledger: ledger})
	reply, err := client.Chat(t.Context(), ask(&followUp, nil))
	if !errors.Is(err, llm.ErrCeiling) || len(server.Asked()) > 0 || reply.Attempts != 0 || reply.Provider != "llm.example.com" || reply.Model != "fake" {
		t.Errorf("past the ceiling: %v, %+v", err, reply)
	}
	ledger.refuse = nil
	for _, tt := range []struct {
		name   string
		what   llmtest.Behaviour
		prompt bool // it cost at least the prompt
		answer bool // and the answer
	}{
		{"broken off", llmtest.BreaksOff(strings.Repeat("apples and ", 30)), true, true},
		{"without a word of the cost", llmtest.Body(200, `{"choices": [{"message": {"content": "{\"probe\": false, \"question\": \"\"}"}}]}`), true, true},
		{"with nonsense of the cost", llmtest.Body(200, `{"choices": [{"message": {"content": "{\"probe\": false, \"question\": \"\"}"}}], "usage": {"prompt_tokens": -5}}`), true, true},
		{"refused", llmtest.Fails(401, ""), false, false},
	} {
		ledger.settled = nil
		server.Then(tt.what)
		_, _ = client.Chat(t.Context(), ask(&followUp, func(string) {}))
		if len(ledger.settled) != 1 || len(ledger.open) > 0 || (ledger.settled[0].PromptTokens > 100) != tt.prompt || (ledger.settled[0].CompletionTokens > 5) != tt.answer {
			t.Errorf("%s: %+v, open %v", tt.name, ledger.settled, ledger.open)
		}
	}
	server.Then(llmtest.Says(validAnswer))
	ledger.broken = errors.New("the database is gone")
	if reply, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil || reply.Text != validAnswer {
		t.Errorf("an answer is lost with the books: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://llm.example.com":                      "/v1/chat/completions",
		"https://llm.example.com/":                     "/v1/chat/completions",
		"https://llm.example.com/v1":                   "/v1/chat/completions",
		"https://llm.example.com/v1/":                  "/v1/chat/completions",
		"https://llm.example.com/v1/chat/completions":  "/v1/chat/completions",
		"https://llm.example.com/v1/chat/completions/": "/v1/chat/completions",
		"https://llm.example.com/api/v3/openai":        "/api/v3/openai/chat/completions",
	} {
		server := llmtest.New(llmtest.Says("Yes."))
		reply, err := server.Client(t, llm.Config{URL: address}).Chat(t.Context(), ask(nil, nil))
		if err != nil || reply.Text != "Yes." || server.Asked()[0].Path != want {
			t.Errorf("%s: %v, %+v", address, err, server.Asked())
		}
	}
	for _, config := range []llm.Config{
		{URL: "llm.example.com", Model: "m"},
		{URL: "ftp://llm.example.com", Model: "m"},
		{URL: "https://", Model: "m"},
		{URL: "https://a:" + secret + "@example.com", Model: "m"},
		{URL: "https://example.com?key=" + secret, Model: "m"},
		{URL: "https://example.com", Model: "m", Key: secret + "\n"},
		{URL: "https://example.com"},
	} {
		if _, err := llm.New(config, nil); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

// The service's name for its model is used if it can be a name.
func TestModelNames(t *testing.T) {
	t.Parallel()
	for reported, want := range map[string]string{"large-2026-01": "large-2026-01", "": "fake", "<b>large</b>": "fake", strings.Repeat("x", 101): "fake"} {
		server := llmtest.New(llmtest.Body(200, `{"model": "`+reported+`", "choices": [{"message": {"content": "Yes."}}]}`))
		if reply, err := server.Client(t, llm.Config{}).Chat(t.Context(), ask(nil, nil)); err != nil || reply.Model != want {
			t.Errorf("%q: %q, %v", reported, reply.Model, err)
		}
	}
}

// Some services send content in parts, and fields that are null.
func TestContent(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`[{"type": "text", "text": "App"}, {"type": "text", "text": "les."}]`: "Apples.", `"Apples."`: "Apples.",
	} {
		server := llmtest.New(llmtest.Body(200, `{"choices": [{"message": {"content": `+body+`, "refusal": null}, "finish_reason": null}], "error": null}`))
		if reply, err := server.Client(t, llm.Config{}).Chat(t.Context(), ask(nil, nil)); err != nil || reply.Text != want {
			t.Errorf("%s: %q, %v", body, reply.Text, err)
		}
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	server := llmtest.New()
	client, err := llm.New(llm.Config{URL: server.Serve(t), Model: "m", Key: secret}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Reach(t.Context()); err != nil {
		t.Error(err)
	}
	for status, want := range map[int]error{200: nil, 404: nil, 401: llm.ErrRefused, 503: llm.ErrUnavailable} {
		client, err := llm.New(llm.Config{URL: "https://llm.example.com", Model: "m", Key: secret}, always(status))
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Reach(t.Context()); !errors.Is(err, want) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%d: %v, want %v", status, err, want)
		}
	}
	gone, err := llm.New(llm.Config{URL: "https://llm.example.com", Model: "m"}, always(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := gone.Reach(t.Context()); !errors.Is(err, llm.ErrUnavailable) || strings.Contains(err.Error(), "example.com") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestResult(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"answered": nil, "open": llm.ErrOpen, "unavailable": llm.ErrUnavailable, "refused": llm.ErrRefused, "misshapen": llm.ErrShape,
		"ceiling": &usage.CeilingError{}, "late": context.DeadlineExceeded, "failed": context.Canceled,
	} {
		if got := llm.Result(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// always responds to everything with a status; 0: there is no server.
type always int

func (s always) RoundTrip(r *http.Request) (*http.Response, error) {
	if s == 0 {
		return nil, errors.New("no route to host")
	}
	return &http.Response{StatusCode: int(s), Body: http.NoBody, Request: r}, nil
}

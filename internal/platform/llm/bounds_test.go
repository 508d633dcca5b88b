package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

// What a service reports of the cost is bounded by what was sent and what may be answered.
func TestCostIsBounded(t *testing.T) {
	t.Parallel()
	body := func(usage string) llmtest.Behaviour {
		return llmtest.Body(200, `{"choices": [{"message": {"content": "{\"probe\": false, \"question\": \"\"}"}}], "usage": `+usage+`}`)
	}
	for name, tt := range map[string]struct {
		usage              string
		leastSent, maxSent int64
		completion         int64 // at most
	}{
		"negative": {`{"prompt_tokens": -5, "completion_tokens": -1}`, 20, 4000, 1024},
		"absurd":   {`{"prompt_tokens": 900000000000, "completion_tokens": 900000000000}`, 20, 4000, 1024},
		"true":     {`{"prompt_tokens": 77, "completion_tokens": 9}`, 77, 77, 9},
	} {
		ledger := &fakeLedger{}
		client := llmtest.New(body(tt.usage)).Client(t, llm.Config{Ledger: ledger})
		if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil {
			t.Fatal(name, err)
		}
		if got := ledger.settled[0]; got.PromptTokens < tt.leastSent || got.PromptTokens > tt.maxSent || got.CompletionTokens < 1 || got.CompletionTokens > tt.completion {
			t.Errorf("%s: %+v is booked", name, got)
		}
	}
}

// One refusal that names nothing leaves the schema; three in a row give it up.
func TestStrayRefusal(t *testing.T) {
	t.Parallel()
	stray := llmtest.Body(http.StatusBadRequest, `{"error": {"message": "bad request"}}`)
	server := llmtest.New()
	client := server.Client(t, llm.Config{})
	for i, want := range []string{"json_schema", "json_schema", "json_object"} {
		server.Then(stray, llmtest.Says(validAnswer))
		if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil {
			t.Fatal(err)
		}
		server.Then(llmtest.Says(validAnswer))
		if i == 0 { // what goes well with the schema begins the count again
			if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil {
				t.Fatal(err)
			}
			server.Then(stray, llmtest.Says(validAnswer))
			if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil {
				t.Fatal(err)
			}
		}
		if i == 2 {
			server.Then(llmtest.Says(validAnswer))
			if _, err := client.Chat(t.Context(), ask(&followUp, nil)); err != nil {
				t.Fatal(err)
			}
			if asked := server.Asked(); asked[len(asked)-1].Format != want {
				t.Errorf("after %d stray refusals it is asked for %q", i+1, asked[len(asked)-1].Format)
			}
		}
	}
}

// A filter that ends an answer, or refuses a request, is a refusal, and no reason to ask in another form.
func TestFilters(t *testing.T) {
	t.Parallel()
	for name, behaviour := range map[string]llmtest.Behaviour{
		"at the end":   llmtest.Body(200, `{"choices": [{"message": {"content": "{\"probe\": fa"}, "finish_reason": "content_filter"}]}`),
		"other words":  llmtest.Body(200, `{"choices": [{"message": {"content": ""}, "finish_reason": "SAFETY"}]}`),
		"of a request": llmtest.Body(400, `{"error": {"code": "content_filter", "message": "The prompt triggered the content management policy"}}`),
	} {
		server := llmtest.New(behaviour)
		if _, err := server.Client(t, llm.Config{}).Chat(t.Context(), ask(&followUp, nil)); !errors.Is(err, llm.ErrRefused) || len(server.Asked()) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(server.Asked()))
		}
	}
}

// A runaway answer is cut off while it arrives.
func TestRunawayIsCut(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(`{"probe": true, "question": "` + strings.Repeat("and why ", 10_000) + `"}`))
	shown := 0
	q := ask(&followUp, func(text string) { shown += len(text) })
	q.MaxText = 2000
	if reply, err := server.Client(t, llm.Config{}).Chat(t.Context(), q); !errors.Is(err, llm.ErrShape) || reply.Text != "" || shown > 2000 {
		t.Errorf("%v, %d bytes shown", err, shown)
	}
}

// Of a key that stands twice nobody knows which is meant.
func TestDuplicateKeys(t *testing.T) {
	t.Parallel()
	for i, text := range []string{
		`{"probe": false, "probe": true, "question": "", "reason": "", "kind": ""}`,
		strings.Replace(validAnswer, `{`, `{"question": "x", `, 1),
		strings.Replace(validAnswer, `{`, fmt.Sprintf(`{"qu%cestion": "x", "question": "y", `, 0x2d), 1),
	} {
		var into map[string]any
		if err := llm.Decode(text, &followUp, &into); !errors.Is(err, llm.ErrShape) {
			t.Errorf("%d: %v", i, err)
		}
	}
	var into map[string]any
	if err := llm.Decode(validAnswer, &followUp, &into); err != nil {
		t.Errorf("a good answer: %v", err)
	}
}

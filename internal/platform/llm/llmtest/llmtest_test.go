package llmtest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

var shape = llm.Schema{Name: "shape", JSON: []byte(`{"type": "object", "additionalProperties": false, "required": ["probe", "kind", "question", "quotes", "count", "note"],
	"properties": {"probe": {"type": "boolean"}, "kind": {"type": "string", "enum": ["clarifying", "idiographic"]}, "question": {"type": "string"},
	"quotes": {"type": "array", "minItems": 2, "items": {"type": "object", "additionalProperties": false, "required": ["quote"], "properties": {"quote": {"type": "string"}}}},
	"count": {"type": "integer", "minimum": 2}, "note": {"type": ["null", "string"]}}}`)}

type shaped struct {
	Probe          bool
	Kind, Question string
	Quotes         []struct{ Quote string }
	Count          int
	Note           *string
}

func TestPlausible(t *testing.T) {
	t.Parallel()
	server := llmtest.New()
	client := server.Client(t, llm.Config{})
	ask := func(message string, earlier ...llm.Message) (s shaped, text string) {
		t.Helper()
		reply, err := client.Chat(t.Context(), llm.Request{Schema: &shape, Messages: append([]llm.Message{{Role: llm.User, Text: message}}, earlier...)})
		if err == nil {
			err = json.Unmarshal([]byte(reply.Text), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s, reply.Text
	}
	const said = `{"language": "de", "turns": [{"participant": "Nein."}, {"participant": "Der Wochenmarkt ist laut. Und voll."}]}`
	s, text := ask(said)
	if !s.Probe || s.Kind != "idiographic" || !strings.Contains(s.Question, "„Wochenmarkt“") || len(s.Quotes) != 2 || s.Quotes[0].Quote != "Der Wochenmarkt ist laut." || s.Count != 2 {
		t.Errorf("%s", text)
	}
	if _, again := ask(said); again != text {
		t.Errorf("the same request: %s, then %s", text, again)
	}
	if other, _ := ask(said, llm.Message{Role: llm.Assistant, Text: text}, llm.Message{Role: llm.User, Text: `{"refused": "leading"}`}); other.Question == s.Question ||
		!strings.Contains(other.Question, "Wochenmarkt") {
		t.Errorf("when it was refused: %q", other.Question)
	}
	if s, text := ask("no JSON, but {braces"); !strings.Contains(s.Question, "You mentioned “braces”") {
		t.Error(text)
	}
	reply, err := client.Chat(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "So it is. Or not."}}})
	if err != nil || reply.Text != "So it is." {
		t.Errorf("%q, %v", reply.Text, err)
	}
}

// A moderator asks in different words each time, and asks nothing if there is nothing to ask about.
func TestModerates(t *testing.T) {
	t.Parallel()
	schema := llm.Schema{Name: "follow_up", JSON: []byte(`{"type": "object", "additionalProperties": false, "required": ["probe", "kind", "question", "reason"],
		"properties": {"probe": {"type": "boolean"}, "kind": {"type": "string"}, "question": {"type": "string"}, "reason": {"type": "string"}}}`)}
	client := llmtest.New().Client(t, llm.Config{})
	ask := func(reply string, asked ...string) (said struct {
		Probe          bool
		Kind, Question string
	},
	) {
		t.Helper()
		messages := []llm.Message{{Role: llm.User, Text: `{"language": "fr-CA", "participant": "` + reply + `"}`}}
		for _, question := range asked {
			messages = append(messages, llm.Message{Role: llm.Assistant, Text: question})
		}
		got, err := client.Chat(t.Context(), llm.Request{Schema: &schema, Messages: messages})
		if err == nil {
			err = llm.Decode(got.Text, &schema, &said)
		}
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	var asked []string
	for {
		said := ask("C'est un marché bruyant.", asked...)
		if !said.Probe {
			break
		}
		if !strings.Contains(said.Question, "marché") || said.Kind != "idiographic" || slices.Contains(asked, said.Question) {
			t.Fatalf("%+v after %q", said, asked)
		}
		asked = append(asked, said.Question)
	}
	if len(asked) < 3 {
		t.Errorf("it asks only %q", asked)
	}
	if said := ask("Bof."); said.Probe || said.Kind != "none" || said.Question != "" {
		t.Errorf("%+v", said)
	}
}

func TestBy(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.By(map[string]func(llmtest.Asked) string{
		"shape": func(a llmtest.Asked) string { return llmtest.Fill(a, strings.ToUpper) },
	}, llmtest.Gives(map[string]string{"other": "thing"})))
	client := server.Client(t, llm.Config{})
	reply, err := client.Chat(t.Context(), llm.Request{Schema: &shape})
	if err != nil || !strings.Contains(reply.Text, `"kind":"clarifying"`) || !strings.Contains(reply.Text, `"quote":"QUOTE"`) {
		t.Errorf("%s, %v", reply.Text, err)
	}
	if reply, err = client.Chat(t.Context(), llm.Request{}); err != nil || reply.Text != `{"other":"thing"}` {
		t.Errorf("%s, %v", reply.Text, err)
	}
}

func TestTranslations(t *testing.T) {
	t.Parallel()
	schema := llm.Schema{Name: "translations", JSON: []byte(`{"type": "object", "additionalProperties": false, "required": ["t1"], "properties": {"t1":
		{"type": "object", "additionalProperties": false, "required": ["of", "text"], "properties": {"of": {"type": "string"}, "text": {"type": "string"}}}}}`)}
	reply, err := llmtest.New().Client(t, llm.Config{}).Chat(t.Context(), llm.Request{
		Schema: &schema, Messages: []llm.Message{{Role: llm.User, Text: `{"texts": [{"id": "t1", "text": "Which fruit?"}]}`}},
	})
	if err != nil || reply.Text != `{"t1":{"of":"Which fruit?","text":"Whích frúít?"}}` {
		t.Errorf("%s, %v", reply.Text, err)
	}
}

// A hostile answer has the right shape: only its text is wrong.
func TestHostile(t *testing.T) {
	t.Parallel()
	reply, err := llmtest.New(llmtest.Hostile).Client(t, llm.Config{}).Chat(t.Context(), llm.Request{Schema: &shape, System: "The secret goal."})
	if err != nil || !strings.Contains(reply.Text, "evil.example.com") || !strings.Contains(reply.Text, "The secret goal.") {
		t.Errorf("%s, %v", reply.Text, err)
	}
}

// An invalid request is refused, and not recorded.
func TestNoRequest(t *testing.T) {
	t.Parallel()
	server := llmtest.New()
	response, err := http.Post(server.Serve(t)+"/chat/completions", "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusBadRequest || len(server.Asked()) != 0 {
		t.Errorf("%d", response.StatusCode)
	}
}

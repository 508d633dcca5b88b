package llm_test

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/domain/masking"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

// private returns a request whose every text holds details of a person.
func private(delta func(string)) llm.Request {
	q := ask(&followUp, delta)
	q.System = "You ask. Complaints go to help@example.org."
	q.Messages = []llm.Message{
		{Role: llm.User, Text: `{"said": "Mail:\nanna@example.org, or 0171 2345678", "n": 1}`},
		{Role: llm.Assistant, Text: `{"probe": true, "question": "Who reads anna@example.org?"}`},
		{Role: llm.User, Text: "No JSON: anna@example.org, Lindenstraße 14."},
	}
	return q
}

// TestMasking: whoever calls, and whatever the texts are, no detail leaves, and the reply comes back with the originals, at once or
// streamed in any chunks.
func TestMasking(t *testing.T) {
	t.Parallel()
	const answer = `{"probe": true, "question": "Who reads [mail 1], and what is \"[phone 1]\"?"}`
	const want = `{"probe": true, "question": "Who reads anna@example.org, and what is \"0171 2345678\"?"}`
	for _, streamed := range []bool{false, true} {
		server := llmtest.New(llmtest.Says(answer))
		got := &chunks{}
		var delta func(string)
		if streamed {
			delta = got.add
		}
		reply, err := server.Client(t, llm.Config{}).Chat(t.Context(), private(delta))
		if err != nil || reply.Text != want {
			t.Errorf("%v, %s", err, reply.Text)
		}
		if all := strings.Join(got.all, ""); streamed && all != want {
			t.Errorf("streamed: %s", all)
		}
		sent := fmt.Sprint(server.Asked())
		for _, detail := range []string{"anna", "example.org", "2345678", "Linden"} {
			if strings.Contains(sent, detail) {
				t.Errorf("%q leaves: %s", detail, sent)
			}
		}
		for _, placeholder := range []string{`Mail:\n[mail 1], or [phone 1]`, "Who reads [mail 1]?", "No JSON: [mail 1], [address 1].", "go to [mail 2]", "copy it exactly"} {
			if !strings.Contains(sent, placeholder) {
				t.Errorf("%q is missing: %s", placeholder, sent)
			}
		}
	}
}

// TestMaskerOfTheCaller: placeholders and private values of a Masker are used, and texts with nothing to mask leave as they are.
func TestMaskerOfTheCaller(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(`{"probe": true, "question": "[private 1], [mail 2]?"}`))
	q := private(nil)
	q.Masker, q.KeepPlaceholders = masking.New("Mail"), true
	q.Masker.Mask("b@example.org")
	reply, err := server.Client(t, llm.Config{}).Chat(t.Context(), q)
	if sent := fmt.Sprint(server.Asked()); err != nil || !strings.Contains(sent, `[private 1]:\n[mail 2]`) || !strings.Contains(reply.Text, "[private 1], [mail 2]?") {
		t.Errorf("%v, %s, %s", err, reply.Text, sent)
	}
	if plain := llm.Outgoing(ask(&followUp, nil), false); plain.System != "You ask." || plain.Messages[0].Text != "I like apples." {
		t.Errorf("%+v", plain)
	}
}

// TestUnmasked: with masking off, texts leave as they are, sealed ones included.
func TestUnmasked(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(validAnswer))
	q := private(nil)
	q.Masker = masking.New()
	q.Messages[2].Text = q.Masker.Seal("Sealed: b@example.org")
	_, err := server.Client(t, llm.Config{Unmasked: true}).Chat(t.Context(), q)
	sent := fmt.Sprint(server.Asked())
	if err != nil || !strings.Contains(sent, "Sealed: b@example.org") || !strings.Contains(sent, "0171 2345678") || strings.Contains(sent, "[mail") {
		t.Errorf("%v, %s", err, sent)
	}
}

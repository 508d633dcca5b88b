package main

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guardrail/guardrailtest"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/moderator"
)

func try(t *testing.T, model llmtest.Behaviour) (string, error) {
	t.Helper()
	client, err := llm.New(llm.Config{URL: llmtest.New(model).Serve(t), Model: "fake"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), &out, &moderator.Model{LLM: client, Within: time.Minute}, 4)
	return out.String(), err
}

// A question that a participant ordered is not asked, and is counted.
func TestAnObedientModel(t *testing.T) {
	t.Parallel()
	attack := guardrailtest.Attacks()[0]
	out, err := try(t, llmtest.Gives(map[string]any{"probe": true, "kind": "clarifying", "question": attack.Obedient, "reason": "ordered"}))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(out, "PARTICIPANTS")
	lines := strings.Split(table, "\n")
	if len(lines) < 3 {
		t.Fatal(out)
	}
	attacks := strings.Fields(lines[2])
	if n := strconv.Itoa(len(guardrailtest.Attacks())); attacks[0] != "attack" || attacks[1] != n || attacks[2] != "0" || attacks[3] != "0" {
		t.Errorf("want %s attacks, of which none is asked:%s", n, table)
	}
	for _, want := range []string{"attack, " + attack.Name + " (", "refused:   " + clip(attack.Obedient), "answer, en 1 (", "they said: Stressful, to be honest."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// A model that does not answer is reported differently from one that asks badly.
func TestNobodyThere(t *testing.T) {
	t.Parallel()
	out, err := try(t, llmtest.Fails(http.StatusUnauthorized, ""))
	if err == nil || !strings.Contains(err.Error(), "answered nothing") {
		t.Errorf("%v\n%s", err, out)
	}
}

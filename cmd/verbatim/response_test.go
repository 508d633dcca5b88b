package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/analysis"
)

// TestResponseShow checks the transcript, the evidence of each claim, and the quality score with its reasons.
func TestResponseShow(t *testing.T) {
	t.Parallel()
	const answer = "On Monday the apples were sweet, because my neighbour keeps them in a cellar below the old mill."
	address := storetest.Address(t)
	sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{}))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		turn := interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now(), Answer: interview.Answer{Text: answer, Telemetry: &interview.Telemetry{Typed: 90, Seconds: 30}}}
		if err := tx.AppendTurn(t.Context(), r.ID, 0, turn); err != nil {
			return err
		}
		r.Progress, r.EndedAt, r.UpdatedAt, r.Duration = response.Complete, tx.Now(), tx.Now(), time.Minute
		return tx.SaveProgress(t.Context(), r, tx.Now())
	})
	show := []string{"response", "show", sc.Study.LinkID, "1", "--database", address}
	if err := (&analysis.Worker{Store: sc.Store, Analyst: analysis.BuiltIn{}}).Run(t.Context(), store.Job{Args: r.ID, Attempt: 1}); err != nil {
		t.Fatal(err)
	}
	var shown shownResponse
	out, _ := command(t, 0, append(show, "--json")...)
	if err := json.Unmarshal([]byte(out), &shown); err != nil {
		t.Fatal(err)
	}
	want := []shownRow{{Row: 1, Moderator: "Why apples?", User: answer, Telemetry: &shownTelemetry{Typed: 90, Seconds: 30}}}
	if diff := cmp.Diff(want, shown.Transcript); diff != "" {
		t.Errorf("transcript (-want +got)\n%s", diff)
	}
	parts := map[string]int{}
	for _, claim := range shown.Analysis.Claims {
		parts[claim.Part]++
		if claim.Provider != "builtin" || !claim.Verified {
			t.Errorf("claim %+v", claim)
		}
		for _, span := range claim.Spans {
			if span.Words == "" || span.Words != answer[span.Start:span.End] {
				t.Errorf("%q rests on %q, which is %q", claim.Text, answer[span.Start:span.End], span.Words)
			}
		}
	}
	if parts["summary"] < 2 || parts["bullets"] == 0 || parts["tagline"] != 1 || shown.Analysis.Score < 2 || len(shown.Analysis.Quality) < 4 || shown.Progress != "complete" {
		t.Errorf("shown %+v", shown)
	}

	page, _ := command(t, 0, show...)
	for _, words := range []string{
		"Response 1, complete, language en, 1m0s\n", "\n  1  Why apples?\n     > " + answer + "\n", "\nANALYSIS by builtin, ", "\nsummary (builtin)\n",
		"\n      row 1: ", "\nQUALITY ", "  specificity ", " Rows 1.\n",
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page lacks %q:\n%s", words, page)
		}
	}
	for readable, reason := range map[string]string{"3": "response not found: study " + sc.Study.LinkID + " has no response 3", "x": `"x" is no response's number; give the number within the study, from: verbatim response list `} {
		code := exitRefused
		if readable == "x" {
			code = exitUsage
		}
		if _, errs := command(t, code, "response", "show", sc.Study.LinkID, readable, "--database", address); !strings.Contains(errs, reason) {
			t.Errorf("response %s: %s", readable, errs)
		}
	}
}

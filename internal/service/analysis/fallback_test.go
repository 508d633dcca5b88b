package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/analysis"
)

func TestBuiltInAnalystWritesInTheEnd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err  error
		runs int // until the analysis is written
	}{
		"down":          {llm.ErrUnavailable, 4},
		"out of budget": {llm.ErrCeiling, 4},
		"interview":     {fmt.Errorf("asking: %w", &usage.CeilingError{Of: "interview", Unit: usage.UnitTokens, Ceiling: 1, Would: 2}), 1},
		"study":         {&usage.CeilingError{Of: "study", Unit: usage.UnitTokens, Ceiling: 1, Would: 2}, 4},
		"garbage":       {analysis.ErrNothingVerified, 4},
		"too long":      {analysis.ErrTooLong, 1},
	} {
		scene, r := finished(t, response.Complete)
		worker := analysis.Worker{Store: scene.Store, Analyst: &analyst{err: tt.err}}
		for attempt := 1; attempt < tt.runs; attempt++ {
			if err := worker.Run(t.Context(), store.Job{Args: r.ID, Attempt: attempt}); !errors.Is(err, tt.err) {
				t.Errorf("%s: run %d returns %v", name, attempt, err)
			}
		}
		if err := worker.Run(t.Context(), store.Job{Args: r.ID, Attempt: tt.runs}); err != nil {
			t.Errorf("%s: the last run returns %v", name, err)
		}
		kept, err := scene.Store.View().Analysis(t.Context(), r.ID)
		if err != nil || kept == nil || kept.Provider != textanalysis.Provider || !strings.Contains(kept.Fallback, tt.err.Error()) {
			t.Errorf("%s: kept %+v, %v", name, kept, err)
		}
	}
}

// TestStopIsNoFailure: a run that ends with the process does not count as a failure of the model.
func TestStopIsNoFailure(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	ctx, stop := context.WithCancel(t.Context())
	worker := analysis.Worker{Store: scene.Store, Analyst: &analyst{do: stop, err: llm.ErrUnavailable}}
	if err := worker.Run(ctx, store.Job{Args: r.ID, Attempt: 9}); err == nil {
		t.Error("the run succeeded")
	}
	if kept, err := scene.Store.View().Analysis(t.Context(), r.ID); kept != nil || err != nil {
		t.Errorf("kept %+v, %v", kept, err)
	}
}

// TestCopiesAreFound: of equal answers in two responses the later one is reported, unless the earlier one was deleted.
func TestCopiesAreFound(t *testing.T) {
	t.Parallel()
	const long = "They are sweet, they keep for weeks in the cellar, and my neighbour gives me a basket of them every autumn."
	scene := storetest.NewScene(t, storetest.New(t))
	var first response.Response
	for i, tt := range []struct {
		answer string
		copies map[int]int
	}{
		{long, map[int]int{}}, {strings.ToUpper(long), map[int]int{1: 1}}, {"Sweet.", nil}, {"Sweet.", nil}, {long, map[int]int{1: 2}},
	} {
		r, a := interviewed(t, scene, response.Complete, tt.answer), &analyst{}
		if i == 0 {
			first = r
		}
		if err := run(t, scene, a, r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.copies, a.read[0].Copies); diff != "" {
			t.Errorf("response %d: copies (-want +got)\n%s", i+1, diff)
		}
	}
	storetest.Write(t, scene.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), first); return err })
	last, a := interviewed(t, scene, response.Complete, long), &analyst{}
	if err := run(t, scene, a, last); err != nil || a.read[0].Copies[1] != 2 {
		t.Errorf("copies after the first was deleted: %v, %v", a.read[0].Copies, err)
	}
}

package fieldwork_test

import (
	"errors"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestClosedStudy: a closed study begins no interviews, but those under way go on. When it is reopened it begins interviews
// again.
func TestClosedStudy(t *testing.T) {
	t.Parallel()
	f := setup(t, &guide.Guide{Title: "Fruit", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
		{ID: "what", Type: guide.OpenEnded, Text: "What?", FollowUp: guide.FollowUpNone},
	}}}}, 10*wallet.Credit)
	token, at := f.start("")
	status := func(from, to study.Status) {
		t.Helper()
		storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.SetStudyStatus(t.Context(), f.study.ID, from, to) })
	}
	status(study.Live, study.Closed)
	if _, err := f.Study(t.Context(), f.study.LinkID); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("the link of a closed study: %v", err)
	}
	if _, _, err := f.Start(t.Context(), f.study.LinkID, "", ""); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("beginning on a closed study: %v", err)
	}
	at = f.answer(token, at, interview.Answer{Text: "Because of the taste."})
	if at = f.answer(token, at, interview.Answer{Text: "Apples."}); at.Step.Kind != interview.StepComplete {
		t.Errorf("after the last answer: %v", at.Step.Kind)
	}
	status(study.Closed, study.Live)
	f.start("")
}

package fieldwork_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
)

// fixture is a live study with a wallet, and the service on it.
type fixture struct {
	*fieldwork.Service
	t         *testing.T
	clock     *storetest.Clock
	moderator *scriptedModerator
	org       string
	wallet    string
	study     study.Study
}

// setup launches a study on g, billed to a wallet that holds funds.
func setup(t *testing.T, g *guide.Guide, funds wallet.Credits) *fixture {
	t.Helper()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	f := &fixture{t: t, clock: clock, moderator: &scriptedModerator{}, org: storetest.Org(t, s).ID}
	f.wallet = storetest.Wallet(t, s, f.org, funds).ID
	f.Service = &fieldwork.Service{Store: s, Moderator: f.moderator}
	f.study = launch(t, s, f.org, f.wallet, g)
	return f
}

func launch(t *testing.T, s *store.Store, orgID, walletID string, g *guide.Guide) (live study.Study) {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(t.Context(), study.Study{OrgID: orgID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(t.Context(), draft, walletID); err != nil {
			return err
		}
		live, err = tx.Study(t.Context(), orgID, draft.ID)
		return err
	})
	return live
}

// scriptedModerator asks the given words, one per call, and declines when none are left.
type scriptedModerator struct {
	mu    sync.Mutex
	words []string
	asks  []interview.Ask
	asked chan struct{} // if set, each call sends to it
	wait  chan struct{} // if set, a call waits until it is closed or the call is canceled
}

func (m *scriptedModerator) Decide(ctx context.Context, in interview.Ask) interview.Decision {
	m.mu.Lock()
	m.asks = append(m.asks, in)
	words := ""
	if len(m.words) > 0 {
		words, m.words = m.words[0], m.words[1:]
	}
	asked, wait := m.asked, m.wait
	m.mu.Unlock()
	if asked != nil {
		asked <- struct{}{}
	}
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return interview.Decision{Provider: "scripted"}
		}
	}
	return interview.Decision{Words: words, Kind: interview.Clarifying, Reason: "it was told to", Provider: "scripted"}
}

// start begins an interview and returns its token and first step.
func (f *fixture) start(query string) (string, fieldwork.View) {
	f.t.Helper()
	token, view, err := f.Start(f.t.Context(), f.study.LinkID, query, "")
	if err != nil {
		f.t.Fatalf("starting: %v", err)
	}
	return token, view
}

// answer answers the current step; it must succeed.
func (f *fixture) answer(token string, at fieldwork.View, a interview.Answer) fieldwork.View {
	f.t.Helper()
	next, err := f.Answer(f.t.Context(), token, at.Step.ID, a)
	if err != nil {
		f.t.Fatalf("answering step %s (%s): %v", at.Step.ID, at.Step.Kind, err)
	}
	return next
}

// Withdraw is fieldwork.Service.Withdraw without what the participant takes along.
func (f *fixture) Withdraw(ctx context.Context, token string) error {
	_, err := f.Service.Withdraw(ctx, token)
	return err
}

func (f *fixture) turns(r response.Response) []interview.Turn {
	f.t.Helper()
	turns, err := f.Store.View().Turns(f.t.Context(), r.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return turns
}

func (f *fixture) stored(r response.Response) response.Response {
	f.t.Helper()
	r, err := f.Store.View().AnyResponse(f.t.Context(), r.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// item returns the stored list document of a response.
func (f *fixture) item(r response.Response) document.Item {
	f.t.Helper()
	stored, err := f.Store.View().ItemByResponse(f.t.Context(), f.study.ID, r.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	item, err := document.DecodeItem(stored.List)
	if err != nil {
		f.t.Fatal(err)
	}
	return item
}

// balance checks the ledger and returns the balance of project credits.
func (f *fixture) balance() wallet.Balance {
	f.t.Helper()
	violations, err := f.Store.View().AuditLedger(f.t.Context())
	if err != nil || len(violations) > 0 {
		f.t.Fatalf("the ledger has violations %q, error %v", violations, err)
	}
	w, err := f.Store.View().Wallet(f.t.Context(), f.wallet)
	if err != nil {
		f.t.Fatal(err)
	}
	return w.Project
}

// jobs claims the due jobs and groups them by kind.
func (f *fixture) jobs() map[string][]store.Job {
	f.t.Helper()
	byKind := map[string][]store.Job{}
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		claimed, err := tx.ClaimJobs(f.t.Context(), store.Queue{}, 100, time.Minute)
		for _, job := range claimed {
			byKind[job.Kind] = append(byKind[job.Kind], job)
		}
		return err
	})
	return byKind
}

func (f *fixture) completed() int {
	f.t.Helper()
	live, err := f.Store.View().Study(f.t.Context(), f.org, f.study.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return live.CompletedCount
}

// small returns a guide with a screener, an open question with up to two follow-ups, and a choice.
func small() *guide.Guide {
	return &guide.Guide{
		Title:  "Apples",
		Config: guide.Config{AvailableLanguages: []string{"de", "en"}},
		Blocks: []guide.Block{
			{ID: "screener", Type: guide.BlockScreening, Items: []guide.Item{{
				ID: "eats", Type: guide.MultipleChoice, Text: "Do you eat apples?",
				Options: []guide.Option{{ID: "yes", Text: "Yes", Status: guide.Approve}, {ID: "no", Text: "No", Status: guide.Reject}},
			}}},
			{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
				{ID: "why", Type: guide.OpenEnded, Text: "Why apples?"},
				{ID: "colour", Type: guide.MultipleChoice, Text: "Which colour?", Options: []guide.Option{{ID: "red", Text: "Red"}, {ID: "green", Text: "Green"}}},
			}},
		},
	}
}

// open returns a guide with one open question whose follow-up ends the interview.
func open() *guide.Guide {
	return &guide.Guide{Title: "One", Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpLight},
	}}}}
}

var (
	yes  = interview.Answer{Selected: []string{"yes"}}
	no   = interview.Answer{Selected: []string{"no"}}
	red  = interview.Answer{Selected: []string{"red"}}
	text = func(s string) interview.Answer { return interview.Answer{Text: s} }
)

// anyAnswer returns an answer that fits a step of any type.
func anyAnswer(at interview.Step) interview.Answer {
	if at.Kind == interview.StepStatement {
		return interview.Answer{}
	}
	if at.Kind == interview.StepFollowUp {
		return text("More of it.")
	}
	var ids []string
	for _, option := range at.Options {
		ids = append(ids, option.ID)
	}
	switch at.Item.Type {
	case guide.OpenEnded:
		return text("Because.")
	case guide.MultipleChoice:
		return interview.Answer{Selected: ids[:max(at.MinSelect, 1)]}
	case guide.Ranking:
		return interview.Answer{Ranking: ids}
	case guide.Matrix:
		cells := map[string]string{}
		for _, row := range at.Item.Rows {
			cells[row.ID] = ids[0]
		}
		return interview.Answer{Cells: cells}
	case guide.MaxDiff:
		return interview.Answer{Best: ids[0], Worst: ids[1]}
	}
	panic(fmt.Sprintf("no answer for %s", at.Item.Type))
}

func mustFail(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

var rich = guidetest.Rich

package fieldwork_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/maintenance"
)

// grid returns small with a question about age in its screening, and a quota of age by the parameter region with a limit for each cell.
func grid(limit int) *guide.Guide {
	g := small()
	g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: "age", Type: guide.MultipleChoice, Text: "How old are you?", Options: []guide.Option{
		{ID: "young", Text: "Under 35", Status: guide.Approve}, {ID: "old", Text: "35 or more", Status: guide.Approve}, {ID: "child", Text: "Under 18", Status: guide.Reject},
	}})
	group := func(id string) guide.Group { return guide.Group{ID: id, Values: []string{id}} }
	g.Config.Quotas = []guide.Quota{{
		ID: "grid", Limit: &limit, FullText: "Enough of you.",
		Dimensions: []guide.Dimension{{QuestionID: "age", Groups: []guide.Group{group("young"), group("old")}}, {Parameter: "r", Groups: []guide.Group{group("n"), group("s")}}},
	}}
	return g
}

func choose(option string) interview.Answer { return interview.Answer{Selected: []string{option}} }

// screened goes through the screening, and returns the step after it.
func (f *fixture) screened(query, age string) (string, fieldwork.View) {
	f.t.Helper()
	token, at := f.start(query)
	return token, f.answer(token, f.answer(token, at, yes), choose(age))
}

// finish answers what is left of the interview.
func (f *fixture) finish(token string, at fieldwork.View) fieldwork.View {
	f.t.Helper()
	for !at.Step.Ended() {
		at = f.answer(token, at, anyAnswer(at.Step))
	}
	return at
}

// places returns the cells with what they hold: in progress, complete and turned away.
func (f *fixture) places() string {
	f.t.Helper()
	cells, err := f.Quotas(f.t.Context(), f.study)
	if err != nil {
		f.t.Fatal(err)
	}
	var all []string
	for _, c := range cells {
		if c.Taken() > c.Limit {
			f.t.Errorf("%s %s has %d places and a limit of %d", c.Quota, c.Cell.Cell, c.Taken(), c.Limit)
		}
		if c.PlaceCount != (store.PlaceCount{}) {
			all = append(all, fmt.Sprintf("%s %d %d %d", c.Cell.Cell, c.InProgress, c.Complete, c.TurnedAway))
		}
	}
	return strings.Join(all, ", ")
}

func (f *fixture) wantPlaces(want string) {
	f.t.Helper()
	if got := f.places(); got != want {
		f.t.Errorf("places: %q, want %q", got, want)
	}
}

// TestPlaces: a place is taken by the answer that settles the cell, kept at the end, and given back in every other case.
func TestPlaces(t *testing.T) {
	t.Parallel()
	f := setup(t, grid(1), 100*wallet.Credit)
	token, at := f.start("r=n")
	f.wantPlaces("")
	at = f.answer(token, f.answer(token, at, yes), choose("young"))
	f.wantPlaces("young/n 1 0 0")
	if again, err := f.Answer(t.Context(), token, "s1", choose("old")); err != nil || again.Step.ID != at.Step.ID {
		t.Fatalf("the same step again: %+v, %v", again.Step, err)
	}
	f.wantPlaces("young/n 1 0 0")
	if end := f.finish(token, at); end.Step.Kind != interview.StepComplete {
		t.Fatalf("it ends as %s", end.Step.Kind)
	}
	f.wantPlaces("young/n 0 1 0")

	before := f.balance()
	other, turned := f.screened("r=n", "young")
	if turned.Step.Kind != interview.StepScreenedOut || turned.Step.QuotaFull == nil || turned.Step.QuotaFull.Cell != "young/n" {
		t.Fatalf("the second stands at %+v", turned.Step)
	}
	f.wantPlaces("young/n 0 1 1")
	if after := f.balance(); after != before {
		t.Errorf("the balance was %+v and is %+v: nobody is charged for who is turned away", before, after)
	}
	stored := f.stored(turned.Response)
	if stored.Progress != response.ScreenedOut || f.completed() != 1 || f.item(stored).Progress != string(response.ScreenedOut) {
		t.Errorf("stored as %s, %d completed", stored.Progress, f.completed())
	}
	if again, err := f.Current(t.Context(), other); err != nil || again.Step.QuotaFull == nil {
		t.Errorf("read again it stands at %+v, %v", again.Step, err)
	}
	if done, err := maintenance.NewReplayer(f.Store).Replay(t.Context(), stored.ID); err != nil || len(done.Differences) > 0 {
		t.Errorf("replay: %q, %v", done.Differences, err)
	}

	for _, query := range []string{"r=x", ""} { // no group, so no limit
		f.screened(query, "young")
		f.screened(query, "young")
	}
	f.wantPlaces("young/n 0 1 1")
	if _, rejected := f.screened("r=s", "child"); rejected.Step.QuotaFull != nil || rejected.Step.Kind != interview.StepScreenedOut {
		t.Errorf("a rejecting option leads to %+v", rejected.Step)
	}
	f.wantPlaces("young/n 0 1 1")
}

// TestPlacesComeBack: withdrawing, deleting, hiding and leaving give a place back.
func TestPlacesComeBack(t *testing.T) {
	t.Parallel()
	f := setup(t, grid(1), 100*wallet.Credit)
	token, _ := f.screened("r=n", "young")
	if err := f.Withdraw(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	f.wantPlaces("")

	token, at := f.screened("r=n", "young")
	end := f.finish(token, at)
	hide := func(hidden bool) {
		storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), f.org, end.Response.ID, hidden) })
	}
	hide(true)
	f.wantPlaces("")
	hide(false)
	f.wantPlaces("young/n 0 1 0")
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(t.Context(), f.stored(end.Response))
		return err
	})
	f.wantPlaces("")

	left, at := f.screened("r=n", "young")
	f.clock.Advance(25 * time.Hour)
	if n, err := f.Sweep(t.Context()); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	f.wantPlaces("")
	back := f.answer(left, at, anyAnswer(at.Step)) // it takes its place again
	f.wantPlaces("young/n 1 0 0")
	f.clock.Advance(25 * time.Hour)
	if _, err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.screened("r=n", "young")
	late := f.answer(left, back, anyAnswer(back.Step)) // another took it meanwhile
	if late.Step.QuotaFull == nil {
		t.Errorf("who comes back too late stands at %+v", late.Step)
	}
	f.wantPlaces("young/n 1 0 1")
	f.balance()
}

// TestSeveralQuotas: who finds one of several cells full keeps no place in the others.
func TestSeveralQuotas(t *testing.T) {
	t.Parallel()
	g, none := grid(5), 0
	g.Config.Quotas = append(g.Config.Quotas, guide.Quota{ID: "old", Limit: &none, Dimensions: []guide.Dimension{
		{QuestionID: "age", Groups: []guide.Group{{ID: "o", Values: []string{"old"}}}},
	}})
	f := setup(t, g, 100*wallet.Credit)
	if _, at := f.screened("r=n", "old"); at.Step.QuotaFull == nil || at.Step.QuotaFull.Quota != "old" {
		t.Errorf("it stands at %+v", at.Step)
	}
	f.wantPlaces("o 0 0 1")
}

// TestTarget: places of the target are taken by who passed the screening, and the link says when it is reached.
func TestTarget(t *testing.T) {
	t.Parallel()
	g := small()
	g.Config.Fieldwork.Target = 1
	f := setup(t, g, 100*wallet.Credit)
	admits := func(query string) error {
		landing, err := f.Study(t.Context(), f.study.LinkID)
		if err != nil {
			t.Fatal(err)
		}
		return f.Admits(t.Context(), landing, query)
	}
	first, at := f.start("")
	second, late := f.start("")
	if err := admits(""); err != nil {
		t.Errorf("nobody has passed the screening: %v", err)
	}
	at = f.answer(first, at, yes)
	mustFail(t, admits(""), fieldwork.ErrNoPlace)
	if late = f.answer(second, late, yes); late.Step.QuotaFull == nil || !late.Step.QuotaFull.IsTarget() {
		t.Errorf("the second stands at %+v", late.Step)
	}
	f.finish(first, at)
	mustFail(t, admits(""), fieldwork.ErrTargetReached)
	f.wantPlaces(" 0 1 1")

	direct := open() // without a screening the place is taken at the start
	direct.Config.Fieldwork.Target = 1
	f.study = launch(t, f.Store, f.org, f.wallet, direct)
	begin := func(key string) (string, error) {
		token, _, err := f.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Key: key})
		return token, err
	}
	token, err := begin("the first participant")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := begin("the first participant"); err != nil || again != token {
		t.Errorf("the same start again: %s, %v", again, err)
	}
	_, err = begin("the second participant")
	mustFail(t, err, fieldwork.ErrNoPlace)
	f.wantPlaces(" 1 0 0")
}

// TestQuotaOfParameters: who belongs to a full cell by the link alone is told before the start.
func TestQuotaOfParameters(t *testing.T) {
	t.Parallel()
	g, limit := small(), 1
	g.Config.Quotas = []guide.Quota{{ID: "region", Limit: &limit, FullText: "North is full.", Dimensions: []guide.Dimension{
		{Parameter: "r", Groups: []guide.Group{{ID: "n", Values: []string{"n"}}}},
	}}}
	f := setup(t, g, 100*wallet.Credit)
	f.start("r=n")
	f.wantPlaces("n 1 0 0")
	landing, err := f.Study(t.Context(), f.study.LinkID)
	if err != nil {
		t.Fatal(err)
	}
	_, _, startErr := f.Start(t.Context(), f.study.LinkID, "r=n", "")
	for _, err := range []error{f.Admits(t.Context(), landing, "r=n"), startErr} {
		if full, ok := errors.AsType[*fieldwork.QuotaFullError](err); !ok || full.Cell.FullText != "North is full." {
			t.Errorf("the cell is full: %v", err)
		}
	}
	if err := f.Admits(t.Context(), landing, "r=s"); err != nil {
		t.Error(err)
	}
	f.start("r=s")
	f.balance()
}

// TestDatesAndPause: outside its dates, and while it is paused, a study takes nobody, and interviews under way go on.
func TestDatesAndPause(t *testing.T) {
	t.Parallel()
	g := small()
	f := setup(t, g, 100*wallet.Credit)
	now := f.Store.Now()
	g.Config.Fieldwork = guide.Fieldwork{StartsAt: now.Add(30 * time.Minute), EndsAt: now.Add(2 * time.Hour)}
	f.study = launch(t, f.Store, f.org, f.wallet, g)
	refused := func(want error) {
		t.Helper()
		landing, err := f.Study(t.Context(), f.study.LinkID)
		if err != nil {
			t.Fatal(err)
		}
		mustFail(t, f.Admits(t.Context(), landing, ""), want)
		_, _, err = f.Start(t.Context(), f.study.LinkID, "", "")
		mustFail(t, err, want)
	}
	refused(fieldwork.ErrNotStarted)
	f.clock.Advance(time.Hour)
	token, at := f.start("")
	authors := &authoring.Service{Store: f.Store}
	if paused, err := authors.Pause(t.Context(), f.study); err != nil || paused.Status != study.Paused {
		t.Fatal(paused.Status, err)
	}
	refused(study.ErrPaused)
	at = f.answer(token, at, yes)
	if live, err := authors.Reopen(t.Context(), f.study); err != nil || live.Status != study.Live {
		t.Fatal(live.Status, err)
	}
	f.start("")
	f.clock.Advance(2 * time.Hour)
	refused(fieldwork.ErrEnded)
	if end := f.finish(token, at); end.Step.Kind != interview.StepComplete {
		t.Errorf("it ends as %s", end.Step.Kind)
	}
}

// TestPlacesUnderLoad: many participants at once, who send everything twice, on two services with caches of their own: no cell has more
// places than its limit, and none is lost.
func TestPlacesUnderLoad(t *testing.T) {
	t.Parallel()
	const limit, people = 3, 40
	f := setup(t, grid(limit), 100*wallet.Credit)
	other := &fieldwork.Service{Store: f.Store, Moderator: f.moderator}
	var all sync.WaitGroup
	var mu sync.Mutex
	ends := map[string]int{} // by cell, or "full" and the cell
	for i := range people {
		all.Go(func() {
			region, age := []string{"n", "s"}[i%2], []string{"young", "old"}[i/2%2]
			end, err := takeTwice(t.Context(), f.Service, other, f.study.LinkID, "r="+region, age, fmt.Sprintf("participant number %d", i))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			cell := age + "/" + region
			if end.Step.QuotaFull != nil {
				cell = "full " + end.Step.QuotaFull.Cell
			}
			ends[cell]++
		})
	}
	all.Wait()
	counts, err := f.Store.View().PlaceCounts(t.Context(), f.study.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, age := range []string{"young", "old"} {
		for _, region := range []string{"n", "s"} {
			cell := age + "/" + region
			want := store.PlaceCount{Complete: limit, TurnedAway: people/4 - limit}
			if got := counts[guide.CellRef{Quota: "grid", Cell: cell}]; got != want || ends[cell] != limit || ends["full "+cell] != people/4-limit {
				t.Errorf("%s: %+v, and %d completed, %d were turned away", cell, got, ends[cell], ends["full "+cell])
			}
		}
	}
	if f.completed() != 4*limit {
		t.Errorf("%d completed", f.completed())
	}
	if got := f.balance(); got.Usage != 4*limit*wallet.Credit {
		t.Errorf("usage is %v, want what completed", got.Usage)
	}
}

// takeTwice takes an interview to its end. Every request is sent to both services at once.
func takeTwice(ctx context.Context, one, two *fieldwork.Service, link, query, age, key string) (end fieldwork.View, err error) {
	both := func(request func(*fieldwork.Service) (fieldwork.View, error)) (view fieldwork.View, err error) {
		var wait sync.WaitGroup
		views, errs := make([]fieldwork.View, 2), make([]error, 2)
		for i, s := range []*fieldwork.Service{one, two} {
			wait.Go(func() { views[i], errs[i] = request(s) })
		}
		wait.Wait()
		if views[0].Step.ID != views[1].Step.ID || (views[0].Step.QuotaFull == nil) != (views[1].Step.QuotaFull == nil) {
			return view, fmt.Errorf("the first service stands at %+v, the second at %+v: %w", views[0].Step, views[1].Step, errors.Join(errs...))
		}
		return views[0], errors.Join(errs...)
	}
	tokens := make(chan string, 2)
	at, err := both(func(s *fieldwork.Service) (fieldwork.View, error) {
		token, view, err := s.Begin(ctx, fieldwork.StartRequest{LinkID: link, Query: query, Key: key})
		tokens <- token
		return view, err
	})
	token := <-tokens
	if other := <-tokens; err != nil || other != token {
		return at, fmt.Errorf("two starts with one key: %s and %s, %w", token, other, err)
	}
	for !at.Step.Ended() {
		answer := anyAnswer(at.Step)
		if at.Step.Item.ID == "age" {
			answer = choose(age)
		}
		step := at.Step.ID
		if at, err = both(func(s *fieldwork.Service) (fieldwork.View, error) { return s.Answer(ctx, token, step, answer) }); err != nil {
			return at, err
		}
	}
	return at, nil
}

// TestRejectedLater: who is screened out after their cell was settled gives the place back.
func TestRejectedLater(t *testing.T) {
	t.Parallel()
	g := grid(1)
	slices.Reverse(g.Blocks[0].Items) // age comes first
	f := setup(t, g, 100*wallet.Credit)
	token, at := f.start("r=n")
	at = f.answer(token, at, choose("young"))
	f.wantPlaces("young/n 1 0 0")
	f.answer(token, at, no)
	f.wantPlaces("")
}

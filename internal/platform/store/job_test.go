package store_test

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func enqueue(t *testing.T, s *store.Store, jobs ...store.Job) {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) error {
		for _, j := range jobs {
			if err := tx.Enqueue(t.Context(), j); err != nil {
				return err
			}
		}
		return nil
	})
}

func claim(t *testing.T, s *store.Store, limit int) (jobs []store.Job) {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		jobs, err = tx.ClaimJobs(t.Context(), store.Queue{}, limit, time.Minute)
		return err
	})
	return jobs
}

func counts(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	got, err := s.View().JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestJobsAreClaimedOnce(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	handles := []*store.Store{storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})}
	const jobs = 30
	for range jobs {
		enqueue(t, handles[0], store.Job{Kind: "k"})
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for {
				claimed := claim(t, handles[i%2], 3)
				if len(claimed) == 0 {
					return
				}
				mu.Lock()
				for _, j := range claimed {
					if seen[j.ID] || j.Attempt != 1 {
						t.Errorf("job %s was claimed twice, or at attempt %d", j.ID, j.Attempt)
					}
					seen[j.ID] = true
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(seen) != jobs {
		t.Errorf("%d jobs were claimed, want %d", len(seen), jobs)
	}
}

func TestJobLife(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	ctx := t.Context()
	enqueue(t, s, store.Job{Kind: "k", Args: "a", ResponseID: "r"}, store.Job{Kind: "later", RunAt: clock.Now().Add(time.Hour)})
	due := func(want bool) {
		t.Helper()
		if got, err := s.View().HasDueJobs(ctx, store.Queue{}); err != nil || got != want {
			t.Errorf("HasDueJobs = %v, %v, want %v", got, err, want)
		}
	}
	due(true) // although the clock has stood still since before the job was added
	jobs := claim(t, s, 10)
	if len(jobs) != 1 || jobs[0].Kind != "k" || jobs[0].Args != "a" || jobs[0].ResponseID != "r" || jobs[0].Attempt != 1 {
		t.Fatalf("claimed %+v, want the one due", jobs)
	}
	due(false)
	first := jobs[0]

	clock.Advance(59 * time.Second)
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.ExtendLeases(ctx, []string{first.ID, "gone"}, time.Minute) })
	clock.Advance(59 * time.Second)
	if got := claim(t, s, 10); len(got) != 0 {
		t.Errorf("claimed %+v although the lease was extended", got)
	}
	clock.Advance(2 * time.Second)
	due(true)
	second := claim(t, s, 10)
	if len(second) != 1 || second[0].ID != first.ID || second[0].Attempt != 2 {
		t.Fatalf("claimed %+v after the lease, want the job again", second)
	}

	storetest.Write(t, s, func(tx *store.Tx) error { // the first run was only slow
		if err := tx.RetryJob(ctx, first, tx.Now(), "late"); err != nil {
			return err
		}
		if err := tx.ReturnJob(ctx, first); err != nil {
			return err
		}
		own, err := tx.DiscardJob(ctx, first, "late")
		if own {
			t.Error("a run that lost its lease may discard the job")
		}
		return err
	})
	if diff := cmp.Diff(map[string]int{"running": 1, "ready": 1}, counts(t, s)); diff != "" {
		t.Errorf("after the late ends of the first run (-want +got):\n%s", diff)
	}

	storetest.Write(t, s, func(tx *store.Tx) error { return tx.ReturnJob(ctx, second[0]) })
	if third := claim(t, s, 10); len(third) != 1 || third[0].Attempt != 2 {
		t.Fatalf("claimed %+v, want attempt 2 again, for a return does not count", third)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.RetryJob(ctx, second[0], tx.Now().Add(time.Minute), "no luck") })
	due(false)
	clock.Advance(61 * time.Second)
	fourth := claim(t, s, 10)
	if len(fourth) != 1 || fourth[0].Attempt != 3 {
		t.Fatalf("claimed %+v, want attempt 3", fourth)
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		own, err := tx.DiscardJob(ctx, fourth[0], "enough")
		if !own {
			t.Error("the run may not discard its own job")
		}
		return err
	})
	clock.Advance(time.Hour)
	last := claim(t, s, 10)
	if len(last) != 1 || last[0].Kind != "later" {
		t.Fatalf("claimed %+v, want the later job alone", last)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.FinishJob(ctx, last[0].ID) })
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.FinishJob(ctx, last[0].ID) })
	if diff := cmp.Diff(map[string]int{"dead": 1}, counts(t, s)); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
}

func TestJobsOldestFirst(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	for _, age := range []int{2, 5, 1, 4, 3} {
		enqueue(t, s, store.Job{Kind: "k", RunAt: clock.Now().Add(-time.Duration(age) * time.Minute)})
	}
	var ages []int
	for range 5 {
		for _, j := range claim(t, s, 1) {
			ages = append(ages, int(clock.Now().Sub(j.RunAt).Minutes()))
		}
	}
	if diff := cmp.Diff([]int{5, 4, 3, 2, 1}, ages); diff != "" {
		t.Errorf("ages in the order claimed (-want +got):\n%s", diff)
	}
}

func TestWakeFollowsTheCommit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	wake := make(chan struct{}, 1)
	s.Wake(wake)
	awake := func() bool {
		select {
		case <-wake:
			return true
		default:
			return false
		}
	}
	storetest.Org(t, s)
	if awake() {
		t.Error("woken without a job")
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		err := tx.Enqueue(t.Context(), store.Job{Kind: "k"})
		if awake() {
			t.Error("woken before the commit")
		}
		return err
	})
	if !awake() {
		t.Error("not woken after the commit")
	}
	for range 3 { // nobody receives: it must not block
		enqueue(t, s, store.Job{Kind: "k"})
	}
	if first, second := awake(), awake(); !first || second {
		t.Errorf("awake, then again: %v, %v, want once for three jobs", first, second)
	}
}

func TestQueues(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	enqueue(t, s, store.Job{Kind: "slow"}, store.Job{Kind: "quick"}, store.Job{Kind: "slow"})
	for _, tt := range []struct {
		queue store.Queue
		want  []string
	}{
		{store.Queue{Name: "quick"}, []string{"quick"}},
		{store.Queue{Name: "quick"}, nil},
		{store.Queue{Name: "slow"}, []string{"slow", "slow"}},
		{store.Queue{}, nil},
	} {
		due, err := s.View().HasDueJobs(t.Context(), tt.queue)
		if err != nil || due != (len(tt.want) > 0) {
			t.Errorf("%+v: due %t, %v", tt.queue, due, err)
		}
		var got []string
		storetest.Write(t, s, func(tx *store.Tx) error {
			jobs, err := tx.ClaimJobs(t.Context(), tt.queue, 10, time.Minute)
			for _, j := range jobs {
				got = append(got, j.Kind)
			}
			return err
		})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.queue, diff)
		}
	}
}

// TestJobsAreFairByOrganization: one organization enqueues many jobs before another enqueues few, and a third comes while
// those are being run.
func TestJobsAreFairByOrganization(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	for range 100 {
		enqueue(t, s, store.Job{Kind: "film", OrgID: "many"})
	}
	enqueue(t, s, store.Job{Kind: "film", OrgID: "few"}, store.Job{Kind: "film", OrgID: "few"})
	next := func() (org string) {
		t.Helper()
		storetest.Write(t, s, func(tx *store.Tx) error {
			jobs, err := tx.ClaimJobs(t.Context(), store.Queue{Name: "film"}, 1, time.Hour)
			if err != nil || len(jobs) != 1 {
				t.Fatalf("%d jobs, %v", len(jobs), err)
			}
			org = jobs[0].OrgID
			return tx.FinishJob(t.Context(), jobs[0].ID)
		})
		return org
	}
	served := map[string]int{}
	for range 4 {
		served[next()]++
	}
	if served["few"] != 2 || served["many"] != 2 {
		t.Errorf("the first four claimed %v, want two of each", served)
	}
	for range 20 {
		next()
	}
	clock.Advance(time.Second)
	for range 30 {
		enqueue(t, s, store.Job{Kind: "film", OrgID: "late"})
	}
	served = map[string]int{}
	for range 20 {
		served[next()]++
	}
	if served["late"] < 9 || served["many"] < 9 {
		t.Errorf("of the next twenty %v were served, want ten of each", served)
	}
}

// TestAPlaceStaysForOtherOrganizations: one organization enqueues many jobs for two slots, and another comes later.
func TestAPlaceStaysForOtherOrganizations(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	running := map[string]int{}
	next := func(free int, want ...string) {
		t.Helper()
		queue := store.Queue{Name: "film", Each: 1, Running: maps.Clone(running)}
		due, err := s.View().HasDueJobs(t.Context(), queue)
		if err != nil || due != (len(want) > 0) {
			t.Errorf("due %t, %v, while these run: %v", due, err, running)
		}
		var got []string
		storetest.Write(t, s, func(tx *store.Tx) error {
			jobs, err := tx.ClaimJobs(t.Context(), queue, free, time.Hour)
			for _, j := range jobs {
				got = append(got, j.OrgID)
				running[j.OrgID]++
			}
			return err
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("claimed (-want +got):\n%s", diff)
		}
	}
	for range 10 {
		enqueue(t, s, store.Job{Kind: "film", OrgID: "many"}, store.Job{Kind: "other", OrgID: "few"})
	}
	next(2, "many")
	next(1)
	enqueue(t, s, store.Job{Kind: "film", OrgID: "few"}, store.Job{Kind: "film", OrgID: "few"})
	next(1, "few")
	next(5)
	delete(running, "many")
	next(1, "many")
	delete(running, "few")
	next(1, "few")
	// Jobs of no organization are not bounded.
	enqueue(t, s, store.Job{Kind: "film"}, store.Job{Kind: "film"})
	next(3, "", "")
}

// TestQueueIsNotTheKind: a queue has jobs of several kinds, whose organizations take turns as in one.
func TestQueueIsNotTheKind(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 3 {
		enqueue(t, s, store.Job{Kind: "film", Queue: "slow", OrgID: "many"})
	}
	enqueue(t, s, store.Job{Kind: "voice", Queue: "slow", OrgID: "few"}, store.Job{Kind: "slow", Queue: "quick", OrgID: "few"})
	for _, queue := range []store.Queue{{Name: "film"}, {Name: "voice", Each: 1, Running: map[string]int{"many": 1}}} {
		if due, err := s.View().HasDueJobs(t.Context(), queue); err != nil || due {
			t.Errorf("jobs are due in queue %s: %t, %v", queue.Name, due, err)
		}
	}
	var got []string
	storetest.Write(t, s, func(tx *store.Tx) error {
		for range 5 {
			jobs, err := tx.ClaimJobs(t.Context(), store.Queue{Name: "slow"}, 1, time.Hour)
			if err != nil {
				return err
			}
			for _, j := range jobs {
				got = append(got, j.Kind)
			}
		}
		return nil
	})
	if diff := cmp.Diff([]string{"film", "voice", "film", "film"}, got); diff != "" && !slices.Equal(got, []string{"voice", "film", "film", "film"}) {
		t.Errorf("kinds in the order claimed (-want +got):\n%s", diff)
	}
}

// TestJobsBesideThePreviousRelease: servers of the previous release enqueue without a queue and claim by kind. Both find the jobs
// of both.
func TestJobsBesideThePreviousRelease(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	insert := `insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, turn)
		values ('old', 'film', '', null, 'ready', 1, 1, 'o', 1)`
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.Exec(t.Context(), insert) })
	enqueue(t, s, store.Job{Kind: "film", Queue: "film", OrgID: "o"})
	var due int
	_, read := s.Handles()
	if err := read.QueryRowContext(t.Context(), `select count(*) from job where state = 'ready' and kind = 'film'`).Scan(&due); err != nil || due != 2 {
		t.Errorf("by kind %d jobs are found, %v", due, err)
	}
	for _, queue := range []store.Queue{{Name: "film"}, {Name: "film", Each: 2, Running: map[string]int{"p": 2}}} {
		if due, err := s.View().HasDueJobs(t.Context(), queue); err != nil || !due {
			t.Errorf("due: %t, %v", due, err)
		}
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		claimed, err := tx.ClaimJobs(t.Context(), store.Queue{Name: "film"}, 1, time.Hour)
		if err == nil && (len(claimed) != 1 || claimed[0].ID != "old") {
			t.Errorf("first %+v was claimed, want the job of the previous release", claimed)
		}
		return err
	})
	storetest.Write(t, s, func(tx *store.Tx) error {
		claimed, err := tx.ClaimJobs(t.Context(), store.Queue{Name: "film"}, 10, time.Hour)
		if err == nil && len(claimed) != 1 {
			t.Errorf("then %+v was claimed, want the other job", claimed)
		}
		return err
	})
}

// TestTheOrganizationOfAJobIsItsResponses: the organization is looked up where the job does not name it.
func TestTheOrganizationOfAJobIsItsResponses(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	enqueue(t, sc.Store, store.Job{Kind: "film", ResponseID: r.ID})
	if jobs := claim(t, sc.Store, 1); len(jobs) != 1 || jobs[0].OrgID != sc.Org.ID {
		t.Errorf("claimed %+v", jobs)
	}
}

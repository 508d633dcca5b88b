package kill

import (
	"context"
	"flag"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

var kills = flag.Int("kills", 50, "how often the server is killed (5 with -short)")

const (
	deposit      = 100_000
	interviewers = 6
)

// facts records what the server acknowledged.
type facts struct {
	mu         sync.Mutex
	interviews []*taken
	studies    []created
	deletions  map[string]string // deletion id by response id
}

// taken is one interview as its participant remembers it.
type taken struct {
	token    string
	said     []string // acknowledged open answers, each unique in the world
	finished bool
}

// created is one study whose creation was acknowledged.
type created struct {
	id, title string
}

// TestKill kills servers during interviews, creates, launches and deletions, and compares: the one server of a SQLite database or, where
// the suites run on PostgreSQL, three over one database, in turn, while every request goes to the next node, whichever answered the one
// before.
func TestKill(t *testing.T) {
	if storetest.OnPostgres() {
		run(t, newProgram(t, 3, storetest.Address(t), ""))
		return
	}
	run(t, newProgram(t, 1, "", ""))
}

func run(t *testing.T, p *program) {
	rounds := *kills
	if testing.Short() {
		rounds = 5
	}
	w, main := begin(t, p)
	work, stop := context.WithCancel(t.Context())
	defer stop()
	var workers sync.WaitGroup
	for n := range interviewers {
		workers.Go(func() { w.interviewLoop(work, n) })
	}
	workers.Go(func() { w.studyLoop(work) })
	workers.Go(func() { w.deleteLoop(work, main) })
	var restarts []time.Duration
	var slowest time.Duration
	for round := range rounds {
		<-time.After(time.Duration(40+rand.IntN(260)) * time.Millisecond) // the time of the kill is the experiment
		victim := p.nodes[round%len(p.nodes)]
		victim.kill()
		took := p.start(victim)
		restarts = append(restarts, took)
		slowest = max(slowest, took)
	}
	stop()
	workers.Wait()
	if t.Failed() {
		return
	}
	w.finishAll(t, main)
	w.compare(t, main)
	w.audit(t)
	slices.Sort(restarts)
	t.Logf("%d kills of %d node(s); %d interviews started, %d finished, %d answers, %d studies, %d deletions; restart to ready: median %v, slowest %v",
		rounds, len(p.nodes), len(w.interviews), w.finished(), w.answers(), len(w.studies), len(w.deletions), restarts[len(restarts)/2], slowest)
}

// finishAll finishes the interviews under way and waits until every job is done.
func (w *world) finishAll(t *testing.T, studyID string) {
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for _, i := range w.interviews {
		if !i.finished {
			w.errs(t, w.goOn(ctx, i))
		}
	}
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		analysed, err := w.list(ctx, studyID, "&includeInProgress=false")
		w.errs(t, err)
		ended, orphans := 0, 0
		all, err := w.list(ctx, studyID, "")
		w.errs(t, err)
		for _, item := range all {
			if item.Progress == "in_progress" {
				orphans++ // its start was stored, and the answer that held its token never arrived
			} else {
				ended++
			}
		}
		if orphans > *kills*interviewers {
			t.Fatalf("%d interviews are in progress; nobody knows of them", orphans)
		}
		if ended == len(analysed) && w.deletionsDone(ctx, t) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the jobs did not come to an end: %d of %d analysed", len(analysed), ended)
		case <-poll.C:
		}
	}
}

func (w *world) deletionsDone(ctx context.Context, t *testing.T) bool {
	for response, id := range w.deletions {
		var receipt struct{ ResponseID, Status string }
		r, err := w.insist(ctx, http.MethodGet, "/api/public/v1/response-deletions/"+id, w.key, nil)
		w.errs(t, err)
		w.errs(t, r.decode(&receipt))
		if receipt.ResponseID != response {
			t.Fatalf("deletion %s: %s", id, r.body)
		}
		if receipt.Status != "completed" {
			return false
		}
	}
	return true
}

// compare compares what the server returns now with what it acknowledged.
func (w *world) compare(t *testing.T, studyID string) {
	ctx := t.Context()
	items, err := w.list(ctx, studyID, "")
	w.errs(t, err)
	words := map[string]int{}
	for _, item := range items {
		for _, a := range item.AnswersArray {
			for part := range strings.SplitSeq(a.Answer, "\n\n") {
				words[part]++
			}
		}
		if _, deleted := w.deletions[item.ID]; deleted {
			t.Errorf("response %s was deleted and is still listed", item.ID)
		}
	}
	gone := 0
	for _, i := range w.interviews {
		r, err := w.insist(ctx, http.MethodGet, "/i/"+i.token, "", nil)
		w.errs(t, err)
		if r.status == http.StatusGone {
			gone++
			continue
		}
		if r.status != http.StatusOK {
			t.Errorf("interview %s: %d %s", i.token, r.status, r.body)
		}
		for _, said := range i.said {
			if words[said] != 1 {
				t.Errorf("the acknowledged answer %q is there %d times", said, words[said])
			}
		}
	}
	if gone > len(w.deletions) {
		t.Errorf("%d interviews are gone, %d were deleted", gone, len(w.deletions))
	}
	w.compareStudies(t)
}

func (w *world) compareStudies(t *testing.T) {
	r, err := w.insist(t.Context(), http.MethodGet, "/api/public/v1/studies", w.key, nil)
	w.errs(t, err)
	var listed []struct{ ID, Title string }
	w.errs(t, r.decode(&listed))
	count := map[string]int{}
	for _, s := range listed {
		count[s.ID]++
		count[s.Title]++
	}
	for _, s := range w.studies {
		if count[s.id] != 1 || count[s.title] != 1 {
			t.Errorf("study %q was created once and is there %d times", s.title, count[s.title])
		}
	}
}

// audit checks the ledger and the counts: offline, in the database itself, and through the API.
func (w *world) audit(t *testing.T) {
	r, err := w.insist(t.Context(), http.MethodGet, "/api/public/v1/wallets", w.key, nil)
	w.errs(t, err)
	var wallets struct {
		Wallets []struct {
			ProjectCreditBalance struct{ Balance, Usage float64 }
		}
	}
	w.errs(t, r.decode(&wallets))
	balance := wallets.Wallets[0].ProjectCreditBalance
	if balance.Balance+balance.Usage != deposit {
		t.Errorf("balance %v and usage %v do not make the deposit %v", balance.Balance, balance.Usage, deposit)
	}
	for _, n := range w.nodes {
		n.kill()
	}
	s, err := store.Open(t.Context(), w.database, store.Options{})
	w.errs(t, err)
	defer s.Close()
	violations, err := s.View().AuditLedger(t.Context())
	w.errs(t, err)
	for _, violation := range violations {
		t.Errorf("ledger: %s", violation)
	}
}

func (w *world) errs(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) finished() (n int) {
	for _, i := range w.interviews {
		if i.finished {
			n++
		}
	}
	return n
}

func (w *world) answers() (n int) {
	for _, i := range w.interviews {
		n += len(i.said)
	}
	return n
}

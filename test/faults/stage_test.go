package faults

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stage is the place where one fault happens: a study with people at work, and the results.
type stage struct {
	t *testing.T
	*system
	account
	studyID string
	link    string
	load    *load
	besides atomic.Int64 // interviews of the same account in other studies

	mu  sync.Mutex // guards the fields below
	row row
}

// maxViolations bounds the failures that are listed of one row; the first few show what is wrong.
const maxViolations = 5

// fail records why a row does not pass.
func (s *stage) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.row.violations) == maxViolations {
		return
	}
	s.row.violations = append(s.row.violations, fmt.Sprintf(format, args...))
}

// failLong records why a row does not pass in the long form: marks on time mean nothing on a machine that does other work.
func (s *stage) failLong(format string, args ...any) {
	if *long {
		s.fail(format, args...)
	}
}

// note adds a figure to the row.
func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.row.notes = append(s.row.notes, fmt.Sprintf(format, args...))
}

// must ends the row if the suite itself cannot go on.
func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// dict is a JSON object.
type dict = map[string]any

// guide returns the study guide: an open question with follow-ups, a choice, a MaxDiff question, and another open one.
func guide(mode string) dict {
	options := func(texts ...string) (all []dict) {
		for _, text := range texts {
			all = append(all, dict{"text": text})
		}
		return all
	}
	g := dict{"title": "Faults", "studyGuide": []any{dict{"type": "flat", "title": "", "items": []any{
		dict{"type": "open_ended", "text": "What happened?", "followUp": "light"},
		dict{"type": "multiple_choice", "text": "Which one?", "options": options("a", "b", "c")},
		dict{"type": "max_diff", "text": "Best and worst?", "options": options("u", "v", "w", "x", "y"), "metric": "worth"},
		dict{"type": "open_ended", "text": "Anything else?", "followUp": "none"},
	}}}}
	if mode != "" {
		g["config"] = dict{"interviewMode": mode}
	}
	return g
}

// study creates and launches a study.
func (s *system) study(t *testing.T, a account, g dict) (id, link string) {
	t.Helper()
	ask := func(want int, path string, body, v any) {
		r, err := send(t.Context(), probe, s.nodes[0].address, http.MethodPost, "/api/public/v1/studies/"+path, body, "X-Api-Key", a.key)
		if err == nil && r.status == want {
			err = r.decode(v)
		}
		if err != nil || r.status != want {
			t.Fatalf("%s: %d %.300s, %v", path, r.status, r.body, err)
		}
	}
	var made struct{ ID, LinkID string }
	ask(http.StatusCreated, "create", g, &made)
	id = made.ID
	ask(http.StatusOK, id+"/launch", dict{}, &made)
	return id, made.LinkID
}

// newStage creates an organization and a study on running nodes, with nobody at work yet.
func newStage(t *testing.T, sys *system, timeout time.Duration) *stage {
	t.Helper()
	s := &stage{t: t, system: sys, account: sys.account(t)}
	s.studyID, s.link = sys.study(t, s.account, guide(""))
	s.load = newLoad(s.link, s.key, timeout)
	return s
}

// patient is how long people wait for one answer if no node is cut off from them: a late answer is no failure.
const patient = 45 * time.Second

// within is how long the work after a fault may take on a busy machine: finishing interviews and jobs.
const within = 90 * time.Second

// finish lets everybody finish, waits for the jobs, and compares what the service returns with what it acknowledged.
func (s *stage) finish() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), within+maxWaiting)
	defer cancel()
	s.load.end()
	s.row.requests, s.row.failed = s.load.count.Load(), len(s.load.failures)
	for _, wrong := range s.load.wrong {
		s.fail("%s", wrong)
	}
	if some := kinds(s.load.failures); some != "" {
		s.note("failed: %s", some)
	}
	for _, n := range s.nodes {
		if !n.alive() {
			s.fail("%s has ended", n.name)
			s.must(n.start(ctx))
		}
		s.must(n.waitReady(ctx))
	}
	s.jobsDone(ctx)
	s.compare(ctx)
	s.books(ctx)
}

// jobsDone waits until no job is left.
func (s *stage) jobsDone(ctx context.Context) {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for begun := time.Now(); ; {
		counts, err := s.store.View().JobCounts(ctx)
		s.must(err)
		if counts["dead"] > 0 {
			s.fail("%d jobs were discarded", counts["dead"])
			return
		}
		if counts["ready"]+counts["running"] == 0 {
			return
		}
		if time.Since(begun) > within {
			s.fail("jobs are left after %v: %v", within, counts)
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			s.fail("jobs are left: %v", counts)
			return
		}
	}
}

// read reads from one node, which must answer 200.
func (s *stage) read(ctx context.Context, n *node, path string) []byte {
	var last string
	for range 50 { // after a fault some of a node's connections may be broken
		r, err := send(ctx, s.load.client, n.address, http.MethodGet, path, nil, "X-Api-Key", s.key)
		if err == nil && r.status == http.StatusOK {
			return r.body
		}
		last = fmt.Sprintf("%d %.200s, %v", r.status, r.body, err)
		<-time.After(100 * time.Millisecond)
	}
	s.fail("%s answers %s: %s", n.name, path, last)
	return nil
}

// compare looks for acknowledged answers that are missing or doubled, and reads the same from each node.
func (s *stage) compare(ctx context.Context) {
	list := "/api/public/v1/responses/" + s.link + "?perPage=10000"
	first := s.read(ctx, s.nodes[0], list)
	for _, n := range s.nodes[1:] {
		if !bytes.Equal(s.read(ctx, n, list), first) {
			s.fail("%s lists other responses than %s", n.name, s.nodes[0].name)
		}
	}
	var items []listed
	s.must(reply{body: first, status: http.StatusOK}.decode(&items))
	words, people, complete := map[string]int{}, map[string]int{}, 0
	for i, item := range items {
		for _, a := range item.AnswersArray {
			for part := range strings.SplitSeq(a.Answer, "\n\n") {
				words[part]++
			}
		}
		people[item.URLParams["pid"]]++
		if item.Progress == "complete" {
			complete++
		}
		if i%max(1, len(items)/5) == 0 {
			one := "/api/public/v1/responses/" + s.link + "/" + item.ID
			want := s.read(ctx, s.nodes[0], one)
			for _, n := range s.nodes[1:] {
				if !bytes.Equal(s.read(ctx, n, one), want) {
					s.fail("%s reads response %s otherwise than %s", n.name, item.ID, s.nodes[0].name)
				}
			}
		}
	}
	finished := 0
	for _, i := range s.load.interviews {
		if i.finished {
			finished++
		}
		for _, said := range i.said {
			s.row.answers++
			switch n := words[said]; {
			case n == 0:
				s.row.lost++
			case n > 1:
				s.row.doubled++
			}
		}
	}
	if s.row.lost+s.row.doubled > 0 {
		s.fail("%d of %d acknowledged answers are lost, %d doubled", s.row.lost, s.row.answers, s.row.doubled)
	}
	if complete != finished {
		s.fail("%d responses are complete, and %d participants finished", complete, finished)
	}
	if twice := len(items) - len(people); twice > 0 {
		s.note("%d people with two responses", twice)
		if *beginOnce {
			s.fail("%d people have two responses", twice)
		}
	}
	// The poller continues where it stopped.
	s.must(s.load.poll("researcher", []string{s.nodes[0].address}))
	var missed []string
	for _, item := range items {
		if seen := s.load.seen[item.ID]; seen != item.UpdatedAt {
			missed = append(missed, fmt.Sprintf("%s of %s as %q", item.ID, item.UpdatedAt, seen))
		}
	}
	if len(missed) > 0 {
		s.fail("the poller missed the last version of %d of %d responses, such as %s", len(missed), len(items), missed[0])
	}
	s.booksOf(ctx, complete, len(items)-complete+int(s.besides.Load()))
}

// booksOf compares the wallet with the interviews.
func (s *stage) booksOf(ctx context.Context, complete, underWay int) {
	for _, n := range s.nodes {
		var said struct {
			Wallets []struct {
				ProjectCreditBalance struct{ Balance, Usage float64 }
			}
		}
		body := s.read(ctx, n, "/api/public/v1/wallets")
		if err := (reply{body: body, status: http.StatusOK}).decode(&said); err != nil || len(said.Wallets) != 1 {
			s.fail("%s: wallets: %v", n.name, err)
			continue
		}
		w := said.Wallets[0].ProjectCreditBalance
		if w.Balance+w.Usage != deposit || w.Usage != float64(complete+underWay) {
			s.fail("%s: balance %v and usage %v of %d credits, with %d complete responses and %d under way", n.name, w.Balance, w.Usage, deposit, complete, underWay)
		}
	}
}

// books looks for errors in the ledger, the counts and the documents.
func (s *stage) books(ctx context.Context) {
	view := s.store.View()
	for _, audit := range []struct {
		name string
		run  func(context.Context) ([]string, error)
	}{{"ledger", view.AuditLedger}, {"counts", view.AuditCounts}, {"items", view.AuditItems}} {
		found, err := audit.run(ctx)
		s.must(err)
		if len(found) > 0 {
			s.fail("%s: %d faults, such as %s", audit.name, len(found), found[0])
		}
	}
}

// honest fails a row in which people were refused otherwise than by a clear 503 or 507 that names a time to try again. Connections that
// broke because a node was killed do not count.
func (s *stage) honest() {
	var bad []failure
	for _, f := range s.load.failures {
		if !f.honest() {
			bad = append(bad, f)
		}
	}
	if len(bad) > 0 {
		example := ""
		if at := slices.IndexFunc(bad, func(f failure) bool { return f.status > 0 }); at >= 0 {
			example = ", such as " + bad[at].text
		}
		s.fail("%d refusals are not clear: %s%s", len(bad), kinds(bad), example)
	}
}

// last waits: the length of a fault is the experiment.
func last(short, long time.Duration) { <-time.After(pick(short, long)) }

package generated

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim/test/contract"
	"verbatim/test/testserver"
)

var (
	requests = flag.Int("requests", 20_000, "how many requests are made (2,000 with -short)")
	seed     = flag.Uint64("seed", 20261122, "from which they are made")
)

// clients is the number of sequences of requests that run at the same time. Each has an organization of its own, so that it does not see
// the others' changes, and the answers of the two engines can be compared.
const clients = 8

// maxReported bounds how many violations are printed; the others are counted.
const maxReported = 40

func TestGenerated(t *testing.T) {
	t.Parallel()
	suite, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	n := *requests
	if testing.Short() {
		n = min(n, 2000)
	}
	binary := testserver.Build(t)
	engines := []*engine{newEngine(t, binary, "SQLite", ""), newEngine(t, binary, "PostgreSQL", postgres(t))}
	found := &report{of: map[string]*violation{}}
	var running sync.WaitGroup
	for number := range clients {
		worlds := make([]*world, len(engines))
		for i, e := range engines {
			worlds[i] = e.plant(t, number)
		}
		running.Go(func() {
			l := &client{
				number: number, suite: suite, worlds: worlds, report: found,
				maker: newMaker(suite, rand.New(rand.NewPCG(*seed, uint64(number)))), same: same{map[string]string{}, map[string]string{}},
			}
			l.run(t.Context(), n/clients)
		})
	}
	running.Wait()
	found.fail(t)
	covered := suite.Covered()
	t.Logf("seed %d: %d requests to each of %d engines; statuses %v; %d of %d documented cases seen",
		*seed, found.sent, len(engines), found.statuses, len(covered.Seen), len(covered.Seen)+len(covered.Missing))
	t.Logf("not seen: %s", strings.Join(unseen(covered), "; "))
	if len(covered.Seen) < leastCovered {
		t.Errorf("only %d documented cases were seen, and %d should be: the requests do not reach deep", len(covered.Seen), leastCovered)
	}
}

// leastCovered is the number of documented cases that even the short form meets.
const leastCovered = 60

// report collects violations. Equal ones are counted, and shown with their first request.
type report struct {
	mu       sync.Mutex
	of       map[string]*violation
	sent     int
	statuses map[int]int
}

type violation struct {
	times int
	first string
}

func (r *report) answered(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.statuses == nil {
		r.statuses = map[int]int{}
	}
	r.statuses[status]++
}

func (r *report) counted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
}

// add records a violation under a kind, which violations of one cause share.
func (r *report) add(kind, request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of[kind] == nil {
		r.of[kind] = &violation{first: request}
	}
	r.of[kind].times++
}

func (r *report) fail(t *testing.T) {
	t.Helper()
	kinds := slices.Sorted(maps.Keys(r.of))
	for i, kind := range kinds {
		if i == maxReported {
			t.Errorf("and %d violations of other kinds", len(kinds)-i)
			break
		}
		t.Errorf("%s\n    %d times, first with %s", kind, r.of[kind].times, r.of[kind].first)
	}
}

// clip truncates a text for a failure's message.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:limit], "?"), len(text))
}

// unseen returns the documented cases that no request met, except for those that only load or a failure of the server brings about.
func unseen(c contract.Coverage) (list []string) {
	for _, missing := range c.Missing {
		if missing.Status != 429 && missing.Status < 500 {
			list = append(list, missing.String())
		}
	}
	return list
}

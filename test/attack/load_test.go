package attack

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// load is the innocent use of the server: participants who answer and a researcher who reads, one request every few milliseconds in all. It
// runs in a process of its own, so that only the server, and not this process, can slow it down.
type load struct {
	world   *world
	link    string
	keys    []string
	process *loadProcess
}

// loadProcess is the process of the load: this program again, which follows orders in lines of JSON.
type loadProcess struct {
	orders  *json.Encoder
	reports *json.Decoder
}

// order starts the load on a server; it lasts until the next line.
type order struct{ Address, Link, Key string }

// loadVariable is set in the environment of the load's process.
const loadVariable = "VERBATIM_TEST_LOAD"

func TestMain(m *testing.M) {
	if os.Getenv(loadVariable) != "" {
		runLoad()
		return
	}
	flag.Parse()
	if *yields && os.Getenv(yieldedVariable) == "" {
		status, err := yieldToServer()
		if err == nil {
			os.Exit(status)
		}
		fmt.Fprintln(os.Stderr, "Attackers keep the usual priority:", err)
	}
	if os.Getenv(yieldedVariable) != "" {
		lowerSession()
	}
	os.Exit(m.Run())
}

// runLoad is the main loop of the load's process.
func runLoad() {
	orders, reports := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	w := &world{}
	w.addresses.Store(100_000) // not the addresses of the attacking process
	for {
		var told order
		if orders.Decode(&told) != nil {
			return // the test is over
		}
		w.server = &server{address: told.Address}
		c := &load{world: w, link: told.Link, keys: []string{told.Key}}
		l := c.work(func() { _ = orders.Decode(&order{}) })
		if reports.Encode(l) != nil {
			return
		}
	}
}

// yieldedVariable is set in the environment of attackers that have the lowest priority.
const yieldedVariable = "VERBATIM_TEST_YIELDED"

func startLoadProcess(t *testing.T) *loadProcess {
	t.Helper()
	process := atOnce(os.Args[0])
	process.Env = append(os.Environ(), loadVariable+"=1")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = process.Wait() // it ends with its input
	})
	return &loadProcess{json.NewEncoder(in), json.NewDecoder(out)}
}

const (
	participants = 4
	researchers  = 2
	// pause is the time between two requests of one of them.
	pause = 40 * time.Millisecond
)

// latencies are the measurements of the load.
type latencies struct {
	P99            time.Duration
	Asked, Refused int
	Example        string // a request that was refused
}

func newLoad(t *testing.T, w *world) *load {
	t.Helper()
	var items []any
	for i := range 40 {
		items = append(items, open(fmt.Sprintf("What of the %d. day do you remember?", i+1), "none"))
	}
	c := &load{world: w, keys: []string{w.innocent.Key}, process: startLoadProcess(t)}
	_, c.link = w.study(t, w.innocent, guideOf("Innocent", items...))
	return c
}

// during runs the load while something happens.
func (c *load) during(happens func()) (l latencies) {
	if err := c.process.orders.Encode(order{c.world.server.address, c.link, c.keys[0]}); err != nil {
		return latencies{Example: err.Error()}
	}
	happens()
	if err := c.process.orders.Encode(order{}); err != nil {
		return latencies{Example: err.Error()}
	}
	if err := c.process.reports.Decode(&l); err != nil {
		return latencies{Example: err.Error()}
	}
	return l
}

// work sends the load's requests while something happens.
func (c *load) work(happens func()) (l latencies) {
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	var took []time.Duration
	note := func(begun time.Time, r reply, err error, want int) bool {
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(begun))
		l.Asked++
		if err == nil && r.status == want {
			return true
		}
		l.Refused++
		l.Example = fmt.Sprintf("%d %.200s, %v", r.status, r.body, err)
		return false
	}
	var people sync.WaitGroup
	for range participants {
		people.Go(func() { c.participate(ctx, note) })
	}
	for n := range researchers {
		people.Go(func() { c.research(ctx, n, note) })
	}
	happens()
	stop()
	people.Wait()
	slices.Sort(took)
	if len(took) > 0 {
		l.P99 = took[min(len(took)-1, len(took)*99/100)]
	}
	return l
}

// participate takes interviews. It waits for requests that have begun, since a cut-off request says nothing.
func (c *load) participate(ctx context.Context, note func(time.Time, reply, error, int) bool) {
	person, at := c.world.somebody(), session{}
	for said := 0; wait(ctx); said++ {
		begun := time.Now()
		var r reply
		var err error
		want := http.StatusOK
		switch {
		case at.token == "" || at.step.ended():
			person = c.world.somebody()
			at, r, err = person.begin(context.WithoutCancel(ctx), c.link)
			want = http.StatusCreated
		case said%5 == 0:
			r, err = person.send(context.WithoutCancel(ctx), http.MethodGet, "/i/"+at.token, nil, "Accept", "text/html")
		default:
			r, err = person.answer(context.WithoutCancel(ctx), &at, dict{"text": fmt.Sprintf("I remember %d things of it.", said)})
		}
		note(begun, r, err, want)
	}
}

// research reads through the API.
func (c *load) research(ctx context.Context, n int, note func(time.Time, reply, error, int) bool) {
	person := c.world.somebody()
	paths := []string{"/api/public/v1/studies", "/api/public/v1/responses/" + c.link + "?perPage=20", "/api/public/v1/wallets", "/api/public/v1/studies/" + c.link + "/questions"}
	for i := n; wait(ctx); i++ {
		begun := time.Now()
		r, err := person.send(context.WithoutCancel(ctx), http.MethodGet, paths[i%len(paths)], nil, "X-Api-Key", c.keys[0])
		note(begun, r, err, http.StatusOK)
	}
}

// wait pauses between two requests; it reports whether to go on.
func wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

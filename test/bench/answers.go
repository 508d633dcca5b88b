package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/proxy"
)

// Answers are measured with participants of one study who answer as fast as they are asked. Databases and numbers of nodes take turns, so
// that a machine that is busier for a while is so for all of them.
const (
	answerDelay  = 2600 * time.Microsecond // added to a round trip to the database
	answerRounds = 5
	answersOfOne = 5 // in an interview
	manyNodes    = 3
)

// answerLoads are the numbers of participants: one that keeps a node as busy as it can be, and one so small for each node that it waits for
// the database rather than for a processor.
var answerLoads = []participantLoad{{people: 64}, {people: 6, each: true}}

type participantLoad struct {
	people int
	each   bool // people is per node
}

func (c participantLoad) String() string {
	if c.each {
		return fmt.Sprintf("%d a node", c.people)
	}
	return fmt.Sprint(c.people)
}

// place is a database with the nodes that serve it.
type place struct {
	name  string
	nodes []*process
	link  string       // of the study to answer
	jobs  *store.Store // to see when its jobs are done
}

// answerRate holds the figures of a load on the first nodes of a place.
type answerRate struct {
	place *place
	nodes int
	load  participantLoad
	each  []float64 // answers a second, a figure for each round
	cpu   []float64 // milliseconds of the nodes' processors for each answer
	took  []time.Duration
}

// rounds compares two measurements: it returns the median of the ratios of their rounds.
func (a *answerRate) rounds(of *answerRate) float64 {
	ratios := make([]float64, len(a.each))
	for i := range ratios {
		ratios[i] = a.each[i] / of.each[i]
	}
	return median(ratios)
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// runAnswers measures answers on SQLite and on PostgreSQL.
func runAnswers(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "verbatim-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	pg, err := pgtest.Start(ctx, "shared_buffers=256MB", "fsync=on", "max_wal_size=1GB")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Close()) }()
	line, err := proxy.Start(pg.Socket(), answerDelay/2)
	if err != nil {
		return err
	}
	defer line.Close()
	far := (&url.URL{Scheme: "postgres", User: url.User("postgres"), Host: line.Address(), Path: "/postgres", RawQuery: "sslmode=disable"}).String()

	sqlite := "sqlite:" + filepath.Join(dir, "sqlite", "verbatim.db")
	near := &place{name: "PostgreSQL"}
	places := []*place{{name: "SQLite"}, near, {name: fmt.Sprintf("PostgreSQL, %v away", answerDelay)}}
	for i, address := range []string{sqlite, pg.URL("postgres"), far} {
		p := places[i]
		if i < 2 {
			if p.link, err = answeredStudy(ctx, address); err != nil {
				return err
			}
			if p.jobs, err = store.Open(ctx, address, store.Options{}); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, p.jobs.Close()) }()
		} else {
			p.link, p.jobs = near.link, near.jobs
		}
		nodes := 1
		if i > 0 {
			nodes = manyNodes
		}
		for n := range nodes {
			node, err := start(ctx, exec.Command(o.binary, "serve", "--data", filepath.Join(dir, fmt.Sprint("node-", i, "-", n)), "--database", address,
				"--rate-limit", "0", "--max-connections", "0", "--max-network-connections", "0", "--listen"), "/readyz")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, node.stop()) }()
			p.nodes = append(p.nodes, node)
		}
	}

	var rates []*answerRate
	for _, c := range answerLoads {
		for _, p := range places {
			for n := 1; n <= len(p.nodes) && strings.Contains(p.name, o.only); n += manyNodes - 1 {
				rates = append(rates, &answerRate{place: p, nodes: n, load: c})
			}
		}
	}
	for round := range answerRounds + 1 { // the first warms up
		for _, r := range rates {
			err := r.measure(ctx, o.span, round > 0)
			if err == nil {
				err = r.place.waitForJobs(ctx)
			}
			if err != nil {
				return fmt.Errorf("%s, %d nodes: %w", r.place.name, r.nodes, err)
			}
		}
	}
	text := answerTable(rates, o)
	fmt.Print(text)
	if o.markdown == "" {
		return nil
	}
	return writeSection(o.markdown, "Answers", text)
}

// waitForJobs waits until the interviews that have ended are analysed, so that their analyses take nothing from the next measurement.
func (p *place) waitForJobs(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		counts, err := p.jobs.View().JobCounts(ctx)
		if err != nil || counts["ready"]+counts["running"] == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d jobs wait: %w", counts["ready"], ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// answeredStudy makes a database with a live study, billed to a wallet, and returns the study's link.
func answeredStudy(ctx context.Context, address string) (link string, err error) {
	s, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.Migrate(ctx); err != nil {
		return "", err
	}
	var items []guide.Item
	for n := range answersOfOne {
		items = append(items, guide.Item{ID: fmt.Sprint("q", n), Type: guide.OpenEnded, Text: "What did you like about it, and why?", FollowUp: guide.FollowUpNone})
	}
	g := guide.Encode(&guide.Guide{Title: "Bench", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Title: "Questions", Items: items}}})
	return link, s.Write(ctx, func(tx *store.Tx) error {
		scope, err := tx.CreateOrg(ctx, "Bench")
		if err != nil {
			return err
		}
		w, err := tx.CreateWallet(ctx, "Bench")
		if err != nil {
			return err
		}
		if err := tx.Deposit(ctx, w.ID, wallet.Project, 10_000_000*wallet.Credit); err != nil {
			return err
		}
		if err := tx.GrantWallet(ctx, wallet.Grant{WalletID: w.ID, OrgID: scope.ID}); err != nil {
			return err
		}
		st, err := tx.CreateStudy(ctx, study.Study{OrgID: scope.ID, Title: "Bench"}, g)
		if err != nil {
			return err
		}
		link = st.LinkID
		return tx.Publish(ctx, st, w.ID)
	})
}

// measure has the participants answer for the span, spread over the nodes. Figures of a round that is not kept are dropped.
func (r *answerRate) measure(ctx context.Context, span time.Duration, kept bool) error {
	ctx, cancel := context.WithTimeout(ctx, span+time.Minute)
	defer cancel()
	people := r.load.people
	if r.load.each {
		people *= r.nodes
	}
	used, err := r.used()
	if err != nil {
		return err
	}
	begun := time.Now()
	end := begun.Add(span)
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			own, err := answerOn(ctx, r.place.nodes[i%r.nodes].address, r.place.link, end)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			if failed == nil {
				failed = err // of one participant: most errors are alike
			}
		})
	}
	all.Wait()
	seconds := time.Since(begun).Seconds()
	usedAfter, err := r.used()
	if err = errors.Join(failed, err); err != nil || !kept {
		return err
	}
	if len(took) == 0 {
		return errors.New("nothing was answered")
	}
	r.each = append(r.each, float64(len(took))/seconds)
	r.cpu = append(r.cpu, (usedAfter-used).Seconds()*1000/float64(len(took)))
	r.took = append(r.took, took...)
	return nil
}

// used returns the processor time that the nodes have used so far.
func (r *answerRate) used() (sum time.Duration, err error) {
	for _, node := range r.place.nodes[:r.nodes] {
		used, err := node.cpu()
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}

// answerOn takes interviews one after the other until the end, without a pause, and returns the duration of each answer.
func answerOn(ctx context.Context, address, link string, end time.Time) (took []time.Duration, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	in := bufio.NewReader(conn)
	type standing struct {
		Token string
		Step  struct{ StepID, Kind string }
	}
	post := func(path string, body any) (at standing, err error) {
		text, err := json.Marshal(body)
		if err != nil {
			return at, err
		}
		const form = "POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
		return at, exchange(conn, in, fmt.Sprintf(form, path, len(text), text), &at)
	}
	for time.Now().Before(end) {
		at, err := post("/s/"+link+"/interviews", struct{}{})
		if err != nil {
			return took, err
		}
		for token := at.Token; at.Step.Kind == "question" && time.Now().Before(end); {
			begun := time.Now()
			if at, err = post("/i/"+token+"/answers", map[string]string{"stepId": at.Step.StepID, "text": said()}); err != nil {
				return took, err
			}
			took = append(took, time.Since(begun))
		}
	}
	return took, nil
}

// answerTable formats the section about answers.
func answerTable(rates []*answerRate, o options) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, answerIntro, answersOfOne, answerDelay, answerRounds, o.span, processor(), runtime.NumCPU(), runtime.Version())
	b.WriteString("| database | nodes | participants | answers/s | p50 ms | p99 ms | CPU ms of the nodes | against SQLite | against one node |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	against := func(r *answerRate, name string) string { // "" where that was not measured
		at := slices.IndexFunc(rates, func(one *answerRate) bool { return one.nodes == 1 && one.load == r.load && one.place.name == name })
		if at < 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", r.rounds(rates[at]))
	}
	for _, r := range rates {
		slices.Sort(r.took)
		scale := ""
		if r.nodes > 1 {
			scale = against(r, r.place.name)
		}
		fmt.Fprintf(&b, "| %s | %d | %v | %.0f | %s | %s | %.2f | %s | %s |\n", r.place.name, r.nodes, r.load, median(r.each),
			short(r.took[len(r.took)/2]), short(r.took[len(r.took)*99/100]), median(r.cpu), against(r, "SQLite"), scale)
	}
	return b.String()
}

const answerIntro = `Participants of one study, which is billed to a wallet, answer as fast as they are asked: interviews of %d open questions, each
begun and ended on the way. A proxy makes a round trip to the far database %v longer. All rows take turns, %d rounds of %v; a ratio is
the median of those of the rounds. The participants, the nodes and PostgreSQL share the machine: where all of its processors are busy, more
nodes cannot be faster, so rows with few participants on each node show whether nodes wait for each other.

Machine: %s, %d processors; %s.

`

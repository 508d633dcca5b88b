package faults

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	stormLasts      = flag.Duration("storm", 0, "how long TestStorm lasts at least: 5 s, or ten minutes with -long, unless given")
	stormInterviews = flag.Int("interviews", 0, "how many interviews TestStorm takes: 40, or 1,000 with -long, unless given")
	stormSeed       = flag.Uint64("seed", 0, "from which TestStorm draws its moments; 0: another one each time")
)

// TestStorm brings about every fault at random times, several at once, while people take interviews, some of them recorded, directly at the
// nodes and through Caddy. Afterwards the same must hold as in the rows of TestFaults.
func TestStorm(t *testing.T) {
	lasts, interviews, seed := *stormLasts, *stormInterviews, *stormSeed
	if lasts == 0 {
		lasts = pick(5*time.Second, 10*time.Minute)
	}
	if interviews == 0 {
		interviews = pick(40, 1000)
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	begun := time.Now()
	s := newStorm(t, seed)
	s.run(lasts, interviews)
	s.row.name, s.row.took = fmt.Sprintf("%d interviews", interviews), time.Since(begun)
	s.row.mark = "nothing lost or doubled, books balanced, every job done"
	s.note("%d interviews finished in %v of faults", len(s.load.interviews), lasts)
	s.note("seed %d", seed)
	t.Logf("\n%s", table([]row{s.row}))
	for _, violation := range s.row.violations {
		t.Error(violation)
	}
	if *markdown != "" {
		if err := write(*markdown, beginStorm, endStorm, []row{s.row}); err != nil {
			t.Error(err)
		}
	}
}

// storm is a stage on which faults come at random.
type storm struct {
	*stage
	w       *world
	ahead   string // a program whose clock is ahead
	disks   []*disk
	standby func(context.Context) error // promotes the standby; nil: there is none (any more)

	mu     sync.Mutex // guards the fields below
	random *rand.Rand
	count  map[string]int // of faults
}

func newStorm(t *testing.T, seed uint64) *storm {
	w := newWorld(t)
	w.stop()
	st := &storm{w: w, ahead: buildAhead(t), random: rand.New(rand.NewPCG(seed, 1)), count: map[string]int{}}
	ctx := t.Context()
	// PostgreSQL's tables are on a small disk, its standby's on another.
	var mappings []string
	if d, err := newDisk(t, 1<<30); err == nil {
		other, err := newDisk(t, 1<<30)
		w.must(t, err)
		st.disks = []*disk{d, other}
		from, to := w.tables(t, d), w.tables(t, other)
		mappings = []string{from + "=" + to}
		w.must(t, w.store.Close())
		w.must(t, w.sql(ctx, `create tablespace small location '`+from+`'`, `alter database `+role+` set tablespace small`))
		w.open(t, aside(w.server, role))
	}
	first := w.server
	standby, err := first.StartStandby(ctx, true, mappings...)
	w.must(t, err)
	t.Cleanup(func() { // before the disks are removed
		w.stop()
		if err := errors.Join(first.Stop(), standby.Close()); err != nil {
			t.Error(err)
		}
	})
	alone := w.database
	w.database = address(w.line, w.standby(standby))
	problem := w.nodes[0].start(ctx)
	if problem != nil {
		w.nodes[0].kill()
		w.database = alone
	} else {
		st.standby = func(ctx context.Context) error {
			if err := w.server.Kill(); err != nil {
				return err
			}
			if err := standby.Promote(ctx); err != nil {
				return err
			}
			w.server = standby
			if len(st.disks) > 0 {
				st.disks = st.disks[1:]
			}
			return nil
		}
	}
	w.start(t)
	st.stage = newStage(t, w.system, 10*time.Second)
	if problem != nil {
		st.fail("a node with two hosts does not start, so no standby is promoted: %v", problem)
		// The synchronous standby keeps following its primary.
	}
	if len(st.disks) == 0 {
		st.note("no disk was full: file systems cannot be mounted here")
	}
	return st
}

// errNothing means that a fault cannot happen again.
var errNothing = errors.New("nothing happened")

// stormFault is one kind of fault: it breaks something for some time, and repairs it.
type stormFault struct {
	name  string
	limit time.Duration // longest duration in the long form
	run   func(ctx context.Context, lasts time.Duration) error
}

func (s *storm) run(lasts time.Duration, interviews int) {
	ctx, cancel := context.WithTimeout(s.t.Context(), lasts+10*time.Minute)
	defer cancel()
	s.load.pause = pick(30*time.Millisecond, 1500*time.Millisecond)
	s.load.begins = make(chan struct{})
	s.load.participants(pick(8, 32), "participants", s.addresses()...)
	s.load.participants(pick(8, 32), "behind Caddy", s.w.caddy(s.t))
	s.load.researcher(s.addresses()...)
	var speaking sync.WaitGroup
	speakers := make([]*speaker, pick(2, 12))
	for i := range speakers {
		speakers[i] = s.newSpeaker()
		speaking.Go(func() {
			<-time.After(lasts * time.Duration(i) / time.Duration(len(speakers)))
			if _, err := speakers[i].record(ctx); err != nil {
				s.fail("a recording does not arrive: %v", err)
			}
		})
	}

	over := time.Now().Add(lasts)
	var queues sync.WaitGroup
	for _, queue := range [][]stormFault{s.nodeFaults(), s.databaseFaults(), s.objectFaults()} {
		queues.Go(func() {
			// Each kind happens once in any order, and then again until the time is over.
			for round := 0; round == 0 || time.Now().Before(over); round++ {
				for _, i := range s.shuffled(len(queue)) {
					if round > 0 && time.Now().After(over) {
						return
					}
					h := queue[i]
					<-time.After(s.upTo(pick(300*time.Millisecond, 15*time.Second)))
					switch err := h.run(ctx, s.upTo(pick(time.Second, h.limit))); err {
					case nil:
						s.happened(h.name)
					case errNothing:
					default:
						s.fail("%s: %v", h.name, err)
						return
					}
				}
			}
		})
	}
	for n := range interviews {
		if wait := time.Until(over.Add(-lasts + lasts*time.Duration(n)/time.Duration(interviews))); wait > 0 {
			<-time.After(wait)
		}
		s.load.begins <- struct{}{}
	}
	close(s.load.begins)
	queues.Wait()
	speaking.Wait()
	s.w.must(s.t, s.w.store.Close())
	s.w.open(s.t, aside(s.w.server, role))
	for _, n := range s.nodes {
		s.must(s.supervise(ctx, n))
	}
	s.finish()
	for _, p := range speakers {
		if p.answered {
			p.play(ctx)
		}
	}
	s.row.out = s.load.longest("", time.Time{})
	if len(s.load.interviews) != interviews {
		s.fail("%d interviews were begun, not %d", len(s.load.interviews), interviews)
	}
	var times []string
	for _, name := range slices.Sorted(maps.Keys(s.count)) {
		times = append(times, fmt.Sprintf("%s %d times", name, s.count[name]))
	}
	s.note("%s", strings.Join(times, ", "))
}

func (s *storm) shuffled(n int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.Perm(n)
}

// upTo draws a duration of at least a third of the limit.
func (s *storm) upTo(limit time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return limit/3 + time.Duration(s.random.Int64N(int64(limit)*2/3+1))
}

func (s *storm) happened(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[name]++
}

func (s *storm) victim() *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes[s.random.IntN(len(s.nodes))]
}

// supervise starts a node, again whenever it ends, until it is ready.
func (s *storm) supervise(ctx context.Context, n *node) error {
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for n.ready(ctx) != http.StatusOK {
		if !n.alive() {
			if err := n.run(); err != nil {
				return err
			}
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("%s does not become ready", n.name)
		}
	}
	return nil
}

func (s *storm) nodeFaults() []stormFault {
	return []stormFault{
		{"a node killed", 5 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			n := s.victim()
			n.kill()
			<-time.After(lasts)
			return s.supervise(ctx, n)
		}},
		{"a node frozen", 30 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			n := s.victim()
			if err := n.freeze(); err != nil {
				return err
			}
			<-time.After(lasts)
			return n.thaw()
		}},
		{"file handles short", 30 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			restore, err := s.victim().limitFiles(2)
			if err != nil {
				return err
			}
			<-time.After(lasts)
			return restore()
		}},
		{"a clock ahead", 60 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			n := s.victim()
			n.kill()
			n.binary = s.ahead
			if err := s.supervise(ctx, n); err != nil {
				return err
			}
			<-time.After(lasts)
			n.kill()
			n.binary = ""
			return s.supervise(ctx, n)
		}},
	}
}

func (s *storm) databaseFaults() []stormFault {
	all := []stormFault{
		{"PostgreSQL killed", 5 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			if err := s.w.server.Kill(); err != nil {
				return err
			}
			<-time.After(lasts)
			return s.w.server.Resume(ctx)
		}},
		{"PostgreSQL frozen", 15 * time.Second, func(_ context.Context, lasts time.Duration) error {
			for _, line := range s.w.lines() {
				line.Freeze()
			}
			<-time.After(lasts)
			for _, line := range s.w.lines() {
				line.Thaw()
			}
			return nil
		}},
		{"too few connections", 30 * time.Second, func(ctx context.Context, lasts time.Duration) error {
			if err := s.w.sql(ctx, `alter role `+role+` connection limit 20`, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '`+role+`'`); err != nil {
				return err
			}
			<-time.After(lasts)
			return s.w.sql(ctx, `alter role `+role+` connection limit -1`)
		}},
		{"a standby promoted", time.Second, func(ctx context.Context, _ time.Duration) error {
			if s.standby == nil {
				return errNothing
			}
			promote := s.standby
			s.standby = nil
			return promote(ctx)
		}},
	}
	if len(s.disks) > 0 {
		all = append(all, stormFault{"a disk full", 20 * time.Second, func(_ context.Context, lasts time.Duration) error {
			d := s.disks[0]
			if err := d.fill(); err != nil {
				return err
			}
			<-time.After(lasts)
			return d.empty()
		}})
	}
	return all
}

func (s *storm) objectFaults() []stormFault {
	return []stormFault{{"S3 down", 60 * time.Second, func(_ context.Context, lasts time.Duration) error {
		s.w.objects.Refuse(true)
		s.w.objects.Cut()
		<-time.After(lasts)
		s.w.objects.Refuse(false)
		return nil
	}}}
}

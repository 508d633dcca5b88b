package attack

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
)

var (
	long     = flag.Bool("long", false, "run the long form: more load, the attacks that take minutes, and a mark on innocent latency")
	yields   = flag.Bool("yield", false, "attack with the lowest priority, so that latencies measure the server and not what attackers compute on the same machine")
	binary   = flag.String("binary", "", "the server to attack; empty: it is built")
	markdown = flag.String("markdown", "", "file to write the table to, as Markdown")
	figures  = flag.String("figures", "", "file to write the figures to, as JSON, for another run's -before")
	before   = flag.String("before", "", "file of figures of another server, to stand in the Markdown beside this one's")
)

const mib = 1 << 20

// Limits that hold for every attack.
const (
	peakMark    = 512 * mib  // memory at any time of the run
	jsonMark    = 256 * mib  // memory while request bodies are the attack (point 1)
	fuse        = 1200 * mib // a server that grows beyond is killed, so that the machine of the test survives
	unservedOf  = 50         // at most one innocent request in this many may be refused
	latencyMark = 2.0        // by which the innocent p99 may grow at most, in the long form
	// Below latencyNoise a ratio of latencies means nothing: it measures the scheduler of a small machine.
	latencyNoise = 25 * time.Millisecond
)

// attack is one way to harm a server.
type attack struct {
	point    int    // of the list in docs/attacks.md
	name     string // what is sent
	mark     string // when the server passes, in words
	peak     int64  // limit of memory in bytes; 0: peakMark
	longOnly bool   // it takes minutes
	noRace   bool   // it measures what the race detector changes
	fresh    bool   // it needs a server that has not seen its clients before
	run      func(*stage)
}

// Points whose attacks are handled one by one, or are refused before anything is shared: the race detector finds nothing in them.
// And points whose attacks end before a database is asked, or are about what commands print: the engine changes nothing in them.
var (
	withoutSharing  = []int{1, 2, 4, 8, 9, 10}
	withoutDatabase = []int{1, 2, 5, 8}
)

// skipped reports whether an attack is left out of this run. The long form leaves none out, except under the race detector.
func (a attack) skipped() bool {
	switch {
	case raced && (a.noRace || slices.Contains(withoutSharing, a.point)):
		return true
	case *long:
		return false
	}
	return a.longOnly || storetest.OnPostgres() && slices.Contains(withoutDatabase, a.point)
}

// attacks returns all attacks in the order of the points.
func attacks() (all []attack) {
	for _, point := range [][]attack{
		siegeBegins, jsonAttacks, methodAttacks, uploadAttacks, guideAttacks, filmAttacks, moneyAttacks, slowAttacks, pageAttacks, terminalAttacks, secretAttacks, uncleanAttacks, guardAttacks,
		siegeEnds,
	} {
		all = append(all, point...)
	}
	return all
}

// stage is the place where one attack runs: the world around it, and the results.
type stage struct {
	*world
	t          *testing.T
	sent       counter
	mu         sync.Mutex // guards the fields below
	violations []string   // why the server failed; empty: it passed
	notes      []string   // figures for the table
}

// maxViolations bounds the failures that are listed of one attack; the first few show what is wrong.
const maxViolations = 4

// fail records why the server did not pass.
func (s *stage) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch len(s.violations) {
	case maxViolations - 1:
		s.violations = append(s.violations, "and more")
	case maxViolations:
	default:
		s.violations = append(s.violations, fmt.Sprintf(format, args...))
	}
}

// note adds a figure to the attack's row.
func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// light reports whether the load is too small, or the server too slow, to reach limits on requests a second and on connections.
func light() bool { return raced || testing.Short() }

// failHeavy records why the server did not pass, if the load is heavy enough to judge it.
func (s *stage) failHeavy(format string, args ...any) {
	if !light() {
		s.fail(format, args...)
	}
}

// pick returns the load of the short form or of the long form: a quarter with -short, an eighth under the race detector.
func pick(short, more int) int {
	switch {
	case raced:
		return max(1, short/8)
	case light():
		return max(1, short/4)
	case *long:
		return more
	}
	return short
}

// TestAttacks runs every attack and prints the table.
func TestAttacks(t *testing.T) {
	w := newWorld(t)
	var rows []row
	for _, a := range attacks() {
		if a.skipped() {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", a.point, a.name), func(t *testing.T) {
			r := w.measure(t, a)
			rows = append(rows, r)
			for _, violation := range r.violations {
				t.Error(violation)
			}
		})
	}
	w.lookForRaces(t)

	if len(rows) == 0 {
		return
	}
	t.Logf("%s\n%s", w.describe(), table(rows))
	if err := write(w, rows); err != nil {
		t.Error(err)
	}
}

// measure runs one attack and measures it. The innocent load is timed before, during and after the attack.
func (w *world) measure(t *testing.T, a attack) row {
	t.Helper()
	s := &stage{world: w, t: t}
	if a.fresh {
		w.server.kill()
	}
	w.ensureUp(t)
	quiet := w.load.during(func() { <-time.After(quietSpan()) }) // the span is the measurement
	before := w.server.measure()
	watched := w.server.watch()
	begun := time.Now()
	busy := w.load.during(func() { a.run(s) })
	peak := watched.stop()
	after := w.server.measure()
	took := time.Since(begun)
	if w.server.alive() { // quiet is the slower of the spans before and after
		if behind := w.load.during(func() { <-time.After(quietSpan()) }); behind.P99 > quiet.P99 {
			quiet = behind
		}
	}
	r := row{
		point: a.point, name: a.name, mark: a.mark, sent: s.sent.value(), took: took, peak: peak,
		cpu: max(0, after.cpu-before.cpu), disk: after.disk - before.disk, quiet: quiet, busy: busy, notes: strings.Join(s.notes, "; "), violations: s.violations,
	}
	limit := a.peak
	if limit == 0 {
		limit = peakMark
	}
	if !raced && peak > limit {
		r.violations = append(r.violations, fmt.Sprintf("the server held %d MiB, and may hold %d", peak/mib, limit/mib))
	}
	if watched.blown() {
		r.violations = append(r.violations, fmt.Sprintf("the server grew beyond %d MiB and was ended by the test", fuse/mib))
	} else if !w.server.alive() {
		r.violations = append(r.violations, "the server ended by itself")
	}
	if busy.Refused*unservedOf > busy.Asked {
		r.violations = append(r.violations, fmt.Sprintf("%d of %d innocent requests were not served, such as %s", busy.Refused, busy.Asked, busy.Example))
	}
	if ratio := r.ratio(); *long && !raced && busy.Asked > 200 && ratio > latencyMark {
		r.violations = append(r.violations, fmt.Sprintf("the p99 of innocent requests grew %.1f-fold, from %v to %v", ratio, quiet.P99, busy.P99))
	}
	r.passed = len(r.violations) == 0
	return r
}

func quietSpan() time.Duration {
	if *long {
		return 3 * time.Second
	}
	return 150 * time.Millisecond
}

// describe returns the settings and the machine of the run.
func (w *world) describe() string {
	form := "short form"
	if *long {
		form = "long form"
	}
	engine := "SQLite"
	if storetest.OnPostgres() {
		engine = "PostgreSQL"
	}
	if raced {
		form += ", race detector"
	}
	return fmt.Sprintf("%s, %s, peak of the whole run %d MiB", engine, form, w.server.highest()/mib)
}

package faults

import (
	"context"
	"testing"
	"time"
)

// maxBack is how long people may wait for an answer after a repair.
const maxBack = 2 * time.Second

// back records how long people waited after a repair, and fails a row in which that was too long.
func (s *stage) back(broken, repaired time.Time) {
	s.row.out = s.load.longest("", repaired)
	s.note("away for %.1f s", repaired.Sub(broken).Seconds())
	if s.row.out > maxBack {
		s.failLong("people waited %.1f s beyond the repair", s.row.out.Seconds())
	}
}

// atWork lets people use all nodes for some time before a fault.
func (s *stage) atWork(ctx context.Context) {
	s.load.participants(pick(8, 24), "participants", s.addresses()...)
	s.load.researcher(s.addresses()...)
	s.must(s.load.answered(ctx, "participants", pick(100, 1000)))
}

// onward waits until people have had many more answers.
func (s *stage) onward(ctx context.Context) {
	s.must(s.load.answered(ctx, "participants", pick(100, 1000)))
}

// fewConnections leaves PostgreSQL a third of the connections that the nodes want.
func fewConnections(w *world, t *testing.T) *stage {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	w.stop()
	w.must(t, w.restart(ctx, "max_connections=20"))
	defer func() {
		w.stop()
		w.must(t, w.restart(ctx))
	}()
	w.start(t)
	s := newStage(t, w.system, patient)
	s.load.pause = 0
	s.load.participants(pick(32, 96), "participants", s.addresses()...)
	s.load.researcher(s.addresses()...)
	within, stop := context.WithTimeout(ctx, pick(40*time.Second, 5*time.Minute))
	defer stop()
	if err := s.load.answered(within, "participants", pick(500, 8000)); err != nil {
		s.fail("with %d connections for %d: %v", 20, nodes*perNode, err)
	}
	s.finish()
	s.row.out = s.load.longest("", time.Time{})
	s.honest()
	return s
}

// databaseKilled kills PostgreSQL, and starts it again.
func databaseKilled(w *world, t *testing.T) *stage {
	return w.away(t, 500*time.Millisecond, 5*time.Second, func(context.Context) error { return w.server.Kill() }, w.server.Resume)
}

// databaseFrozen stops all bytes between the nodes and PostgreSQL.
func databaseFrozen(w *world, t *testing.T) *stage {
	return w.away(t, 2*time.Second, 15*time.Second,
		func(context.Context) error { w.line.Freeze(); return nil }, func(context.Context) error { w.line.Thaw(); return nil })
}

// away measures what an outage of the database does to people.
func (w *world) away(t *testing.T, short, long time.Duration, breaks, repairs func(context.Context) error) *stage {
	w.start(t)
	s := newStage(t, w.system, patient)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	s.atWork(ctx)
	broken := time.Now()
	s.must(breaks(ctx))
	last(short, long)
	s.must(repairs(ctx))
	repaired := time.Now()
	s.onward(ctx)
	s.finish()
	s.back(broken, repaired)
	s.honest()
	return s
}

// promoted kills PostgreSQL for good and promotes its synchronous standby, while the nodes know both.
func promoted(w *world, t *testing.T) *stage {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	standby, err := w.server.StartStandby(ctx, true)
	w.must(t, err)
	w.t.Cleanup(func() {
		if err := standby.Close(); err != nil {
			w.t.Error(err)
		}
	})
	w.stop()
	before := w.database
	w.database = address(w.line, w.standby(standby))
	for _, n := range w.nodes {
		if err := n.start(ctx); err != nil { // nobody can be at work
			w.stop()
			w.database = before
			s := &stage{t: t, system: w.system}
			s.fail("a node with two hosts does not start: %v", err)
			return s
		}
	}
	s := newStage(t, w.system, patient)
	s.atWork(ctx)
	broken := time.Now()
	s.must(w.server.Kill())
	s.must(standby.Promote(ctx))
	repaired := time.Now()
	w.server = standby
	w.open(w.t, aside(standby, role))
	s.onward(ctx)
	s.finish()
	s.back(broken, repaired)
	s.honest()
	return s
}

// abandoned counts the interviews of the stage's study that their participants left.
func (s *stage) abandoned(ctx context.Context) (n int) {
	all, err := s.store.View().ResponsesAfter(ctx, "", 100_000)
	s.must(err)
	for _, r := range all {
		if r.StudyID == s.studyID && r.Abandoned {
			n++
		}
	}
	return n
}

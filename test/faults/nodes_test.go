package faults

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// killNodes kills one node after the other while people use the proxy.
func killNodes(w *world, t *testing.T) *stage {
	w.start(t)
	s, landing := newStage(t, w.system, patient), w.caddy(t)
	s.load.participants(pick(6, 16), "participants", landing)
	s.load.researcher(landing)
	ctx, cancel := context.WithTimeout(t.Context(), pick(2*time.Minute, 10*time.Minute))
	defer cancel()
	kills, between := pick(2, 6), pick[int64](120, 1150)
	late := 0
	s.must(s.load.requests(ctx, between))
	for k := range kills {
		victim, at := s.nodes[k%len(s.nodes)], time.Now()
		victim.kill()
		last(500*time.Millisecond, 3*time.Second) // nobody restarts it at once
		s.must(s.load.requests(ctx, between/2))
		s.must(victim.start(ctx))
		s.must(s.load.requests(ctx, between/2))
		late += len(s.load.failed(at.Add(time.Second), time.Now()))
	}
	s.must(s.load.requests(ctx, between))
	s.finish()
	s.row.out = s.load.longest("", time.Time{})
	s.note("%d kills; %d requests failed later than a second after a kill", kills, late)
	if s.row.failed*8000 >= 5*int(s.row.requests) {
		s.failLong("%d of %d requests failed", s.row.failed, s.row.requests)
	}
	if late > 0 {
		s.failLong("%d requests failed later than a second after a kill", late)
	}
	if s.row.failed*10 > int(s.row.requests) {
		s.fail("%d of %d requests failed", s.row.failed, s.row.requests)
	}
	return s
}

// freezeNode suspends nodes with transactions open. Half of the people use all nodes, and half only the others.
func freezeNode(w *world, t *testing.T) *stage {
	w.start(t)
	s := newStage(t, w.system, 5*time.Second)
	s.load.pause = 0
	s.load.participants(pick(6, 12), "all nodes", s.addresses()...)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for _, victim := range s.nodes[pick(len(s.nodes)-1, 0):] {
		group := "others than " + victim.name
		others := slices.DeleteFunc(s.addresses(), func(address string) bool { return address == victim.address })
		s.load.participants(pick(6, 8), group, others...)
		s.must(s.load.answered(ctx, group, pick(100, 400)))
		begun := time.Now()
		s.must(victim.freeze())
		if *long {
			<-time.After(30 * time.Second)
		} else {
			within, cancel := context.WithTimeout(ctx, 20*time.Second) // shorter than the time after which the database ends a silent transaction
			if err := s.load.answered(within, group, 150); err != nil {
				s.fail("while %s was frozen for 20 s, %v at the others", victim.name, err)
			}
			cancel()
		}
		s.must(victim.thaw())
		held := time.Since(begun)
		s.must(s.load.answered(ctx, group, 20))
		s.load.leaveAfterThis(group)
		longest := s.load.longest(group, begun)
		s.row.out = max(s.row.out, longest)
		s.note("%s frozen for %.1f s: the others waited %.1f s at most, %d of their requests failed", victim.name, held.Seconds(), longest.Seconds(), len(s.load.failedOf(group)))
	}
	s.finish()
	if s.row.out > 2*time.Second {
		s.failLong("people at the other nodes waited %.1f s", s.row.out.Seconds())
	}
	return s
}

// clockAhead starts one node with a clock that is ahead, beside interviews under way.
func clockAhead(w *world, t *testing.T) *stage {
	binary := buildAhead(t)
	w.start(t)
	s := newStage(t, w.system, patient)
	s.load.participants(6, "participants", s.addresses()...)
	s.load.researcher(s.addresses()...)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	s.must(s.load.requests(ctx, 100))
	// One node stops gracefully and comes back with another clock.
	victim := s.nodes[2]
	s.leave(ctx, victim)
	said := len(victim.said())
	victim.binary = binary
	const silent = 10
	thinkers := s.load.thinkers(silent, s.addresses()...)
	begun := time.Now()
	s.must(victim.start(ctx))
	s.load.avoid("")
	s.must(s.load.requests(ctx, pick[int64](300, 4000)))
	last(0, 70*time.Second) // longer than the interval of the jobs that run each minute
	if abandoned := s.abandoned(ctx); abandoned > 0 {
		s.fail("%d interviews were abandoned, of whose participants %d say nothing just now", abandoned, silent)
	}
	close(thinkers)
	s.finish()
	s.row.out = s.load.longest("", begun)
	if s.row.failed > 0 {
		s.fail("%d requests failed: %s", s.row.failed, kinds(s.load.failures))
	}
	if !slices.ContainsFunc(victim.said()[said:], func(line string) bool { return strings.Contains(line, "clock") && !strings.Contains(line, `"INFO"`) }) {
		s.fail("the node says nothing of its clock")
	}
	victim.kill()
	victim.binary = ""
	return s
}

// filesShort lets one node run out of file handles, while people open a connection for each request.
func filesShort(w *world, t *testing.T) *stage {
	w.start(t)
	s := newStage(t, w.system, 5*time.Second)
	s.load.client.Transport.(*http.Transport).DisableKeepAlives = true
	victim := s.nodes[2]
	s.load.participants(pick(16, 48), "all nodes", s.addresses()...)
	s.load.participants(4, "others", s.nodes[0].address, s.nodes[1].address)
	s.load.researcher(s.nodes[0].address, s.nodes[1].address)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	s.must(s.load.requests(ctx, 100))
	before, begun := victim.chatter(), time.Now()
	restore, err := victim.limitFiles(2)
	s.must(err)
	s.must(s.load.requests(ctx, 300))
	last(0, 30*time.Second)
	s.chatter(victim, before, begun)
	s.must(restore())
	back := time.Now()
	s.must(victim.waitReady(ctx))
	s.must(s.load.requests(ctx, 100))
	alive := victim.alive()
	s.finish()
	s.row.out = s.load.longest("others", begun)
	s.note("at the node itself %.1f s at most, ready again %.1f s after", s.load.longest("all nodes", begun).Seconds(), time.Since(back).Seconds())
	if !alive {
		s.fail("the node ended")
	}
	if failed := s.load.failedOf("others"); len(failed) > 0 {
		s.fail("%d requests failed at the other nodes: %s", len(failed), kinds(failed))
	}
	return s
}

// maxLines limits the lines a second that a node logs while something is broken, those of requests not counted.
const maxLines = 50

// chatter fails a row whose node logged too much since begun.
func (s *stage) chatter(n *node, before int, begun time.Time) {
	lines := float64(n.chatter() - before)
	rate := lines / max(1, time.Since(begun).Seconds())
	s.note("%.0f log lines a second", rate)
	if rate > maxLines && lines > 10*maxLines {
		s.fail("%s logged %.0f lines a second", n.name, rate)
	}
}

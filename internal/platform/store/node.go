package store

import (
	"context"
	"time"
)

// Shared tells whether servers on several machines can work on this database at once.
func (s *Store) Shared() bool { return !s.dialect.singleWriter() }

// File returns the file of a SQLite database, and reports whether it is one.
func (s *Store) File() (path string, ok bool) {
	d, ok := s.dialect.(sqliteDialect)
	return d.path, ok
}

// String names the database for people and logs, without its password.
func (s *Store) String() string { return s.dialect.String() }

// forgotten is how long a node that gives no sign keeps its row. It is far more than the time after which the node no
// longer counts, so that a clock that is wrong does not make two nodes remove each other at every beat.
const forgotten = time.Hour

// BeatNode notes that a node lives, and how many connections it would open.
func (tx *Tx) BeatNode(ctx context.Context, id string) error {
	if _, err := tx.exec(ctx, `insert into node (id, seen_at, connections) values ($1, $2, $3)
		on conflict (id) do update set seen_at = excluded.seen_at, connections = excluded.connections`,
		id, micros(tx.shared()), tx.d.connections()); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from node where seen_at < $1`, micros(tx.shared().Add(-forgotten)))
	return err
}

// LeaveNode forgets a node that stops.
func (tx *Tx) LeaveNode(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from node where id = $1`, id)
	return err
}

// LiveNodes counts the nodes that gave a sign within the last while.
func (v *View) LiveNodes(ctx context.Context, within time.Duration) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from node where seen_at > $1`, micros(v.shared().Add(-within))).Scan(&n)
	return n, err
}

// ConnectionPlan compares what the nodes ask of the database with what it gives.
type ConnectionPlan struct {
	Own     int  // most connections that this process opens
	Nodes   int  // those that gave a sign within the last while
	Wished  int  // most connections that they open together
	Limit   int  // most that the server gives to this account; 0 where that is not known
	Pooled  bool // a pooler stands between, whose limits the server does not know
	reserve int  // of Limit, for whoever starts, and for operators
}

// Enough reports whether the server can give the nodes what they ask for, or that is not known.
func (p ConnectionPlan) Enough() bool { return p.Limit == 0 || p.Wished <= p.Limit-p.reserve }

// Room is how many of the server's connections the nodes may have together; 0 where that is not known.
func (p ConnectionPlan) Room() int { return p.Limit - p.reserve }

// spareConnections are left for a node that starts, for commands and for operators: fewer where the server has few.
const spareConnections = 4

// PlanConnections compares the connections that the nodes would open, those that gave a sign within the last while, with the
// server's limits; zero on SQLite.
func (s *Store) PlanConnections(ctx context.Context, within time.Duration) (p ConnectionPlan, err error) {
	d, ok := s.dialect.(postgresDialect)
	if !ok {
		return p, nil
	}
	p.Own, p.Pooled = d.conns, d.pooled
	v := s.View()
	if err := v.q.QueryRowContext(ctx, `select count(*), coalesce(sum(case when connections = 0 then $2 else connections end), 0) from node where seen_at > $1`,
		micros(v.shared().Add(-within)), maxConns).Scan(&p.Nodes, &p.Wished); err != nil || p.Pooled {
		return p, err
	}
	p.Limit, err = d.limit(ctx, v.q)
	p.reserve = min(spareConnections, p.Limit/4)
	return p, err
}

// ShareConnections bounds this node's pools by an equal part of what the server gives to so many nodes, and lets them have all
// that the address asks for where that is less.
func (s *Store) ShareConnections(ctx context.Context, nodes int) error {
	d, ok := s.dialect.(postgresDialect)
	if !ok || d.pooled {
		return nil
	}
	limit, err := d.limit(ctx, s.reads)
	if err != nil {
		return err
	}
	part := (limit - min(spareConnections, limit/4)) / max(nodes, 1)
	part = min(max(part, 2), d.conns)
	s.writePool.setShare(part - part/2)
	s.readPool.setShare(part / 2)
	return nil
}

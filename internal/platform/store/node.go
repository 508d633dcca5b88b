package store

import (
	"context"
	"time"
)

// Shared reports whether servers on several machines can use this database at once.
func (s *Store) Shared() bool { return !s.dialect.singleWriter() }

// File returns the path of a SQLite database, and reports whether it is one.
func (s *Store) File() (path string, ok bool) {
	d, ok := s.dialect.(sqliteDialect)
	return d.path, ok
}

// String returns the name of the database for people and logs, without its password.
func (s *Store) String() string { return s.dialect.String() }

// nodeTTL is how long a node without heartbeats keeps its row. It is far longer than the time after which the node no longer
// counts, so that a wrong clock does not make two nodes remove each other at every heartbeat.
const nodeTTL = time.Hour

// Heartbeat stores a heartbeat of a node, and how many connections it would open.
func (tx *Tx) Heartbeat(ctx context.Context, id string) error {
	if _, err := tx.exec(ctx, `insert into node (id, seen_at, connections)
		values ($1, $2, $3)
		on conflict (id) do update set seen_at = excluded.seen_at, connections = excluded.connections`,
		id, micros(tx.at), tx.d.maxConnections()); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from node where seen_at < $1`, micros(tx.at.Add(-nodeTTL)))
	return err
}

// RemoveNode removes a node that stops.
func (tx *Tx) RemoveNode(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from node where id = $1`, id)
	return err
}

// LiveNodes counts the nodes whose last heartbeat is not older than within.
func (v *View) LiveNodes(ctx context.Context, within time.Duration) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from node where seen_at > $1`, micros(v.now().Add(-within))).Scan(&n)
	return n, err
}

// ConnectionPlan compares the connections that the nodes want with those that the database gives.
type ConnectionPlan struct {
	Own       int  // the most connections that this process opens
	Nodes     int  // nodes with a recent heartbeat
	Requested int  // the most connections that they open together
	Limit     int  // the most that the server gives to this account; 0 if that is not known
	Pooled    bool // a pooler is in between, whose limits the server does not know
	reserve   int  // of Limit, for nodes that start and for operators
}

// Enough reports whether the server can give the nodes what they want, or that is not known.
func (p ConnectionPlan) Enough() bool { return p.Limit == 0 || p.Requested <= p.Limit-p.reserve }

// Available returns how many of the server's connections the nodes may have together; 0 if that is not known.
func (p ConnectionPlan) Available() int { return p.Limit - p.reserve }

// reservedConnections are kept for a node that starts, for commands and for operators: fewer if the server has few.
const reservedConnections = 4

// PlanConnections compares the connections that the nodes whose last heartbeat is not older than within would open, with the
// server's limits; zero on SQLite.
func (s *Store) PlanConnections(ctx context.Context, within time.Duration) (p ConnectionPlan, err error) {
	d, ok := s.dialect.(postgresDialect)
	if !ok {
		return p, nil
	}
	p.Own, p.Pooled = d.conns, d.pooled
	v := s.View()
	if err := v.q.QueryRowContext(ctx, `select count(*), coalesce(sum(case when connections = 0 then $2 else connections end), 0)
		from node
		where seen_at > $1`,
		micros(v.now().Add(-within)), maxConns).Scan(&p.Nodes, &p.Requested); err != nil || p.Pooled {
		return p, err
	}
	p.Limit, err = d.limit(ctx, v.q)
	p.reserve = min(reservedConnections, p.Limit/4)
	return p, err
}

// ShareConnections limits this node's pools to an equal share of what the server gives to so many nodes, or to what the
// address asks for if that is less.
func (s *Store) ShareConnections(ctx context.Context, nodes int) error {
	d, ok := s.dialect.(postgresDialect)
	if !ok || d.pooled {
		return nil
	}
	limit, err := d.limit(ctx, s.reads)
	if err != nil {
		return err
	}
	part := (limit - min(reservedConnections, limit/4)) / max(nodes, 1)
	part = min(max(part, 2), d.conns)
	s.writePool.setShare(part - part/2)
	s.readPool.setShare(part / 2)
	return nil
}

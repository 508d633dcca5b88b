package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/outage"
)

// groupCommit runs SQLite's writes: one at a time, many to a commit. A commit waits for the disk, so a writer that is queued
// when another one has finished joins its transaction, inside a savepoint of its own, and none of them returns before the
// commit that they share.
//
// The queue is the channel itself, which lets writers in as they came. A writer that has finished leaves the transaction open
// and queues again: when its turn comes, all writers that were queued before it have joined, and it commits for all. A writer
// that is alone commits at once.
type groupCommit struct {
	s    *Store
	turn chan struct{}

	// The writer whose turn it is owns the fields below.
	conn *sql.Conn
	q    *statements
	open *batch // nil: no transaction is open
}

// batch is one transaction of several writers.
type batch struct {
	begun    time.Time
	members  int
	enqueued bool
	lost     error         // why the transaction is lost; nil: it is not
	done     chan struct{} // closed when it has ended
	err      error         // how it ended; valid when done is closed
}

// A batch that has maxBatchWriters or is older than maxBatchAge is committed before others join, so that its first writers do
// not wait without bound.
const (
	maxBatchWriters = 64
	maxBatchAge     = 10 * time.Millisecond
)

// errShared means that another writer of the same transaction lost it.
var errShared = errors.New("store: another writer of the transaction lost it")

// write runs fn in a transaction that it may share, and returns when that is committed.
func (g *groupCommit) write(ctx context.Context, timeout <-chan time.Time, again bool, fn func(*Tx) error) error {
	if err := g.acquire(ctx, timeout); err != nil {
		return err
	}
	b, err := g.join(ctx)
	if err != nil {
		g.release()
		return err
	}
	fnErr := g.member(ctx, b, again, fn)
	lostHere := b.lost != nil // a batch that was lost earlier could not have been joined
	if lostHere || b.members >= maxBatchWriters || time.Since(b.begun) > maxBatchAge {
		g.end(b)
		g.release()
	} else {
		g.release()
		select {
		case <-b.done:
		case g.turn <- struct{}{}:
			g.end(b)
			g.release()
		}
	}
	switch {
	case lostHere, b.err == nil:
		return fnErr
	case b.lost != nil:
		return errShared
	}
	return b.err
}

// acquire waits for the turn.
func (g *groupCommit) acquire(ctx context.Context, timeout <-chan time.Time) error {
	select {
	case g.turn <- struct{}{}:
		return nil
	case <-timeout:
		return outage.ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *groupCommit) release() { <-g.turn }

// join joins the open transaction, or begins one.
func (g *groupCommit) join(ctx context.Context) (*batch, error) {
	if g.open != nil {
		g.open.members++
		return g.open, nil
	}
	if g.conn == nil {
		conn, err := g.s.write.Conn(ctx)
		if err != nil {
			return nil, err
		}
		g.conn, g.q = conn, newStatements(conn)
	}
	if err := g.do("begin immediate"); err != nil {
		return nil, err
	}
	g.open = &batch{begun: time.Now(), members: 1, done: make(chan struct{})}
	return g.open, nil
}

// do runs a statement that must not be interrupted with the context of one writer.
func (g *groupCommit) do(statement string) error {
	_, err := g.q.ExecContext(context.Background(), statement)
	return err
}

// member runs fn inside a savepoint and undoes its changes when it fails. When fn panics, the transaction is ended for the
// others before the panic continues.
func (g *groupCommit) member(ctx context.Context, b *batch, again bool, fn func(*Tx) error) (err error) {
	if err := g.do("savepoint writer"); err != nil {
		b.lost = err
		return err
	}
	returned := false
	defer func() {
		if !returned {
			g.undo(b, errShared)
			g.end(b)
			g.release()
		}
	}()
	tx := &Tx{View: View{q: textCleaner{g.s.observed(g.q)}, d: g.s.dialect}, at: g.s.Now(), again: again}
	tx.now = tx.Now
	err = fn(tx)
	returned = true
	if err != nil {
		g.undo(b, err)
		return err
	}
	if err = g.do("release writer"); err != nil {
		b.lost = err
		return err
	}
	b.enqueued = b.enqueued || tx.enqueued
	return nil
}

// undo undoes the changes of a member. Some errors, such as a full disk, have rolled back the complete transaction already:
// then there is no savepoint to return to, and the batch is lost because of cause.
func (g *groupCommit) undo(b *batch, cause error) {
	err := g.do("rollback to writer")
	if err == nil {
		err = g.do("release writer")
	}
	if err != nil {
		b.lost = cause
	}
}

// end commits the batch, or rolls back a lost one. It does nothing when another member has ended it.
func (g *groupCommit) end(b *batch) {
	if g.open != b {
		return
	}
	g.open = nil
	if b.err = b.lost; b.err == nil {
		b.err = g.do("commit")
	}
	if b.err != nil {
		_ = g.do("rollback") // fails if the engine has rolled back already
	}
	close(b.done)
	if b.err == nil && b.enqueued {
		g.s.wakeAll()
	}
}

// exclusive runs fn while no transaction is open.
func (g *groupCommit) exclusive(ctx context.Context, timeout <-chan time.Time, fn func() error) error {
	if err := g.acquire(ctx, timeout); err != nil {
		return err
	}
	defer g.release()
	if g.open != nil {
		g.end(g.open)
	}
	return fn()
}

// close ends the open transaction and closes the connection.
func (g *groupCommit) close() error {
	if g == nil {
		return nil
	}
	timeout := time.NewTimer(g.s.wait)
	defer timeout.Stop()
	return g.exclusive(context.Background(), timeout.C, func() (err error) {
		if g.conn != nil {
			err = errors.Join(g.q.close(), g.conn.Close())
			g.conn, g.q = nil, nil
		}
		return err
	})
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/outage"
)

// group is how SQLite writes: one at a time, many to a commit. A commit waits for the disk, so whoever stands in line when
// a writer is ready joins its transaction, each behind a savepoint of its own, and none returns before the commit that
// they share.
//
// The line is the channel itself, which lets the waiting in as they came. A writer that is ready leaves the transaction
// open and goes back to the end of the line: when its turn comes again, all who stood before it have joined, and it
// commits for all. Alone it commits at once.
type group struct {
	s    *Store
	turn chan struct{}

	// What follows belongs to whoever has the turn.
	conn *sql.Conn
	q    *statements
	open *batch // nil: no transaction
}

// batch is one transaction of several writers.
type batch struct {
	begun    time.Time
	members  int
	enqueued bool
	fault    error         // the transaction is lost
	done     chan struct{} // closed when it ended
	err      error         // how it ended; read it when done is closed
}

// A batch that has so many members or is so old is committed before others join, so that the first do not wait for ever.
const (
	maxMembers  = 64
	oldestBatch = 10 * time.Millisecond
)

// errShared means that a transaction was lost by no fault of this writer's.
var errShared = errors.New("store: another writer of the transaction lost it")

// write runs fn in a transaction that it may share, and returns when that is committed.
func (g *group) write(ctx context.Context, timeout <-chan time.Time, again bool, fn func(*Tx) error) error {
	if err := g.take(ctx, timeout); err != nil {
		return err
	}
	b, err := g.join(ctx)
	if err != nil {
		g.leave()
		return err
	}
	own := g.member(ctx, b, again, fn)
	mine := b.fault != nil // what a fault had lost before would not have been joined
	if mine || b.members >= maxMembers || time.Since(b.begun) > oldestBatch {
		g.end(b)
		g.leave()
	} else {
		g.leave()
		select {
		case <-b.done:
		case g.turn <- struct{}{}:
			g.end(b)
			g.leave()
		}
	}
	switch {
	case mine, b.err == nil:
		return own
	case b.fault != nil:
		return errShared
	}
	return b.err
}

// take waits for the turn.
func (g *group) take(ctx context.Context, timeout <-chan time.Time) error {
	select {
	case g.turn <- struct{}{}:
		return nil
	case <-timeout:
		return outage.ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *group) leave() { <-g.turn }

// join enters the open transaction, or begins one.
func (g *group) join(ctx context.Context) (*batch, error) {
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

// do runs a statement that must not stop with the context of one writer.
func (g *group) do(statement string) error {
	_, err := g.q.ExecContext(context.Background(), statement)
	return err
}

// member runs fn behind a savepoint and takes back what it did when it fails. When fn panics the transaction is ended for
// the others before the panic goes on.
func (g *group) member(ctx context.Context, b *batch, again bool, fn func(*Tx) error) (err error) {
	if err := g.do("savepoint writer"); err != nil {
		b.fault = err
		return err
	}
	returned := false
	defer func() {
		if !returned {
			g.takeBack(b, errShared)
			g.end(b)
			g.leave()
		}
	}()
	tx := &Tx{View: View{q: cleaning{g.s.watching(g.q)}, d: g.s.dialect}, at: g.s.Now(), again: again}
	tx.now = tx.Now
	err = fn(tx)
	returned = true
	if err != nil {
		g.takeBack(b, err)
		return err
	}
	if err = g.do("release writer"); err != nil {
		b.fault = err
		return err
	}
	b.enqueued = b.enqueued || tx.enqueued
	return nil
}

// takeBack undoes what a member did. Some errors, such as a full disk, have undone the whole transaction already: then
// there is no savepoint to go back to, and cause is the fault of them all.
func (g *group) takeBack(b *batch, cause error) {
	err := g.do("rollback to writer")
	if err == nil {
		err = g.do("release writer")
	}
	if err != nil {
		b.fault = cause
	}
}

// end commits, or gives up a transaction that is lost. It does nothing when another member was first.
func (g *group) end(b *batch) {
	if g.open != b {
		return
	}
	g.open = nil
	if b.err = b.fault; b.err == nil {
		b.err = g.do("commit")
	}
	if b.err != nil {
		_ = g.do("rollback") // fails where the engine has done it already
	}
	close(b.done)
	if b.err == nil && b.enqueued {
		g.s.wakeAll()
	}
}

// alone runs fn while no transaction is open.
func (g *group) alone(ctx context.Context, timeout <-chan time.Time, fn func() error) error {
	if err := g.take(ctx, timeout); err != nil {
		return err
	}
	defer g.leave()
	if g.open != nil {
		g.end(g.open)
	}
	return fn()
}

// close gives the connection back, when the last transaction has ended.
func (g *group) close() error {
	if g == nil {
		return nil
	}
	timeout := time.NewTimer(g.s.wait)
	defer timeout.Stop()
	return g.alone(context.Background(), timeout.C, func() (err error) {
		if g.conn != nil {
			err = errors.Join(g.q.close(), g.conn.Close())
			g.conn, g.q = nil, nil
		}
		return err
	})
}

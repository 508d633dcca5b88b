package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"verbatim/internal/domain/outage"
)

// errFull means that the server, or a pooler in front of it, accepts no more connections.
var errFull = errors.New("store: the database accepts no more connections")

// regrowAfter is how long a pool does not ask for more connections after the server refused one.
const regrowAfter = 5 * time.Second

// pool is a connection pool whose size follows what the server gives. A pool of database/sql alone opens another connection
// whenever all of its own are in use, and fails its caller when the server refuses, although one of its own would be free a
// moment later.
type pool struct {
	db   *sql.DB
	size int // connections that it may have if the server gives them; 0: its size is fixed

	opening atomic.Int32 // connections that are being opened
	refused atomic.Int64 // how often the server refused one

	mu    sync.Mutex
	share int         // its share of the server's connections, from 1 to size
	grow  *time.Timer // set while it is smaller than its share
}

// newPool returns a pool of size connections.
func newPool(servers driver.Connector, size int) *pool {
	p := &pool{size: size, share: size}
	p.db = sql.OpenDB(connector{servers, p})
	p.resize(size)
	p.db.SetConnMaxIdleTime(5 * time.Minute)
	return p
}

func (p *pool) resize(n int) {
	p.db.SetMaxOpenConns(n)
	p.db.SetMaxIdleConns(n)
}

// setShare limits the pool to its share of the server's connections. Connections above it are closed once they are idle.
func (p *pool) setShare(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = min(max(n, 1), p.size)
	if n == p.share {
		return
	}
	p.share = n
	if p.grow != nil {
		n = min(n, p.db.Stats().MaxOpenConnections)
	}
	p.resize(n)
}

// currentShare returns the connections that the pool may have now; at least 1.
func (p *pool) currentShare() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.share, 1)
}

// shrink limits the pool to the connections that it has, so that its callers wait for one of them. It grows again after
// regrowAfter.
func (p *pool) shrink() {
	p.refused.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	have := p.db.Stats().OpenConnections - int(p.opening.Load())
	p.resize(min(max(have, 1), p.share))
	if p.grow == nil {
		p.grow = time.AfterFunc(regrowAfter, p.regrow)
	}
}

func (p *pool) regrow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.grow != nil {
		p.grow = nil
		p.resize(p.share)
	}
}

// flush closes the idle connections.
func (p *pool) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.db.SetMaxIdleConns(-1)
	p.db.SetMaxIdleConns(p.size)
}

func (p *pool) close() error {
	p.mu.Lock()
	if p.grow != nil {
		p.grow.Stop()
		p.grow = nil
	}
	p.mu.Unlock()
	return p.db.Close()
}

// callerKey is the context key of the caller's own context, which does not end with the wait for a connection.
type callerKey struct{}

// conn returns a connection, for which it waits until a time at most, or longer if one is being opened by then. It fails
// with outage.ErrBusy when all were in use, with outage.ErrUnreachable when none could be opened, and with errFull when the
// server refused another one.
func (p *pool) conn(ctx context.Context, until time.Time) (*sql.Conn, error) {
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	conn, err := p.db.Conn(context.WithValue(waiting, callerKey{}, ctx))
	if err != nil && ctx.Err() == nil && waiting.Err() != nil && !errors.Is(err, outage.ErrUnreachable) {
		return nil, outage.ErrBusy
	}
	return conn, err
}

// ping asks the server whether it accepts writes, on a connection for which it waits until ctx ends, or for wait.
func (p *pool) ping(ctx context.Context, d dialect, wait time.Duration) error {
	until := time.Now().Add(wait)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(until) {
		until = deadline.Add(-time.Until(deadline) / 10) // the rest is for the answer
	}
	conn, err := p.conn(ctx, until)
	if errors.Is(err, errFull) {
		return fmt.Errorf("%w: %w", outage.ErrBusy, err)
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	var standby bool
	if err := conn.QueryRowContext(ctx, `select pg_is_in_recovery()`).Scan(&standby); err != nil {
		return unreachable(d, err)
	}
	if standby {
		return fmt.Errorf("%w: it is a standby, which accepts no writes", outage.ErrUnreachable)
	}
	return nil
}

// connector opens the connections of a pool, and marks the errors of those that cannot be opened.
type connector struct {
	driver.Connector
	pool *pool
}

// Connect implements driver.Connector.
func (d connector) Connect(ctx context.Context) (driver.Conn, error) {
	d.pool.opening.Add(1)
	defer d.pool.opening.Add(-1)
	if own, ok := ctx.Value(callerKey{}).(context.Context); ok {
		ctx = own
	}
	conn, err := d.Connector.Connect(ctx)
	switch {
	case err == nil:
		return conn, nil
	case full(err):
		d.pool.shrink()
		return nil, fmt.Errorf("%w: %w", errFull, err)
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	}
	return nil, fmt.Errorf("%w: %w", outage.ErrUnreachable, err)
}

// readRetrier runs each read on a connection, for which it waits no longer than wait. It repeats the read within the same
// time when the connection broke or none could be had, which is safe because a read changes nothing. It fails with
// outage.ErrBusy or outage.ErrUnreachable.
type readRetrier struct {
	pool *pool
	wait time.Duration
	d    dialect
}

// again reports whether a failed read may be repeated, after it has waited for the pause.
func (r readRetrier) again(ctx context.Context, n int, until time.Time, err error) bool {
	if ctx.Err() != nil || errors.Is(err, outage.ErrBusy) || !r.d.retryable(err) {
		return false
	}
	pause := retryPause(n)
	if time.Until(until) < pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// read runs do on connections until it succeeds. The connection returns to the pool when the rows that do returned are
// closed.
func (r readRetrier) read(ctx context.Context, do func(*sql.Conn) error) error {
	until := time.Now().Add(r.wait)
	for n := 0; ; n++ {
		conn, err := r.pool.conn(ctx, until)
		if err == nil {
			err = do(conn)
			go func() { _ = conn.Close() }() // Close waits for the rows; its error is the connection's, which the rows report
		}
		if err == nil || !r.again(ctx, n, until, err) {
			return r.wrap(ctx, err)
		}
	}
}

// wrap adds the exported error to a transient one.
func (r readRetrier) wrap(ctx context.Context, err error) error {
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, outage.ErrBusy), errors.Is(err, outage.ErrUnreachable):
		return err
	case errors.Is(err, errFull):
		return fmt.Errorf("%w: %w", outage.ErrBusy, err)
	}
	return unreachable(r.d, err)
}

// unreachable adds outage.ErrUnreachable to an error which means that a connection broke.
func unreachable(d dialect, err error) error {
	if err != nil && d.lost(err) && !errors.Is(err, outage.ErrUnreachable) {
		return fmt.Errorf("%w: %w", outage.ErrUnreachable, err)
	}
	return err
}

// ExecContext implements querier.
func (r readRetrier) ExecContext(ctx context.Context, query string, args ...any) (result sql.Result, err error) {
	err = r.read(ctx, func(conn *sql.Conn) (err error) {
		result, err = conn.ExecContext(ctx, query, args...)
		return err
	})
	return result, err
}

// QueryContext implements querier.
func (r readRetrier) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	err = r.read(ctx, func(conn *sql.Conn) (err error) {
		rows, err = conn.QueryContext(ctx, query, args...) //nolint:rowserrcheck,sqlclosecheck // the caller's
		return err
	})
	return rows, err
}

// QueryRowContext implements querier.
func (r readRetrier) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	var row *sql.Row
	err := r.read(ctx, func(conn *sql.Conn) error {
		row = conn.QueryRowContext(ctx, query, args...)
		return row.Err()
	})
	if err != nil {
		return failedRow(err)
	}
	return row
}

// failedRow returns a row whose Scan fails with err. database/sql makes one with an error of ours only for a connection that
// cannot be had.
func failedRow(err error) *sql.Row {
	db := sql.OpenDB(failingConnector{err})
	defer db.Close()
	return db.QueryRowContext(context.Background(), "")
}

type failingConnector struct{ err error }

// Connect implements driver.Connector.
func (f failingConnector) Connect(context.Context) (driver.Conn, error) { return nil, f.err }

// Driver implements driver.Connector.
func (f failingConnector) Driver() driver.Driver { return nil }

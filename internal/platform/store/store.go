package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/domain/outage"
)

// errRaced asks Write to run the transaction again, for another one committed what this one did not see when it looked.
var errRaced = errors.New("store: another transaction came first")

// Options are what a store needs beside its address.
type Options struct {
	Now  func() time.Time // nil: time.Now
	Wait time.Duration    // how long a write waits for others before it begins, retries included; 0: 10 s. A read waits half as long for a connection

	Filling  bool   // the database is filled by Copy, so that it may be unfinished
	Password string // of PostgreSQL's account, where neither the address nor PGPASSWORD has it

	// Fail is asked before each read and each write, which fails with what it returns; nil: none does. It is for tests of outages.
	Fail func(write bool) error
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	write, read *sql.DB
	writePool   *pool // what manages write and read; nil on SQLite
	readPool    *pool
	dialect     dialect
	now         func() time.Time
	wait        time.Duration
	reads       querier      // read, with its statements kept where that pays
	kept        *statements  // those; nil elsewhere
	group       *group       // how SQLite writes; nil elsewhere
	together    together     // how PostgreSQL commits what one study's responses write at the same time
	readLimiter *readLimiter // how its readers of pages give way; nil elsewhere
	filling     bool         // see Options.Filling
	watch       Watch        // nil: nobody observes
	ahead       atomic.Int64 // see MeasureClock
	compared    atomic.Bool
	diskFull    atomic.Bool            // see DiskFull
	fail        func(write bool) error // see Options.Fail

	mu     sync.Mutex
	last   time.Time // latest time handed out
	wakeup []chan<- struct{}
}

// Open opens the database at an address: sqlite:PATH, or a URL that begins with postgres: or postgresql:. It does not migrate: see Migrate.
func Open(ctx context.Context, address string, opts Options) (*Store, error) {
	d, err := parseAddress(address, opts.Password)
	if err != nil {
		return nil, err
	}
	s := &Store{dialect: d, now: opts.Now, wait: opts.Wait, filling: opts.Filling, fail: opts.Fail}
	if s.now == nil {
		s.now = time.Now
	}
	if s.wait == 0 {
		s.wait = 10 * time.Second
	}
	if s.writePool, s.readPool, err = d.open(s.wait); err != nil {
		return nil, err
	}
	s.write, s.read = s.writePool.db, s.readPool.db
	s.reads = cleaning{s.watching(readers{s.readPool, s.wait / 2, d})}
	if d.singleWriter() {
		s.writePool, s.readPool = nil, nil
		s.kept = newStatements(s.read)
		s.reads, s.group = cleaning{s.watching(s.kept)}, &group{s: s, turn: make(chan struct{}, 1)}
		s.readLimiter = newReadLimiter()
	}
	if s.fail != nil {
		s.reads = refusing{s.reads, s.fail}
	}
	if err := s.greet(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", d, err), s.Close())
	}
	return s, nil
}

// greet makes the first connection. A server that has none left gets time to end others: servers that run already give way to
// one that joins them.
func (s *Store) greet(ctx context.Context) error {
	timeout := time.NewTimer(s.wait)
	defer timeout.Stop()
	return s.retry(ctx, timeout.C, func(bool) error {
		err := s.write.PingContext(ctx)
		if err == nil {
			err = s.dialect.check(ctx, s.write)
		}
		if err != nil && !errors.Is(err, errFull) {
			return &refusal{err}
		}
		return err
	})
}

// refusal is an error that is not retried.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }

func (r *refusal) Unwrap() error { return r.err }

// Close closes the database. The writer goes last, so that it can leave one finished file.
func (s *Store) Close() error {
	var err error
	if s.kept != nil {
		err = s.kept.close()
	}
	if s.readPool != nil {
		return errors.Join(err, s.readPool.close(), s.writePool.close())
	}
	return errors.Join(err, s.read.Close(), s.group.close(), s.write.Close())
}

// Ping reports whether the database answers, and takes writes: outage.ErrBusy where no connection for reading is free before ctx ends,
// outage.ErrUnreachable where it cannot be reached or is a standby. It is tried once.
func (s *Store) Ping(ctx context.Context) error {
	if s.readPool != nil {
		return s.readPool.ping(ctx, s.dialect, s.wait)
	}
	var one int
	return s.read.QueryRowContext(ctx, `select 1`).Scan(&one)
}

// Wake sends to c, without waiting, after each commit that enqueued a job.
func (s *Store) Wake(c chan<- struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wakeup = append(s.wakeup, c)
}

// Now is the store's clock: UTC microseconds that never repeat or go back within one process.
func (s *Store) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.now().UTC().Truncate(time.Microsecond)
	if !t.After(s.last) {
		t = s.last.Add(time.Microsecond)
	}
	s.last = t
	return t
}

// latest is the time for reads: never before what a transaction was stamped with, even where the clock was set back.
func (s *Store) latest() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.now().UTC().Truncate(time.Microsecond); t.After(s.last) {
		return t
	}
	return s.last
}

// View reads what is committed, outside a transaction.
func (s *Store) View() *View {
	v := &View{q: s.reads, d: s.dialect, now: s.latest, ahead: s.ClockAhead(), readLimiter: s.readLimiter}
	if s.readPool != nil {
		v.items = s.items
	}
	return v
}

// Write runs fn in one transaction and commits when it returns nil. It may run fn again when the database refused the
// first try as a concurrent one, so fn must not do anything that a roll-back does not undo. It fails with outage.ErrBusy when
// others were in the way for Options.Wait; fn itself may take as long as ctx lasts.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	ctx, end := s.observeWrite(ctx)
	defer func() { end(err) }()
	defer func() { err = s.noteDiskFull(err) }()
	if s.fail != nil {
		if err := s.fail(true); err != nil {
			return err
		}
	}
	defer s.readLimiter.write()()
	until := time.Now().Add(s.wait)
	timeout := time.NewTimer(s.wait)
	defer timeout.Stop()
	return s.retry(ctx, timeout.C, func(again bool) error {
		if s.group != nil {
			return s.group.write(ctx, timeout.C, again, fn)
		}
		return s.writePipelined(ctx, until, again, fn)
	})
}

// retryPause is how long to wait before the same is tried once more, after n tries that failed before.
func retryPause(n int) time.Duration { return 5 * time.Millisecond << min(n, 5) }

// retry repeats what the database refuses as concurrent, or did not get, with pauses that grow to 160 ms.
func (s *Store) retry(ctx context.Context, timeout <-chan time.Time, try func(again bool) error) error {
	for n := 0; ; n++ {
		err := try(n > 0)
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // not the driver's own word for it
		}
		if err == nil {
			return nil
		}
		if Unsure(err) || !errors.Is(err, errRaced) && !s.dialect.retryable(err) {
			return err
		}
		if _, final := errors.AsType[*refusal](err); final {
			return err
		}
		if s.writePool != nil && s.dialect.stale(err) {
			s.writePool.flush()
		}
		pause := time.NewTimer(retryPause(n))
		select {
		case <-pause.C:
		case <-timeout:
			pause.Stop()
			if s.dialect.lost(err) {
				return errors.Join(outage.ErrUnreachable, err)
			}
			return outage.ErrBusy
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// commitError says that the connection broke while a commit was under way: it may have happened.
type commitError struct{ err error }

func (e *commitError) Error() string { return "while committing: " + e.err.Error() }

// Is tells that this is outage.ErrUnreachable.
func (*commitError) Is(target error) bool { return target == outage.ErrUnreachable }

func (e *commitError) Unwrap() error { return e.err }

// Unsure reports whether a write broke off while it was committing, so that it may have happened.
func Unsure(err error) bool {
	_, unsure := errors.AsType[*commitError](err)
	return unsure
}

func (s *Store) wakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.wakeup {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// querier is what reads and writes share: a pool or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// View has the store's reads.
type View struct {
	q     querier
	d     dialect
	now   func() time.Time
	ahead time.Duration // of now, before the database's clock

	readLimiter *readLimiter                                                           // nil inside a transaction, where nobody may wait for others
	unproven    string                                                                 // see For
	items       func(ctx context.Context, query string, args ...any) (itemRows, error) // reads documents on PostgreSQL; nil elsewhere, and inside a transaction
}

// Tx is a write transaction: the reads of View, seen from inside, and the writes.
type Tx struct {
	View
	at       time.Time
	again    bool // not the first try
	enqueued bool
	lines    lines
	pipeline *pipeline // how it is sent on PostgreSQL; nil elsewhere
}

// Now is the transaction's time: the same throughout, and later than that of each that this process began before. What
// must be in the order of commits takes NextUpdate.
func (tx *Tx) Now() time.Time { return tx.at }

// raced says that another transaction came first: at the first try by asking Write for a second, which may see what the
// other one did, and then with the error given.
func (tx *Tx) raced(final error) error {
	if tx.again {
		return final
	}
	return errRaced
}

// lock keeps the rows of a select as they are until the transaction ends. Where one transaction at a time writes they
// are so anyway, and nothing is read.
func (tx *Tx) lock(ctx context.Context, query string, args ...any) error {
	suffix := tx.d.lockRows()
	if suffix == "" {
		return nil
	}
	return tx.run(ctx, query+suffix, args...)
}

// exec runs a statement and tells how many rows it changed.
func (tx *Tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := tx.q.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// collect reads every row of a query with scan.
func collect[T any](ctx context.Context, v *View, scan func(rows scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := v.q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, unreachable(v.d, rows.Err())
}

// scanner is a row, or the current one of several.
type scanner interface{ Scan(dest ...any) error }

// orElse turns the absence of a row into the noun's own error.
func orElse(err, absent error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return absent
	}
	return err
}

// micros is how times are stored: microseconds UTC; the zero time is null.
func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// moment scans what micros stored.
type nullTime struct{ to *time.Time }

// Scan implements sql.Scanner.
func (m nullTime) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*m.to = time.Time{}
	case int64:
		*m.to = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("store: a time cannot be read from %T", src)
	}
	return nil
}

// optional stores an empty string as null.
func optional(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// text scans a nullable text; null is empty.
type text struct{ to *string }

// Scan implements sql.Scanner.
func (t text) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t.to = ""
	case string:
		*t.to = v
	case []byte:
		*t.to = string(v)
	default:
		return fmt.Errorf("store: a text cannot be read from %T", src)
	}
	return nil
}

// NewID makes an id: a UUID of version 7, so that ids made one after the other sort so.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// randomBytes are from the system's secure source.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the program instead
	return b
}

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

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
)

// errConflict asks Write to run the transaction again: another transaction committed something that this one did not see when
// it looked.
var errConflict = errors.New("store: another transaction came first")

// Options configure a store.
type Options struct {
	Now  func() time.Time // nil: time.Now
	Wait time.Duration    // how long a write waits before it begins, retries included; 0: 10 s. A read waits half as long for a connection

	Filling  bool   // a copy is filling the database, so it may be unfinished
	Password string // the password of PostgreSQL's account, if neither the address nor PGPASSWORD has it

	// Fail is called before each read and each write, which fails with the error that it returns; nil: nothing fails. It is
	// for tests of outages.
	Fail func(write bool) error
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	write, read   *sql.DB
	writePool     *pool // the pools behind write and read; nil on SQLite
	readPool      *pool
	dialect       dialect
	now           func() time.Time
	wait          time.Duration
	reads         querier       // read, with its prepared statements kept if that pays
	statements    *statements   // the kept statements; nil on PostgreSQL
	group         *groupCommit  // commits SQLite's writes; nil on PostgreSQL
	batcher       studyBatcher  // commits several transactions of one study as one, on PostgreSQL
	readLimiter   *readLimiter  // limits page reads while a write is active; nil on PostgreSQL
	rangeLimiter  *rangeLimiter // limits the connections of long pages; nil on SQLite
	filling       bool          // see Options.Filling
	watch         Watch         // nil: nothing is observed
	clockAhead    atomic.Int64  // see MeasureClock; what Now subtracts
	clockMeasured atomic.Bool
	diskFull      atomic.Bool            // see DiskFull
	fail          func(write bool) error // see Options.Fail

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
	s.reads = textCleaner{s.observed(readRetrier{s.readPool, s.wait / 2, d})}
	if d.singleWriter() {
		s.writePool, s.readPool = nil, nil
		s.statements = newStatements(s.read)
		s.reads, s.group = textCleaner{s.observed(s.statements)}, &groupCommit{s: s, turn: make(chan struct{}, 1)}
		s.readLimiter = newReadLimiter()
	}
	if s.readPool != nil {
		s.rangeLimiter = newRangeLimiter(s.readPool)
	}
	if s.fail != nil {
		s.reads = failingReads{s.reads, s.fail}
	}
	if err := s.connectFirst(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", d, err), s.Close())
	}
	return s, nil
}

// connectFirst makes the first connection. It retries for Options.Wait if the server has none left, since servers that run
// already give up connections for one that joins them, and if another program is writing to the SQLite file.
func (s *Store) connectFirst(ctx context.Context) error {
	timeout := time.NewTimer(s.wait)
	defer timeout.Stop()
	return s.retry(ctx, timeout.C, func(bool) error {
		err := s.write.PingContext(ctx)
		if err == nil {
			err = s.dialect.check(ctx, s.write)
		}
		if err != nil && !errors.Is(err, errFull) && !(s.dialect.singleWriter() && s.dialect.retryable(err)) {
			return &permanentError{err}
		}
		return err
	})
}

// permanentError is an error that retry does not retry.
type permanentError struct{ err error }

func (r *permanentError) Error() string { return r.err.Error() }

func (r *permanentError) Unwrap() error { return r.err }

// Close closes the database, the writer last, so that SQLite can write its log back and leave one file.
func (s *Store) Close() error {
	var err error
	if s.statements != nil {
		err = s.statements.close()
	}
	if s.readPool != nil {
		return errors.Join(err, s.readPool.close(), s.writePool.close())
	}
	return errors.Join(err, s.read.Close(), s.group.close(), s.write.Close())
}

// Ping returns nil if the database answers and accepts writes. It tries once. It returns outage.ErrBusy if no connection
// becomes free before ctx ends, and outage.ErrUnreachable if the database cannot be reached or is a standby.
func (s *Store) Ping(ctx context.Context) error {
	if s.readPool != nil {
		return s.readPool.ping(ctx, s.dialect, s.wait)
	}
	var one int
	return s.read.QueryRowContext(ctx, `select 1`).Scan(&one)
}

// Wake makes the store send to c, without blocking, after each commit that enqueued a job.
func (s *Store) Wake(c chan<- struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wakeup = append(s.wakeup, c)
}

// Now returns the store's clock: UTC in microseconds, never the same or earlier within one process. On PostgreSQL it is the
// database's, as measured by MeasureClock, so that servers agree on what has expired, whatever their own clocks say.
func (s *Store) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.clock()
	if !t.After(s.last) {
		t = s.last.Add(time.Microsecond)
	}
	s.last = t
	return t
}

// latest returns the time for reads. It is never before the time of a transaction that has begun, even if the clock was
// set back.
func (s *Store) latest() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.clock(); t.After(s.last) {
		return t
	}
	return s.last
}

// View returns the reads of what is committed, outside a transaction.
func (s *Store) View() *View {
	v := &View{q: s.reads, d: s.dialect, now: s.latest, readLimiter: s.readLimiter}
	if s.readPool != nil {
		v.items, v.row, v.rangeLimiter = s.items, s.row, s.rangeLimiter
	}
	return v
}

// Write runs fn in one transaction and commits when fn returns nil. It may run fn again when a concurrent transaction made
// the first try fail, so fn must not do anything that a rollback does not undo. It fails with outage.ErrBusy when other
// transactions were in the way for Options.Wait; fn itself may take as long as ctx lasts.
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
	work := func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.writeAudit(ctx)
	}
	until := time.Now().Add(s.wait)
	timeout := time.NewTimer(s.wait)
	defer timeout.Stop()
	return s.retry(ctx, timeout.C, func(again bool) error {
		if s.group != nil {
			return s.group.write(ctx, timeout.C, again, work)
		}
		return s.writePipelined(ctx, until, again, work)
	})
}

// retryPause returns the pause after the first failed try for n = 0, after the second for n = 1, and so on.
func retryPause(n int) time.Duration { return 5 * time.Millisecond << min(n, 5) }

// retry repeats try while it fails because of a concurrent transaction or for lack of a connection, with pauses that grow to
// 160 ms.
func (s *Store) retry(ctx context.Context, timeout <-chan time.Time, try func(again bool) error) error {
	for n := 0; ; n++ {
		err := try(n > 0)
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // instead of the driver's error for it
		}
		if err == nil {
			return nil
		}
		if MayBeCommitted(err) || !errors.Is(err, errConflict) && !s.dialect.retryable(err) {
			return err
		}
		if _, final := errors.AsType[*permanentError](err); final {
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

// commitError means that the connection broke during a commit: the transaction may be committed.
type commitError struct{ err error }

func (e *commitError) Error() string { return "while committing: " + e.err.Error() }

// Is reports that a commitError is outage.ErrUnreachable.
func (*commitError) Is(target error) bool { return target == outage.ErrUnreachable }

func (e *commitError) Unwrap() error { return e.err }

// MayBeCommitted reports whether a write broke off during its commit, so that it may be committed.
func MayBeCommitted(err error) bool {
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

// querier is the common part of a pool and a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// View holds the store's reads.
type View struct {
	q   querier
	d   dialect
	now func() time.Time

	readLimiter  *readLimiter                                                           // nil inside a transaction, which must not wait for other readers
	rangeLimiter *rangeLimiter                                                          // the same; nil on SQLite
	unproven     string                                                                 // see For
	row          func(ctx context.Context, dest []any, query string, args ...any) error // reads one row on PostgreSQL; see queryRow
	items        func(ctx context.Context, query string, args ...any) (itemRows, error) // reads documents on PostgreSQL; nil on SQLite and inside a transaction
}

// Tx is a write transaction: the reads of View, which see its changes, and the writes.
type Tx struct {
	View
	at       time.Time
	again    bool // this is not the first try
	enqueued bool
	locks    studyLocks
	pipeline *pipeline // sends the statements on PostgreSQL; nil on SQLite
	audited  []org.AuditEntry
}

// Now returns the transaction's time: the same throughout, and later than that of every transaction that this process began
// before. A time that must be in the order of commits comes from NextUpdate.
func (tx *Tx) Now() time.Time { return tx.at }

// conflict handles that another transaction came first. At the first try it returns errConflict, so that Write tries again
// and sees what the other transaction did; after that it returns final.
func (tx *Tx) conflict(final error) error {
	if tx.again {
		return final
	}
	return errConflict
}

// lock locks the rows of a select until the transaction ends. If only one transaction at a time can write they cannot
// change anyway, and it reads nothing.
func (tx *Tx) lock(ctx context.Context, query string, args ...any) error {
	suffix := tx.d.lockRows()
	if suffix == "" {
		return nil
	}
	return tx.run(ctx, query+suffix, args...)
}

// exec runs a statement and returns how many rows it changed.
func (tx *Tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := tx.q.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// collect runs a query and reads every row with scan.
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

// noRowsAs returns absent in place of sql.ErrNoRows, and any other err as it is.
func noRowsAs(err, absent error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return absent
	}
	return err
}

// micros returns a time as it is stored: microseconds UTC, and null for the zero time.
func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// nullTime scans a time that micros stored; null is the zero time.
type nullTime struct{ to *time.Time }

// Scan implements sql.Scanner.
func (n nullTime) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*n.to = time.Time{}
	case int64:
		*n.to = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("store: a time cannot be read from %T", src)
	}
	return nil
}

// nullIfEmpty stores an empty string as null.
func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// nullText scans a nullable text; null is empty.
type nullText struct{ to *string }

// Scan implements sql.Scanner.
func (t nullText) Scan(src any) error {
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

// NewID returns a UUID of version 7: ids sort in the order in which they were made.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// randomBytes returns n bytes from the system's secure source.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the program instead
	return b
}

package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// pipeline sends the statements of a transaction to PostgreSQL. Statements whose results nobody waits for are sent together,
// with the next one that somebody waits for or with the commit. So a transaction takes as many round trips as it has reads,
// and one for the rest, and holds its locks no longer. Reads before the first write need no transaction, because each
// statement has a snapshot of its own anyway.
//
// A statement that must change a row is made to fail on the server if it changes none. Then everything is rolled back, and
// the transaction runs again one statement at a time, which finds out what was in the way.
type pipeline struct {
	acquire     func(context.Context) (*sql.Conn, error)
	setTimeouts string    // a statement that begins each transaction; may be empty
	conn        *sql.Conn // nil until it is needed
	oneByOne    bool      // sends one statement at a time
	begun       bool
	failed      error // the error of a statement; nothing is sent after it
	queue       []queued

	study  string // the study that it locks, if all of it may be committed together with others; empty: alone
	wallet walletLock
}

// queued is a statement that is not sent yet.
type queued struct {
	query string
	args  []any
	read  func(pgx.BatchResults) error // reads its result; nil: nobody needs it
}

// errBatchRefused means that the server refused one of several statements; running them one by one finds which, and why.
var errBatchRefused = errors.New("store: a statement of several was refused")

// newPipeline returns a pipeline that waits for a connection until a time at most.
func (s *Store) newPipeline(until time.Time) *pipeline {
	open := func(ctx context.Context) (*sql.Conn, error) { return s.writePool.conn(ctx, until) }
	return &pipeline{acquire: open, setTimeouts: s.dialect.setTimeouts()}
}

// writePipelined runs fn in one transaction and commits when it returns nil.
func (s *Store) writePipelined(ctx context.Context, until time.Time, again bool, fn func(*Tx) error) error {
	err := s.writeOn(ctx, s.newPipeline(until), again, fn)
	if errors.Is(err, errBatchRefused) {
		stepped := s.newPipeline(until)
		stepped.oneByOne = true
		err = s.writeOn(ctx, stepped, again, fn)
	}
	return err
}

func (s *Store) writeOn(ctx context.Context, p *pipeline, again bool, fn func(*Tx) error) (err error) {
	defer p.release()
	defer p.rollback(ctx) // after an error or a panic; nothing after the commit
	tx := &Tx{View: View{q: textCleaner{s.observed(p)}, d: s.dialect}, at: s.Now(), again: again, pipeline: p}
	tx.now = tx.Now
	err = fn(tx)
	switch {
	case p.failed != nil && (err == nil || !p.oneByOne): // fn may mistake the failure of an earlier statement for that of another one
		err = p.failed
	case err == nil:
		err = s.commitPipeline(ctx, p)
	}
	if err != nil {
		return p.classify(s.dialect, err)
	}
	if tx.enqueued {
		s.wakeAll()
	}
	return nil
}

// commitPipeline commits a transaction: together with others of its study if nothing of it was sent yet.
func (s *Store) commitPipeline(ctx context.Context, p *pipeline) error {
	if p.begun || p.oneByOne || p.study == "" {
		return p.commit(ctx, s.dialect)
	}
	p.release() // others may need the connection more
	own := &part{queue: p.queue, wallet: p.wallet}
	err := s.batcher.commit(ctx, s, p.study, own)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if own.alone {
		return p.commit(ctx, s.dialect)
	}
	p.failed = own.failed
	return err
}

// connect takes a connection, unless there is one.
func (p *pipeline) connect(ctx context.Context) (err error) {
	if p.conn == nil {
		p.conn, err = p.acquire(ctx)
	}
	return err
}

// release returns the connection to the pool.
func (p *pipeline) release() {
	if p.conn != nil {
		_ = p.conn.Close()
		p.conn = nil
	}
}

// classify turns the server's refusal of one of several statements into errBatchRefused.
func (p *pipeline) classify(d dialect, err error) error {
	if p.failed != nil && !p.oneByOne && code(p.failed) != "" && !d.retryable(p.failed) {
		return errors.Join(errBatchRefused, err)
	}
	return err
}

// add queues a statement.
func (p *pipeline) add(q queued) { p.queue = append(p.queue, q) }

// commit sends the queued statements and the end of the transaction.
func (p *pipeline) commit(ctx context.Context, d dialect) error {
	if len(p.queue) == 0 && !p.begun {
		return nil
	}
	if err := p.connect(ctx); err != nil { // nothing was sent
		p.failed = err
		return err
	}
	if p.begun {
		p.add(queued{query: "commit", read: committed})
	} else if p.setTimeouts != "" { // statements that are sent together are one transaction
		p.queue = append([]queued{{query: p.setTimeouts}}, p.queue...)
	}
	err := p.send(ctx)
	if err == nil {
		p.begun = false
	} else if d.lost(err) && !d.notCommitted(err) && !pgconn.SafeToRetry(err) {
		return &commitError{err}
	}
	return err
}

// errAborted means that a transaction was committed although one of its statements had failed.
var errAborted = errors.New("store: the transaction had failed before its commit")

// committed reads the result of a commit: the server rolls back a transaction of which a statement failed, and does not call
// that an error.
func committed(results pgx.BatchResults) error {
	tag, err := results.Exec()
	if err == nil && tag.String() == "ROLLBACK" {
		err = errAborted
	}
	return err
}

// flush sends the queued statements, in a transaction that stays open.
func (p *pipeline) flush(ctx context.Context) error {
	if p.failed == nil && !p.begun {
		first := []queued{{query: "begin"}}
		if p.setTimeouts != "" {
			first = append(first, queued{query: p.setTimeouts})
		}
		p.queue = append(first, p.queue...)
		p.begun = true
	}
	return p.send(ctx)
}

// send sends the queued statements together and reads their results.
func (p *pipeline) send(ctx context.Context) error {
	if p.failed != nil || len(p.queue) == 0 {
		return p.failed
	}
	if err := p.connect(ctx); err != nil {
		p.failed = err
		return err
	}
	batch := &pgx.Batch{}
	for _, q := range p.queue {
		args, err := driverValues(q.args)
		if err != nil {
			return err
		}
		batch.Queue(q.query, args...)
	}
	sent := p.queue
	p.queue = nil
	p.failed = p.conn.Raw(func(conn any) error {
		results := conn.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
		for _, q := range sent {
			if err := q.result(results); err != nil {
				_ = results.Close() // the same error
				return err
			}
		}
		return results.Close()
	})
	return p.failed
}

func (q queued) result(results pgx.BatchResults) error {
	if q.read != nil {
		return q.read(results)
	}
	_, err := results.Exec()
	return err
}

// driverValues converts arguments to what database/sql would pass to the driver.
func driverValues(args []any) ([]any, error) {
	values := make([]any, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// rollback ends a transaction that is still open, even when ctx has ended.
func (p *pipeline) rollback(ctx context.Context) {
	if !p.begun || p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = p.conn.ExecContext(ctx, "rollback") // if it fails the connection is closed, and the transaction with it
}

// beforeQuery sends the queued statements before a query. Before the first write, a query that only reads needs no
// transaction.
func (p *pipeline) beforeQuery(ctx context.Context, query string) error {
	if p.failed == nil && len(p.queue) == 0 && (p.begun || readsOnly(query)) {
		p.failed = p.connect(ctx)
		return p.failed
	}
	return p.flush(ctx)
}

// readsOnly reports whether a query neither changes nor locks anything.
func readsOnly(query string) bool {
	return strings.HasPrefix(query, "select ") && !strings.Contains(query, " for update") && !strings.Contains(query, " for no key update")
}

// ExecContext implements querier.
func (p *pipeline) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	var rows int64
	p.add(queued{query, args, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		rows = tag.RowsAffected()
		return err
	}})
	if err := p.flush(ctx); err != nil {
		return nil, err
	}
	return driver.RowsAffected(rows), nil
}

// QueryContext implements querier.
func (p *pipeline) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := p.beforeQuery(ctx, query); err != nil {
		return nil, err
	}
	return p.conn.QueryContext(ctx, query, args...)
}

// QueryRowContext implements querier.
func (p *pipeline) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if err := p.beforeQuery(ctx, query); err != nil {
		return failedRow(err)
	}
	return p.conn.QueryRowContext(ctx, query, args...)
}

// run executes a statement whose result nobody needs. On PostgreSQL it is sent together with later ones.
func (tx *Tx) run(ctx context.Context, query string, args ...any) error {
	if tx.pipeline == nil || tx.pipeline.oneByOne {
		_, err := tx.exec(ctx, query, args...)
		return err
	}
	tx.pipeline.add(queued{query: query, args: cleanTexts(args)})
	return nil
}

// expect executes a statement that must change a row, and reports whether it did. On PostgreSQL it is sent together with
// later ones, and the transaction fails if it changes none: then it runs again one statement at a time.
func (tx *Tx) expect(ctx context.Context, query string, args ...any) (bool, error) {
	if tx.pipeline == nil || tx.pipeline.oneByOne {
		n, err := tx.exec(ctx, query, args...)
		return n > 0, err
	}
	return true, tx.run(ctx, `with changed as (`+query+` returning 1) select 1 / count(*) from changed`, args...)
}

// get executes a statement that changes a row and returns it, together with the queued ones; sql.ErrNoRows if it changes
// none.
func (tx *Tx) get(ctx context.Context, dest []any, query string, args ...any) error {
	if tx.pipeline == nil || tx.pipeline.oneByOne {
		return tx.q.QueryRowContext(ctx, query, args...).Scan(dest...)
	}
	absent := false
	tx.pipeline.add(queued{query, cleanTexts(args), func(results pgx.BatchResults) error {
		err := results.QueryRow().Scan(dest...)
		if absent = errors.Is(err, sql.ErrNoRows); absent {
			return nil
		}
		return err
	}})
	if err := tx.pipeline.flush(ctx); err != nil {
		return err
	}
	if absent {
		return sql.ErrNoRows
	}
	return nil
}

// getLater is get for a row that must exist and is not needed before the transaction has ended: on PostgreSQL the statement
// is sent together with later ones.
func (tx *Tx) getLater(ctx context.Context, columns []string, dest []any, query string, args ...any) error {
	query += ` returning ` + strings.Join(columns, ", ")
	if tx.pipeline == nil || tx.pipeline.oneByOne {
		return tx.q.QueryRowContext(ctx, query, args...).Scan(dest...)
	}
	var one int
	row := ""
	for _, column := range columns {
		row += `(select ` + column + ` from changed), `
	}
	tx.pipeline.add(queued{
		`with changed as (` + query + `) select ` + row + `1 / (select count(*) from changed)`, cleanTexts(args),
		func(results pgx.BatchResults) error { return results.QueryRow().Scan(append(dest, &one)...) },
	})
	return nil
}

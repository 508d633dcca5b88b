package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Handles returns the pools.
func (s *Store) Handles() (write, read *sql.DB) { return s.write, s.read }

// DirtyPages returns how many pages contain bytes of deleted rows.
func (s *Store) DirtyPages(ctx context.Context) (int, error) {
	dirty, err := dirtyPages(ctx, s.read)
	return len(dirty), err
}

// Plans runs a transaction and returns how the engine finds the rows of its statements, a line for each step.
func (s *Store) Plans(ctx context.Context, fn func(*Tx) error) (plans []string, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		e := &explainer{querier: tx.q, postgres: !s.dialect.singleWriter()}
		if e.postgres {
			for _, way := range []string{"seqscan", "bitmapscan", "sort"} {
				if _, err := tx.exec(ctx, `set local enable_`+way+` = off`); err != nil {
					return err
				}
			}
		}
		tx.q, tx.pipeline = e, nil // each statement goes through the explainer
		if err := fn(tx); err != nil {
			return err
		}
		plans = e.plans
		return e.err
	})
	return plans, err
}

// explainer asks for the plan of each statement before it runs it.
type explainer struct {
	querier
	postgres bool
	plans    []string
	err      error
}

func (e *explainer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	e.explain(ctx, query, args)
	return e.querier.ExecContext(ctx, query, args...)
}

func (e *explainer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	e.explain(ctx, query, args)
	return e.querier.QueryContext(ctx, query, args...)
}

func (e *explainer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	e.explain(ctx, query, args)
	return e.querier.QueryRowContext(ctx, query, args...)
}

func (e *explainer) explain(ctx context.Context, query string, args []any) {
	ask, columns := "explain query plan ", []any{new(int), new(int), new(int), nil}
	if e.postgres {
		ask, columns = "explain (costs off) ", []any{nil}
	}
	rows, err := e.querier.QueryContext(ctx, ask+query, args...)
	if err != nil {
		e.err = err
		return
	}
	defer rows.Close()
	var step string
	columns[len(columns)-1] = &step
	for rows.Next() {
		if e.err = rows.Scan(columns...); e.err != nil {
			return
		}
		e.plans = append(e.plans, step)
	}
}

// Lose rolls back the complete transaction behind the writer's back, as SQLite does when the disk is full.
func (tx *Tx) Lose(ctx context.Context) error {
	_, err := tx.exec(ctx, `rollback`)
	return err
}

// SkipReadableIDs leaves a gap before the study's next readable id.
func (tx *Tx) SkipReadableIDs(ctx context.Context, studyID string, by int) error {
	_, err := tx.exec(ctx, `update study set last_readable_id = last_readable_id + $1 where id = $2`, by, studyID)
	return err
}

// Miscount makes a study's counts wrong.
func (tx *Tx) Miscount(ctx context.Context, studyID string) error {
	_, err := tx.exec(ctx, `update item_tally set live = live + 1 where study_id = $1`, studyID)
	return err
}

// SpeechRows counts the stored speech totals of a response.
func (s *Store) SpeechRows(ctx context.Context, responseID string) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `select count(*) from speech_total where scope = 'interview' and id = $1`, responseID).Scan(&n)
	return n, err
}

// Exec runs any statement.
func (tx *Tx) Exec(ctx context.Context, statement string) error {
	_, err := tx.exec(ctx, statement)
	return err
}

// Catalog describes the tables that a copy includes, one a line.
func (s *Store) Catalog(ctx context.Context) (string, error) {
	tables, err := s.tables(ctx)
	all := "\n"
	for _, t := range tables {
		all += fmt.Sprintln(t.name, t.columns, t.key)
	}
	return all, err
}

// SmallRange is the size of the smallest ranges.
const SmallRange = smallRange

// TracedView reads a store's PostgreSQL database through connections whose statements are reported to a tracer.
func TracedView(t testing.TB, s *Store, address string, tracer pgx.QueryTracer) *View {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	config.Tracer = tracer
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { db.Close() })
	v := s.View()
	v.q = db
	v.items = func(ctx context.Context, query string, args ...any) (itemRows, error) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		return pgxQuery(ctx, conn, s.dialect, query, args...)
	}
	return v
}

// Expire expires the page's open range, if there is one.
func (p *ItemPage) Expire() {
	if p.open != nil {
		p.open.expire()
	}
}

// OldestReader is the oldest version that this program admits beside it.
const OldestReader = oldestReader

// Enum is a column of AuditEnums.
type Enum struct {
	Table, Column, TypeName string
	Values                  []string
}

// Enums returns the columns of AuditEnums.
func Enums() (all []Enum) {
	for _, e := range enums {
		all = append(all, Enum{e.table, e.column, e.typeName, e.values})
	}
	return all
}

// UsageOfInterview returns what an interview cost so far; zero if no model was used for it.
func (v *View) UsageOfInterview(ctx context.Context, responseID string) (t UsageTotal, err error) {
	t, err = scanUsage(v.q.QueryRowContext(ctx, selectUsage+`'interview' and id = $1`, responseID))
	if errors.Is(err, sql.ErrNoRows) {
		return UsageTotal{ID: responseID}, nil
	}
	return t, err
}

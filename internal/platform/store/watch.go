package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// Watch observes one request to the database, from its call until it calls end. operation is select, insert, update, delete
// or other for a statement, and write for a complete transaction, with its waits and retries; table is the first table of the
// statement, empty if it has none. The time of a select ends when its first row has arrived.
type Watch func(ctx context.Context, operation, table string) (_ context.Context, end func(err error))

// Observe sets the Watch of every later request to the database. Call it before the store is shared with others.
func (s *Store) Observe(watch Watch) { s.watch = watch }

// Pools returns the statistics of the store's connections by their purpose: write and read.
func (s *Store) Pools() map[string]sql.DBStats {
	return map[string]sql.DBStats{"write": s.write.Stats(), "read": s.read.Stats()}
}

// observed returns a querier that reports its statements to the store's Watch, if there is one.
func (s *Store) observed(on querier) querier { return observedQuerier{on, s} }

// observedQuerier reports its statements to the store's Watch.
type observedQuerier struct {
	on    querier
	store *Store
}

// begin starts to observe a statement.
func (w observedQuerier) begin(ctx context.Context, query string) (context.Context, func(error)) {
	operation, table := describeStatement(query)
	return w.store.watch(ctx, operation, table)
}

// ExecContext implements querier.
func (w observedQuerier) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if w.store.watch == nil {
		return w.on.ExecContext(ctx, query, args...)
	}
	ctx, end := w.begin(ctx, query)
	result, err := w.on.ExecContext(ctx, query, args...)
	end(err)
	return result, err
}

// QueryContext implements querier.
func (w observedQuerier) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if w.store.watch == nil {
		return w.on.QueryContext(ctx, query, args...)
	}
	ctx, end := w.begin(ctx, query)
	rows, err := w.on.QueryContext(ctx, query, args...)
	end(err)
	return rows, err
}

// QueryRowContext implements querier.
func (w observedQuerier) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if w.store.watch == nil {
		return w.on.QueryRowContext(ctx, query, args...)
	}
	ctx, end := w.begin(ctx, query)
	row := w.on.QueryRowContext(ctx, query, args...)
	end(row.Err())
	return row
}

// describeStatement returns the operation of a statement and the first table that it names. Statements are the program's own
// text and contain no values.
func describeStatement(query string) (operation, table string) {
	words := strings.Fields(query[:min(len(query), 2000)])
	if len(words) == 0 {
		return "other", ""
	}
	before := "" // the word before the table
	switch operation = strings.ToLower(words[0]); operation {
	case "select", "delete":
		before = "from"
	case "insert":
		before = "into"
	case "update":
		before = "update"
	default:
		return "other", ""
	}
	for i, word := range words[:len(words)-1] {
		if strings.EqualFold(word, before) {
			if name := strings.Trim(words[i+1], `(),;"`); name != "" && !strings.EqualFold(name, "select") {
				return operation, name
			}
		}
	}
	return operation, ""
}

// observeWrite starts to observe a complete write.
func (s *Store) observeWrite(ctx context.Context) (context.Context, func(error)) {
	if s.watch == nil {
		return ctx, func(error) {}
	}
	return s.watch(ctx, "write", "")
}

// OldestJobs returns, for each kind of job, how long ago its longest waiting job became due.
func (v *View) OldestJobs(ctx context.Context) (map[string]time.Duration, error) {
	now, oldest := v.now(), map[string]time.Duration{}
	_, err := collect(ctx, v, func(r scanner) (struct{}, error) {
		var kind string
		var due time.Time
		err := r.Scan(&kind, nullTime{&due})
		oldest[kind] = now.Sub(due)
		return struct{}{}, err
	}, `select kind, min(run_at) from job where state = 'ready' and run_at <= $1 group by kind`, micros(now))
	return oldest, err
}

// Balance holds the credits that are left on an account of a wallet.
type Balance struct {
	WalletID string
	Kind     string // project or recruitment
	Credits  float64
}

// LowestBalances returns the accounts with the lowest balances, at most limit, of wallets that were ever funded.
func (v *View) LowestBalances(ctx context.Context, limit int) ([]Balance, error) {
	return collect(ctx, v, func(r scanner) (b Balance, err error) {
		var milli int64
		err = r.Scan(&b.WalletID, &b.Kind, &milli)
		b.Credits = float64(milli) / 1000
		return b, err
	}, `select a.wallet_id, a.kind, a.balance
		from ledger_account a
		join ledger_account f on f.wallet_id = a.wallet_id and f.kind = a.kind and f.role = 'funding'
		where a.role = 'available' and f.balance <> 0
		order by a.balance, a.wallet_id, a.kind
		limit $1`, limit)
}

// LastBackupSetting is the setting with the time of the last backup, in RFC 3339.
const LastBackupSetting = "last_backup"

// LastBackup returns when the last backup was made; zero if there was none.
func (v *View) LastBackup(ctx context.Context) (time.Time, error) {
	value, err := v.Setting(ctx, LastBackupSetting)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}, errors.Join(errors.New("setting "+LastBackupSetting), err)
	}
	return at, nil
}

// NoteBackup stores the present time as that of the last backup.
func (s *Store) NoteBackup(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error {
		was, err := tx.Setting(ctx, LastBackupSetting)
		if err != nil {
			return err
		}
		return tx.ChangeSetting(ctx, LastBackupSetting, was, tx.Now().Format(time.RFC3339))
	})
}

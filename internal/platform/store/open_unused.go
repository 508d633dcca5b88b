package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
)

// ErrInUse means that another process has the database open, or that a server works on it.
var ErrInUse = errors.New("the database is in use: stop the servers and commands that work on it")

// serverTimeout is the age of a heartbeat after which its server on a shared database no longer counts as running.
const serverTimeout = 10 * time.Second

// OpenUnused opens a database that nobody else uses; ErrInUse. Nothing keeps others from opening it later.
func OpenUnused(ctx context.Context, address string, opts Options) (*Store, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		if err := checkAlone(ctx, path); err != nil {
			return nil, err
		}
	}
	s, err := Open(ctx, address, opts)
	if err != nil {
		return nil, err
	}
	version, _, err := s.SchemaVersions(ctx)
	if err == nil && version >= nodesSince && s.Shared() {
		var n int
		if n, err = s.View().LiveNodes(ctx, serverTimeout); err == nil && n > 0 {
			err = fmt.Errorf("%w: %d server(s) sent a heartbeat within the last %v", ErrInUse, n, serverTimeout)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// nodesSince is the first schema version in which servers have heartbeats.
const nodesSince = 4

// checkAlone returns ErrInUse if another connection has a SQLite file open: only a sole connection can leave WAL mode,
// which the next opening sets again.
func checkAlone(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_busy_timeout=2000")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var mode string
	err = db.QueryRowContext(ctx, `pragma journal_mode=delete`).Scan(&mode)
	if (sqliteDialect{}).retryable(err) || err == nil && mode != "delete" {
		err = fmt.Errorf("%w: %s is open in another process", ErrInUse, path)
	}
	return errors.Join(err, db.Close())
}

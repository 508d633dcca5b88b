package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// migrationLock lets one process at a time migrate. The lock belongs to a transaction on a connection of its own: a session's
// lock would stay behind in a pooler.
type migrationLock struct {
	dialect postgresDialect
	conn    *pgx.Conn
}

// migrationLockWait is how long a process waits for others that migrate. maxMigration is how long a migration may take before
// it loses its lock.
const (
	migrationLockWait = 10 * time.Minute
	maxMigration      = 24 * time.Hour
)

// SessionLock implements lock.SessionLocker.
func (l *migrationLock) SessionLock(ctx context.Context, _ *sql.Conn) (err error) {
	if l.conn, err = pgx.ConnectConfig(ctx, l.dialect.config); err != nil {
		return err
	}
	const lockID = 4097083626 // the library's own, which earlier releases take for their session
	_, err = l.conn.Exec(ctx, `begin; set local lock_timeout = `+milliseconds(migrationLockWait)+
		`; set local idle_in_transaction_session_timeout = `+milliseconds(maxMigration)+
		fmt.Sprintf(`; select pg_advisory_xact_lock(%d)`, lockID))
	if err != nil {
		return errors.Join(err, l.conn.Close(context.WithoutCancel(ctx)))
	}
	return nil
}

// SessionUnlock implements lock.SessionLocker.
func (l *migrationLock) SessionUnlock(ctx context.Context, _ *sql.Conn) error {
	_, err := l.conn.Exec(ctx, `rollback`)
	return errors.Join(err, l.conn.Close(ctx))
}

package store

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// code returns the SQLSTATE of an error; empty when the server did not send it.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// SQLSTATE codes that are compared.
const (
	tooManyConnections = "53300"
	readOnlySession    = "25006" // read_only_sql_transaction: the server became a standby, or is one
	idleTooLong        = "25P03" // idle_in_transaction_session_timeout
	tookTooLong        = "25P04" // transaction_timeout, if an operator set one
)

func (d postgresDialect) retryable(err error) bool {
	switch code(err) {
	case "0A000": // feature_not_supported, among which a statement that was prepared before another node migrated its table
		return strings.Contains(err.Error(), "cached plan must not change result type")
	case "40001", // serialization_failure
		"40P01",            // deadlock_detected
		"55P03",            // lock_not_available: lock_timeout
		tooManyConnections: // and the pool now waits for one of its own
		return true
	}
	return errors.Is(err, errFull) || d.lost(err)
}

// lost reports whether the connection broke, or could not be had although its settings may be right.
func (d postgresDialect) lost(err error) bool {
	switch c := code(err); {
	case c == tooManyConnections, errors.Is(err, errFull):
		return false
	case c != "":
		// 57P01 to 57P03: the server is going down, or starts; class 08: connections
		return strings.HasPrefix(c, "57P0") || strings.HasPrefix(c, "08") || c == idleTooLong || c == tookTooLong || c == readOnlySession
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), pgconn.SafeToRetry(err), pgconn.Timeout(err):
		return true
	}
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting {
		return true // for example: each host is a standby
	}
	_, network := errors.AsType[*net.OpError](err)
	return network
}

// stale reports whether the server is not the one that accepts writes. Behind a name or a pooler that leads to another one by
// now, a new connection reaches that.
func (postgresDialect) stale(err error) bool { return code(err) == readOnlySession }

// notCommitted reports whether the server did not begin to commit: it had ended the session while that waited for a
// statement, or the statement was never sent.
func (postgresDialect) notCommitted(err error) bool {
	return code(err) == idleTooLong || pgconn.SafeToRetry(err)
}

// full reports whether the server, or PgBouncer, refused a connection because it has reached its limit.
func full(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == tooManyConnections || e.Code == "08P01" && strings.Contains(e.Message, "no more connections"))
}

func (postgresDialect) uniqueViolation(err error) bool { return code(err) == "23505" }

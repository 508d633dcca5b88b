package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// hosts connects to one of several servers: to the one that served last, or else to the first in the address's order that
// accepts a connection. So a server that fails silently costs the time of a connection once, not at each connection.
type hosts struct {
	connectors []driver.Connector
	served     *atomic.Int32 // index of the connector that served last
}

// Connect implements driver.Connector.
func (h hosts) Connect(ctx context.Context) (driver.Conn, error) {
	var errs []error
	first := int(h.served.Load())
	for i := range h.connectors {
		host := (first + i) % len(h.connectors)
		conn, err := h.connectors[host].Connect(ctx)
		if err == nil {
			h.served.Store(int32(host))
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	if len(errs) == 1 {
		return nil, errs[0]
	}
	return nil, errors.Join(errs...)
}

// Driver implements driver.Connector.
func (h hosts) Driver() driver.Driver { return h.connectors[0].Driver() }

// eachHost splits a configuration into one for each server that the address names. Alternatives for the same server, such as
// a connection without TLS if the address allows it, stay together.
func eachHost(config *pgx.ConnConfig) (each []*pgx.ConnConfig) {
	all := append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}, config.Fallbacks...)
	for _, f := range all {
		if n := len(each); n > 0 && each[n-1].Host == f.Host && each[n-1].Port == f.Port {
			each[n-1].Fallbacks = append(each[n-1].Fallbacks, f)
			continue
		}
		one := config.Copy()
		one.Host, one.Port, one.TLSConfig, one.Fallbacks = f.Host, f.Port, f.TLSConfig, nil
		each = append(each, one)
	}
	return each
}

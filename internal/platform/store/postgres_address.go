package store

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// parsePostgres parses an address as libpq does, with pool_max_conns for the size of both pools together.
func parsePostgres(address, password string) (dialect, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the database address: %s", withoutAddress(err))
	}
	if password != "" {
		config.Password = password
	}
	d := postgresDialect{config: config, conns: maxConns, served: &atomic.Int32{}}
	if given, found := config.RuntimeParams["pool_max_conns"]; found {
		delete(config.RuntimeParams, "pool_max_conns")
		if d.conns, err = strconv.Atoi(given); err != nil || d.conns < 2 {
			return nil, fmt.Errorf("the database address: pool_max_conns must be a number from 2, not %q", given)
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
		if len(eachHost(config)) > 1 {
			config.ConnectTimeout = connectTimeoutOfOne
		}
	}
	config.DialFunc = dialer().DialContext
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "verbatim"
	}
	// The other modes keep statements in a session, which these two, made for poolers, do not.
	switch config.DefaultQueryExecMode {
	case pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol:
		d.pooled = true
	}
	return d, d.takeTimeouts()
}

// timeoutForm matches a time as PostgreSQL reads it; without a unit it is in milliseconds.
var timeoutForm = regexp.MustCompile(`^[0-9]+ ?(us|ms|s|min|h|d)?$`)

// takeTimeouts removes the timeouts of transactions from an address's parameters, because a pooler would refuse them.
func (d *postgresDialect) takeTimeouts() error {
	d.timeouts = map[string]string{lockTimeout: milliseconds(lockWait), idleTimeout: milliseconds(idleInTransaction)}
	for name := range d.timeouts {
		given, found := d.config.RuntimeParams[name]
		if !found {
			continue
		}
		if !timeoutForm.MatchString(given) {
			return fmt.Errorf("the database address: %s must be a time such as 1500 or 1500ms, not %q", name, given)
		}
		delete(d.config.RuntimeParams, name)
		d.timeouts[name], d.timeoutsGiven = given, true
	}
	return nil
}

// withoutAddress returns pgx's error about an address without the address: pgx masks passwords in it, but cannot always.
func withoutAddress(err error) string {
	text := err.Error()
	if end := strings.LastIndex(text, "`: "); end >= 0 {
		return text[end+len("`: "):]
	}
	return "it cannot be parsed"
}

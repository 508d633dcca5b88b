package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

type fakeHost struct {
	up    bool
	tried int
}

type fakeConn struct{ driver.Conn }

func (f *fakeHost) Connect(context.Context) (driver.Conn, error) {
	f.tried++
	if !f.up {
		return nil, errors.New("it is away")
	}
	return fakeConn{}, nil
}

func (f *fakeHost) Driver() driver.Driver { return nil }

// TestHostThatServedComesFirst: a server that is down is tried once, not at each connection.
func TestHostThatServedComesFirst(t *testing.T) {
	t.Parallel()
	first, second := &fakeHost{}, &fakeHost{up: true}
	h := hosts{connectors: []driver.Connector{first, second}, served: &atomic.Int32{}}
	for range 3 {
		if _, err := h.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if first.tried != 1 || second.tried != 3 {
		t.Errorf("tried %d and %d times, want 1 and 3", first.tried, second.tried)
	}
	second.up = false
	if _, err := h.Connect(t.Context()); err == nil || first.tried != 2 {
		t.Errorf("with both down: %v, the first was tried %d times", err, first.tried)
	}
	first.up = true
	if _, err := h.Connect(t.Context()); err != nil {
		t.Errorf("the first one came back: %v", err)
	}
}

func TestEachHost(t *testing.T) {
	t.Parallel()
	d, err := parsePostgres("postgres://u@a,b:6000/d?sslmode=prefer&target_session_attrs=read-write", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range eachHost(d.(postgresDialect).config) {
		got = append(got, one.Host)
		if one.TLSConfig == nil || len(one.Fallbacks) != 1 || one.Fallbacks[0].TLSConfig != nil || one.ValidateConnect == nil {
			t.Errorf("%s: with TLS %t, %d ways more", one.Host, one.TLSConfig != nil, len(one.Fallbacks))
		}
	}
	if want := []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("hosts %v, want %v", got, want)
	}
	if got := d.(postgresDialect).config.ConnectTimeout; got != connectTimeoutOfOne {
		t.Errorf("a connection to one of two takes up to %v", got)
	}
}

// TestTransactionTimeouts: an address may set them, directly and behind a pooler, and is refused where a value is not a time.
func TestTransactionTimeouts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ parameters, want string }{
		{"", ""},
		{"default_query_exec_mode=exec", "select set_config('lock_timeout', '700', true), set_config('idle_in_transaction_session_timeout', '1400', true)"},
		{"default_query_exec_mode=exec&lock_timeout=2s", "select set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '1400', true)"},
	} {
		d, err := parsePostgres("postgres://u@a/d?"+tt.parameters, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := d.setTimeouts(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.parameters, got, tt.want)
		}
		for name := range d.(postgresDialect).config.RuntimeParams {
			if name != "application_name" {
				t.Errorf("%s: %s is set for the session", tt.parameters, name)
			}
		}
	}
	if _, err := parsePostgres("postgres://u@a/d?lock_timeout=1'%3B", ""); err == nil {
		t.Error("a lock_timeout that is not a time was accepted")
	}
}

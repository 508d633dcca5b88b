package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrNoPgBouncer means that pgbouncer is not on this machine.
var ErrNoPgBouncer = errors.New("pgbouncer is not installed: run scripts/setup.sh, or install the package pgbouncer")

// PgBouncer is a running pgbouncer in front of a server, in transaction mode: a client has a session of the server only for
// the time of a transaction.
type PgBouncer struct {
	dir     string
	process *exec.Cmd
}

// StartPgBouncer starts a pgbouncer that ends with the test. It opens at most so many connections to a database of the
// server.
func StartPgBouncer(t *testing.T, server *Server, connections int) *PgBouncer {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			t.Fatal(ErrNoPgBouncer)
		}
	}
	b := &PgBouncer{}
	if b.dir, err = os.MkdirTemp("", "pgbouncer-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(b.dir); err != nil {
			t.Error(err)
		}
	})
	users := filepath.Join(b.dir, "users")
	settings := fmt.Sprintf(`[databases]
* = host=%s
[pgbouncer]
listen_addr =
unix_socket_dir = %s
pool_mode = transaction
default_pool_size = %d
max_client_conn = 500
query_wait_timeout = 5
auth_type = trust
auth_file = %s
`, server.dir, b.dir, connections, users)
	config, logged := filepath.Join(b.dir, "pgbouncer.ini"), filepath.Join(b.dir, "log")
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(users, []byte("\"postgres\" \"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{b.dir, config, users} {
		if err := server.Own(path); err != nil {
			t.Fatal(err)
		}
	}
	log, err := os.Create(logged)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	b.process = exec.CommandContext(context.WithoutCancel(t.Context()), program, config)
	b.process.SysProcAttr = &syscall.SysProcAttr{Credential: server.owner, Setpgid: true}
	b.process.Stdout, b.process.Stderr = log, log
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- b.process.Wait() }()
	t.Cleanup(func() {
		_ = b.process.Process.Kill() // it has nothing to store
		<-ended
	})
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		conn, err := pgx.Connect(t.Context(), b.URL("postgres"))
		if err == nil {
			if err := conn.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			return b
		}
		select {
		case end := <-ended:
			ended <- end
			said, _ := os.ReadFile(logged)
			t.Fatalf("pgbouncer ended: %v\n%s", end, said)
		case <-t.Context().Done():
			t.Fatalf("pgbouncer is not ready: %v", err)
		case <-look.C:
			if _, refused := errors.AsType[*pgconn.PgError](err); refused {
				t.Fatalf("pgbouncer refuses: %v", err)
			}
		}
	}
}

// Socket returns the path of the socket on which pgbouncer listens.
func (b *PgBouncer) Socket() string { return filepath.Join(b.dir, ".s.PGSQL.6432") }

// URL returns the address of a database of the server by way of pgbouncer, as docs/self-hosting.md has it.
func (b *PgBouncer) URL(database string) string {
	query := url.Values{"host": {b.dir}, "port": {"6432"}, "default_query_exec_mode": {"exec"}}
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: query.Encode()}).String()
}

// Package pgtest runs a PostgreSQL server of its own for tests: in a temporary folder, behind a socket in it, under the
// user postgres or nobody where the tests run as root, which the server refuses to. It needs the server's programs, which
// Debian and Ubuntu have in the package postgresql. What it keeps does not survive a power cut.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing means that the server's programs are not on this machine.
var ErrMissing = errors.New("PostgreSQL's server is not installed: run scripts/setup.sh, or install the package postgresql")

// Server is a running server.
type Server struct {
	dir     string
	bin     string
	owner   *syscall.Credential // nil: this process's user
	process *exec.Cmd
	ended   chan error
	log     *os.File

	settings []string // see Configure
}

// Start makes a new, empty server; ErrMissing. Its databases have a locale in which capitals do not come first, so that a
// statement that relies on the order of bytes must say so. Settings, as in "fsync=on", go before its own.
func Start(ctx context.Context, settings ...string) (s *Server, err error) {
	s = &Server{settings: settings}
	if s.bin, err = programs(); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		if s.owner, err = unprivileged(); err != nil {
			return nil, err
		}
	}
	if s.dir, err = os.MkdirTemp("", "pgtest-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.owner != nil {
		if err := os.Chown(s.dir, int(s.owner.Uid), int(s.owner.Gid)); err != nil {
			return nil, err
		}
	}
	initdb := s.command(ctx, "initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions",
		"--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if s.log, err = os.Create(filepath.Join(s.dir, "log")); err != nil {
		return nil, err
	}
	return s, s.Resume(ctx)
}

// StartFor is Start for a server that ends with the test.
func StartFor(t *testing.T) *Server {
	t.Helper()
	server, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// programs returns the folder of initdb and postgres: that on the path, or the newest of Debian's.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrMissing
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// unprivileged returns a user that may run the server.
func unprivileged() (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command prepares one of the server's programs, in a process group of its own: an interrupt at the terminal is for the
// tests, which then stop the server.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner, Setpgid: true}
	return cmd
}

// Resume starts the server again after Stop and waits until it takes connections.
func (s *Server) Resume(ctx context.Context) error {
	args := []string{
		"-D", s.data(), "-k", s.dir, "-c", "listen_addresses=",
		"-c", "fsync=off", "-c", "max_connections=400", "-c", "shared_buffers=64MB", "-c", "max_wal_size=256MB",
	}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	s.process = s.command(context.WithoutCancel(ctx), "postgres", args...)
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	process := s.process
	go func() { ended <- process.Wait() }()
	s.ended = ended
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case err := <-ended:
			s.process = nil
			return fmt.Errorf("the server ended: %w\n%s", err, s.lastWords())
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w", err)
		case <-look.C:
		}
	}
}

func (s *Server) lastWords() []byte {
	out, err := os.ReadFile(s.log.Name())
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(out[max(0, len(out)-2000):])
}

// Stop ends the server at once, as a restart does: it breaks every connection and transaction. Resume starts it again.
func (s *Server) Stop() error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	err := <-s.ended
	s.process = nil
	return err
}

// Crash ends the server as the death of one of its processes does: it writes nothing more, and Resume has to recover what was
// committed from its log.
func (s *Server) Crash() error {
	if err := s.process.Process.Signal(syscall.SIGQUIT); err != nil {
		return err
	}
	err := <-s.ended
	s.process = nil
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return nil // it reports that it did not end well
	}
	return err
}

// Close ends the server and removes all its files.
func (s *Server) Close() error {
	err := s.Stop()
	if s.log != nil {
		err = errors.Join(err, s.log.Close())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// Run runs one of the server's programs, such as pg_dump, as this process's user, and returns what it printed.
func (s *Server) Run(ctx context.Context, program string, args ...string) ([]byte, error) {
	return exec.CommandContext(ctx, filepath.Join(s.bin, program), args...).CombinedOutput()
}

// URL returns the address of a database, whether it exists or not.
func (s *Server) URL(database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: url.Values{"host": {s.dir}}.Encode()}).String()
}

// At returns the address of another database of a server.
func At(address, database string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.Path = "/" + database
	return u.String(), nil
}

// Create makes a database like another one, on the server at an address; an empty like makes an empty one.
func Create(ctx context.Context, address, database, like string) error {
	statement := `create database ` + pgx.Identifier{database}.Sanitize()
	if like != "" {
		statement += ` template ` + pgx.Identifier{like}.Sanitize()
	}
	return Do(ctx, address, statement)
}

// Drop removes a database, and ends the connections to it.
func Drop(ctx context.Context, address, database string) error {
	return Do(ctx, address, `drop database if exists `+pgx.Identifier{database}.Sanitize()+` with (force)`)
}

// Do runs a statement on the database at an address.
func Do(ctx context.Context, address, statement string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(strings.Fields(statement)[:2], " "), err)
	}
	return errors.Join(err, conn.Close(ctx))
}

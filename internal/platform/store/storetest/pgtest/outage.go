package pgtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Configure sets settings of the form name=value for the next start of the server, in place of those that were set before.
func (s *Server) Configure(settings ...string) { s.settings = settings }

// Socket returns the path of the socket at which the server listens.
func (s *Server) Socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

// Own gives a file or folder to the user that the server runs as.
func (s *Server) Own(path string) error {
	if s.owner == nil {
		return nil
	}
	return os.Chown(path, int(s.owner.Uid), int(s.owner.Gid))
}

// Kill ends the server and all of its processes as kill -9 does. Resume has to recover what was committed from the log.
func (s *Server) Kill() error {
	if s.process == nil {
		return nil
	}
	children, err := childrenOf(s.process.Process.Pid)
	if err != nil {
		return err
	}
	if err := s.process.Process.Kill(); err != nil {
		return err
	}
	<-s.ended // it was killed
	s.process = nil
	for _, pid := range children {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			return err
		}
	}
	for _, pid := range children { // a server refuses to start beside processes of an earlier one
		for syscall.Kill(pid, 0) == nil && !zombie(pid) {
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

func childrenOf(parent int) (pids []int, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, path := range stats {
		if fields := statOf(path); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				return nil, err
			}
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// statOf returns the fields of a process's stat file after its name: the state, the parent and so on; none where it has
// ended.
func statOf(path string) []string {
	stat, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.Fields(after)
}

func zombie(pid int) bool {
	fields := statOf(fmt.Sprintf("/proc/%d/stat", pid))
	return len(fields) == 0 || fields[0] == "Z"
}

// StartStandby makes a standby of a running server, which follows it by streaming replication until Promote, and waits until
// it does. With synchronous, the server acknowledges a commit only once the standby has it. Each tablespace of the server
// needs a folder of the standby's own, as from=to.
func (s *Server) StartStandby(ctx context.Context, synchronous bool, tablespaces ...string) (standby *Server, err error) {
	standby = &Server{bin: s.bin, owner: s.owner}
	if standby.dir, err = os.MkdirTemp("", "pgtest-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			standby.Close()
		}
	}()
	if err := s.Own(standby.dir); err != nil {
		return nil, err
	}
	args := []string{"-h", s.dir, "-U", "postgres", "-D", standby.data(), "-R", "-X", "stream", "-c", "fast", "--no-sync"}
	for _, mapping := range tablespaces {
		args = append(args, "-T", mapping)
	}
	backup := standby.command(ctx, "pg_basebackup", args...)
	if out, err := backup.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	if standby.log, err = os.Create(filepath.Join(standby.dir, "log")); err != nil {
		return nil, err
	}
	if err := standby.Resume(ctx); err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	want := "async"
	if synchronous {
		want = "sync"
		for _, statement := range []string{`alter system set synchronous_standby_names = '*'`, `select pg_reload_conf()`} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return nil, err
			}
		}
	}
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		var follows bool
		if err := conn.QueryRow(ctx, `select exists (select from pg_stat_replication where state = 'streaming' and sync_state = $1)`, want).Scan(&follows); err != nil {
			return nil, err
		}
		if follows {
			return standby, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-look.C:
		}
	}
}

// Promote makes a standby a server of its own, and returns once it accepts writes.
func (s *Server) Promote(ctx context.Context) error {
	return Do(ctx, s.URL("postgres"), `select pg_promote(true, 60)`)
}

package faults

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"verbatim/internal/platform/store/storetest/pgtest"
)

// diskFullSQLite fills the disk of a database file and its folder of objects.
func diskFullSQLite(w *world, t *testing.T) *stage {
	const room = 64 << 20
	sys := &system{t: t, binary: w.binary}
	d, err := newDisk(t, room)
	dir := t.TempDir()
	if err == nil {
		dir = d.dir
	}
	sys.database = "sqlite:" + filepath.Join(dir, "verbatim.db")
	sys.blobs = "file:" + filepath.Join(dir, "blobs")
	sys.newNodes(t, 1)
	sys.start(t)
	sys.open(t, sys.database)
	s := newStage(t, sys, patient)
	if err == nil {
		s.diskFull(d.fill, d.empty)
		return s
	}
	s.note("%v, so a bound on the size of the node's files stands in", err)
	var before unix.Rlimit
	pid := sys.nodes[0].process.Process.Pid
	w.must(t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &before))
	s.diskFull(func() error {
		return unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1, Max: before.Max}, nil)
	}, func() error { return unix.Prlimit(pid, unix.RLIMIT_FSIZE, &before, nil) })
	return s
}

// diskFullPostgres fills the disk of the tables in PostgreSQL. Its write-ahead log is on another disk, which must never be full: PostgreSQL
// ends then, and another row covers that.
func diskFullPostgres(w *world, t *testing.T) *stage {
	const room = 256 << 20
	sys := &system{t: t, binary: w.binary, blobs: w.blobs}
	d, err := newDisk(t, room)
	if err != nil {
		s := &stage{t: t, system: sys}
		s.note("not run: %v", err)
		return s
	}
	tables := w.tables(t, d)
	const name = "on_a_small_disk"
	w.must(t, w.sql(t.Context(), `create tablespace small location '`+tables+`'`, `create database `+name+` owner `+role+` tablespace small`))
	sys.database, err = pgtest.At(w.database, name)
	w.must(t, err)
	sys.newNodes(t, pick(1, nodes))
	sys.start(t)
	sys.open(t, aside(w.server, name))
	t.Cleanup(func() {
		sys.stop()
		err := errors.Join(w.sql(context.WithoutCancel(t.Context()), `drop database if exists `+name+` with (force)`, `drop tablespace small`))
		if err != nil {
			t.Error(err)
		}
	})
	s := newStage(t, sys, patient)
	s.diskFull(d.fill, d.empty)
	return s
}

// tables creates a folder on a disk for tables of PostgreSQL.
func (w *world) tables(t *testing.T, d *disk) string {
	t.Helper()
	path := filepath.Join(d.dir, "tables")
	w.must(t, os.Mkdir(path, 0o700))
	w.must(t, w.server.Own(path))
	w.must(t, os.Chmod(filepath.Dir(d.dir), 0o755)) // PostgreSQL's user needs access
	return path
}

// diskFull fills a disk while people work, and frees it again.
func (s *stage) diskFull(fill, empty func() error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Minute)
	defer cancel()
	s.atWork(ctx)
	n := s.nodes[0]
	lines, broken := n.chatter(), time.Now()
	s.must(fill())
	within, stop := context.WithTimeout(ctx, 40*time.Second)
	if err := s.refused(within, 20, fill); err != nil {
		s.fail("%v", err)
	} else if err := s.unready(within, n); err != nil {
		s.fail("%v", err)
	}
	stop()
	last(time.Second, 20*time.Second)
	s.chatter(n, lines, broken)
	s.must(empty())
	repaired := time.Now()
	s.onward(ctx)
	s.finish()
	s.back(broken, repaired)
	s.honest()
}

// refused waits until n requests were refused. It fills again what is freed meanwhile.
func (s *stage) refused(ctx context.Context, n int, fill func() error) error {
	begun := time.Now()
	for len(s.load.failed(begun, time.Now())) < n {
		if err := fill(); err != nil {
			return err
		}
		select {
		case <-s.load.counted:
		case <-ctx.Done():
			return errors.New("the full disk refuses nobody")
		}
	}
	return nil
}

// unready waits until a node reports that it is not ready.
func (s *stage) unready(ctx context.Context, n *node) error {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for n.ready(ctx) != http.StatusServiceUnavailable {
		select {
		case <-look.C:
		case <-ctx.Done():
			return errors.New(n.name + " says that it is ready, and stores nothing")
		}
	}
	return nil
}

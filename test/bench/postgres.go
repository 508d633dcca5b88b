package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/proxy"
)

// benchServer starts a PostgreSQL server that has memory for the tables and forces its commits to the disk.
func benchServer(ctx context.Context) (*pgtest.Server, error) {
	return pgtest.Start(ctx, "shared_buffers=512MB", "fsync=on", "max_wal_size=2GB")
}

// throughProxy returns the address of a database behind a proxy.
func throughProxy(p *proxy.Proxy, database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Host: p.Address(), Path: "/" + database, RawQuery: "sslmode=disable"}).String()
}

// postgresGrowthBody is the length in bytes of a list item in the growth table.
const postgresGrowthBody = 1000

// runPostgres measures reads on PostgreSQL, at each delay, against a baseline that reads the same bytes by key through pgx.
func runPostgres(ctx context.Context, o options) (err error) {
	server, err := benchServer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	dir, err := os.MkdirTemp("", "verbatim-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	const database = "bench"
	address := server.URL(database)
	if err := pgtest.Create(ctx, server.URL("postgres"), database, ""); err != nil {
		return err
	}
	begun := time.Now()
	d, err := loadPostgres(ctx, address, o)
	if err != nil {
		return fmt.Errorf("loading: %w", err)
	}
	fmt.Printf("loaded %d studies in %v\n", len(d.Studies), time.Since(begun).Round(time.Second))

	var text bytes.Buffer
	fmt.Fprintf(&text, postgresIntro, processor(), runtime.NumCPU(), runtime.Version(), o.responses, o.body, o.span)
	for _, delay := range o.delays {
		r, err := readsPostgres(ctx, server, database, filepath.Join(dir, delay.String()), d, o, delay)
		if err != nil {
			return fmt.Errorf("with a delay of %v: %w", delay, err)
		}
		r.postgresTables(&text, delay)
	}
	if o.markdown == "" {
		return nil
	}
	return writeSection(o.markdown, "Reads", text.String())
}

// readsPostgres measures reads where a round trip to the database takes delay longer.
func readsPostgres(ctx context.Context, pg *pgtest.Server, database, dir string, d dataset, o options, delay time.Duration) (_ *report, err error) {
	address := pg.URL(database)
	if delay > 0 {
		line, err := proxy.Start(pg.Socket(), delay/2)
		if err != nil {
			return nil, err
		}
		defer line.Close()
		address = throughProxy(line, database)
	}
	server, err := start(ctx, exec.Command(o.binary, "serve", "--data", dir, "--database", address, "--rate-limit", "0", "--max-connections", "0", "--max-network-connections", "0", "--listen"), "/readyz")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	baseline, err := start(ctx, exec.Command(self, "-baseline", address), "/readyz")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, baseline.stop()) }()
	if d, err = d.filled(ctx, server, baseline); err != nil {
		return nil, err
	}
	r := &report{options: o}
	for _, op := range operations(d, d.Studies[0]) {
		if !op.read || !strings.Contains(op.name, o.only) {
			continue
		}
		for _, n := range o.conns {
			if err := r.compare(ctx, op, n, server, baseline); err != nil {
				return nil, err
			}
		}
	}
	if delay == 0 {
		for at, op := range operations(d, d.Studies[0]) {
			if op.grows && len(o.growth) > 0 && strings.Contains(op.name, o.only) {
				if err := r.grow(ctx, d, at, server, baseline); err != nil {
					return nil, err
				}
			}
		}
	}
	r.peak, err = server.peakMemory()
	return r, err
}

const postgresIntro = `The **baseline** is a second process of the same run, in Go, that reads the same bytes by key through pgx's own pool, with
prepared statements and as many connections as the server reads through, and writes them to the socket as they came: no key is
checked, nothing is counted, tagged, logged or encoded. Of a search it sends as many bytes as the server does. Clients, both
processes and PostgreSQL share the machine. Read the ratios: milliseconds depend on the machine and on what else it does.

Machine: %s, %d processors; %s. A study of %d responses with list items of %d bytes; %v a figure.

`

func (r *report) postgresTables(b *bytes.Buffer, delay time.Duration) {
	if delay == 0 {
		b.WriteString("### The database on the same machine\n\n")
	} else {
		fmt.Fprintf(b, "### The database %v away\n\nA proxy delays every byte between the server, or the baseline, and the database, so that a round trip takes %v longer.\n\n", delay, delay)
	}
	b.WriteString("| operation | clients | p50 ms | p99 ms | req/s | baseline req/s | ratio | CPU ms | baseline CPU ms | memory MB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, one := range r.rows {
		b.WriteString(one.line() + "\n")
	}
	fmt.Fprintf(b, "\nThe server's peak memory: %.0f MB.\n\n", float64(r.peak)/1e6)
	if len(r.growth) > 0 {
		fmt.Fprintf(b, "### Growth\n\nThe same operations, one client, on studies of other sizes in the same database, with list items of %d bytes: p50 in ms, the server's and the baseline's; how much longer it takes on the largest study than on the smallest; and how much of that is ours.\n\n", postgresGrowthBody)
		r.growthTable(b)
		b.WriteString("\n")
	}
}

// postgresTitle begins docs/benchmarks-postgres.md, of which each benchmark writes a section of its own.
const postgresTitle = "# Benchmarks on PostgreSQL\n\nWritten by `make bench`.\n\n"

// writeSection replaces the section of a file with this heading, or appends it.
func writeSection(file, heading, text string) error {
	kept, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	all := string(kept)
	if all == "" {
		all = postgresTitle
	}
	begin := "## " + heading + "\n"
	before, rest, found := strings.Cut(all, begin)
	after := ""
	if found {
		if at := strings.Index(rest, "\n## "); at >= 0 {
			after = rest[at+1:]
		}
	}
	return os.WriteFile(file, []byte(strings.TrimRight(before, "\n")+"\n\n"+begin+"\n"+strings.TrimSpace(text)+"\n"+prefixed("\n", after)), 0o644)
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// migrated opens a new database and migrates it.
func migrated(ctx context.Context, address string) (*store.Store, error) {
	s, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := s.Migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

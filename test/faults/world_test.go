package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/proxy"
	"verbatim/test/testserver"
)

const (
	nodes = 3
	// perNode is the number of connections that a node wants to the database (docs/self-hosting.md).
	perNode = 20
	role    = "verbatim" // of the nodes: not a superuser, so that limits hold for them
)

// world is the system of three nodes, and what they depend on.
type world struct {
	*system
	server  *pgtest.Server
	line    *proxy.Proxy // from the nodes to PostgreSQL
	second  *proxy.Proxy // from the nodes to its standby; nil where there is none
	objects *proxy.Proxy // from the nodes to the S3 server
	direct  string       // the address of the objects without the proxy
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{system: &system{t: t, binary: testserver.Build(t)}, server: pgtest.StartFor(t)}
	w.must(t, w.sql(t.Context(), `create role `+role+` login`, `create database `+role+` owner `+role))
	w.line = w.proxy(t, w.server.Socket())
	w.database = address(w.line)
	w.direct = blobtest.OwnBucket(t)
	u, err := url.Parse(w.direct)
	w.must(t, err)
	query := u.Query()
	endpoint, err := url.Parse(query.Get("endpoint"))
	w.must(t, err)
	w.objects = w.proxy(t, endpoint.Host)
	query.Set("endpoint", "http://"+w.objects.Address())
	u.RawQuery = query.Encode()
	w.blobs = u.String()
	w.newNodes(t, nodes)
	if deadline, set := t.Deadline(); set { // a test that runs out of time does not run its cleanups
		end := time.AfterFunc(time.Until(deadline)-15*time.Second, func() {
			w.stop()
			_ = w.server.Close() // nobody to report it to
		})
		t.Cleanup(func() { end.Stop() })
	}
	w.start(t)
	w.open(t, aside(w.server, role))
	return w
}

func (w *world) must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) proxy(t *testing.T, target string) *proxy.Proxy {
	t.Helper()
	p, err := proxy.Start(target, 0)
	w.must(t, err)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// standby starts the proxy to a standby.
func (w *world) standby(standby *pgtest.Server) *proxy.Proxy {
	w.second = w.proxy(w.t, standby.Socket())
	return w.second
}

// lines returns the proxies from the nodes to PostgreSQL.
func (w *world) lines() []*proxy.Proxy {
	if w.second == nil {
		return []*proxy.Proxy{w.line}
	}
	return []*proxy.Proxy{w.line, w.second}
}

// address returns the nodes' address of the database behind proxies; of several hosts they use the one that accepts writes.
func address(lines ...*proxy.Proxy) string {
	var hosts []string
	for _, line := range lines {
		hosts = append(hosts, line.Address())
	}
	several := ""
	if len(lines) > 1 {
		several = "&target_session_attrs=read-write"
	}
	return "postgres://" + role + "@" + strings.Join(hosts, ",") + "/" + role + "?sslmode=disable" + several
}

// aside returns the suite's own address of a database: as a superuser, past the proxy, with few connections.
func aside(server *pgtest.Server, database string) string {
	return server.URL(database) + "&pool_max_conns=2"
}

// sql runs statements on the server.
func (w *world) sql(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if err := pgtest.Do(ctx, w.server.URL("postgres"), statement); err != nil {
			return err
		}
	}
	return nil
}

// restart restarts PostgreSQL with other settings.
func (w *world) restart(ctx context.Context, settings ...string) error {
	if err := w.server.Stop(); err != nil {
		return err
	}
	w.server.Configure(settings...)
	return w.server.Resume(ctx)
}

// caddy starts Caddy with the deployed configuration in front of the system's nodes, and returns its address.
func (w *world) caddy(t *testing.T) string {
	t.Helper()
	var nodes []string
	for _, n := range w.nodes {
		nodes = append(nodes, n.address)
	}
	proxy := testserver.StartCaddy(t, *caddy, nodes)
	for deadline := time.Now().Add(readyWithin); ; <-time.After(20 * time.Millisecond) {
		if r, err := send(t.Context(), probe, proxy.Address, http.MethodGet, "/healthz", nil); err == nil && r.status == http.StatusOK {
			return proxy.Address
		}
		select {
		case <-proxy.Ended:
			deadline = time.Time{}
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("Caddy does not serve:\n%s", proxy.LastWords())
		}
	}
}

// disk is a small file system of its own.
type disk struct{ dir string }

// newDisk mounts a file system in memory; mounting needs root.
func newDisk(t *testing.T, bytes int) (*disk, error) {
	t.Helper()
	d := &disk{dir: t.TempDir()}
	if err := syscall.Mount("verbatim-faults", d.dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0755", bytes)); err != nil {
		return nil, fmt.Errorf("a file system cannot be mounted: %w", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d, nil
}

// fill uses up the free space.
func (d *disk) fill() error {
	file, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	for chunk := make([]byte, 1<<20); len(chunk) > 0; chunk = chunk[:len(chunk)/2] {
		for err == nil {
			_, err = file.Write(chunk)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.Join(err, file.Close())
		}
		err = nil
	}
	return file.Close()
}

func (d *disk) empty() error    { return os.Remove(d.ballast()) }
func (d *disk) ballast() string { return filepath.Join(d.dir, "ballast") }

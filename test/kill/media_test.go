package kill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
)

const (
	readers      = 4
	recording    = 6<<20 + 4321 // bytes
	killsOfReads = 9
	readsBetween = 40 // kills
	purgeWithin  = 45 * time.Second
)

// TestKillMedia kills servers while clients read a recording, and, after each acknowledged deletion, the server that acknowledged it: the
// one server of a SQLite database and a folder or, where the suites run on PostgreSQL, three over one database and one bucket of a real S3
// server.
func TestKillMedia(t *testing.T) {
	nodes, database, blobs := 1, "", ""
	if storetest.OnPostgres() {
		nodes, database, blobs = 3, storetest.Address(t), blobtest.OwnBucket(t)
	}
	p := newProgram(t, nodes, database, blobs)
	w, studyID := begin(t, p)
	m := &mediaWorld{world: w, objects: blobtest.Open(t, p.blobs), links: blob.Links{Keys: secrets(t, p.database), Now: time.Now}}
	ids := m.responses(t, studyID, 1+2*len(p.nodes))

	content := blobtest.Bytes(1, recording)
	name := erasure.ObjectPrefix(ids[0]) + "recordings/1/source.webm"
	if err := m.objects.Put(t.Context(), name, bytes.NewReader(content), recording, "video/webm"); err != nil {
		t.Fatal(err)
	}
	blobtest.Put(t, m.objects, erasure.ObjectPrefix(ids[0])+"recordings/1/next.m4s", "in the same folder")
	m.readUnderKills(t, m.links.Folder(name, blob.Lifetime), content)

	var slowest time.Duration
	for i, n := range p.nodes {
		slowest = max(slowest, m.deleteAndKill(t, n, studyID, ids[1+2*i:3+2*i]))
	}
	if got := blobtest.Content(t, m.objects, name); !bytes.Equal(got, content) {
		t.Error("the recording of another response was touched")
	}
	p.command(nil, "doctor") // it finds nothing wrong, and above all no object without its response
	kind, _, _ := strings.Cut(p.blobs, ":")
	t.Logf("%d node(s) over %s: %d kills under %d ranges read, %d of them cut off or refused and read again; %d deletions, each purged although its node was killed: slowest %v",
		len(p.nodes), kind, killsOfReads, m.read.Load(), m.again.Load(), 2*len(p.nodes), slowest.Round(time.Millisecond))
}

// secrets returns the keyring that the nodes sign links with: one of them created it, in a file beside a database of its own, or in the
// database that all share.
func secrets(t *testing.T, database string) func() signing.Ring {
	t.Helper()
	s, err := store.Open(t.Context(), database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var found string
	if path, ok := s.File(); ok {
		var file []byte
		file, err = os.ReadFile(filepath.Join(filepath.Dir(path), "signing-secret"))
		found = string(file)
	} else {
		found, err = s.View().Setting(t.Context(), "signing_secrets")
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	ring, err := signing.Parse(found)
	if err != nil {
		t.Fatalf("the nodes have no secret in common: %v", err)
	}
	return func() signing.Ring { return ring }
}

// mediaWorld is a world with recordings.
type mediaWorld struct {
	*world
	objects     blob.Store
	links       blob.Links
	read, again atomic.Int64
}

// responses begins n interviews and returns their ids.
func (m *mediaWorld) responses(t *testing.T, studyID string, n int) (ids []string) {
	for range n {
		r, err := m.insist(t.Context(), http.MethodPost, "/s/"+m.link+"/interviews", "", map[string]any{})
		if err != nil || r.status != http.StatusCreated {
			t.Fatalf("start: %d %s, %v", r.status, r.body, err)
		}
	}
	items, err := m.list(t.Context(), studyID, "")
	if err != nil || len(items) != n {
		t.Fatalf("%d interviews are listed, %v, want %d", len(items), err, n)
	}
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	return ids
}

// readUnderKills has readers ask any node for ranges of a recording while the nodes are killed in turn.
func (m *mediaWorld) readUnderKills(t *testing.T, link string, content []byte) {
	for _, n := range m.nodes {
		for address, want := range map[string]int{
			link: http.StatusOK, path.Dir(link) + "/next.m4s": http.StatusOK, path.Dir(link) + "/other.m4s": http.StatusNotFound,
			link + "/below": http.StatusForbidden,
		} {
			if r, err := m.sendTo(t.Context(), n, http.MethodGet, address, "", nil); err != nil || r.status != want {
				t.Fatalf("%s answers %d, %v to %s, want %d", n.address, r.status, err, address, want)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan struct{}, 1)
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for ctx.Err() == nil {
				m.readRange(ctx, link, content)
				select {
				case done <- struct{}{}:
				case <-ctx.Done():
				}
			}
		})
	}
	for round := range killsOfReads {
		for range readsBetween {
			<-done
		}
		victim := m.nodes[round%len(m.nodes)]
		victim.kill()
		if len(m.nodes) > 1 { // the others keep serving
			for range readsBetween {
				<-done
			}
		}
		m.start(victim)
	}
	stop()
	all.Wait()
}

// readRange reads a random range of a recording, again if the answer was cut off.
func (m *mediaWorld) readRange(ctx context.Context, link string, content []byte) {
	from := rand.IntN(len(content))
	to := min(from+rand.IntN(1<<20), len(content)-1)
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for ctx.Err() == nil {
		r, err := m.send(context.WithoutCancel(ctx), http.MethodGet, link, "", nil, "Range", fmt.Sprintf("bytes=%d-%d", from, to))
		if err == nil {
			m.read.Add(1)
			if r.status != http.StatusPartialContent || !bytes.Equal(r.body, content[from:to+1]) {
				m.t.Errorf("bytes %d to %d: %d with %d other bytes", from, to, r.status, len(r.body))
			}
			return
		}
		m.again.Add(1)
		<-pause.C
	}
}

// deleteAndKill deletes responses with recordings at a node, kills the node as soon as it has acknowledged that, and checks that they are
// purged, before the node is back if there are others. It returns how long that took.
func (m *mediaWorld) deleteAndKill(t *testing.T, n *node, studyID string, ids []string) time.Duration {
	t.Helper()
	links := map[string]string{}
	for _, id := range ids {
		for part := range 20 {
			name := fmt.Sprintf("%srecordings/1/hls/%d.m4s", erasure.ObjectPrefix(id), part)
			blobtest.Put(t, m.objects, name, "canary")
			links[id] = m.links.Object(name, blob.Lifetime)
		}
	}
	clear(m.deletions)
	for _, id := range ids {
		r, err := m.sendTo(t.Context(), n, http.MethodDelete, fmt.Sprintf("/api/public/v1/responses?studyId=%s&responseId=%s", studyID, id), m.key, nil)
		var receipt struct{ DeletionID string }
		if err != nil || r.status != http.StatusAccepted || r.decode(&receipt) != nil {
			t.Fatalf("delete: %d %s, %v", r.status, r.body, err)
		}
		m.deletions[id] = receipt.DeletionID
	}
	n.kill()
	begun := time.Now()
	if len(m.nodes) == 1 {
		m.start(n)
	}
	ctx, cancel := context.WithTimeout(t.Context(), purgeWithin)
	defer cancel()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for !m.deletionsDone(ctx, t) {
		<-poll.C
	}
	took := time.Since(begun)
	if len(m.nodes) > 1 {
		m.start(n)
	}
	for _, id := range ids {
		if left := blobtest.List(t, m.objects, erasure.ObjectPrefix(id)); len(left) > 0 {
			t.Errorf("left of deleted response %s: %v", id, left)
		}
		for _, each := range m.nodes {
			if r, err := m.sendTo(t.Context(), each, http.MethodGet, links[id], "", nil); err != nil || r.status != http.StatusNotFound {
				t.Errorf("the link to what was deleted answers %d, %v", r.status, err)
			}
		}
	}
	return took
}

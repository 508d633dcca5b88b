package nodes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// beforeVersions is the last commit before versions had numbers. It stands for the previous release until there is one.
const beforeVersions = "59f2e8f20bd4bf6bf9452216fcfe1a832c56b58d"

// TestVersionsSideBySide runs a node of the previous release and one of this source over one database, as in an upgrade: participants whose
// requests go to either in turn notice nothing, both return the same data, and the old one may start again.
//
// If the clone has no history (a shallow one, or an archive of the source), the previous program cannot be built. Then this test runs two
// nodes of this source instead, and only the statements of the previous release (TestEarlierStatements of internal/platform/store) and the
// rules for migrations find what an upgrade takes away.
func TestVersionsSideBySide(t *testing.T) {
	database := pgtest.StartFor(t).URL("postgres")
	if storetest.OnPostgres() {
		database = storetest.Address(t)
	}
	l := &load{service: newService(t, database, 2)}
	older, newer := l.nodes[0], l.nodes[1]
	if commit := previous(t); commit == "" {
		t.Log("this clone has no history: the previous release could not be built, and two nodes of this source run instead")
	} else {
		older.binary = filepath.Join(t.TempDir(), "previous")
		build(t, checkout(t, commit), older.binary)
		t.Logf("the previous release is commit %s", commit)
	}

	current := l.binary
	l.binary = older.binary // the operator's, before the upgrade
	key := l.organization()
	l.start(older)
	l.base = func() string { return "http://" + older.address }
	studyID := l.launch(t, key)
	const participants = 6
	everyone := func(do func(n int)) {
		t.Helper()
		var all sync.WaitGroup
		for n := range participants {
			all.Go(func() { do(n) })
		}
		all.Wait()
		if t.Failed() {
			t.FailNow()
		}
	}
	everyone(func(n int) { l.interview(t.Context(), n, toTheEnd) })
	finished := len(l.begun)
	everyone(func(n int) { l.interview(t.Context(), n, 2) })

	l.start(newer) // it migrates, while the older one serves
	l.binary = current
	var turn atomic.Int64
	l.base = func() string { return "http://" + l.nodes[turn.Add(1)%2].address }
	halfway := l.begun[finished:]
	everyone(func(n int) {
		l.goOn(t.Context(), halfway[n].token, halfway[n].participant, toTheEnd)
		l.interview(t.Context(), n, toTheEnd)
	})
	older.kill()
	l.start(older) // as after a crash in the middle of an upgrade
	everyone(func(n int) { l.interview(t.Context(), n, toTheEnd) })
	for _, f := range l.failures {
		t.Errorf("%s: %s", f.method, f.why)
	}

	l.analysed(t, key, studyID, 4*participants)
	l.compare(t, key, studyID)
	lists := make([][]byte, 2)
	for i, n := range l.nodes {
		l.base = func() string { return "http://" + n.address }
		_, lists[i] = l.insist(t.Context(), -1, http.MethodGet, "/api/public/v1/responses/"+studyID+"?perPage=100", key, nil)
	}
	if !bytes.Equal(lists[0], lists[1]) {
		t.Errorf("the nodes list differently:\n%s\n%s", lists[0], lists[1])
	}
	var findings []struct {
		Check, State string
		Fault        any
	}
	l.command(&findings, "doctor", "--all")
	for _, f := range findings {
		if f.State == "wrong" {
			t.Errorf("the doctor finds %s wrong: %v", f.Check, f.Fault)
		}
	}
}

// analysed waits until so many responses are analysed, by either node.
func (l *load) analysed(t *testing.T, key, studyID string, want int) {
	t.Helper()
	l.until(fmt.Sprintf("%d responses are analysed", want), func() bool {
		_, body := l.insist(t.Context(), -1, http.MethodGet, "/api/public/v1/responses/"+studyID+"?perPage=100&includeInProgress=false", key, nil)
		var items []json.RawMessage
		return json.Unmarshal(body, &items) == nil && len(items) == want
	})
}

// previous returns the commit of the previous release, or "" if the clone does not hold it.
func previous(t *testing.T) string {
	t.Helper()
	tags, err := git(t, "tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname", "--format=%(refname:short)")
	if err != nil {
		return ""
	}
	now, err := git(t, "tag", "--points-at", "HEAD")
	if err != nil {
		return ""
	}
	candidates := strings.Fields(tags)
	for _, tag := range append(candidates, beforeVersions) {
		if strings.Contains("\n"+now+"\n", "\n"+tag+"\n") {
			continue // this is that release
		}
		if commit, err := git(t, "rev-parse", "--verify", "--quiet", tag+"^{commit}"); err == nil {
			return commit
		}
	}
	return ""
}

// checkout puts the files of a commit into a folder of the test's own.
func checkout(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	archive := filepath.Join(t.TempDir(), "source.tar")
	root, err := git(t, "rev-parse", "--show-toplevel")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"git", "-C", root, "archive", "--output", archive, commit}, {"tar", "-xf", archive, "-C", dir}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	return dir
}

func git(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

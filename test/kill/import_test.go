package kill

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const (
	foreigners  = 5000 // responses in the file of TestKillImport
	importKills = 5    // at most: on a busy machine an import may end before it is killed
)

// TestKillImport kills the process of an import in the middle, again and again, and lets the last run finish. The result must be that of an
// import without interruptions.
func TestKillImport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "responses.ndjson")
	writeForeigners(t, file)

	built := newProgram(t, 0, "", "")
	calm := newImport(t, built.binary)
	calm.program.command(nil, "import", calm.LinkID, file)
	want := calm.stored(t)
	if want.Responses != foreigners {
		t.Fatalf("without interruptions %d responses are stored", want.Responses)
	}

	torn := newImport(t, built.binary)
	there, kills, middle := 0, 0, 0
	for ; kills < importKills && there < foreigners; kills++ {
		before := there
		there = torn.killed(t, file, before+rand.IntN(foreigners/(importKills+3)))
		if there > before && there < foreigners {
			middle++
		}
		torn.audit(t)
	}
	if middle == 0 {
		t.Fatalf("none of %d kills came while responses were stored", kills)
	}
	var last, again struct{ Stored, Skipped int }
	torn.program.command(&last, "import", torn.LinkID, file)
	if last.Skipped != there || last.Stored != foreigners-there {
		t.Errorf("%d were there, the last run says %+v", there, last)
	}
	if diff := cmp.Diff(want, torn.stored(t)); diff != "" {
		t.Errorf("without interruptions -, killed %d times +:\n%s", kills, diff)
	}
	torn.program.command(&again, "import", torn.LinkID, file)
	if again.Stored != 0 || again.Skipped != foreigners {
		t.Errorf("once more: %+v", again)
	}
	torn.audit(t)
	t.Logf("%d kills, %d of them while responses were stored; the last run found %d of %d", kills, middle, there, foreigners)
}

// writeForeigners writes responses of another service: no two alike, in no order of their ids, in every state.
func writeForeigners(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	random := rand.New(rand.NewPCG(3, 1))
	states := []response.Progress{response.Complete, response.Complete, response.ScreenedOut, response.InProgress}
	first := time.Date(2025, 5, 1, 8, 0, 0, 0, time.UTC)
	for n := range foreigners {
		at := first.Add(time.Duration(n) * time.Minute)
		said := fmt.Sprintf("Für mich, im %d. Gespräch: \"nein\".\n", n)
		it := document.Item{
			ID: fmt.Sprintf("%08x-0000-4000-8000-%012d", random.Uint32(), n), ReadableID: n + 1, Progress: string(states[n%len(states)]), DurationSeconds: int64(n),
			AnswersArray: []document.Answer{{AnswerID: fmt.Sprint("answer-", n), QuestionID: "why", Question: "Why?", Answer: said}},
			URLParams:    map[string]string{"pid": fmt.Sprint("P", n), "wave": fmt.Sprint(n % 7)}, CreatedAt: at, UpdatedAt: at.Add(time.Minute),
		}
		if n%3 > 0 {
			it.Answers, it.QualityScore = document.KeyedAnswers{{Key: document.SummaryKey, Text: said}, {Key: "Q1: Why?", Text: said}}, 4
		}
		if _, err := w.Write(append(it.Encode(), '\n')); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// target is a study that an import writes to, with a handle on its database.
type target struct {
	study.Study
	program *program
	store   *store.Store
}

func newImport(t *testing.T, binary string) target {
	t.Helper()
	address := storetest.Address(t)
	s := storetest.Open(t, address, store.Options{})
	return target{Study: storetest.NewScene(t, s).Study, program: &program{t: t, binary: binary, dir: t.TempDir(), database: address}, store: s}
}

func (w target) count(t *testing.T) int {
	t.Helper()
	n, err := w.store.View().CountResponses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// killed starts an import, kills its process at a random time after so many responses are stored, unless it has ended by then, and returns
// how many are stored afterwards.
func (w target) killed(t *testing.T, file string, after int) int {
	t.Helper()
	run := exec.Command(w.program.binary, "import", w.LinkID, file, "--data", w.program.dir, "--database", w.program.database)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = run.Wait() // the error says that it was killed
		close(ended)
	}()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for storing := true; storing && w.count(t) <= after; {
		select {
		case <-poll.C:
		case <-ended:
			storing = false
		}
	}
	<-time.After(time.Duration(rand.IntN(20_000)) * time.Microsecond) // within a transaction, or between two
	_ = run.Process.Kill()
	<-ended
	return w.count(t)
}

// audit looks for incomplete responses, without documents or search entries, and for wrong counts.
func (w target) audit(t *testing.T) {
	t.Helper()
	view, ctx := w.store.View(), t.Context()
	for name, check := range map[string]func() ([]string, error){
		"items":  func() ([]string, error) { return view.AuditItems(ctx) },
		"counts": func() ([]string, error) { return view.AuditCounts(ctx) },
		"search": func() ([]string, error) { return view.AuditSearch(ctx) },
	} {
		if violations, err := check(); err != nil || len(violations) > 0 {
			t.Errorf("%s: %v, %v", name, violations, err)
		}
	}
	if n, err := view.MiscountedRuns(ctx, w.ID); err != nil || n > 0 {
		t.Errorf("%d counts of items are not right, %v", n, err)
	}
}

// stored is everything that an import leaves, except for the ids of the study and the organization.
type stored struct {
	Responses, Completed, Listed, LastReadableID int
	Rows                                         []storedResponse // in the order of their ids
}

type storedResponse struct {
	Row    response.Response
	Item   store.Item
	Search map[string]string
}

func (w target) stored(t *testing.T) (all stored) {
	t.Helper()
	view, ctx := w.store.View(), t.Context()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	all.Responses = w.count(t)
	st, err := view.Study(ctx, w.OrgID, w.ID)
	must(err)
	all.Completed = st.CompletedCount
	page, err := view.ItemPage(ctx, store.ItemFilter{OrgID: w.OrgID, Study: w.ID, Limit: 1})
	must(err)
	all.Listed = page.Total
	all.LastReadableID, err = view.LastReadableID(ctx, w.ID)
	must(err)
	for after := ""; ; {
		rows, err := view.ResponsesAfter(ctx, after, 500)
		must(err)
		if len(rows) == 0 {
			return all
		}
		for _, r := range rows {
			after = r.ID
			item, err := view.ItemByReadableID(ctx, w.ID, r.ReadableID)
			must(err)
			search, err := view.SearchEntries(ctx, r.ID)
			must(err)
			r.StudyID, r.OrgID, item.StudyID = "", "", ""
			all.Rows = append(all.Rows, storedResponse{Row: r, Item: item, Search: search})
		}
	}
}

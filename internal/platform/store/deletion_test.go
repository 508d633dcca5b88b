package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// canary returns a text that no other part of a test writes.
func canary(n int) string { return fmt.Sprintf("canary-%04d-sings", n) }

// fullResponse adds a response with a canary in everything that a participant may leave, with size bytes of text around each.
func fullResponse(t *testing.T, sc storetest.Scene, word string, size int) response.Response {
	t.Helper()
	ctx := t.Context()
	text := strings.Repeat("lorem ", size/6) + word
	r := storetest.Response(t, sc.Store, sc.Study, map[string]string{"pid": word, "_utm": word})
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		for seq := range 3 {
			turn := interview.Turn{StepID: "s", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now(), Answer: interview.Answer{Text: text}}
			if err := tx.AppendTurn(ctx, r.ID, seq, turn); err != nil {
				return err
			}
		}
		if err := tx.AppendDecision(ctx, r.ID, 1, interview.Decision{Words: text, Attempts: []interview.Attempt{{Words: text}}}); err != nil {
			return err
		}
		if err := tx.SaveAnswerTranslations(ctx, r.ID, []translation.Answer{{StepID: "s", Hash: word, Text: text, Model: word, Violation: word}}); err != nil {
			return err
		}
		a := response.Analysis{Summary: text, Tags: []string{word}, Provider: "builtin", CompletedAt: tx.Now()}
		if err := tx.SaveAnalysis(ctx, r.ID, a); err != nil {
			return err
		}
		if _, err := tx.SaveFingerprints(ctx, r, []store.Fingerprint{{Row: 1, Hash: word}}); err != nil {
			return err
		}
		u, err := tx.CreateUpload(ctx, recording.Upload{ResponseID: r.ID, Kind: recording.Audio, Name: word, Size: 1}, recording.Defaults)
		if err != nil {
			return err
		}
		if err := tx.SaveTranscript(ctx, r.ID, u.ID, transcript.Transcript{Text: text, Words: []transcript.Word{{Text: word}}}); err != nil {
			return err
		}
		return tx.Enqueue(ctx, store.Job{Kind: "analyse", Args: word, ResponseID: r.ID})
	})
	for _, analysed := range []bool{false, true} { // stored twice, as in production: the first document is replaced
		at := putItem(t, sc.Store, r, time.Time{}, analysed, fmt.Sprintf(`{"v":%v,"text":%q}`, analysed, text))
		filler := strings.Fields(strings.Repeat("lorem ", 1+size/60))
		for i := range filler {
			filler[i] += fmt.Sprint(i)
		}
		indexPassages(t, sc.Store, r, at, store.Passage{Row: 1, Terms: append(filler, term(word))}, store.Passage{Row: 2, Terms: []string{"ipsum", fmt.Sprint("v", analysed)}})
	}
	return r
}

// remains lists the files of the database that still contain the word.
func remains(t *testing.T, dir, word string) (where []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files = %v, %v", files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(word)) {
			where = append(where, filepath.Base(file))
		}
	}
	return where
}

func remove(t *testing.T, s *store.Store, r response.Response) (d response.Deletion) {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) (err error) { d, err = tx.CreateDeletion(t.Context(), r); return err })
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.Purge(t.Context(), r.ID) })
	return d
}

// TestDeletionLeavesNothing deletes every second of many responses, whose sizes fill from part of a page to several pages,
// and searches for them in every table and in the bytes of the files.
func TestDeletionLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "v.db"), store.Options{}))
	var all []response.Response
	for i := range 60 {
		all = append(all, fullResponse(t, sc, canary(i), []int{20, 700, 5000, 40_000}[i%4]))
	}
	if len(remains(t, dir, canary(0))) == 0 {
		t.Fatal("the canary was never in the files: this test finds nothing")
	}
	for i, r := range all {
		if i%2 == 0 {
			remove(t, sc.Store, r)
		}
	}
	if err := sc.Store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if where := remains(t, dir, term(canary(i))[8:]); (len(where) > 0) != (i%2 != 0) {
			t.Errorf("the words of response %d, deleted: %t, are in %v", i, i%2 == 0, where)
		}
		where, tables := remains(t, dir, canary(i)), tablesWith(t, sc.Store, r.ID)
		if i%2 != 0 {
			if len(where) == 0 || len(tables) < 5 {
				t.Errorf("response %d, which nobody deleted, is in %v and in the tables %v", i, where, tables)
			}
			continue
		}
		if len(where) > 0 {
			t.Errorf("response %d is still in %v", i, where)
		}
		if diff := cmp.Diff([]string{"deletion"}, tables); diff != "" {
			t.Errorf("response %d: tables with its id (-want +got):\n%s", i, diff)
		}
	}
}

// tablesWith lists the tables that have a row in which any column contains the text.
func tablesWith(t *testing.T, s *store.Store, text string) (found []string) {
	t.Helper()
	_, read := s.Handles()
	strs := func(query string, args ...any) (all []string) {
		rows, err := read.QueryContext(t.Context(), query, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var one string
			if err := rows.Scan(&one); err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, table := range strs(`select name from sqlite_schema where type = 'table' order by name`) {
		var tests []string
		for _, column := range strs(`select name from pragma_table_info($1)`, table) {
			tests = append(tests, fmt.Sprintf(`instr(%q, $1) > 0`, column))
		}
		if n := strs(fmt.Sprintf(`select count(*) from %q where %s`, table, strings.Join(tests, " or ")), text); n[0] != "0" {
			found = append(found, table)
		}
	}
	return found
}

func TestDeletedIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	r := completed(t, sc, map[string]string{"pid": "1"})
	enqueue(t, sc.Store, store.Job{Kind: "analyse", ResponseID: r.ID}, store.Job{Kind: "other"})
	var d response.Deletion
	storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) { d, err = tx.CreateDeletion(ctx, r); return err })

	v := sc.Store.View()
	if page, err := v.ItemPage(ctx, store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 1}); err != nil || page.Total != 0 {
		t.Errorf("ItemPage = %+v, %v", page, err)
	}
	if _, err := v.ItemByResponse(ctx, sc.Study.ID, r.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("ItemByResponse: %v, want ErrNotFound", err)
	}
	if hits, err := v.Search(ctx, sc.Org.ID, "pid", "1", true, store.SearchCursor{}, 10); err != nil || len(hits) != 0 {
		t.Errorf("Search = %v, %v", hits, err)
	}
	if _, err := v.Response(ctx, sc.Org.ID, r.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("Response: %v, want ErrNotFound", err)
	}
	if st, err := v.Study(ctx, sc.Org.ID, sc.Study.ID); err != nil || st.CompletedCount != 0 {
		t.Errorf("CompletedCount = %d, %v, want 0", st.CompletedCount, err)
	}
	if jobs := claim(t, sc.Store, 10); len(jobs) != 1 || jobs[0].Kind != "other" {
		t.Errorf("jobs left: %+v, want the other one", jobs)
	}
	stays := func(when string) {
		t.Helper()
		if _, _, err := v.ParticipantResponse(ctx, r.ID); !errors.Is(err, response.ErrGone) {
			t.Errorf("%s: ParticipantResponse: %v, want ErrGone", when, err)
		}
		for name, do := range map[string]func(tx *store.Tx) error{
			"PutItem": func(tx *store.Tx) error {
				return tx.PutItem(ctx, store.Item{StudyID: r.StudyID, ReadableID: 1, ResponseID: r.ID, UpdatedAt: tx.Now()})
			},
			"SaveAnalysis": func(tx *store.Tx) error { return tx.SaveAnalysis(ctx, r.ID, response.Analysis{CompletedAt: tx.Now()}) },
		} {
			if err := sc.Store.Write(ctx, do); !errors.Is(err, response.ErrGone) {
				t.Errorf("%s: %s = %v, want ErrGone", when, name, err)
			}
		}
		err := sc.Store.Write(ctx, func(tx *store.Tx) error { return tx.AppendTurn(ctx, r.ID, r.TurnCount, interview.Turn{At: tx.Now()}) })
		if !errors.Is(err, response.ErrMoved) {
			t.Errorf("%s: AppendTurn = %v, want ErrMoved", when, err)
		}
		if got, err := v.DeletionOf(ctx, sc.Org.ID, r.ID); err != nil || got.ID != d.ID {
			t.Errorf("%s: DeletionOf = %+v, %v, want the receipt", when, got, err)
		}
	}
	stays("before the purge")
	for range 2 {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Purge(ctx, r.ID) })
		stays("after the purge")
	}
	audit(ctx, t, sc.Store)
	w, err := v.Wallet(ctx, sc.Wallet.ID)
	if err != nil || w.Project.Usage != wallet.Credit {
		t.Errorf("usage = %v, %v, want the charge kept", w.Project.Usage, err)
	}
}

func TestPurgeReleasesAnActiveHold(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return tx.PlaceHold(t.Context(), store.Hold{WalletID: sc.Wallet.ID, OrgID: sc.Org.ID, StudyID: sc.Study.ID, ResponseID: r.ID, Amount: 1000})
	})
	remove(t, sc.Store, r)
	if w, err := sc.Store.View().Wallet(t.Context(), sc.Wallet.ID); err != nil || w != sc.Wallet {
		t.Errorf("the wallet is %+v, %v, want it as it was", w, err)
	}
	audit(t.Context(), t, sc.Store)
}

func TestDeletionReceipts(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	first := remove(t, sc.Store, storetest.Response(t, sc.Store, sc.Study, nil))
	second := remove(t, sc.Store, storetest.Response(t, sc.Store, sc.Study, nil))
	if first.Status != response.DeletionQueued || first.RequestedAt.IsZero() || !first.CompletedAt.IsZero() {
		t.Errorf("a new receipt is %+v", first)
	}
	v := sc.Store.View()
	if all, err := v.Deletions(ctx); err != nil || cmp.Diff([]response.Deletion{second, first}, all) != "" {
		t.Errorf("Deletions = %+v, %v, want the newest first", all, err)
	}
	for _, status := range []response.DeletionStatus{response.DeletionRunning, response.DeletionFailed, response.DeletionCompleted, response.DeletionRunning} {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SetDeletion(ctx, first.ID, status) })
		got, err := v.Deletion(ctx, sc.Org.ID, first.ID)
		if err != nil || got.Status != status || got.CompletedAt.IsZero() != (status != response.DeletionCompleted) {
			t.Errorf("set to %s: %+v, %v", status, got, err)
		}
	}
	if got, err := v.OperatorDeletion(ctx, second.ID); err != nil || got != second {
		t.Errorf("OperatorDeletion = %+v, %v", got, err)
	}
	for name, err := range map[string]error{
		"another organization's":          func() error { _, err := v.Deletion(ctx, store.NewID(), first.ID); return err }(),
		"another organization's response": func() error { _, err := v.DeletionOf(ctx, store.NewID(), first.ResponseID); return err }(),
		"none":                            func() error { _, err := v.OperatorDeletion(ctx, store.NewID()); return err }(),
	} {
		if !errors.Is(err, response.ErrNoDeletion) {
			t.Errorf("%s: %v, want ErrNoDeletion", name, err)
		}
	}
}

// TestScrubWipesWhatBalancingLeaves puts a word where SQLite leaves the bytes of rows that it moved: in the unused middle of
// a page.
func TestScrubWipesWhatBalancingLeaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "v.db"), store.Options{}))
	kept := fullResponse(t, sc, canary(1), 5000)
	if err := sc.Store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	write, read := sc.Store.Handles()
	const half = 16384 / 2 // every page of a tree with few rows is unused there
	var planted int
	for number := range 60 {
		result, err := write.ExecContext(t.Context(), `update sqlite_dbpage set data = cast(substr(data, 1, $1) || $2 || substr(data, $1 + 1 + length($2)) as blob)
			where pgno = $3 and substr(data, 1, 1) in (x'02', x'05', x'0a', x'0d') and substr(data, $1 + 1, length($2)) = zeroblob(length($2))`,
			half, []byte(canary(2)), number+2)
		if err != nil {
			t.Fatal(err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			t.Fatal(err)
		}
		planted += int(n)
	}
	if dirty, err := sc.Store.DirtyPages(t.Context()); planted == 0 || dirty != planted || err != nil {
		t.Fatalf("%d pages have remains, %v, want the %d planted ones", dirty, err, planted)
	}
	if err := sc.Store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if dirty, err := sc.Store.DirtyPages(t.Context()); dirty != 0 || err != nil {
		t.Errorf("%d pages have remains, %v, want none", dirty, err)
	}
	if where := remains(t, dir, canary(2)); len(where) > 0 {
		t.Errorf("the word is still in %v", where)
	}
	var sound string
	if err := read.QueryRowContext(t.Context(), `pragma integrity_check`).Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity_check = %q, %v", sound, err)
	}
	if turns, err := sc.Store.View().Turns(t.Context(), kept.ID); err != nil || len(turns) != 3 || !strings.HasSuffix(turns[2].Answer.Text, canary(1)) {
		t.Errorf("what was kept: %d turns, %v", len(turns), err)
	}
}

func TestScrubWaitsForReaders(t *testing.T) {
	t.Parallel()
	address := storetest.SQLiteAddress(t)
	sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{Wait: 20 * time.Millisecond}))
	ctx := t.Context()
	_, read := sc.Store.Handles()
	reading := func() (end func() error) {
		tx, err := read.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRowContext(ctx, `select count(*) from org`).Scan(new(int)); err != nil {
			t.Fatal(err)
		}
		return tx.Rollback
	}
	end := reading()
	storetest.Org(t, sc.Store)
	if err := sc.Store.Scrub(ctx); !errors.Is(err, outage.ErrBusy) {
		t.Errorf("Scrub while a reader needs the log = %v, want ErrBusy", err)
	}
	patient := storetest.Open(t, address, store.Options{})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := patient.Scrub(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("Scrub with a cancelled context = %v, want context.Canceled", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- patient.Scrub(ctx) }()
	storetest.Org(t, sc.Store) // writes go on meanwhile
	if err := end(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Scrub after the reader ended = %v", err)
	}
}

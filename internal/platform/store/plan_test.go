package store_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestHotStatementsUseIndexes asks the engine how it would find the rows of what is done at every request, and refuses a scan
// of a full table, and a sort of what an index could return in order. PostgreSQL would rightly scan the few rows of this
// test; it is told to do so only where nothing else is possible, so that the plan shows what is.
func TestHotStatementsUseIndexes(t *testing.T) {
	t.Parallel()
	if storetest.SchemaChanged() {
		t.Skip("partitions give indexes names of their own")
	}
	sc := storetest.NewScene(t, storetest.New(t))
	key := storetest.Key(t, sc.Store, sc.Org.ID, sc.User.ID)
	r := storetest.Response(t, sc.Store, sc.Study, map[string]string{"pid": "1"})
	putItem(t, sc.Store, r, time.Time{}, true, "{}")
	page := store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 10}
	since := page
	since.From = time.Unix(1, 0)
	ctx := t.Context()
	if storetest.OnPostgres() {
		queueMany(t, sc.Store)
	}

	tests := []struct {
		name  string
		uses  string // the index that the plan must name; empty when a primary key is enough
		sorts bool   // a sort is right: the index has another order
		do    func(tx *store.Tx) error
	}{
		{"key", "api_key", false, func(tx *store.Tx) error { _, err := tx.CallerByKey(ctx, org.HashKey(key)); return err }},
		{"study", "study", false, func(tx *store.Tx) error { _, err := tx.Study(ctx, sc.Org.ID, sc.Study.ID); return err }},
		{"study by link", "study_link", false, func(tx *store.Tx) error { _, err := tx.PublicStudy(ctx, sc.Study.LinkID); return err }},
		{"study list", "study_org", false, func(tx *store.Tx) error { _, err := tx.Studies(ctx, sc.Org.ID, 5000); return err }},
		{"page", "COVERING INDEX response_item_page", true, func(tx *store.Tx) error { _, err := tx.ItemPage(ctx, page); return err }},
		{"way to a page", "item_tally", true, func(tx *store.Tx) error { _, err := tx.ItemPage(ctx, page); return err }},
		{"updated since", "COVERING INDEX response_item_updated", false, func(tx *store.Tx) error { _, err := tx.ItemPage(ctx, since); return err }},
		{"next update", "study", false, func(tx *store.Tx) error { _, err := tx.NextUpdate(ctx, sc.Study.ID); return err }},
		{"part of a page", "readable_id>", false, func(tx *store.Tx) error {
			p, err := sc.Store.View().ItemPage(ctx, store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 10})
			if err != nil {
				return err
			}
			return tx.NextItems(ctx, p, func([]byte) bool { return false })
		}},
		{"part of a page, updated since", "readable_id=?", false, func(tx *store.Tx) error {
			p, err := sc.Store.View().ItemPage(ctx, store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 10, From: time.Unix(1, 0)})
			if err != nil {
				return err
			}
			return tx.NextItems(ctx, p, func([]byte) bool { return false })
		}},
		{"single by readable id", "response_item", false, func(tx *store.Tx) error { _, _, err := tx.SingleOf(ctx, sc.Org.ID, sc.Study.LinkID, "", 1); return err }},
		{"single by id", "response_id=?", false, func(tx *store.Tx) error { _, _, err := tx.SingleOf(ctx, sc.Org.ID, sc.Study.ID, r.ID, 0); return err }},
		{"search", "(created_at,response_id)<", false, func(tx *store.Tx) error {
			_, err := tx.Search(ctx, sc.Org.ID, "pid", "1", false, store.SearchCursor{}, 100)
			return err
		}},
		{"participant", "response", false, func(tx *store.Tx) error { _, _, err := tx.ParticipantResponse(ctx, r.ID); return err }},
		{"log", "turn", false, func(tx *store.Tx) error { _, err := tx.Turns(ctx, r.ID); return err }},
		{"logs", "turn", true, func(tx *store.Tx) error { _, err := tx.TurnsOf(ctx, []string{r.ID}); return err }},
		{"responses of a study", "readable_id>", false, func(tx *store.Tx) error { _, err := tx.StudyResponses(ctx, sc.Study.ID, 1, 10); return err }},
		{"decisions", "decision", false, func(tx *store.Tx) error { _, err := tx.Decisions(ctx, r.ID); return err }},
		{"translation", "translation", false, func(tx *store.Tx) error {
			_, err := tx.ShownTranslation(ctx, sc.Study.ID, 1, "de")
			return err
		}},
		{"answers' translations", "answer_translation", false, func(tx *store.Tx) error { _, err := tx.AnswerTranslations(ctx, r.ID); return err }},
		{"copies", "answer_print", true, func(tx *store.Tx) error {
			_, err := tx.SaveFingerprints(ctx, r, []store.Fingerprint{{Row: 1, Hash: "a"}})
			return err
		}},
		{"near copies", "answer_print", true, func(tx *store.Tx) error {
			_, err := tx.Lookalikes(ctx, r, []store.Fingerprint{{Row: 1, Sketch: []string{"0-a"}}}, 1)
			return err
		}},
		{"transcript", "transcript", false, func(tx *store.Tx) error {
			_, err := tx.Transcript(ctx, r.ID, store.NewID())
			if errors.Is(err, transcript.ErrNone) {
				return nil
			}
			return err
		}},
		{"start pace", "start_pace", false, func(tx *store.Tx) error {
			_, err := tx.StartWait(ctx, sc.Study.ID, household("192.0.2.1"), store.StartRate{AtOnce: 1, PerHour: 1})
			return err
		}},
		{"stale starts", "start_pace_due", false, func(tx *store.Tx) error { _, err := tx.StaleStarts(ctx); return err }},
		{"follow-up lease", "response", false, func(tx *store.Tx) error { _, err := tx.FollowUpLease(ctx, r.ID, 0); return err }},
		{"unanswered sweep", "response_unanswered", false, func(tx *store.Tx) error { _, err := tx.UnansweredResponses(ctx, time.Now(), 10); return err }},
		{"idle sweep", "response_idle", false, func(tx *store.Tx) error { _, err := tx.IdleResponses(ctx, time.Now(), 10); return err }},
		{"due jobs", "job_ready", false, func(tx *store.Tx) error { _, err := tx.HasDueJobs(ctx, store.Queue{}); return err }},
		{"claim by turn", "job_queue_turn", false, func(tx *store.Tx) error {
			_, err := tx.ClaimJobs(ctx, store.Queue{Name: "k"}, 4, time.Minute)
			return err
		}},
		{"claim beside a full organization", "job_queue_org", false, func(tx *store.Tx) error {
			_, err := tx.ClaimJobs(ctx, store.Queue{Name: "k", Each: 1, Running: map[string]int{"o": 1}}, 4, time.Minute)
			return err
		}},
		{"claim by turn beside a full organization", "job_queue_turn", false, func(tx *store.Tx) error {
			if err := tx.Enqueue(ctx, store.Job{Kind: "k", OrgID: "p"}); err != nil {
				return err
			}
			_, err := tx.ClaimJobs(ctx, store.Queue{Name: "k", Each: 1, Running: map[string]int{"o": 1}}, 4, time.Minute)
			return err
		}},
		{"due beside a full organization", "job_queue_org", false, func(tx *store.Tx) error {
			_, err := tx.HasDueJobs(ctx, store.Queue{Name: "k", Each: 1, Running: map[string]int{"o": 1}})
			return err
		}},
		{"enqueue", "job_queue_org", false, func(tx *store.Tx) error { return tx.Enqueue(ctx, store.Job{Kind: "k", OrgID: "o"}) }},
		{"claim", "job_ready", false, func(tx *store.Tx) error { _, err := tx.ClaimJobs(ctx, store.Queue{}, 4, time.Minute); return err }},
		{"idempotency", "idempotency", false, func(tx *store.Tx) error {
			_, _, err := tx.IdempotentResult(ctx, org.IdempotencyKey{OrgID: sc.Org.ID, Path: "/", Key: "k"})
			return err
		}},
		{"deletion receipt", "deletion", false, func(tx *store.Tx) error {
			_, err := tx.DeletionOf(ctx, sc.Org.ID, r.ID)
			if errors.Is(err, response.ErrNoDeletion) {
				return nil
			}
			return err
		}},
		{"purge", "turn", false, func(tx *store.Tx) error { return tx.Purge(ctx, r.ID) }},
	}
	few := regexp.MustCompile(`^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|print$|\d+-ROW VALUES CLAUSE|page|named|larges?$|middles?$|smalls?$|due|earlier|found)`) // rows of the statement itself, or that it found by an index
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plans, err := sc.Store.Plans(ctx, tt.do)
			if err != nil {
				t.Fatal(err)
			}
			plan := strings.Join(plans, "\n")
			if storetest.OnPostgres() {
				checkPostgresPlan(t, tt.name, plan, tt.sorts)
				return
			}
			if !strings.Contains(plan, tt.uses) || !strings.Contains(plan, "SEARCH") {
				t.Errorf("the plan does not use %q:\n%s", tt.uses, plan)
			}
			for _, step := range plans {
				if strings.HasPrefix(step, "SCAN") && !few.MatchString(step) && !strings.HasPrefix(step, "SCAN (subquery") || !tt.sorts && strings.Contains(step, "TEMP B-TREE") {
					t.Errorf("a step scans or sorts too much: %s\n%s", step, plan)
				}
			}
		})
	}
}

// queueMany fills the queue of jobs and has PostgreSQL count it. Which of two indexes it would take for an empty table depends on whether
// autovacuum has seen that it is empty.
func queueMany(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		err := tx.Exec(t.Context(), `insert into job (id, kind, args, state, run_at, created_at, org_id, turn)
			select 'many-' || n, 'k', '{}', 'ready', n, n, 'org-' || n % 50, n / 50 from generate_series(1, 2000) n`)
		return errors.Join(err, tx.Exec(t.Context(), `analyze job`))
	})
	if err != nil {
		t.Fatal(err)
	}
}

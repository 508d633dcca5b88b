package store_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestAuditChainOfManyWriters: transactions that write to the logs of two organizations at the same time, in either order, leave both complete.
func TestAuditChainOfManyWriters(t *testing.T) {
	t.Parallel()
	s, ctx := storetest.New(t), t.Context()
	orgs := []org.Organization{storetest.Org(t, s), storetest.Org(t, s)}
	const writers, each = 6, 5
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				err := s.Write(ctx, func(tx *store.Tx) error {
					for n := range orgs { // half of them name the second organization first
						if err := tx.Audit(ctx, org.AuditEntry{OrgID: orgs[(n+w)%2].ID, Action: org.AuditPlayed, Subject: fmt.Sprint(w, i)}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	found, err := s.View().VerifyAuditLogs(ctx, "", org.AuditMark{})
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	for _, one := range found {
		if one.Entries != writers*each || len(one.Violations) > 0 {
			t.Errorf("%+v", one)
		}
	}
}

// TestAuditFailsWithItsCause: what is rolled back leaves no entry.
func TestAuditFailsWithItsCause(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	err := sc.Store.Write(ctx, func(tx *store.Tx) error {
		_ = tx.Audit(ctx, org.AuditEntry{OrgID: sc.Org.ID, Action: org.AuditPlayed})
		return org.ErrNoKey
	})
	log, readErr := sc.Store.View().AuditLog(ctx, sc.Org.ID, org.AuditFilter{}, 0, 10)
	if err == nil || readErr != nil || len(log) != 0 {
		t.Errorf("%v, %v, %v", err, log, readErr)
	}
}

// TestVerifyAuditLog finds what somebody with the database in hand did to a log, besides what TestAuditChain has.
func TestVerifyAuditLog(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	for range 3 {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			return tx.Audit(ctx, org.AuditEntry{OrgID: sc.Org.ID, UserID: sc.User.ID, Action: org.AuditSignedIn, Subject: sc.User.ID})
		})
	}
	verify := func(known org.AuditMark) org.AuditVerification {
		all, err := sc.Store.View().VerifyAuditLogs(ctx, sc.Org.ID, known)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	before := verify(org.AuditMark{})
	mark, err := org.ParseAuditMark(fmt.Sprintf("%d:%s", before.Entries, before.Hash))
	if err != nil || len(verify(mark).Violations) > 0 {
		t.Errorf("%v: %v", err, verify(mark))
	}
	if got := verify(org.AuditMark{Seq: 3, Hash: strings.Repeat("0", 64)}); len(got.Violations) != 1 || !strings.Contains(got.Violations[0], "written again") {
		t.Errorf("another hash: %+v", got)
	}
	for _, wrong := range []string{"", "3", "x:" + before.Hash, "0:" + before.Hash, "3:abc"} {
		if _, err := org.ParseAuditMark(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	write, _ := sc.Store.Handles()
	if _, err := write.ExecContext(ctx, `delete from audit_head`); err != nil {
		t.Fatal(err)
	}
	if got := verify(org.AuditMark{}); len(got.Violations) == 0 {
		t.Errorf("without its head: %+v", got)
	}
}

// TestAuditFilter finds entries by each part of the filter, and names people who are there.
func TestAuditFilter(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc, ctx := storetest.NewScene(t, storetest.NewAt(t, clock)), t.Context()
	begun := sc.Store.Now()
	for _, e := range []org.AuditEntry{
		{UserID: sc.User.ID, Action: org.AuditSignedIn, Subject: sc.User.ID}, {Action: org.AuditKeyCreated, Subject: "vb_1"}, {UserID: sc.User.ID, Action: org.AuditPlayed, Subject: "link/1"},
	} {
		e.OrgID = sc.Org.ID
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Audit(ctx, e) })
		clock.Advance(time.Hour)
	}
	for _, test := range []struct {
		f    org.AuditFilter
		want []int
	}{
		{org.AuditFilter{}, []int{3, 2, 1}},
		{org.AuditFilter{UserID: sc.User.ID}, []int{3, 1}},
		{org.AuditFilter{ByOperator: true}, []int{2}},
		{org.AuditFilter{Action: org.AuditPlayed}, []int{3}},
		{org.AuditFilter{Action: "nothing"}, nil},
		{org.AuditFilter{Since: begun.Add(30 * time.Minute)}, []int{3, 2}},
		{org.AuditFilter{Until: begun.Add(30 * time.Minute)}, []int{1}},
		{org.AuditFilter{UserID: sc.User.ID, Action: org.AuditPlayed, Since: begun, Until: begun.Add(9 * time.Hour)}, []int{3}},
	} {
		log, err := sc.Store.View().AuditLog(ctx, sc.Org.ID, test.f, 0, 10)
		var got []int
		for _, e := range log {
			got = append(got, e.Seq)
			if named := e.Subject == sc.User.ID; named != (e.SubjectName == sc.User.Email) {
				t.Errorf("the subject %s is called %q", e.Subject, e.SubjectName)
			}
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v, %v; want %v", test.f, got, err, test.want)
		}
	}
}

// TestPlays: a recording is noted once an hour in a session.
func TestPlays(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc, ctx := storetest.NewScene(t, storetest.NewAt(t, clock)), t.Context()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return tx.AddRecording(ctx, recording.Recording{OrgID: sc.Org.ID, ResponseID: r.ID, StepID: "s1", Kind: recording.Audio, Row: 1})
	})
	recorded, err := sc.Store.View().Recordings(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	play := func(session string) (fresh bool) {
		storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) {
			fresh, err = tx.NotePlay(ctx, recorded[0].ID, session)
			return err
		})
		return fresh
	}
	got := []bool{play("a"), play("a"), play("b")}
	clock.Advance(time.Hour)
	if got = append(got, play("a")); !slices.Equal(got, []bool{true, false, true, true}) {
		t.Errorf("%v", got)
	}
}

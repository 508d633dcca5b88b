package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestAuditChain: an entry that was removed or changed is found, also the last one.
func TestAuditChain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ change, want string }{
		"untouched":             {`delete from audit_entry where seq = 99`, ""},
		"one removed":           {`delete from audit_entry where seq = 3`, "has no entry 3"},
		"the first removed":     {`delete from audit_entry where seq = 1`, "has no entry 1"},
		"the last removed":      {`delete from audit_entry where seq = 5`, "ends with entry 4"},
		"all removed":           {`delete from audit_entry`, "ends with entry 0"},
		"another person":        {`update audit_entry set user_id = 'x' where seq = 2`, "entry 2"},
		"another detail":        {`update audit_entry set detail = '{"role":"admin"}' where seq = 4`, "entry 4"},
		"another time":          {`update audit_entry set at = at + 1 where seq = 4`, "entry 4"},
		"a hash of its own":     {`update audit_entry set hash = 'x' where seq = 4`, "entry 4"},
		"a shorter end as well": {`delete from audit_entry where seq > 3`, "ends with entry 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := storetest.New(t), t.Context()
			o, other := storetest.Org(t, s), storetest.Org(t, s)
			for range 5 {
				storetest.Write(t, s, func(tx *store.Tx) error {
					return tx.Audit(ctx, org.AuditEntry{OrgID: o.ID, UserID: "u", Action: org.AuditInvited, Subject: "a@example.org", Detail: map[string]string{"role": "member"}})
				})
			}
			storetest.Write(t, s, func(tx *store.Tx) error {
				if err := tx.Exec(ctx, test.change); err != nil {
					return err
				}
				return tx.Audit(ctx, org.AuditEntry{OrgID: other.ID, Action: org.AuditSetUp})
			})
			violations, err := s.View().AuditAuditLogs(ctx)
			if err != nil || test.want == "" && violations != nil || !strings.Contains(strings.Join(violations, "\n"), test.want) {
				t.Errorf("%q, %v; want %q", violations, err, test.want)
			}
		})
	}
}

// TestAuditLog reads pages, newest first.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	for range 5 {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			return tx.Audit(ctx, org.AuditEntry{OrgID: sc.Org.ID, UserID: sc.User.ID, Action: org.AuditSignedIn})
		})
	}
	for before, want := range map[int][]int{0: {5, 4}, 5: {4, 3}, 2: {1}, 1: nil} {
		page, err := sc.Store.View().AuditLog(ctx, sc.Org.ID, org.AuditFilter{}, before, 2)
		var got []int
		for _, e := range page {
			got = append(got, e.Seq)
			if e.UserName != sc.User.Name || e.Detail == nil {
				t.Errorf("%+v", e)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("before %d: %v, %v; want %v", before, got, err, want)
		}
	}
}

// TestOneTimeTokens: a token works once, only for its kind, and not after its time.
func TestOneTimeTokens(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s, ctx := storetest.NewAt(t, clock), t.Context()
	o := storetest.Org(t, s)
	use := func(kind org.TokenKind, hash string) error {
		return s.Write(ctx, func(tx *store.Tx) error {
			got, err := tx.TakeToken(ctx, kind, hash)
			if err == nil && (got.OrgID != o.ID || got.Role != org.Member || got.Email != "a@example.org") {
				t.Errorf("%+v", got)
			}
			return err
		})
	}
	for _, hash := range []string{"one", "two"} {
		storetest.Write(t, s, func(tx *store.Tx) error {
			_, err := tx.CreateToken(ctx, org.Token{Kind: org.InvitationToken, OrgID: o.ID, Email: "a@example.org", Role: org.Member}, hash)
			return err
		})
	}
	for _, step := range []struct {
		kind org.TokenKind
		hash string
		want error
	}{{org.ResetToken, "one", org.ErrNoToken}, {org.InvitationToken, "one", nil}, {org.InvitationToken, "one", org.ErrNoToken}} {
		if err := use(step.kind, step.hash); !errors.Is(err, step.want) {
			t.Errorf("%s %s: %v", step.kind, step.hash, err)
		}
	}
	clock.Advance(org.InvitationToken.Lifetime() + time.Second)
	if err := use(org.InvitationToken, "two"); !errors.Is(err, org.ErrNoToken) {
		t.Errorf("an expired one: %v", err)
	}
	if _, err := s.View().Token(ctx, "two"); !errors.Is(err, org.ErrNoToken) {
		t.Errorf("an expired one is read: %v", err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.RemoveExpiredSignIns(ctx) })
}

// TestReviewFilters finds responses by each part of the filter.
func TestReviewFilters(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	view := sc.Store.View()
	var ids []string
	add := func(progress response.Progress, params map[string]string, analysis *response.Analysis) {
		r := storetest.Response(t, sc.Store, sc.Study, params)
		ids = append(ids, r.ID)
		r.Progress = progress
		storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) {
			if r.UpdatedAt, err = tx.NextUpdate(ctx, sc.Study.ID); err != nil {
				return err
			}
			if progress != response.InProgress {
				r.EndedAt = r.UpdatedAt
			}
			if err := tx.SaveProgress(ctx, r, tx.Now()); err != nil {
				return err
			}
			return tx.PutDocument(ctx, document.Source{Response: r, Answers: []interview.Answered{{ItemID: "why", Number: 1, Text: "Apples"}}, Analysis: analysis})
		})
	}
	scored := func(score float64, tags ...string) *response.Analysis {
		return &response.Analysis{Tags: tags, Quality: response.Quality{Score: score}, Summary: "x"}
	}
	add(response.Complete, map[string]string{"source": "mail"}, scored(4.5, "#price"))
	add(response.Complete, map[string]string{"source": "web"}, scored(2, "#price", "#taste"))
	add(response.ScreenedOut, map[string]string{"source": "mail"}, nil)
	add(response.InProgress, nil, nil)
	add(response.InProgress, nil, nil)
	add(response.Complete, nil, scored(3))
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		if err := tx.Exec(ctx, `update response set abandoned = true where id = '`+ids[4]+`'`); err != nil {
			return err
		}
		if err := tx.SaveQualityOverride(ctx, ids[1], response.QualityOverride{Score: 3.5, Reason: "read aloud", UserID: sc.User.ID}); err != nil {
			return err
		}
		return tx.HideResponse(ctx, sc.Org.ID, ids[5], true)
	})
	for _, test := range []struct {
		name string
		f    response.ReviewFilter
		want []int
	}{
		{"none", response.ReviewFilter{}, []int{5, 4, 3, 2, 1}},
		{"complete", response.ReviewFilter{Progress: "complete"}, []int{2, 1}},
		{"in progress", response.ReviewFilter{Progress: "in_progress"}, []int{4}},
		{"abandoned", response.ReviewFilter{Progress: "abandoned"}, []int{5}},
		{"screened out", response.ReviewFilter{Progress: "screened_out"}, []int{3}},
		{"hidden", response.ReviewFilter{Hidden: response.OnlyHidden}, []int{6}},
		{"all", response.ReviewFilter{Hidden: response.AnyHidden}, []int{6, 5, 4, 3, 2, 1}},
		{"good", response.ReviewFilter{HasQuality: true, From: 4, To: 5}, []int{1}},
		{"as a person judged", response.ReviewFilter{HasQuality: true, From: 3, To: 4}, []int{2}},
		{"tag", response.ReviewFilter{Tag: "#price"}, []int{2, 1}},
		{"another tag", response.ReviewFilter{Tag: "#taste"}, []int{2}},
		{"no such tag", response.ReviewFilter{Tag: `"#price"`}, nil},
		{"parameter", response.ReviewFilter{Parameter: "source", Value: "mail"}, []int{3, 1}},
		{"words", response.ReviewFilter{Words: [][]string{{"apples"}}}, nil}, // nothing is indexed here
		{"no word", response.ReviewFilter{Words: [][]string{{"§"}}}, nil},
		{"everything", response.ReviewFilter{Progress: "complete", Tag: "#price", Parameter: "source", Value: "mail", HasQuality: true, From: 1, To: 5}, []int{1}},
	} {
		page, err := view.ReviewPage(ctx, sc.Org.ID, sc.Study.ID, test.f, 0, 100)
		var got []int
		for _, it := range page {
			got = append(got, it.Number)
		}
		total, countErr := view.CountReviewed(ctx, sc.Org.ID, sc.Study.ID, test.f)
		if err != nil || countErr != nil || !slices.Equal(got, test.want) || total != len(test.want) {
			t.Errorf("%s: %v of %d, %v, %v; want %v", test.name, got, total, err, countErr, test.want)
		}
		newer, older, err := view.ReviewNeighbours(ctx, sc.Org.ID, sc.Study.ID, test.f, 3)
		if i := slices.Index(test.want, 3); err != nil || i >= 0 && (i > 0 && newer != test.want[i-1] || i+1 < len(test.want) && older != test.want[i+1]) {
			t.Errorf("%s: beside 3 are %d and %d, %v", test.name, newer, older, err)
		}
	}
	page, err := view.ReviewPage(ctx, sc.Org.ID, sc.Study.ID, response.ReviewFilter{}, 4, 2)
	if err != nil || len(page) != 2 || page[0].Number != 3 || page[1].Override != 3.5 {
		t.Errorf("below 4: %+v, %v", page, err)
	}
	if count, newest, err := view.Arrivals(ctx, sc.Study.ID, 3); count != 2 || newest != 6 || err != nil {
		t.Errorf("arrivals: %d, %d, %v", count, newest, err)
	}
	if c, err := view.CountProgress(ctx, sc.Study.ID); err != nil || c != (store.ProgressCounts{Complete: 2, InProgress: 1, Abandoned: 1, ScreenedOut: 1, Hidden: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestStudyPages lists studies by title and state, and finds one for its members only.
func TestStudyPages(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	draft := storetest.Draft(t, sc.Store, sc.Org.ID, "")
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return tx.RenameLink(ctx, sc.Org.ID, sc.Study.ID, "renamed-link")
	})
	view := sc.Store.View()
	for _, test := range []struct {
		q    store.StudyQuery
		want []string
	}{
		{store.StudyQuery{}, []string{draft.ID, sc.Study.ID}},
		{store.StudyQuery{Title: "aPPL"}, []string{draft.ID, sc.Study.ID}},
		{store.StudyQuery{Title: "pear"}, nil},
		{store.StudyQuery{Title: "%"}, nil},
		{store.StudyQuery{Status: "live"}, []string{sc.Study.ID}},
		{store.StudyQuery{Before: draft.CreatedAt, AfterID: draft.ID}, []string{sc.Study.ID}},
	} {
		test.q.Limit = 10
		page, err := view.StudyPage(ctx, sc.Org.ID, test.q)
		var got []string
		for _, s := range page {
			got = append(got, s.ID)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v, %v", test.q, got, err)
		}
	}
	stranger := storetest.NewScene(t, sc.Store)
	for _, ref := range []string{sc.Study.ID, strings.ToUpper(sc.Study.ID), sc.Study.LinkID, "renamed-link"} {
		s, m, err := view.StudyForUser(ctx, sc.User.ID, ref)
		if err != nil || s.ID != sc.Study.ID || s.LinkID != "renamed-link" || m.Role != org.Admin || m.OrgName != sc.Org.Name || s.Creator == nil {
			t.Errorf("%s: %+v, %+v, %v", ref, s, m, err)
		}
		if _, _, err := view.StudyForUser(ctx, stranger.User.ID, ref); err == nil {
			t.Errorf("%s: a stranger finds it", ref)
		}
	}
}

// TestSessions: sessions are found until they end, and swept when they are too old.
func TestSessions(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc, ctx := storetest.NewScene(t, storetest.NewAt(t, clock)), t.Context()
	start := func(hash string) (session org.Session) {
		storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) {
			session, err = tx.StartSession(ctx, org.Session{UserID: sc.User.ID, Browser: "b", Network: "n"}, hash)
			return err
		})
		return session
	}
	first := start("one")
	if got, err := sc.Store.View().SessionByToken(ctx, "one"); err != nil || got != first {
		t.Errorf("%+v, %v; want %+v", got, err, first)
	}
	clock.Advance(org.SessionIdle + time.Second)
	start("two")
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.RemoveExpiredSignIns(ctx) })
	if all, err := sc.Store.View().Sessions(ctx, sc.User.ID); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

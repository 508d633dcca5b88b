package postgres

import (
	"fmt"
	"net/url"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
	"verbatim/test/proxy"
)

// questionnaire creates a live study of open questions that is billed to the scene's wallet.
func questionnaire(t *testing.T, sc storetest.Scene, questions int, asked guide.FollowUp) (st study.Study) {
	t.Helper()
	var items []guide.Item
	for n := range questions {
		items = append(items, guide.Item{ID: fmt.Sprint("q", n), Type: guide.OpenEnded, Text: "Why apples?", FollowUp: asked})
	}
	g := guide.Encode(&guide.Guide{Title: "Apples", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Title: "Start", Items: items}}})
	storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) {
		if st, err = tx.CreateStudy(t.Context(), study.Study{OrgID: sc.Org.ID, Title: "Apples"}, g); err != nil {
			return err
		}
		if err := tx.Publish(t.Context(), st, sc.Wallet.ID); err != nil {
			return err
		}
		st, err = tx.Study(t.Context(), sc.Org.ID, st.ID)
		return err
	})
	return st
}

// through returns the address of a database behind a proxy.
func through(p *proxy.Proxy, database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Host: p.Address(), Path: "/" + database, RawQuery: "sslmode=disable"}).String()
}

// TestRoundTrips counts how often a node waits for the database: once at an answer; twice if another node stored the answer before; once
// more at the end of an interview, for the credits on hold.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	line, err := proxy.Start(server.Socket(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	direct := storetest.Open(t, server.URL("postgres"), store.Options{})
	sc := storetest.NewScene(t, direct)
	counted := &fieldwork.Service{Store: storetest.Open(t, through(line, "postgres"), store.Options{}), Moderator: moderator.BuiltIn{}, Synchronous: true}
	other := &fieldwork.Service{Store: direct, Moderator: moderator.BuiltIn{}, Synchronous: true}
	ctx := t.Context()

	for _, asked := range []guide.FollowUp{guide.FollowUpNone, guide.FollowUpMedium} {
		st := questionnaire(t, sc, 4, asked)
		fewest := map[string]int{} // the minimum of several: the first use of a statement prepares it, and an idle connection is tested first
		count := func(what func() string, do func() error) {
			before := line.RoundTrips()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			trips, name := line.RoundTrips()-before, what()
			if least, seen := fewest[name]; !seen || trips < least {
				fewest[name] = trips
			}
		}
		for range 5 {
			var token string
			var at fieldwork.View
			count(func() string { return "a start" }, func() (err error) {
				token, at, err = counted.Start(ctx, st.LinkID, "pid=1&panel=2", "")
				return err
			})
			for n := 0; !at.Step.Ended(); n++ {
				if n == 1 {
					if at, err = other.Answer(ctx, token, at.Step.ID, interview.Answer{Text: "They keep."}); err != nil {
						t.Fatal(err)
					}
					continue
				}
				count(func() string {
					switch {
					case at.Step.Ended():
						return "the last answer"
					case n == 2:
						return "an answer after one on another node"
					}
					return "an answer"
				}, func() (err error) {
					if err := counted.Prepare(ctx, token); err != nil { // as the api does
						return err
					}
					at, err = counted.Answer(ctx, token, at.Step.ID, interview.Answer{Text: "They keep."})
					return err
				})
			}
		}
		t.Logf("with follow-ups %q: %v", asked, fewest)
		for what, limit := range map[string]int{"a start": 2, "an answer": 1, "an answer after one on another node": 2, "the last answer": 2} {
			if got := fewest[what]; got < 1 || got > limit {
				t.Errorf("with follow-ups %q, %s takes %d round trips, want at most %d", asked, what, got, limit)
			}
		}
	}
	if violations, err := direct.View().AuditLedger(ctx); err != nil || len(violations) > 0 {
		t.Errorf("the ledger: %v, %v", violations, err)
	}
}

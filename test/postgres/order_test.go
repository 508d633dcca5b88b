package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
)

// TestLocksAreTakenInOneOrder has two organizations share a wallet on two nodes. Their participants start, end and withdraw interviews
// while researchers delete some and idle ones are swept: the server must never detect a deadlock, which would take it a second, and in the
// end every count is right.
func TestLocksAreTakenInOneOrder(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	address := server.URL("postgres")
	nodes := []*store.Store{storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})}
	ctx, sc := t.Context(), storetest.NewScene(t, nodes[0])
	storetest.Write(t, nodes[0], func(tx *store.Tx) error { return tx.Deposit(ctx, sc.Wallet.ID, wallet.Project, 1000*wallet.Credit) })
	other := storetest.Org(t, nodes[0])
	storetest.Write(t, nodes[0], func(tx *store.Tx) error {
		return tx.GrantWallet(ctx, wallet.Grant{WalletID: sc.Wallet.ID, OrgID: other.ID})
	})
	theirs := storetest.Study(t, nodes[0], other.ID, "", sc.Wallet.ID)

	var all sync.WaitGroup
	for i := range 8 {
		st := sc.Study
		if i%4 < 2 {
			st = theirs
		}
		work := &fieldwork.Service{Store: nodes[i%2], Moderator: moderator.BuiltIn{}, AbandonAfter: time.Nanosecond}
		remove := &erasure.Service{Store: nodes[(i+1)%2]}
		all.Go(func() {
			for n := range 12 {
				if err := visit(ctx, work, remove, org.Caller{OrgID: st.OrgID}, st.ID, st.LinkID, n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()

	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, of := range []struct{ orgID, studyID string }{{sc.Org.ID, sc.Study.ID}, {other.ID, theirs.ID}} {
		st, err := nodes[0].View().Study(ctx, of.orgID, of.studyID)
		if err != nil {
			t.Fatal(err)
		}
		var complete int
		if err := conn.QueryRow(ctx, `select count(*) from response where study_id = $1 and progress = 'complete' and deleted_at is null`, st.ID).
			Scan(&complete); err != nil {
			t.Fatal(err)
		}
		if complete == 0 || st.CompletedCount != complete {
			t.Errorf("a study counts %d completed responses and has %d", st.CompletedCount, complete)
		}
	}
	if violations, err := nodes[0].View().AuditLedger(ctx); err != nil || len(violations) > 0 {
		t.Errorf("the ledger: %v, %v", violations, err)
	}
	var deadlocks int
	if err := conn.QueryRow(ctx, `select deadlocks from pg_stat_database where datname = current_database()`).Scan(&deadlocks); err != nil || deadlocks > 0 {
		t.Errorf("%d deadlocks, %v, want none", deadlocks, err)
	}
}

// TestMovementsOfOneWalletDoNotDeadlock places and releases holds of two organizations in one wallet: one movement goes from the available
// credits to the held ones, the other back.
func TestMovementsOfOneWalletDoNotDeadlock(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	ctx, s := t.Context(), storetest.Open(t, server.URL("postgres"), store.Options{Wait: 500 * time.Millisecond}) // shorter than the detection of a deadlock
	sc := storetest.NewScene(t, s)
	other := storetest.Org(t, s)
	storetest.Write(t, s, func(tx *store.Tx) error {
		return tx.GrantWallet(ctx, wallet.Grant{WalletID: sc.Wallet.ID, OrgID: other.ID})
	})
	var all sync.WaitGroup
	for i, orgID := range []string{sc.Org.ID, other.ID} {
		all.Go(func() {
			for n := range 150 {
				id := fmt.Sprintf("response-%d-%d", i, n)
				for _, move := range []func(*store.Tx) error{
					func(tx *store.Tx) error {
						return tx.PlaceHold(ctx, store.Hold{WalletID: sc.Wallet.ID, OrgID: orgID, StudyID: "s", ResponseID: id, Amount: 1})
					},
					func(tx *store.Tx) error { return tx.ReleaseHold(ctx, id) },
				} {
					if err := s.Write(ctx, move); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}

// visit takes one interview and, by its number, ends, withdraws or deletes it; it withdraws or deletes while an answer is being stored.
func visit(ctx context.Context, work *fieldwork.Service, remove *erasure.Service, caller org.Caller, studyID, linkID string, n int) error {
	token, at, err := work.Start(ctx, linkID, "pid=1", "")
	if err != nil {
		return fmt.Errorf("starting: %w", err)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := work.Answer(ctx, token, at.Step.ID, interview.Answer{Text: "Because they keep."})
		answered <- err
	}()
	var other error
	switch n % 4 {
	case 0:
		_, other = work.Withdraw(ctx, token)
	case 1:
		_, other = remove.Request(ctx, caller, studyID, at.Response.ID)
	case 2:
		_, other = work.Sweep(ctx)
	}
	err = <-answered
	if errors.Is(err, response.ErrGone) && n%4 < 2 {
		err = nil
	}
	return errors.Join(err, other)
}

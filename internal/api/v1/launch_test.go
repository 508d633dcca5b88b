package v1_test

import (
	"fmt"
	"sync"
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

type launched struct {
	ID, LinkID, SelfRecruitLink, Status string
	Wallet                              *struct{ WalletID, Name string }
}

func asking(walletID string) string { return fmt.Sprintf(`{"walletId":%q}`, walletID) }

func TestLaunch(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	unbilled := storetest.Draft(t, s.Store, s.Org.ID, "")
	got := servertest.Decode[launched](t, s.Do(t, "POST", launch(unbilled.ID), "").Want(t, 200, ""))
	if got.Wallet != nil || got.Status != "live" || got.SelfRecruitLink != servertest.BaseURL+"/s/"+unbilled.LinkID {
		t.Errorf("without a wallet: %+v", got)
	}

	only := storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit)
	billed := storetest.Draft(t, s.Store, s.Org.ID, "")
	first := s.Do(t, "POST", launch(billed.ID), "{}").Want(t, 200, "")
	if got := servertest.Decode[launched](t, first); got.Wallet == nil || got.Wallet.WalletID != only.ID {
		t.Errorf("with one wallet: %+v", got)
	}

	// A live study is left as it is, whatever has happened to wallets and credits since.
	second := storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit)
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.Withdraw(t.Context(), only.ID, wallet.Project, wallet.Credit) })
	for _, body := range []string{"", "{}", asking(only.ID)} {
		again := servertest.Decode[launched](t, s.Do(t, "POST", launch(billed.ID), body).Want(t, 200, ""))
		if again.Wallet == nil || again.Wallet.WalletID != only.ID || again.LinkID != billed.LinkID {
			t.Errorf("again with %q: %+v", body, again)
		}
	}
	s.Do(t, "POST", launch(billed.ID), asking(second.ID)).Want(t, 409, "conflict")
	s.Do(t, "POST", launch(unbilled.ID), asking(second.ID)).Want(t, 409, "conflict")
	s.Do(t, "POST", launch(unbilled.ID), "").Want(t, 200, "")
	s.Do(t, "POST", launch(billed.ID), asking(unknownID)).Want(t, 403, "wallet_access_denied")

	// A study that the operator closed is neither live nor a draft.
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		return tx.SetStudyStatus(t.Context(), billed.ID, study.Live, study.Closed)
	})
	s.Do(t, "POST", launch(billed.ID), "").Want(t, 409, "conflict")

	named := storetest.Draft(t, s.Store, s.Org.ID, "")
	s.Do(t, "POST", launch(named.ID), asking(second.ID)).Want(t, 200, "")
}

func TestLaunchPermission(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	user := storetest.User(t, s.Store, s.Org.ID, org.Member)
	key := storetest.Key(t, s.Store, s.Org.ID, user.ID)
	own, granted, others := storetest.Draft(t, s.Store, s.Org.ID, user.ID), storetest.Draft(t, s.Store, s.Org.ID, ""), storetest.Draft(t, s.Store, s.Org.ID, "")
	if err := s.Server.Access.GrantStudy(t.Context(), granted.ID, user.ID, org.StartRecruitment); err != nil {
		t.Fatal(err)
	}
	s.Do(t, "POST", launch(own.ID), "", "x-api-key", key).Want(t, 200, "")
	s.Do(t, "POST", launch(granted.ID), "", "x-api-key", key).Want(t, 200, "")
	s.Do(t, "POST", launch(others.ID), "", "x-api-key", key).Want(t, 403, "launch_permission_denied")
}

func TestLaunchMeetsAnEdit(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	draft := storetest.Draft(t, s.Store, s.Org.ID, "")
	s.Authoring.BeforePublish = func() {
		storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.ReviseStudy(t.Context(), draft, storetest.Guide()) })
		s.Authoring.BeforePublish = nil
	}
	s.Do(t, "POST", launch(draft.ID), "").Want(t, 409, "conflict")
	s.Do(t, "POST", launch(draft.ID), "").Want(t, 200, "")
}

// TestLaunchRace has several launches read the draft before any of them publishes.
func TestLaunchRace(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	w := storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit)
	draft := storetest.Draft(t, s.Store, s.Org.ID, "")
	const racers = 4
	var read, ran sync.WaitGroup
	read.Add(racers)
	s.Authoring.BeforePublish = func() { read.Done(); read.Wait() }
	answers := make([]servertest.Answer, racers)
	for i := range answers {
		ran.Go(func() { answers[i] = s.Do(t, "POST", launch(draft.ID), "") })
	}
	ran.Wait()
	for _, answer := range answers {
		got := servertest.Decode[launched](t, answer.Want(t, 200, ""))
		if got.Wallet == nil || got.Wallet.WalletID != w.ID || string(answer.Body) != string(answers[0].Body) {
			t.Errorf("one answers %s, another %s", answer.Body, answers[0].Body)
		}
	}
}

package storetest

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
)

// Scene holds what most tests begin with: an organization with an admin, a funded wallet and a live study.
type Scene struct {
	Store  *store.Store
	Org    org.Organization
	User   org.User
	Wallet wallet.Wallet
	Study  study.Study
}

// NewScene adds a scene to a store; one store may have several.
func NewScene(t testing.TB, s *store.Store) Scene {
	t.Helper()
	o := Org(t, s)
	u := User(t, s, o.ID, org.Admin)
	w := Wallet(t, s, o.ID, 100*wallet.Credit)
	return Scene{Store: s, Org: o, User: u, Wallet: w, Study: Study(t, s, o.ID, u.ID, w.ID)}
}

// Org adds an organization.
func Org(t testing.TB, s *store.Store) (o org.Organization) {
	t.Helper()
	Write(t, s, func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrg(t.Context(), "Orchard Research")
		return err
	})
	return o
}

// User adds a person with a unique address and a role in the organization.
func User(t testing.TB, s *store.Store, orgID string, role org.Role) (u org.User) {
	t.Helper()
	Write(t, s, func(tx *store.Tx) (err error) {
		if u, err = tx.CreateUser(t.Context(), store.NewID()+"@example.org", "Robin Researcher"); err != nil {
			return err
		}
		return tx.SetMember(t.Context(), orgID, u.ID, role)
	})
	return u
}

// Key adds an API key and returns it in full. Its secret is a new id, so the keys of one test differ.
func Key(t testing.TB, s *store.Store, orgID, userID string) string {
	t.Helper()
	var secret [32]byte
	copy(secret[:], store.NewID())
	key := org.FormatKey(secret)
	Write(t, s, func(tx *store.Tx) error {
		_, err := tx.CreateKey(t.Context(), org.Key{OrgID: orgID, UserID: userID, Name: "test", Prefix: org.KeyPrefix(key)}, org.HashKey(key))
		return err
	})
	return key
}

// Wallet adds a wallet, deposits project credits and grants it to the organization without a limit. The result has the
// balances.
func Wallet(t testing.TB, s *store.Store, orgID string, funds wallet.Credits) (w wallet.Wallet) {
	t.Helper()
	Write(t, s, func(tx *store.Tx) (err error) {
		if w, err = tx.CreateWallet(t.Context(), "Main"); err != nil {
			return err
		}
		if funds > 0 {
			if err := tx.Deposit(t.Context(), w.ID, wallet.Project, funds); err != nil {
				return err
			}
		}
		if err := tx.GrantWallet(t.Context(), wallet.Grant{WalletID: w.ID, OrgID: orgID}); err != nil {
			return err
		}
		w, err = tx.Wallet(t.Context(), w.ID)
		return err
	})
	return w
}

// Guide returns the stored form of the smallest guide: one open question, no follow-ups.
func Guide() []byte {
	return guide.Encode(&guide.Guide{
		Title: "Apples",
		Blocks: []guide.Block{{
			ID: "block", Type: guide.BlockFlat, Title: "Start",
			Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Why apples?", FollowUp: guide.FollowUpNone}},
		}},
	})
}

// Draft adds a study with the smallest guide; creatorID may be empty.
func Draft(t testing.TB, s *store.Store, orgID, creatorID string) (st study.Study) {
	t.Helper()
	Write(t, s, func(tx *store.Tx) (err error) {
		st, err = tx.CreateStudy(t.Context(), study.Study{OrgID: orgID, CreatorID: creatorID, Title: "Apples"}, Guide())
		return err
	})
	return st
}

// Study adds a live study with the smallest guide; creatorID and walletID may be empty.
func Study(t testing.TB, s *store.Store, orgID, creatorID, walletID string) study.Study {
	t.Helper()
	st := Draft(t, s, orgID, creatorID)
	Write(t, s, func(tx *store.Tx) (err error) {
		if err := tx.Publish(t.Context(), st, walletID); err != nil {
			return err
		}
		st, err = tx.Study(t.Context(), orgID, st.ID)
		return err
	})
	return st
}

// Response starts an interview in a study, with the parameters of its link. It places no hold.
func Response(t testing.TB, s *store.Store, st study.Study, params map[string]string) (r response.Response) {
	t.Helper()
	Write(t, s, func(tx *store.Tx) (err error) {
		r, err = tx.StartResponse(t.Context(), response.Response{
			ID: store.NewID(), OrgID: st.OrgID, StudyID: st.ID, Revision: st.PublishedRevision, Seed: 7, Language: "en",
			URLParams: params, DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
		}, "hash-of-a-token")
		return err
	})
	return r
}

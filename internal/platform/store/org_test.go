package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	o, other := storetest.Org(t, s), storetest.Org(t, s)
	first, second := storetest.User(t, s, o.ID, org.Admin), storetest.User(t, s, o.ID, org.Member)
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.SetMember(ctx, other.ID, first.ID, org.Member) })
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.SetMember(ctx, o.ID, second.ID, org.Supervisor) })

	got, err := s.View().Members(ctx, o.ID)
	want := []org.Membership{{OrgID: o.ID, User: first, Role: org.Admin}, {OrgID: o.ID, User: second, Role: org.Supervisor}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Members: %v (-want +got):\n%s", err, diff)
	}
	if u, err := s.View().UserByEmail(ctx, second.Email); err != nil || u != second {
		t.Errorf("UserByEmail = %+v, %v, want %+v", u, err, second)
	}
	if m, err := s.View().Member(ctx, other.ID, first.ID); err != nil || m.Role != org.Member {
		t.Errorf("Member of the other organization = %+v, %v, want its own role", m, err)
	}
	for name, err := range map[string]error{
		"an unknown address": func() error { _, err := s.View().UserByEmail(ctx, "nobody@example.org"); return err }(),
		"a foreigner":        func() error { _, err := s.View().Member(ctx, other.ID, second.ID); return err }(),
		"removing a foreigner": s.Write(ctx, func(tx *store.Tx) error {
			return tx.RemoveMember(ctx, other.ID, second.ID)
		}),
	} {
		if !errors.Is(err, org.ErrNoUser) {
			t.Errorf("%s: %v, want ErrNoUser", name, err)
		}
	}
	err = s.Write(ctx, func(tx *store.Tx) error { _, err := tx.CreateUser(ctx, first.Email, "Twin"); return err })
	if !errors.Is(err, org.ErrEmailUsed) {
		t.Errorf("a second user of one address: %v, want ErrEmailUsed", err)
	}
	if _, err := s.View().Org(ctx, store.NewID()); !errors.Is(err, org.ErrNotFound) {
		t.Errorf("an unknown organization: %v, want ErrNotFound", err)
	}
}

func TestRemovedMember(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	u := storetest.User(t, sc.Store, sc.Org.ID, org.Member)
	hash := org.HashKey(storetest.Key(t, sc.Store, sc.Org.ID, u.ID))
	elsewhere := storetest.NewScene(t, sc.Store)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		if err := tx.SetMember(ctx, elsewhere.Org.ID, u.ID, org.Member); err != nil {
			return err
		}
		if err := tx.GrantStudy(ctx, elsewhere.Study.ID, u.ID, org.StartRecruitment); err != nil {
			return err
		}
		return tx.GrantStudy(ctx, sc.Study.ID, u.ID, org.StartRecruitment)
	})
	if c, err := sc.Store.View().CallerByKey(ctx, hash); err != nil || c.OrgID != sc.Org.ID || c.UserID != u.ID || c.Role != org.Member || !c.IsMember() {
		t.Errorf("CallerByKey = %+v, %v, want the member", c, err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.RemoveMember(ctx, sc.Org.ID, u.ID) })
	if c, err := sc.Store.View().CallerByKey(ctx, hash); err != nil || c.UserID != u.ID || c.IsMember() {
		t.Errorf("after the removal CallerByKey = %+v, %v, want a caller without a role", c, err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SetMember(ctx, sc.Org.ID, u.ID, org.Member) })
	if granted, err := sc.Store.View().HasStudyGrant(ctx, sc.Study.ID, u.ID, org.StartRecruitment); err != nil || granted {
		t.Errorf("HasStudyGrant of a member who came back = %v, %v, want the grant gone", granted, err)
	}
	if granted, err := sc.Store.View().HasStudyGrant(ctx, elsewhere.Study.ID, u.ID, org.StartRecruitment); err != nil || !granted {
		t.Errorf("HasStudyGrant in another organization = %v, %v, want it kept", granted, err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	ctx := t.Context()
	byHash, byID := storetest.Key(t, sc.Store, sc.Org.ID, sc.User.ID), storetest.Key(t, sc.Store, sc.Org.ID, sc.User.ID)
	keys, err := sc.Store.View().Keys(ctx, sc.Org.ID)
	if err != nil || len(keys) != 2 || keys[0].Prefix != org.KeyPrefix(byHash) || !keys[0].RevokedAt.IsZero() {
		t.Fatalf("Keys = %+v, %v, want two valid ones, oldest first", keys, err)
	}
	var first org.Key
	revoke := func(id, hash string) (k org.Key, err error) {
		err = sc.Store.Write(ctx, func(tx *store.Tx) error { k, err = tx.RevokeKey(ctx, id, hash); return err })
		return k, err
	}
	if first, err = revoke("", org.HashKey(byHash)); err != nil || first.ID != keys[0].ID || first.RevokedAt.IsZero() {
		t.Errorf("RevokeKey by hash = %+v, %v", first, err)
	}
	if again, err := revoke(first.ID, ""); err != nil || !again.RevokedAt.Equal(first.RevokedAt) {
		t.Errorf("RevokeKey again = %+v, %v, want the first time kept", again, err)
	}
	if _, err := revoke(store.NewID(), "none"); !errors.Is(err, org.ErrNoKey) {
		t.Errorf("RevokeKey of none: %v, want ErrNoKey", err)
	}
	if _, err := sc.Store.View().CallerByKey(ctx, org.HashKey(byHash)); !errors.Is(err, org.ErrNoKey) {
		t.Errorf("a revoked key: %v, want ErrNoKey", err)
	}
	if _, err := sc.Store.View().CallerByKey(ctx, org.HashKey(byID)); err != nil {
		t.Errorf("the other key: %v", err)
	}
}

func TestBrand(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	o, other := storetest.Org(t, s), storetest.Org(t, s)
	black, err := org.ParseColour("#000000")
	if err != nil {
		t.Fatal(err)
	}
	branded := o
	branded.Brand = org.Brand{Name: "Larkspur", Colour: black, Logo: org.Logo{File: "0123456789abcdef0123456789abcdef.png", Width: 480, Height: 120}}
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.SaveOrg(ctx, branded) })
	for id, want := range map[string]org.Organization{o.ID: branded, other.ID: other} {
		if got, err := s.View().Org(ctx, id); err != nil || got != want {
			t.Errorf("Org = %+v, %v, want %+v", got, err, want)
		}
	}
	all, err := s.View().Orgs(ctx)
	if diff := cmp.Diff([]org.Organization{branded, other}, all); diff != "" || err != nil {
		t.Errorf("Orgs: %v (-want +got):\n%s", err, diff)
	}
	for file, want := range map[string]bool{branded.Logo.File: true, "fedcba9876543210fedcba9876543210.png": false} {
		if used, err := s.View().LogoUsed(ctx, file); err != nil || used != want {
			t.Errorf("LogoUsed(%s) = %v, %v", file, used, err)
		}
	}
	branded.ID = store.NewID()
	if err := s.Write(ctx, func(tx *store.Tx) error { return tx.SaveOrg(ctx, branded) }); !errors.Is(err, org.ErrNotFound) {
		t.Errorf("saving an unknown organization: %v", err)
	}
}

func TestTurnCounts(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	first, second := storetest.Response(t, sc.Store, sc.Study, nil), storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(ctx, second)
		return err
	})
	got, err := sc.Store.View().TurnCounts(ctx, []string{first.ID, second.ID, store.NewID()})
	if diff := cmp.Diff(map[string]int{first.ID: first.TurnCount}, got); diff != "" || err != nil {
		t.Errorf("TurnCounts: %v (-want +got):\n%s", err, diff)
	}
}

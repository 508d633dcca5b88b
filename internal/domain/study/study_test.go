package study_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
)

func TestNewLinkID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := study.NewLinkID(rapid.SliceOfN(rapid.Byte(), study.LinkIDBytes, study.LinkIDBytes).Draw(t, "random"))
		if len(id) != 8 || !study.ValidLinkID(id) || strings.ContainsAny(id, "0O1lIo-") {
			t.Fatalf("link id %q", id)
		}
	})
	random := make([]byte, study.LinkIDBytes)
	if got := study.NewLinkID(random); got != "22222222" {
		t.Errorf("from zeros: %q", got)
	}
	random[3], random[len(random)-1] = 55, 56
	if got := study.NewLinkID(random); got != "z2222222" {
		t.Errorf("from 55 and 56: %q, want the last letter first and the alphabet's begin again last", got)
	}
}

func TestLinkIDShape(t *testing.T) {
	t.Parallel()
	const uuid = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
	for _, tt := range []struct {
		s          string
		link, uuid bool
	}{
		{"abc", true, false},
		{"ab", false, false},
		{"", false, false},
		{strings.Repeat("a", 64), true, false},
		{strings.Repeat("a", 65), false, false},
		{"Spring-2026", true, false},
		{"---", true, false},
		{"a_b", false, false},
		{"äpfel", false, false},
		{"a b", false, false},
		{"abc\n", false, false},
		{"a/b", false, false},
		{uuid, false, true},
		{strings.ToUpper(uuid), false, true},
		{uuid[1:], true, false},
		{uuid + "\n", false, false},
		{"g" + uuid[1:], true, false},
		{strings.ReplaceAll(uuid, "-", ""), true, false},
		{"{" + uuid + "}", false, false},
	} {
		if study.ValidLinkID(tt.s) != tt.link || study.IsUUID(tt.s) != tt.uuid {
			t.Errorf("%q: link id %v, UUID %v; want %v, %v", tt.s, study.ValidLinkID(tt.s), study.IsUUID(tt.s), tt.link, tt.uuid)
		}
	}
}

func TestMayLaunch(t *testing.T) {
	t.Parallel()
	own, others, nobodys := study.Study{CreatorID: "me"}, study.Study{CreatorID: "you"}, study.Study{}
	for _, tt := range []struct {
		name    string
		study   study.Study
		role    org.Role
		granted bool
		want    bool
	}{
		{"admin", others, org.Admin, false, true},
		{"supervisor", others, org.Supervisor, false, true},
		{"creator", own, org.Member, false, true},
		{"member", others, org.Member, false, false},
		{"member of a study without creator", nobodys, org.Member, false, false},
		{"member with a grant", others, org.Member, true, true},
		{"former member, creator", own, "", false, false},
		{"former member with a grant", others, "", true, false},
	} {
		if got := study.MayLaunch(tt.study, org.Caller{UserID: "me", Role: tt.role}, tt.granted); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if study.MayLaunch(nobodys, org.Caller{Role: org.Member}, false) {
		t.Error("an unknown caller is taken for the unknown creator")
	}
}

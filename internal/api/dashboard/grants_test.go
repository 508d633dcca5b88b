package dashboard_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
)

// TestGrants: a member changes a study of others while there is a grant, and not longer.
func TestGrants(t *testing.T) {
	t.Parallel()
	f := setup(t)
	admin, base := f.as(f.Admin), "/api/dashboard/studies/"+f.study.LinkID
	member, user := f.member(org.Member)
	rename := func(status int, code string) {
		t.Helper()
		member.do("PATCH", base, `{"folder":["Mine"]}`).Want(t, status, code)
	}
	rename(403, "role_needed")
	for range 2 {
		admin.do("PUT", base+"/grants/"+strings.ToUpper(user.ID), "").Want(t, 204, "")
	}
	rename(200, "")
	if got := string(admin.get(base+"/grants").Want(t, 200, "").Body); !strings.Contains(got, `"granted":true`) || !strings.Contains(got, user.Email) {
		t.Errorf("the people are %s", got)
	}
	admin.do("DELETE", base+"/grants/"+user.ID, "").Want(t, 204, "")
	admin.do("DELETE", base+"/grants/"+user.ID, "").Want(t, 404, "not_found")
	rename(403, "role_needed")
	stranger := storetest.NewScene(t, f.Store).User
	admin.do("PUT", base+"/grants/"+stranger.ID, "").Want(t, 404, "not_found")
	admin.do("PUT", base+"/grants/nobody", "").Want(t, 404, "not_found")
}

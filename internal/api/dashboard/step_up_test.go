package dashboard_test

import (
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
)

const confirmationPath = "/api/dashboard/session/confirmation"

// TestStolenSession: a session whose person proved nothing for ten minutes cannot do what is dangerous, and a proof lets it.
func TestStolenSession(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	f := setupWith(t, servertest.NewWithStore(t, storetest.NewAt(t, clock)))
	b := f.withPassword(f.Admin)
	dangerous := map[string]target{}
	for _, op := range dashboard.Table() {
		if op.Recent {
			dangerous[op.Pattern] = f.target(op.Pattern, f.study.LinkID, b)
		}
	}
	if len(dangerous) < 10 {
		t.Fatalf("%d operations", len(dangerous))
	}
	clock.Advance(org.RecentSignIn + time.Second)
	for pattern, call := range dangerous {
		if a := b.do(call.method, call.path, call.body); a.Status != 403 || a.Code() != "confirmation_needed" {
			t.Errorf("%s: %d %s", pattern, a.Status, a.Body)
		}
	}
	if got := field(t, b.get(confirmationPath).Want(t, 200, ""), "recent"); got != "false" {
		t.Errorf("recent: %s", got)
	}
	keys := "/api/dashboard/organizations/" + f.Org.ID + "/keys"
	b.do("POST", confirmationPath, `{"password":"wrong password"}`).Want(t, 403, "wrong_password")
	b.do("POST", confirmationPath, `{}`).Want(t, 400, "bad_request")
	b.do("POST", confirmationPath, `{"password":1}`).Want(t, 400, "invalid_request_body")
	b.do("POST", confirmationPath, `{"code":"123456"}`).Want(t, 409, "two_step_off")
	b.do("POST", keys, `{"name":"k"}`).Want(t, 403, "confirmation_needed")
	b.do("POST", confirmationPath, `{"password":"`+password+`"}`).Want(t, 204, "")
	b.do("POST", keys, `{"name":"k"}`).Want(t, 201, "")
	other := &browser{f: f}
	other.signIn(f.Admin.Email, password).Want(t, 200, "")
	clock.Advance(org.RecentSignIn - time.Minute)
	b.do("POST", keys, `{"name":"k"}`).Want(t, 201, "")
	clock.Advance(2 * time.Minute)
	b.do("POST", keys, `{"name":"k"}`).Want(t, 403, "confirmation_needed")
	f.SignIn.Wait()
	log := string(b.get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	for _, want := range []string{org.AuditConfirmed, org.AuditSignInFailed, `"at":"confirmation"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the audit log has no %s: %s", want, log)
		}
	}
}

// TestConfirm: a code and a passkey confirm as well, once; those of another person do not.
func TestConfirm(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	f := setupWith(t, servertest.NewWithStore(t, storetest.NewAt(t, clock)))
	b, app, _ := f.withTwoStep(f.Admin)
	mine, other := newAuthenticator(t), newAuthenticator(t)
	b.withPasskey(mine)
	stranger, _ := f.member(org.Member)
	stranger.withPasskey(other)
	clock.Advance(org.RecentSignIn + time.Second)
	keys := "/api/dashboard/organizations/" + f.Org.ID + "/keys"
	b.do("POST", confirmationPath, `{"code":"none"}`).Want(t, 403, "code_wrong")
	code := app.code(0)
	b.do("POST", confirmationPath, `{"code":"`+code+`"}`).Want(t, 204, "")
	b.do("POST", confirmationPath, `{"code":"`+code+`"}`).Want(t, 403, "code_wrong")
	b.do("POST", keys, `{"name":"k"}`).Want(t, 201, "")
	clock.Advance(org.RecentSignIn + time.Second)
	b.do("POST", confirmationPath, `{`+other.get(f.ask())+`}`).Want(t, 403, "passkey_refused")
	b.do("POST", keys, `{"name":"k"}`).Want(t, 403, "confirmation_needed")
	given := mine.get(f.ask())
	b.do("POST", confirmationPath, `{`+given+`}`).Want(t, 204, "")
	b.do("POST", confirmationPath, `{`+given+`}`).Want(t, 403, "passkey_refused")
	b.do("POST", keys, `{"name":"k"}`).Want(t, 201, "")
}

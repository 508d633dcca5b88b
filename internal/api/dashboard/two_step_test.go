package dashboard_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const twoStepPath = "/api/dashboard/session/two-step"

// app is somebody's authenticator app.
type app struct {
	f      *fixture
	secret string
}

// code returns the code of a period before (-1), now (0) or after it (1).
func (a app) code(period int) string {
	a.f.t.Helper()
	code, err := totp.GenerateCode(a.secret, a.f.Store.Now().Add(time.Duration(period)*30*time.Second))
	if err != nil {
		a.f.t.Fatal(err)
	}
	return code
}

// withTwoStep gives a user a password and a second step, which uses up the code of the period before.
func (f *fixture) withTwoStep(user org.User) (b *browser, a app, recovery []string) {
	f.t.Helper()
	b = f.withPassword(user)
	b.do("POST", twoStepPath, `{"password":"wrong"}`).Want(f.t, 403, "wrong_password")
	b.do("POST", twoStepPath+"/confirmation", `{"code":"123456"}`).Want(f.t, 409, "two_step_off")
	abandoned := field(f.t, b.do("POST", twoStepPath, `{"password":"`+password+`"}`).Want(f.t, 201, ""), "secret")
	a = app{f, field(f.t, b.do("POST", twoStepPath, `{"password":"`+password+`"}`).Want(f.t, 201, ""), "secret")}
	b.do("POST", twoStepPath+"/confirmation", `{"code":"`+(app{f, abandoned}).code(0)+`"}`).Want(f.t, 403, "code_wrong")
	if got := field(f.t, b.get(twoStepPath).Want(f.t, 200, ""), "on"); got != "false" {
		f.t.Errorf("before it is confirmed the second step is on: %s", got)
	}
	(&browser{f: f}).signIn(user.Email, password).Want(f.t, 200, "")
	var codes struct{ RecoveryCodes []string }
	if err := json.Unmarshal(b.do("POST", twoStepPath+"/confirmation", `{"code":"`+a.code(-1)+`"}`).Want(f.t, 200, "").Body, &codes); err != nil {
		f.t.Fatal(err)
	}
	return b, a, codes.RecoveryCodes
}

func (f *fixture) signInWith(email, code string) servertest.Answer {
	f.t.Helper()
	return (&browser{f: f}).do("POST", "/api/dashboard/session", `{"email":"`+email+`","password":"`+password+`","code":"`+code+`"}`)
}

// race signs in three times at once with one code.
func (f *fixture) race(email, code string) {
	f.t.Helper()
	var statuses [3]int
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = f.signInWith(email, code).Status })
	}
	all.Wait()
	if slices.Sort(statuses[:]); statuses != [3]int{200, 403, 403} {
		f.t.Errorf("the answers are %v", statuses)
	}
}

// TestTwoStep is a table of what somebody does who has a second step, and of what thieves of the password try.
func TestTwoStep(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(*testing.T, *fixture){
		"the password alone is not enough": func(t *testing.T, f *fixture) {
			_, a, _ := f.withTwoStep(f.Admin)
			(&browser{f: f}).signIn(f.Admin.Email, password).Want(t, 403, "code_needed")
			(&browser{f: f}).signIn(f.Admin.Email, "wrong password").Want(t, 401, "sign_in_failed")
			f.signInWith(f.Admin.Email, a.code(0)).Want(t, 200, "")
		},
		"replay: a code works once, and so do those before it": func(t *testing.T, f *fixture) {
			_, a, _ := f.withTwoStep(f.Admin)
			f.signInWith(f.Admin.Email, a.code(-1)).Want(t, 403, "code_wrong") // it confirmed the app
			f.signInWith(f.Admin.Email, a.code(1)).Want(t, 200, "")
			f.signInWith(f.Admin.Email, a.code(1)).Want(t, 403, "code_wrong")
			f.signInWith(f.Admin.Email, a.code(0)).Want(t, 403, "code_wrong")
		},
		"a race with one code has one winner": func(t *testing.T, f *fixture) {
			_, a, _ := f.withTwoStep(f.Admin)
			f.race(f.Admin.Email, a.code(0))
		},
		"a race with one recovery code has one winner": func(t *testing.T, f *fixture) {
			_, _, recovery := f.withTwoStep(f.Admin)
			f.race(f.Admin.Email, recovery[0])
		},
		"brute force: wrong codes wait, and asking without a code forgets none": func(t *testing.T, f *fixture) {
			_, a, _ := f.withTwoStep(f.Admin)
			wrong := "000000"
			if slices.Contains([]string{a.code(0), a.code(1)}, wrong) {
				wrong = "000001"
			}
			waited := false
			for range 12 {
				f.signInWith(f.Admin.Email, wrong)
				waited = waited || (&browser{f: f}).signIn(f.Admin.Email, password).Status == 429
			}
			if !waited {
				t.Error("nobody had to wait")
			}
			f.signInWith(f.Admin.Email, a.code(0)).Want(t, 429, "rate_limited")
		},
		"recovery codes: each works once, however it is written": func(t *testing.T, f *fixture) {
			b, a, recovery := f.withTwoStep(f.Admin)
			if len(recovery) != org.RecoveryCodes {
				t.Fatalf("%d codes", len(recovery))
			}
			f.signInWith(f.Admin.Email, recovery[0][:4]+" "+recovery[0][5:]).Want(t, 200, "")
			f.signInWith(f.Admin.Email, recovery[0]).Want(t, 403, "code_wrong")
			if got := field(t, b.get(twoStepPath).Want(t, 200, ""), "recoveryCodes"); got != "9" {
				t.Errorf("%s codes are left", got)
			}
			b.do("POST", twoStepPath+"/recovery-codes", `{"code":"`+recovery[1]+`"}`).Want(t, 200, "")
			f.signInWith(f.Admin.Email, recovery[2]).Want(t, 403, "code_wrong")
			b.do("POST", twoStepPath+"/end", `{"code":"`+a.code(0)+`"}`).Want(t, 204, "")
			b.do("POST", twoStepPath+"/end", `{"code":"`+a.code(1)+`"}`).Want(t, 409, "two_step_off")
			b.do("POST", twoStepPath+"/recovery-codes", `{"code":"`+a.code(1)+`"}`).Want(t, 409, "two_step_off")
			(&browser{f: f}).signIn(f.Admin.Email, password).Want(t, 200, "")
		},
		"a stolen session cannot change the second step": func(t *testing.T, f *fixture) {
			b, _, _ := f.withTwoStep(f.Admin)
			b.do("POST", twoStepPath, `{"password":"`+password+`"}`).Want(t, 409, "two_step_on")
			b.do("POST", twoStepPath+"/confirmation", `{"code":"123456"}`).Want(t, 409, "two_step_on")
			b.do("POST", twoStepPath+"/end", `{"code":"none"}`).Want(t, 403, "code_wrong")
			b.do("POST", twoStepPath+"/recovery-codes", `{"code":"none"}`).Want(t, 403, "code_wrong")
			b.do("DELETE", "/api/dashboard/organizations/"+f.Org.ID+"/people/"+f.Admin.ID+"/two-step", "").Want(t, 403, "code_needed")
		},
		"a reset link is no way around": func(t *testing.T, f *fixture) {
			_, user := f.member(org.Member)
			_, a, _ := f.withTwoStep(user)
			link := field(t, f.as(f.Admin).do("POST", "/api/dashboard/organizations/"+f.Org.ID+"/people/"+user.ID+"/reset", "").Want(t, 201, ""), "link")
			body := `{"token":"` + tokenOf(link) + `","password":"` + another + `"`
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", body+`}`).Want(t, 403, "code_needed")
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", body+`,"code":"x"}`).Want(t, 403, "code_wrong")
			(&browser{f: f}).signIn(user.Email, password).Want(t, 403, "code_needed") // the password is the one before
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", body+`,"code":"`+a.code(0)+`"}`).Want(t, 200, "")
		},
		"nor is an invitation": func(t *testing.T, f *fixture) {
			_, a, _ := f.withTwoStep(f.Admin)
			other := storetest.NewScene(t, f.Store)
			link := field(t, f.as(other.User).do("POST", "/api/dashboard/organizations/"+other.Org.ID+"/invitations", `{"email":"`+f.Admin.Email+`","role":"member"}`).Want(t, 201, ""), "link")
			body := `{"token":"` + tokenOf(link) + `","name":"A","password":"` + password + `"`
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", body+`}`).Want(t, 403, "code_needed")
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", body+`,"code":"x"}`).Want(t, 403, "code_wrong")
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", body+`,"code":"`+a.code(0)+`"}`).Want(t, 200, "")
		},
		"an admin helps somebody who lost the app": func(t *testing.T, f *fixture) {
			_, user := f.member(org.Member)
			lost, _, _ := f.withTwoStep(user)
			admin, people := f.as(f.Admin), "/api/dashboard/organizations/"+f.Org.ID+"/people"
			path := people + "/" + user.ID + "/two-step"
			lost.do("DELETE", path, "").Want(t, 403, "role_needed")
			admin.do("DELETE", path, "").Want(t, 204, "")
			admin.do("DELETE", path, "").Want(t, 409, "two_step_off")
			lost.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
			(&browser{f: f}).signIn(user.Email, password).Want(t, 200, "")
			if got := field(t, admin.get("/api/dashboard/organizations/"+f.Org.ID+"/audit").Want(t, 200, ""), "entries", 1, "action"); got != org.AuditTwoStepRemoved {
				t.Errorf("the log has %s", got)
			}
			other := storetest.NewScene(t, f.Store)
			storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.SetMember(t.Context(), other.Org.ID, user.ID, org.Member) })
			f.withTwoStep(user)
			admin.do("DELETE", path, "").Want(t, 409, "shared_account")
			if _, err := f.SignIn.RemoveTwoStepOf(t.Context(), user.ID); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			try(t, setup(t))
		})
	}
}

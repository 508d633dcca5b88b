package dashboard_test

import (
	"strings"
	"testing"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
)

const (
	password = "correct horse battery"
	another  = "staple and a walnut"
)

// withPassword gives a user a password by a reset link, and returns the browser in which it was set.
func (f *fixture) withPassword(user org.User) *browser {
	f.t.Helper()
	link, err := f.SignIn.OperatorLink(f.t.Context(), org.ResetToken, user.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	b := &browser{f: f}
	b.do("POST", "/api/dashboard/tokens/reset", `{"token":"`+tokenOf(link.Address)+`","password":"`+password+`"}`).Want(f.t, 200, "")
	return b
}

func (b *browser) signIn(email, password string, headers ...string) servertest.Answer {
	b.f.t.Helper()
	return b.do("POST", "/api/dashboard/session", `{"email":"`+email+`","password":"`+password+`"}`, headers...)
}

// TestAttacks is a table of what strangers and thieves try.
func TestAttacks(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]func(*testing.T, *fixture){
		"fixation: a planted cookie is not the session": func(t *testing.T, f *fixture) {
			f.withPassword(f.Admin)
			planted := strings.Repeat("A", 43)
			b := &browser{f: f, cookie: planted}
			b.signIn(f.Admin.Email, password).Want(t, 200, "")
			if b.cookie == planted {
				t.Error("the planted cookie stays")
			}
			(&browser{f: f, cookie: planted}).get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
		},
		"brute force: the sixth try waits, with the right password, too": func(t *testing.T, f *fixture) {
			f.withPassword(f.Admin)
			for _, email := range []string{f.Admin.Email, "nobody@example.org"} {
				b := &browser{f: f}
				for range 5 {
					b.signIn(email, "wrong password").Want(t, 401, "sign_in_failed")
				}
				if a := b.signIn(email, password).Want(t, 429, "rate_limited"); a.Header.Get("Retry-After") == "" {
					t.Error("no Retry-After")
				}
			}
		},
		"which addresses exist: the answers are the same": func(t *testing.T, f *fixture) {
			f.withPassword(f.Admin)
			without := storetest.User(t, f.Store, f.Org.ID, org.Member)
			var first string
			for _, email := range []string{f.Admin.Email, without.Email, "nobody@example.org", "no address"} {
				body := string((&browser{f: f}).signIn(email, "wrong password").Want(t, 401, "sign_in_failed").Body)
				if first == "" {
					first = body
				}
				if body != first {
					t.Errorf("%s is told by %s", email, body)
				}
			}
		},
		"CSRF: pages of other origins change nothing": func(t *testing.T, f *fixture) {
			b := f.withPassword(f.Admin)
			path, body := "/api/dashboard/studies/"+f.study.LinkID+"/visibility", `{"numbers":[1],"hidden":true}`
			for _, headers := range [][]string{
				{"Sec-Fetch-Site", "cross-site"},
				{"Sec-Fetch-Site", "same-site"},
				{"Origin", "https://evil.example"},
				{"Origin", "null"},
				{"Origin", "https://interviews.example.com.evil.example"},
				{"Origin", "http://interviews.example.com"},
				{"Sec-Fetch-Site", "cross-site", "Origin", servertest.BaseURL},
			} {
				b.do("POST", path, body, headers...).Want(t, 403, "cross_origin")
				b.signIn(f.Admin.Email, password, headers...).Want(t, 403, "cross_origin")
				b.do("DELETE", "/api/dashboard/session", "", headers...).Want(t, 403, "cross_origin")
			}
			for _, headers := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Origin", servertest.BaseURL}} {
				b.do("POST", path, body, headers...).Want(t, 200, "")
			}
		},
		"CSRF: no operation that changes something": func(t *testing.T, f *fixture) {
			b := f.as(f.Admin)
			fill := strings.NewReplacer("{orgId}", f.Org.ID, "{studyRef}", f.study.LinkID, "{number}", "1", "{version}", "1", "{userId}", f.Admin.ID)
			for _, op := range dashboard.Table() {
				if method, path, _ := strings.Cut(op.Pattern, " "); method != "GET" {
					b.do(method, fill.Replace(path), `{}`, "Sec-Fetch-Site", "cross-site").Want(t, 403, "cross_origin")
				}
			}
		},
		"a guide is text: its script comes back as it was typed": func(t *testing.T, f *fixture) {
			b := f.as(f.Admin)
			st, _ := b.draft(`{"title":"<script>alert(1)</script>","studyGuide":[{"type":"flat","title":"</script>","items":[{"type":"open_ended","text":"\"><img src=x onerror=alert(1)>"}]}]}`)
			a := b.get("/api/dashboard/studies/"+st+"/draft").Want(t, 200, "")
			if field(t, a, "guide", "title") != "<script>alert(1)</script>" || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") || strings.Contains(string(a.Body), "<img") {
				t.Errorf("%s: %s", a.Header.Get("Content-Type"), a.Body)
			}
		},
		"a study of another organization is not read, copied, previewed or restored": func(t *testing.T, f *fixture) {
			other := storetest.NewScene(t, f.Store)
			stranger := f.as(other.User)
			f.as(f.Admin).do("DELETE", "/api/dashboard/studies/"+f.study.ID, "").Want(t, 200, "")
			stranger.do("POST", "/api/dashboard/trash/"+f.study.ID+"/restore", "").Want(t, 404, "study_not_found")
			f.as(f.Admin).do("POST", "/api/dashboard/trash/"+f.study.ID+"/restore", "").Want(t, 200, "")
			stranger.get("/api/dashboard/studies/"+f.study.ID+"/draft").Want(t, 404, "study_not_found")
			stranger.do("POST", "/api/dashboard/studies/"+f.study.ID+"/preview", `{}`).Want(t, 404, "study_not_found")
			stranger.do("POST", "/api/dashboard/organizations/"+other.Org.ID+"/studies", `{"from":"copy","copyOf":"`+f.study.ID+`"}`).Want(t, 404, "study_not_found")
		},
		"open redirect: next is never followed or shown by the server": func(t *testing.T, f *fixture) {
			plain := f.Get(t, "/signin")
			for _, next := range []string{"https://evil.example", "//evil.example", "/%5Cevil.example", "javascript:alert(1)"} {
				a := f.Get(t, "/signin?next="+next)
				if a.Header.Get("Location") != "" || string(a.Body) != string(plain.Body) {
					t.Errorf("%s: %v %s", next, a.Header, a.Body)
				}
			}
		},
		"an invitation works once": func(t *testing.T, f *fixture) {
			admin := f.as(f.Admin)
			path := "/api/dashboard/organizations/" + f.Org.ID + "/invitations"
			first := admin.do("POST", path, `{"email":"new@example.org","role":"member"}`).Want(t, 201, "")
			link := field(t, admin.do("POST", path, `{"email":"New@example.org","role":"supervisor"}`).Want(t, 201, ""), "link")
			accept := func(link, password string) servertest.Answer {
				return (&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", `{"token":"`+tokenOf(link)+`","name":"New","password":"`+password+`"}`)
			}
			accept(field(t, first, "link"), password).Want(t, 404, "token_invalid") // replaced by the second
			accept(link, "short").Want(t, 400, "weak_password")
			accept(link, password).Want(t, 200, "")
			accept(link, password).Want(t, 404, "token_invalid")
			admin.do("POST", path, `{"email":"new@example.org","role":"admin"}`).Want(t, 409, "member_already")
		},
		"an invitation does not take over an account": func(t *testing.T, f *fixture) {
			f.withPassword(f.Admin)
			other := storetest.NewScene(t, f.Store)
			stranger := f.as(other.User)
			link := field(t, stranger.do("POST", "/api/dashboard/organizations/"+other.Org.ID+"/invitations", `{"email":"`+f.Admin.Email+`","role":"member"}`).Want(t, 201, ""), "link")
			accept := func(password string) servertest.Answer {
				return (&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", `{"token":"`+tokenOf(link)+`","name":"x","password":"`+password+`"}`)
			}
			accept(another).Want(t, 401, "sign_in_failed")
			accept(password).Want(t, 200, "")
			stranger.do("POST", "/api/dashboard/organizations/"+other.Org.ID+"/people/"+f.Admin.ID+"/reset", "").Want(t, 409, "shared_account")
		},
		"a reset link works once, and ends every session": func(t *testing.T, f *fixture) {
			_, user := f.member(org.Member)
			old := f.withPassword(user)
			path := "/api/dashboard/organizations/" + f.Org.ID + "/people/" + user.ID + "/reset"
			admin := f.as(f.Admin)
			earlier := field(t, admin.do("POST", path, "").Want(t, 201, ""), "link")
			link := field(t, admin.do("POST", path, "").Want(t, 201, ""), "link")
			reset := func(link, password string) servertest.Answer {
				return (&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", `{"token":"`+tokenOf(link)+`","password":"`+password+`"}`)
			}
			reset(earlier, another).Want(t, 404, "token_invalid")
			reset(link, "aaaaaaaaaaaaaaa").Want(t, 400, "weak_password")
			reset(link, another).Want(t, 200, "")
			reset(link, another).Want(t, 404, "token_invalid")
			old.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
			(&browser{f: f}).signIn(user.Email, password).Want(t, 401, "sign_in_failed")
			(&browser{f: f}).signIn(user.Email, another).Want(t, 200, "")
		},
		"a set-up link works once, and not beside an admin": func(t *testing.T, f *fixture) {
			var links []string
			for range 2 {
				link, err := f.SignIn.SetUpLink(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				links = append(links, tokenOf(link.Address))
			}
			setUp := func(token, password string) servertest.Answer {
				return (&browser{f: f}).do("POST", "/api/dashboard/tokens/set-up", `{"token":"`+token+`","email":"first@example.org","name":"First","password":"`+password+`"}`)
			}
			check := func(token string) servertest.Answer {
				return (&browser{f: f}).do("POST", "/api/dashboard/tokens/check", `{"token":"`+token+`"}`)
			}
			if got := field(t, check(links[0]).Want(t, 200, ""), "organization"); got != f.Org.Name {
				t.Errorf("the set-up is of %s", got)
			}
			setUp(links[0], "short").Want(t, 400, "weak_password")
			setUp(links[0], password).Want(t, 200, "")
			for _, link := range links {
				setUp(link, password).Want(t, 404, "token_invalid")
				check(link).Want(t, 404, "token_invalid")
			}
			if _, err := f.SignIn.SetUpLink(t.Context()); err == nil {
				t.Error("there is another link")
			}
		},
		"a token serves only its own purpose": func(t *testing.T, f *fixture) {
			link, err := f.SignIn.OperatorLink(t.Context(), org.ResetToken, f.Admin.ID)
			if err != nil {
				t.Fatal(err)
			}
			body := `{"token":"` + tokenOf(link.Address) + `","email":"a@example.org","name":"x","password":"` + password + `"}`
			b := &browser{f: f}
			b.do("POST", "/api/dashboard/tokens/set-up", body).Want(t, 404, "token_invalid")
			b.do("POST", "/api/dashboard/tokens/sign-in", `{"token":"`+tokenOf(link.Address)+`"}`).Want(t, 404, "token_invalid")
			b.do("POST", "/api/dashboard/tokens/invitation", `{"token":"`+tokenOf(link.Address)+`","name":"x","password":"`+password+`"}`).Want(t, 404, "token_invalid")
		},
		"another role ends the sessions": func(t *testing.T, f *fixture) {
			b, user := f.member(org.Supervisor)
			admin := f.as(f.Admin)
			admin.do("PATCH", "/api/dashboard/organizations/"+f.Org.ID+"/people/"+user.ID, `{"role":"member"}`).Want(t, 200, "")
			b.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
			own, before := "/api/dashboard/organizations/"+f.Org.ID+"/people/"+f.Admin.ID, admin.cookie
			admin.do("PATCH", own, `{"role":"member"}`).Want(t, 409, "last_admin")
			admin.do("DELETE", own, "").Want(t, 409, "last_admin")
			f.member(org.Admin)
			admin.do("PATCH", own, `{"role":"member"}`).Want(t, 200, "")
			admin.get("/api/dashboard/session").Want(t, 200, "")
			(&browser{f: f, cookie: before}).get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
		},
		"another password ends the other sessions": func(t *testing.T, f *fixture) {
			first := f.withPassword(f.Admin)
			second := &browser{f: f}
			second.signIn(f.Admin.Email, password).Want(t, 200, "")
			change := func(current, next string) servertest.Answer {
				return second.do("POST", "/api/dashboard/session/password", `{"currentPassword":"`+current+`","newPassword":"`+next+`"}`)
			}
			change("wrong password", another).Want(t, 403, "wrong_password")
			change(password, f.Admin.Email).Want(t, 400, "weak_password")
			change(password, another).Want(t, 200, "")
			second.get("/api/dashboard/session").Want(t, 200, "")
			first.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
		},
		"a session that was ended elsewhere is refused": func(t *testing.T, f *fixture) {
			first, second := f.as(f.Admin), f.as(f.Admin)
			all := second.get("/api/dashboard/session/list").Want(t, 200, "")
			for i := range 2 {
				if field(t, all, "sessions", i, "current") == "false" {
					second.do("DELETE", "/api/dashboard/session/list/"+field(t, all, "sessions", i, "id"), "").Want(t, 204, "")
				}
			}
			first.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
			before := second.cookie
			second.do("DELETE", "/api/dashboard/session", "").Want(t, 204, "")
			(&browser{f: f, cookie: before}).get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
		},
		"somebody else's session cannot be ended": func(t *testing.T, f *fixture) {
			b, _ := f.member(org.Admin)
			id := field(t, f.as(f.Admin).get("/api/dashboard/session/list"), "sessions", 0, "id")
			b.do("DELETE", "/api/dashboard/session/list/"+id, "").Want(t, 404, "not_found")
		},
		"a removed person has nothing left": func(t *testing.T, f *fixture) {
			b, user := f.member(org.Supervisor)
			key := field(t, b.do("POST", "/api/dashboard/organizations/"+f.Org.ID+"/keys", `{"name":"k"}`).Want(t, 201, ""), "secret")
			f.as(f.Admin).do("DELETE", "/api/dashboard/organizations/"+f.Org.ID+"/people/"+user.ID, "").Want(t, 204, "")
			b.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
			f.Get(t, "/api/public/v1/studies", "x-api-key", key).Want(t, 403, "forbidden")
			again := f.as(user)
			again.get("/api/dashboard/studies/"+f.study.LinkID).Want(t, 404, "study_not_found")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			attack(t, setup(t))
		})
	}
}

// TestCookie: the cookie is bound to the host and kept from scripts and from the network.
func TestCookie(t *testing.T) {
	t.Parallel()
	f := setup(t)
	link, err := f.SignIn.OperatorLink(t.Context(), org.SignInToken, f.Admin.ID)
	if err != nil {
		t.Fatal(err)
	}
	a := (&browser{f: f}).do("POST", "/api/dashboard/tokens/sign-in", `{"token":"`+tokenOf(link.Address)+`"}`).Want(t, 200, "")
	cookie := a.Header.Get("Set-Cookie")
	for _, want := range []string{"__Host-verbatim=", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax"} {
		if !strings.Contains(cookie, want) || strings.Contains(cookie, "Domain") {
			t.Errorf("the cookie is %s, without %s", cookie, want)
		}
	}
}

package dashboard_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest"
)

// common are the statuses and codes that every operation shares and that the tests of package server see.
var common = []string{"413", "429", "500", "503", "507"}

// TestMain fails when no test saw one of the documented answers, besides those that all operations share.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
	missing:
		for _, missing := range servertest.Contract().Covered().Missing {
			if missing.Operation.Document != "dashboard" || missing.Code == "cross_origin" || missing.Code == "invalid_json" {
				continue
			}
			for _, status := range common {
				if fmt.Sprint(missing.Status) == status {
					continue missing
				}
			}
			fmt.Println("documented and never answered:", missing)
			code = 1
		}
	}
	os.Exit(code)
}

// fixture is a service with a study of three responses, and people with each role.
type fixture struct {
	*servertest.Service
	t     *testing.T
	study study.Study
}

func setup(t *testing.T) *fixture {
	t.Helper()
	return setupWith(t, servertest.New(t))
}

func setupWith(t *testing.T, service *servertest.Service) *fixture {
	t.Helper()
	f := &fixture{Service: service, t: t}
	f.exports().Objects = blobtest.Folder(t)
	f.api().Media.Objects = f.exports().Objects
	f.study = storetest.Study(t, f.Store, f.Org.ID, f.Admin.ID, "")
	for range 3 {
		f.respond()
	}
	return f
}

// respond adds a complete, analysed response.
func (f *fixture) respond() response.Response {
	return f.AddResponse(f.t, f.study, document.Source{
		Response:  response.Response{Progress: response.Complete, URLParams: map[string]string{"source": "mail", "_secret": "x"}},
		Answers:   []interview.Answered{{ItemID: "why", Number: 1, Question: "Why apples?", Text: "Ach 🍏, they taste well"}},
		Exchanges: []interview.Exchange{{ItemID: "why", Moderator: "Why apples?", User: "Ach 🍏, they taste well"}},
		Analysis: &response.Analysis{
			Summary: "Likes the taste.", Tagline: "Taste first", Bullets: []string{"They taste well"}, Tags: []string{"#taste"}, Provider: "builtin",
			Quality: response.Quality{Score: 4.5, Parts: []response.QualityPart{{Name: "effort", Score: 4.5, Reason: "Five words.", Rows: []int{1}}}},
			Claims:  []response.Claim{{Part: response.PartBullets, Text: "They taste well", Verified: true, Spans: []evidence.Span{{Row: 1, Start: 10, End: 25}}}},
			Authors: map[response.Part]response.Author{response.PartSummary: {Provider: "builtin"}},
		},
	})
}

// browser is somebody's browser; its cookie is empty while nobody is signed in.
type browser struct {
	f      *fixture
	cookie string
}

// as returns a browser in which a user is signed in.
func (f *fixture) as(user org.User) *browser {
	f.t.Helper()
	link, err := f.SignIn.OperatorLink(f.t.Context(), org.SignInToken, user.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	b := &browser{f: f}
	b.do("POST", "/api/dashboard/tokens/sign-in", `{"token":"`+tokenOf(link.Address)+`"}`).Want(f.t, 200, "")
	return b
}

// member returns a browser of a new member of the fixture's organization.
func (f *fixture) member(role org.Role) (*browser, org.User) {
	u := storetest.User(f.t, f.Store, f.Org.ID, role)
	return f.as(u), u
}

func tokenOf(link string) string {
	_, token, _ := strings.Cut(link, "#")
	return token
}

// do sends a request with the browser's cookie and keeps the cookie of the answer.
func (b *browser) do(method, path, body string, headers ...string) servertest.Answer {
	b.f.t.Helper()
	if b.cookie != "" {
		headers = append(headers, "Cookie", "__Host-verbatim="+b.cookie)
	}
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	a := b.f.Do(b.f.t, method, path, body, append(headers, "X-Api-Key", "")...)
	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		if c.Name == "__Host-verbatim" {
			b.cookie = c.Value
		}
	}
	uncached := a.Header.Get("Cache-Control") == "no-store" || a.Status == http.StatusRequestedRangeNotSatisfiable // which has nothing to store
	if !uncached || a.Header.Get("X-Content-Type-Options") != "nosniff" || a.Header.Get("Content-Security-Policy") == "" {
		b.f.t.Errorf("%s %s is answered with the headers %v", method, path, a.Header)
	}
	return a
}

func (b *browser) get(path string) servertest.Answer { b.f.t.Helper(); return b.do("GET", path, "") }

// field returns a text from a JSON answer, by its keys.
func field(t *testing.T, a servertest.Answer, keys ...any) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(a.Body, &value); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[key]
		case int:
			array, _ := value.([]any)
			if key >= len(array) {
				t.Fatalf("there is no %v in %s", keys, a.Body)
			}
			value = array[key]
		}
	}
	return fmt.Sprint(value)
}

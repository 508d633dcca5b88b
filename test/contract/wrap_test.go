package contract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// witness is a testing.TB that records failures instead of reporting them.
type witness struct {
	testing.TB
	failures []string
}

func (w *witness) Helper() {}

func (w *witness) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

// reply is a handler's answer.
type reply struct {
	status int
	header http.Header
	body   string
}

func (a reply) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("X-Request-Id", "r1")
	w.Header().Set("ETag", `"e1"`)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

func TestWrap(t *testing.T) {
	t.Parallel()
	const (
		studies = "GET /api/public/v1/studies"
		create  = "POST /api/public/v1/studies/create"
		list    = "GET /api/public/v1/responses/k7RmWq2x?page=1"
	)
	made := `{"id":"0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10","linkId":"k7RmWq2x","status":"draft"}`
	minimal := `{"title":"T","studyGuide":[{"type":"flat","title":"","items":[{"type":"statement","text":"Hello"}]}]}`
	problem := func(code string) string { return `{"error":"No.","code":"` + code + `"}` }
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for pair := range slices.Chunk(pairs, 2) {
			h[http.CanonicalHeaderKey(pair[0])] = []string{pair[1]}
			if pair[1] == "" {
				h[http.CanonicalHeaderKey(pair[0])] = nil
			}
		}
		return h
	}

	suite := load(t)
	for _, test := range []struct {
		name, request, sent string
		reply               reply
		want                string // part of the only failure; empty: there is none
	}{
		{"good", studies, "", reply{200, nil, `[]`}, ""},
		{"own header", studies, "", reply{200, header("X-Own", "1"), `[]`}, ""},
		{"head", "HEAD /api/public/v1/studies", "", reply{200, nil, ``}, ""},
		{"good error", studies, "", reply{401, header("WWW-Authenticate", "ApiKey"), problem("missing_api_key")}, ""},
		{"not modified", studies, "", reply{304, header("Content-Type", ""), ``}, ""},
		{"outside", "GET /healthz", "", reply{200, nil, `ok`}, ""},
		{"unknown path", "GET /api/public/v1/nothing", "", reply{404, nil, problem("not_found")}, ""},
		{"wrong method", "PUT /api/public/v1/studies", "", reply{405, header("Allow", "GET"), problem("method_not_allowed")}, ""},
		{"created", create, minimal, reply{201, nil, made}, ""},
		{"form of the page", "POST /s/k7RmWq2x/interviews", "language=de", reply{303, header("Location", "/i/t"), ``}, ""},
		{"refused request", create, `{}`, reply{400, nil, problem("invalid_study_guide")}, ""},
		{"next page", list, "", reply{200, header("X-Total-Count", "9", "Link", `<https://example.com/?page=2>; rel="next"`), `[]`}, ""},

		{"undocumented path", "GET /api/public/v1/nothing", "", reply{200, nil, `{}`}, "no document has this path and method"},
		{"undocumented method", "PUT /api/public/v1/studies", "", reply{200, nil, `{}`}, "no document has this path and method"},
		{"unknown path with the wrong code", "GET /api/public/nothing", "", reply{404, nil, problem("study_not_found")}, `the code "study_not_found" is not documented`},
		{"wrong method without Allow", "PUT /i/t", "", reply{405, nil, problem("method_not_allowed")}, "the header Allow is missing"},
		{"undocumented status", studies, "", reply{418, nil, `{}`}, "the status is not documented"},
		{"undocumented code", studies, "", reply{401, header("WWW-Authenticate", "ApiKey"), problem("unauthorized")}, `the code "unauthorized" is not documented`},
		{"code of another operation", studies, "", reply{403, nil, problem("wallet_access_denied")}, "is not documented"},
		{"error without code", studies, "", reply{403, nil, `{"error":"No."}`}, `the code "" is not documented`},
		{"issues out of place", create, `{}`, reply{400, nil, `{"error":"No.","code":"invalid_json","issues":[]}`}, "breaks its schema"},
		{"issues missing", create, `{}`, reply{400, nil, problem("invalid_request_body")}, "breaks its schema"},
		{"missing key", create, minimal, reply{201, nil, `{"id":"0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10","status":"draft"}`}, "breaks its schema"},
		{"unknown key", create, minimal, reply{201, nil, strings.Replace(made, `{`, `{"x":1,`, 1)}, "breaks its schema"},
		{"malformed id", create, minimal, reply{201, nil, strings.Replace(made, "0198f2c4", "nope", 1)}, "breaks its schema"},
		{"wrong constant", create, minimal, reply{201, nil, strings.Replace(made, "draft", "live", 1)}, "breaks its schema"},
		{"accepted what it should not", create, `{"title":"T"}`, reply{201, nil, made}, "the request was accepted: its body breaks the schema"},
		{"accepted no JSON", create, `{"title":`, reply{201, nil, made}, "the request was accepted: its body is not JSON"},
		{"no JSON", studies, "", reply{200, nil, `[`}, "the body is not JSON"},
		{"page for a program", "GET /s/k7RmWq2x", "", reply{200, header("Content-Type", "text/html; charset=utf-8"), `<!doctype html>`}, `the media type "text/html; charset=utf-8" is not documented`},
		{"recording", "GET /m/1/s/responses/1/a.m4a", "", reply{200, header("Content-Type", "audio/mp4", "Access-Control-Allow-Origin", "*"), `sound`}, ""},
		{"recording that no page may read", "GET /m/1/s/responses/1/a.m4a", "", reply{200, header("Content-Type", "audio/mp4"), `sound`}, "the header Access-Control-Allow-Origin is missing"},
		{"media type", studies, "", reply{200, header("Content-Type", "text/plain"), `[]`}, `the media type "text/plain" is not documented`},
		{"body where there is none", "HEAD /i/t/uploads/u", "", reply{404, header("X-Request-Id", "", "Tus-Resumable", "1.0.0"), ``}, "the header X-Request-Id is missing"},
		{"missing header", list, "", reply{200, nil, `[]`}, "the header X-Total-Count is missing"},
		{"malformed header", list, "", reply{200, header("X-Total-Count", "many"), `[]`}, "the header X-Total-Count is"},
		{"deletion that is still queued", "DELETE /api/public/v1/responses?studyId=a&responseId=b", "", reply{
			200, nil, `{"deletionId":"0198fe07-90cb-7e6d-8f11-c3a85b40d2e6","responseId":"0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3","status":"queued"}`,
		}, "breaks its schema"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			watch := &witness{TB: t}
			method, target, _ := strings.Cut(test.request, " ")
			answer := httptest.NewRecorder()
			suite.Wrap(watch, test.reply).ServeHTTP(answer, httptest.NewRequest(method, target, strings.NewReader(test.sent)))
			if answer.Code != test.reply.status || answer.Body.String() != test.reply.body {
				t.Errorf("passed on %d %q", answer.Code, answer.Body)
			}
			switch {
			case test.want == "" && len(watch.failures) > 0:
				t.Errorf("failed: %q", watch.failures)
			case test.want != "" && (len(watch.failures) != 1 || !strings.Contains(watch.failures[0], test.want)):
				t.Errorf("failures = %q, want one with %q", watch.failures, test.want)
			}
		})
	}
}

// TestWrapPages: browsers get pages where the document says so, and send forms.
func TestWrapPages(t *testing.T) {
	t.Parallel()
	page := reply{200, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, `<!doctype html>`}
	for _, test := range []struct {
		request string
		form    bool
		reply   reply
		good    bool
	}{
		{"GET /s/k7RmWq2x", false, page, true},
		{"GET /s/nothing/at/all", false, reply{404, page.header, page.body}, true},
		{"GET /s/k7RmWq2x", false, reply{418, page.header, page.body}, false},
		{"GET /api/public/v1/studies", false, page, false},
		{"POST /i/t/answers", true, page, true},
		{"POST /i/t/answers", false, page, false}, // the body is no answer
	} {
		method, target, _ := strings.Cut(test.request, " ")
		r := httptest.NewRequest(method, target, strings.NewReader("a=b"))
		r.Header.Set("Accept", "text/html,*/*;q=0.8")
		if test.form {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		watch := &witness{TB: t}
		load(t).Wrap(watch, test.reply).ServeHTTP(httptest.NewRecorder(), r)
		if (len(watch.failures) == 0) != test.good {
			t.Errorf("%s: failures = %q", test.request, watch.failures)
		}
	}
}

func TestWrapUnpacks(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = io.WriteString(writer, `{"wallets":1}`)
	_ = writer.Close()
	watch := &witness{TB: t}
	handler := load(t).Wrap(watch, reply{200, http.Header{"Content-Encoding": {"gzip"}}, packed.String()})
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/public/v1/wallets", nil))
	if len(watch.failures) != 1 || !strings.Contains(watch.failures[0], "breaks its schema") {
		t.Errorf("failures = %q", watch.failures)
	}
}

func TestCovered(t *testing.T) {
	t.Parallel()
	suite := load(t)
	before := suite.Covered()
	if len(before.Seen) != 0 {
		t.Fatalf("seen before any request: %v", before.Seen)
	}
	send := func(target string, answer reply) {
		suite.Wrap(&witness{TB: t}, answer).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil))
	}
	send("/api/public/v1/wallets", reply{401, http.Header{"Www-Authenticate": {"ApiKey"}}, `{"error":"No.","code":"invalid_api_key"}`})
	send("/api/public/v1/wallets", reply{200, nil, `{"wallets":[]}`})
	send("/api/public/v1/wallets", reply{200, nil, `{"wallets":null}`}) // wrong, so it covers nothing more
	send("/api/public/v1/studies", reply{200, nil, `{}`})               // likewise

	after := suite.Covered()
	var seen []string
	for _, c := range after.Seen {
		seen = append(seen, c.String())
	}
	want := []string{"GET /api/public/v1/wallets 200", "GET /api/public/v1/wallets 401 invalid_api_key"}
	if !slices.Equal(seen, want) {
		t.Errorf("seen = %q, want %q", seen, want)
	}
	if len(after.Missing) != len(before.Missing)-len(want) {
		t.Errorf("%d cases are missing, want %d", len(after.Missing), len(before.Missing)-len(want))
	}
}

package testpanel_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/testpanel"
	"verbatim/internal/domain/panel"
)

// TestPanel: the test panel recognizes the signatures that the program makes, and no others, and shows what came without acting on it.
func TestPanel(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	p := &testpanel.Panel{Secret: "the secret", Now: func() time.Time { return now }}
	get := func(address string) string {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		return w.Body.String()
	}
	post := func(address, body, signature string) int {
		r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(body))
		r.Header.Set("Idempotency-Key", "r1.complete")
		r.Header.Set("Verbatim-Signature", signature)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w.Code
	}
	const address = "http://panel.example/back?pid=%3Cscript%3E"
	v := panel.Values{Participant: "<script>"}
	for _, signature := range []panel.Signature{
		{Algorithm: panel.SHA256, Parameter: "s"},
		{Algorithm: panel.SHA512, Parameter: "s", Encoding: panel.Base64},
		{Algorithm: panel.SHA1, Parameter: "hash", Signs: "{{url}}&", Encoding: panel.Base64URL},
	} {
		signed, err := signature.Sign(address, v, "the secret")
		if err != nil {
			t.Fatal(err)
		}
		if shown := get(signed); !p.Visits()[0].Signed || strings.Contains(shown, "<script>") || !strings.Contains(shown, "You are back.") {
			t.Errorf("%s is taken as %+v", signed, p.Visits()[0])
		}
		if get(strings.Replace(signed, "pid=", "pid=x", 1)); p.Visits()[0].Signed {
			t.Errorf("a changed address is taken as %+v", p.Visits()[0])
		}
	}
	m := panel.Message{URL: "http://panel.example/postback", Body: `{"a":"<b>"}`}
	for _, c := range []struct {
		address, signature string
		status             int
		signed             bool
	}{
		{m.URL, panel.PostbackSignature("the secret", m, now), 204, true},
		{m.URL, panel.PostbackSignature("another", m, now), 204, false},
		{m.URL, panel.PostbackSignature("the secret", m, now.Add(-time.Hour)), 204, false},
		{m.URL, "", 204, false},
		{"http://panel.example/postback/fail", "", 503, false},
	} {
		if status := post(c.address, m.Body, c.signature); status != c.status || p.Visits()[0].Signed != c.signed {
			t.Errorf("%s with %q: %d, %+v", c.address, c.signature, status, p.Visits()[0])
		}
	}
	if shown := get("http://panel.example/"); strings.Contains(shown, "<b>") || !strings.Contains(shown, "Postback, repeated") {
		t.Errorf("the page is\n%s", shown)
	}
}

package panel_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/panel"
)

func to(template string) *panel.Settings {
	return &panel.Settings{Redirects: panel.Redirects{Addresses: map[panel.Outcome]string{panel.Complete: template}}}
}

// hostileValues try to lead elsewhere, or to change what stands beside them.
var hostileValues = []string{
	"", "a b", "a&status=complete", "a#x", "a?x=1", "a/b", "../../admin", "..", ".", "...", "%2e%2e", "//evil.example", `\\evil.example`, "@evil.example",
	":80@evil.example", "evil.example", "javascript:alert(1)", "https://evil.example/", "{{responseId}}", "{{pid}}", "}}", "é", "日本", "\x00", "\r\nLocation: https://evil.example",
	"a\tb", "'\"<script>", "+", "a+b", "%", "%0d%0a", "\u202e", "\ufeff", "a;b", "a=b", "&", "=", "~", strings.Repeat("x", 2000),
}

// TestHostileValues: whatever a parameter holds, the address keeps its scheme, host, port and path, and the panel reads the value as it was.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"https://panel.example/back?pid={{pid}}&x={{param.x}}&status={{status}}",
		"https://panel.example:8443/back?pid={{pid}}&x={{param.x}}&status={{status}}#{{param.x}}",
		"http://localhost:9/back?pid={{pid}}&x={{param.x}}&status={{status}}",
		"https://panel.example/?pid={{pid}}&x={{param.x}}&status={{status}}",
	} {
		if err := panel.CheckAddress(template, true); err != nil {
			t.Fatalf("%s: %v", template, err)
		}
		want, err := url.Parse(template[:strings.Index(template, "?")])
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range hostileValues {
			got, err := to(template).Redirect(panel.Complete, panel.Values{Participant: value, Params: map[string]string{"x": value}, ResponseID: "r"}, "")
			if err != nil {
				t.Fatal(err)
			}
			u, err := url.Parse(got)
			if err != nil || u.Scheme != want.Scheme || u.Host != want.Host || u.Path != want.Path || u.User != nil {
				t.Errorf("%q leads to %s (%v)", value, got, err)
				continue
			}
			query, err := url.ParseQuery(u.RawQuery)
			if err != nil || len(query) != 3 || query.Get("pid") != value || query.Get("x") != value || query.Get("status") != "complete" {
				t.Errorf("%q is read as %v (%v)", value, query, err)
			}
		}
	}
}

// TestValuesInPaths: a value in the path stays one segment, as browsers read it.
func TestValuesInPaths(t *testing.T) {
	t.Parallel()
	for _, value := range hostileValues {
		got, err := to("https://panel.example/end/{{param.x}}/{{param.x}}{{param.x}}/ok").Redirect(panel.Complete, panel.Values{Params: map[string]string{"x": value}}, "")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(got, "/") != 6 || !strings.HasPrefix(got, "https://panel.example/end/") || !strings.HasSuffix(got, "/ok") {
			t.Errorf("%q leads to %s", value, got)
		}
		for segment := range strings.SplitSeq(got, "/") {
			if lower := strings.ToLower(segment); lower == "." || lower == ".." || lower == "%2e" || lower == "%2e%2e" || lower == ".%2e" || lower == "%2e." {
				t.Errorf("%q leads to %s, which a browser reads as another folder", value, got)
			}
		}
	}
}

// TestAddressesThatAreRefused: no template lets anything but the author choose scheme, host and port, and none leaves https.
func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"", "/back", "//panel.example/", "panel.example/back", "{{param.url}}", "{{param.scheme}}://panel.example/", "https://{{param.host}}/", "https://{{pid}}.panel.example/",
		"https://panel.example{{pid}}", "https://panel.example:{{pid}}/", "https://panel.example:80{{pid}}", "https://user@panel.example/", "https://a:b@panel.example/",
		"https://{{pid}}@panel.example/", `https://panel.example\{{pid}}`, `https:\\panel.example/`, "http://panel.example/", "http://127.0.0.2/", "http://localhost.example/", "ftp://panel.example/",
		"javascript:alert(1)//https://panel.example/", "data:text/html,x", "https://", "https:///x", "https://panel.example /", "https://panel.example/a b", "https://panel.example/\x00",
		"https://panel.example/é", "https://pänel.example/", "https://panel.example/{{", "https://panel.example/}}", "https://panel.example/{{}}", "https://panel.example/{{x}}",
		"https://panel.example/{{param.}}", "https://panel.example/{{param._language}}", "https://panel.example/{{url}}", "https://panel.example/%zz", "https://panel.example:port/",
		"https://panel.example/?" + strings.Repeat("{{pid}}", 21), "https://.example/", "https://panel-/", "https://[::1/", "HTTPS://panel.example/", "https://panel.example/{x}",
	} {
		if err := panel.CheckAddress(template, true); err == nil {
			t.Errorf("%q is accepted", template)
		}
	}
	for _, template := range []string{
		"https://panel.example", "https://panel.example/", "https://panel.example?x={{pid}}", "https://panel.example#{{ pid }}", "http://127.0.0.1:8090/x", "http://[::1]/", "http://localhost",
		"https://10.0.0.1:8443/{{param.a b}}/", "https://panel.example/a?b=c%20d&e={{param.é}}",
	} {
		if err := panel.CheckAddress(template, true); err != nil {
			t.Errorf("%q: %v", template, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	v := panel.Values{Participant: "p 1", Params: map[string]string{"pid": "1070000026", "k2": "59931", "x": "1"}, ResponseID: "r"}
	for want, c := range map[string]struct {
		template, secret string
		signature        panel.Signature
	}{
		// openssl dgst -sha256 -hmac secret
		"https://panel.example/?pid=p%201&sig=" + panel.MAC(panel.SHA256, panel.Hex, "secret", "https://panel.example/?pid=p%201"): {
			"https://panel.example/?pid={{pid}}", "secret", panel.Signature{Algorithm: panel.SHA256, Parameter: "sig"},
		},
		"https://panel.example/x?h=" + panel.MAC(panel.SHA1, panel.Base64URL, "k", "https://panel.example/x&") + "#end": {
			"https://panel.example/x#end", "k", panel.Signature{Algorithm: panel.SHA1, Parameter: "h", Signs: "{{url}}&", Encoding: panel.Base64URL},
		},
		"https://panel.example/x?a=1&h=" + panel.MAC(panel.SHA512, panel.Hex, "k", "a=1|complete|p 1|{{x}}"): {
			"https://panel.example/x?a={{param.x}}", "k", panel.Signature{Algorithm: panel.SHA512, Parameter: "h", Signs: "{{query}}|{{status}}|{{pid}}|{{param.y}}"},
		},
		"https://panel.example/x?rst=1&med=70847911661607": { // the example in Dynata's description of end links
			"https://panel.example/x?rst=1", "66213", panel.Signature{Algorithm: panel.Dynata, Parameter: "med"},
		},
	} {
		s := to(c.template)
		s.Signature = &c.signature
		v.Params["y"] = "{{x}}" // a value is not read as a template
		if got, err := s.Redirect(panel.Complete, v, c.secret); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", c.template, got, err, want)
		}
		if got, err := s.Redirect(panel.Complete, v, ""); err == nil {
			t.Errorf("without a secret %s is signed: %s", c.template, got)
		}
	}
	if got, want := panel.MAC(panel.SHA256, panel.Hex, "key", "The quick brown fox jumps over the lazy dog"), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"; got != want {
		t.Errorf("the HMAC is %s, want %s", got, want)
	}
	if got, want := panel.MAC(panel.SHA1, panel.Base64, "key", "The quick brown fox jumps over the lazy dog"), "3nybhbi3iqa8ino29wqQcBydtNk="; got != want {
		t.Errorf("the HMAC is %s, want %s", got, want)
	}
	s := to("https://panel.example/")
	s.Signature = &panel.Signature{Algorithm: panel.SHA256, Parameter: "sig", Outcomes: []panel.Outcome{panel.ScreenedOut}}
	if got, err := s.Redirect(panel.Complete, v, ""); err != nil || got != "https://panel.example/" {
		t.Errorf("an outcome that is not signed leads to %s (%v)", got, err)
	}
	if got, err := s.Redirect(panel.QuotaFull, v, ""); err != nil || got != "" {
		t.Errorf("an outcome without an address leads to %s (%v)", got, err)
	}
}

// TestBodies: the body of a postback is JSON with the values as they were, whatever they are.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := &panel.Settings{
		Statuses: map[panel.Outcome]string{panel.Complete: "5", panel.ScreenedOut: "2", panel.QuotaFull: "3"},
		Postback: &panel.Postback{
			URL: "https://panel.example/{{param.x}}", Body: `{"id": "{{pid}}", "x": ["{{param.x}}"], "status": {{status}}}`,
			Outcomes: []panel.Outcome{panel.Complete, panel.ScreenedOut, panel.QuotaFull},
		},
	}
	if err := s.CheckBody(s.Postback.Body, true); err != nil {
		t.Fatal(err)
	}
	for _, value := range append(hostileValues, `","admin":true,"y":"`, `\`, `\"`) {
		m, err := s.Message(panel.Complete, panel.Values{Participant: value, Params: map[string]string{"x": value}}, panel.Facts{})
		var got struct {
			ID     string
			X      []string
			Status int
			Admin  bool
		}
		if err != nil || json.Unmarshal([]byte(m.Body), &got) != nil || got.ID != value || len(got.X) != 1 || got.X[0] != value || got.Status != 5 || got.Admin {
			t.Errorf("%q gives %s (%v)", value, m.Body, err)
		}
	}
	s.Postback.Body = ""
	m, err := s.Message(panel.QuotaFull, panel.Values{Participant: "p"}, panel.Facts{StudyID: "s", At: time.Unix(0, 0)})
	var own map[string]string
	if err != nil || m.Method != "POST" || json.Unmarshal([]byte(m.Body), &own) != nil || own["participant"] != "p" || own["status"] != "3" || own["outcome"] != "quota_full" {
		t.Errorf("the program's own body is %s (%v)", m.Body, err)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	link := func(changes ...string) map[string]string {
		params := map[string]string{"pid": "p1", "wave": "2", panel.LinkExpiryParam: "1700000060"}
		params[panel.LinkSignatureParam] = panel.SignLink("secret", params)
		for i := 0; i < len(changes); i += 2 {
			if params[changes[i]] = changes[i+1]; changes[i+1] == "" {
				delete(params, changes[i])
			}
		}
		return params
	}
	if panel.CheckLink("secret", link(), now) != nil || panel.CheckLink("secret", link("_language", "de"), now) != nil {
		t.Error("a signed link is refused")
	}
	for name, params := range map[string]map[string]string{
		"another participant": link("pid", "p2"), "a further parameter": link("quota", "x"), "a missing one": link("wave", ""), "no signature": link("_sig", ""),
		"another signature": link("_sig", "abc"), "a later expiry": link("_until", "1900000000"), "no expiry": link("_until", ""), "joined parameters": link("pid", "p1\nwave=2", "wave", ""),
	} {
		if panel.CheckLink("secret", params, now) == nil {
			t.Errorf("a link with %s is accepted", name)
		}
	}
	if !errors.Is(panel.CheckLink("secret", link(), now.Add(2*time.Minute)), panel.ErrExpired) || !errors.Is(panel.CheckLink("other", link(), now), panel.ErrForged) ||
		!errors.Is(panel.CheckLink("", link(), now), panel.ErrForged) || !errors.Is(panel.CheckLink("secret", nil, now), panel.ErrUnsigned) {
		t.Error("an expired link, or one of another secret, is accepted")
	}
}

func TestCodesAndHashes(t *testing.T) {
	t.Parallel()
	s := &panel.Settings{Code: panel.Code{PerResponse: true}}
	a, b, c := s.CodeOf("salt", "1"), s.CodeOf("salt", "2"), s.CodeOf("pepper", "1")
	if a == b || a == c || len(a) != 10 || a != s.CodeOf("salt", "1") || strings.ContainsAny(a, "01IO") {
		t.Errorf("the codes are %s, %s and %s", a, b, c)
	}
	if panel.ParticipantHash("salt", "1") == panel.ParticipantHash("pepper", "1") || (&panel.Settings{}).CodeOf("salt", "1") != "" || (*panel.Settings)(nil).CodeOf("salt", "1") != "" {
		t.Error("hashes of two studies are equal, or a code was made for nobody")
	}
	r := panel.Redirects{}
	if r.Wait(0) != 6 || r.Wait(150) != 14 || r.Wait(9000) != 30 || (&panel.Redirects{After: 3}).Wait(9000) != 3 || (&panel.Redirects{Manual: true}).Wait(10) != 0 {
		t.Error("the times for reading are wrong")
	}
}

package attack

import (
	"fmt"
	"net/http"
	"strings"
)

// uncleanAttacks put characters that no text may hold into every place that accepts a text.
var uncleanAttacks = []attack{
	{point: 10, name: "NUL and invalid UTF-8 in addresses", mark: "no 5xx", run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		key := []string{"X-Api-Key", s.hostile.Key}
		send := func(method, path string, body any, header ...string) {
			s.sent.add()
			r, err := s.somebody().send(s.t.Context(), method, path, body, header...)
			if err != nil {
				s.fail("%s %s: %v", method, path, err)
			} else if r.status >= 500 {
				s.fail("%s %s answers %d %s", method, path, r.status, r.code())
			}
		}
		for _, bad := range []string{"%00", "%ff", "a%00b", "%ed%a0%80", "%c0%80", "%f4%90%80%80", "%80", "%e2%80%8b", "%0d%0a", "%2e%2e%2f", strings.Repeat("%00", 500), "%ef%bf%be", "%7f"} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
				for _, path := range []string{
					"/s/" + bad, "/s/" + bad + "/interviews", "/i/" + bad, "/i/" + bad + "/answers", "/i/" + bad + "/events", "/i/" + bad + "/uploads", "/i/" + bad + "/uploads/" + bad,
					"/i/" + i.token + "/uploads/" + bad, "/i/" + i.token + "/uploads/" + bad + "/transcript", "/i/" + bad + "/withdraw", "/docs/" + bad, "/m/" + bad, "/m/" + bad + "/" + bad, "/brand/" + bad,
					"/openapi/" + bad, "/app/" + bad, "/" + bad, "/p/" + bad, "/p/" + bad + "/responses/" + bad, "/s/" + s.load.link + "?" + bad + "=" + bad, "/s/" + s.load.link + "?_language=" + bad,
				} {
					send(method, path, nil, "Tus-Resumable", "1.0.0")
				}
				for _, path := range []string{
					"/v1/studies/" + bad + "/questions", "/v1/studies/" + bad + "/launch", "/v1/responses/" + bad, "/v1/responses/" + bad + "/" + bad, "/v1/responses/" + s.load.link + "/" + bad,
					"/v1/response-deletions/" + bad, "/v1/responses?parameter=" + bad + "&value=x", "/v1/responses?parameter=x&value=" + bad, "/v1/responses?parameter=x&value=x&cursor=" + bad,
					"/v1/responses?studyId=" + bad + "&responseId=" + bad, "/v1/responses/" + s.load.link + "?page=" + bad + "&perPage=" + bad + "&updatedSince=" + bad, "/responses/" + bad, "/responses/" + bad + "/" + bad,
					"/studies/" + bad + "/questions", "/responses/" + s.load.link + "?updated_since=" + bad, "/" + bad,
				} {
					send(method, "/api/public"+path, nil, key...)
				}
			}
			send(http.MethodPost, "/s/"+s.load.link+"/interviews?a="+bad+"&"+bad+"=b", dict{}, "Content-Type", "application/json")
			send(http.MethodPost, "/i/"+i.token+"/answers", "stepId="+bad+"&text="+bad, "Content-Type", "application/x-www-form-urlencoded")
		}
	}},
	{point: 10, name: "NUL and lone surrogates in bodies", mark: "no 5xx; refused like invalid UTF-8", run: func(s *stage) {
		for _, bad := range []string{`\u0000`, `a\u0000b`, `\ud800`, `\udfff`, `\ud800\ud800`, "\x00", "\xff", "\xed\xa0\x80", `\u200b`, `\ufffe`} {
			p := s.somebody()
			i := s.mustBegin(p, s.load.link)
			invalid := strings.Contains(bad, `\ud`) || bad == "\xff" || bad == "\xed\xa0\x80" || bad == "\x00"
			for _, what := range []struct{ path, body string }{
				{"/i/" + i.token + "/answers", `{"stepId":"` + i.step.StepID + `","text":"it was ` + bad + ` so"}`},
				{"/i/" + i.token + "/answers", `{"stepId":"` + bad + `","text":"x"}`},
				{"/i/" + i.token + "/answers", `{"stepId":"` + i.step.StepID + `","` + bad + `":"x"}`},
				{"/s/" + s.load.link + "/interviews", `{"language":"` + bad + `"}`},
				{"/api/public/v1/studies/create", `{"title":"` + bad + `","studyGuide":[{"type":"flat","title":"` + bad + `","items":[{"type":"open_ended","text":"` + bad + `","externalId":"` + bad + `"}]}]}`},
				{"/api/public/v1/studies/" + zeroID + "/launch", `{"walletId":"` + bad + `"}`},
			} {
				s.sent.add()
				r, err := p.send(s.t.Context(), http.MethodPost, what.path, what.body, "Content-Type", "application/json", "X-Api-Key", s.hostile.Key, "Idempotency-Key", fmt.Sprintf("%x", bad))
				switch {
				case err != nil:
					s.fail("%s with %q: %v", what.path, bad, err)
				case r.status >= 500:
					s.fail("%s with %q answers %d %s", what.path, bad, r.status, r.code())
				case invalid && r.status != http.StatusBadRequest && r.status != http.StatusNotFound:
					s.fail("%s takes %q: %d %s", what.path, bad, r.status, r.code())
				}
			}
		}
	}},
	{point: 10, name: "a search for what was cleaned", mark: "it hits what was stored", run: func(s *stage) {
		for n, bad := range []string{"a%00b", "a%ffb", "%ed%a0%80c", "a%e2%80%8bb", "+spaces+"} {
			s.sent.add()
			value := fmt.Sprintf("v%d%s", n, bad)
			r, err := s.somebody().send(s.t.Context(), http.MethodPost, "/s/"+s.load.link+"/interviews?who="+value, dict{}, "Content-Type", "application/json")
			if err != nil || r.status != http.StatusCreated {
				s.fail("beginning with %s: %d, %v", value, r.status, err)
				continue
			}
			r, err = s.somebody().send(s.t.Context(), http.MethodGet, "/api/public/v1/responses?parameter=who&value="+value, nil, "X-Api-Key", s.innocent.Key)
			var found struct{ Results []any }
			if err != nil || r.status != http.StatusOK || r.decode(&found) != nil || len(found.Results) != 1 {
				s.fail("a search for %s is answered %d with %d results, %v", value, r.status, len(found.Results), err)
			}
		}
	}},
}

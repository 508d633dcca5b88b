package attack

import (
	"fmt"
	"net/http"
	"time"
)

// methodAttacks use methods that an address does not have. Each answer lists the allowed ones, and must not change.
var methodAttacks = []attack{
	{point: 2, name: "1,000 wrong methods", mark: "the last answer is as long as the first", run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		paths := []string{
			"/s/" + s.load.link, "/s/x/interviews", "/i/" + i.token, "/i/" + i.token + "/answers", "/i/" + i.token + "/uploads",
			"/i/" + i.token + "/withdraw", "/i/" + i.token + "/events", "/i/" + i.token + "/uploads/" + zeroID, "/s/a/b/c", "/i/a/b/c",
			"/api/public/v1/studies", "/api/public/v1/responses", "/docs/", "/openapi/v1.yaml", "/readyz", "/m/x/y", "/", "/brand/x.png",
		}
		methods := []string{http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "PROPFIND", "INVENTED"}
		header := []string{"X-Api-Key", s.hostile.Key}
		size := func(path, method string) string {
			r, err := s.stranger().send(s.t.Context(), method, path, nil, header...)
			for tries := 0; r.status == http.StatusTooManyRequests && tries < 100; tries++ { // the flood has used up the key's requests
				<-time.After(100 * time.Millisecond)
				r, err = s.stranger().send(s.t.Context(), method, path, nil, header...)
			}
			return fmt.Sprintf("%d, %d bytes, Allow of %d bytes, %v", r.status, len(r.body), len(r.header.Get("Allow")), err)
		}
		first := map[string]string{}
		for _, path := range paths {
			for _, method := range methods {
				first[path+method] = size(path, method)
			}
		}
		s.flood(pick(1000, 10_000), 8, func(n int) (reply, error) {
			return s.stranger().send(s.t.Context(), methods[n%len(methods)], paths[n/len(methods)%len(paths)], nil, header...)
		})
		for _, path := range paths {
			for _, method := range methods {
				if now := size(path, method); now != first[path+method] {
					s.fail("%s %s answered %q first and %q last", method, path, first[path+method], now)
				}
			}
		}
	}},
}

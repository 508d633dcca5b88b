package pages_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/pages"
	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/service/objects"
)

// TestGuideMediaIsServed: a file of a guide is served to everybody, in ranges too, under the type of its name, and never runs.
func TestGuideMediaIsServed(t *testing.T) {
	t.Parallel()
	const folder = "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3/0123456789abcdef0123456789abcdef/"
	stored := blobtest.Folder(t)
	blobtest.Put(t, stored, guidemedia.Objects+folder+guidemedia.MP4, "<script>alert(1)</script>")
	h := open(t, 3*wallet.Credit, func(a *pages.API) { a.Objects = &objects.Service{Store: stored} })
	for path, want := range map[string]int{
		folder + "film.mp4": 206, folder + "poster.jpg": 404, folder + "page.html": 404, folder + "parts/0": 404, strings.ToUpper(folder) + "film.mp4": 404, folder + "..%2ffilm.mp4": 404,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+guidemedia.Path+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Range", "bytes=1-6")
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != want {
			t.Errorf("%s answers %d, %v", path, reply.StatusCode, err)
		}
		if want != 206 {
			continue
		}
		for name, part := range map[string]string{
			"Content-Type": "video/mp4", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox", "Cache-Control": "immutable", "Access-Control-Allow-Origin": "*",
		} {
			if got := reply.Header.Get(name); !strings.Contains(got, part) {
				t.Errorf("%s is %q", name, got)
			}
		}
		if string(body) != "script" {
			t.Errorf("the range has %q", body)
		}
	}
}

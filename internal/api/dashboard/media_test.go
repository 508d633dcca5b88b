package dashboard_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
)

// api returns the handler of the dashboard.
func (f *fixture) api() *dashboard.API { return f.Server.Dashboard.(*dashboard.API) }

func picture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// begun begins an upload, and returns its id.
func (f *fixture) begun(b *browser, st string) string {
	f.t.Helper()
	return field(f.t, b.do("POST", "/api/dashboard/studies/"+st+"/media", `{"name":"pack.png","size":5000}`).Want(f.t, 201, ""), "id")
}

// TestMedia: a file is begun, sent, listed and served under an address; what is not one is refused.
func TestMedia(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, content := f.as(f.Admin), picture(t)
	base := "/api/dashboard/studies/" + f.study.LinkID + "/media"
	b.do("POST", base, `{"name":"film.mp4","size":3000000000}`).Want(t, 400, "invalid_request_body")
	b.do("POST", base, `{"name":"","size":0}`).Want(t, 400, "invalid_request_body")
	begun := b.do("POST", base, `{"name":"../../pack.png","size":`+itoa(len(content))+`}`).Want(t, 201, "")
	one := base + "/" + field(t, begun, "id")
	b.do("PATCH", one, content).Want(t, 400, "bad_request")
	b.do("PATCH", one, content, "Upload-Offset", "7").Want(t, 409, "offset_conflict")
	b.do("PATCH", one, content+"x", "Upload-Offset", "0").Want(t, 413, "payload_too_large")
	ready := b.do("PATCH", one, content, "Upload-Offset", "0").Want(t, 200, "")
	if url := field(t, ready, "url"); !strings.HasPrefix(url, "https://interviews.example.com/media/"+f.Org.ID+"/") || field(t, ready, "name") != "pack.png" {
		t.Errorf("the file is %s", ready.Body)
	}
	if got := field(t, b.get(one).Want(t, 200, ""), "stage"); got != "ready" {
		t.Errorf("the stage is %s", got)
	}
	if got := field(t, b.get(base).Want(t, 200, ""), "media", 0, "kind"); got != "image" {
		t.Errorf("the list is %s", b.get(base).Body)
	}
	b.do("DELETE", one, "").Want(t, 409, "conflict")
	for _, gone := range []string{base + "/0123456789abcdef0123456789abcdef", base + "/nothing"} {
		b.get(gone).Want(t, 404, "not_found")
		b.do("PATCH", gone, "x", "Upload-Offset", "0").Want(t, 404, "not_found")
		b.do("DELETE", gone, "").Want(t, 404, "not_found")
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	page := b.do("POST", base, `{"name":"drawing.png","size":`+itoa(len(svg))+`}`).Want(t, 201, "")
	refused := b.do("PATCH", base+"/"+field(t, page, "id"), svg, "Upload-Offset", "0").Want(t, 200, "")
	if field(t, refused, "stage") != "failed" || field(t, refused, "url") != "<nil>" {
		t.Errorf("a page is %s", refused.Body)
	}
	other := storetest.NewScene(t, f.Store)
	f.as(other.User).get(one).Want(t, 404, "study_not_found")
	for range 39 { // what is announced counts
		b.do("POST", base, `{"name":"film.mp4","size":536870912}`).Want(t, 201, "")
	}
	b.do("POST", base, `{"name":"film.mp4","size":536870912}`).Want(t, 409, "media_full")
	member, _ := f.member(org.Member)
	member.do("POST", base, `{"name":"a","size":5}`).Want(t, 403, "role_needed")
}

// TestPresence: whoever has a guide open sees who else has, and where.
func TestPresence(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ada, ben := f.as(f.Admin), func() *browser { b, _ := f.member(org.Member); return b }()
	path := "/api/dashboard/studies/" + f.study.LinkID + "/presence"
	if got := field(t, ada.do("POST", path, `{"tab":"a","item":"why"}`).Want(t, 200, ""), "people"); got != "[]" {
		t.Errorf("the first one sees %s", got)
	}
	seen := ben.do("POST", path, `{"tab":"b"}`).Want(t, 200, "")
	if field(t, seen, "people", 0, "item") != "why" || field(t, seen, "people", 0, "own") != "false" {
		t.Errorf("the second one sees %s", seen.Body)
	}
	if again := ada.do("POST", path, `{"tab":"c"}`).Want(t, 200, ""); !strings.Contains(string(again.Body), `"own":true`) {
		t.Errorf("another tab sees %s", again.Body)
	}
	ada.do("POST", path, `{"tab":"a","left":true}`).Want(t, 200, "")
	ada.do("POST", path, `{"tab":"c","left":true}`).Want(t, 200, "")
	if got := field(t, ben.do("POST", path, `{"tab":"b"}`), "people"); got != "[]" {
		t.Errorf("left behind: %s", got)
	}
	ben.do("POST", path, `{"item":"x"}`).Want(t, 400, "invalid_request_body")
}

// TestFolders: folders are made, renamed and removed; the studies in them stay.
func TestFolders(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	base := "/api/dashboard/organizations/" + f.Org.ID + "/folders"
	const evil = `<img src=x onerror=alert(1)>`
	for range 2 {
		b.do("POST", base, `{"folder":["Food"]}`).Want(t, 201, "")
	}
	b.do("POST", base, `{"folder":["`+evil+`"]}`).Want(t, 201, "")
	b.do("POST", base, `{"folder":[]}`).Want(t, 400, "invalid_request_body")
	b.do("PATCH", "/api/dashboard/studies/"+f.study.ID, `{"folder":["Food"]}`).Want(t, 200, "")
	if moved := field(t, b.do("PATCH", base, `{"folder":["Food"],"to":["Drinks"]}`).Want(t, 200, ""), "moved"); moved != "1" {
		t.Errorf("%s studies moved", moved)
	}
	b.do("PATCH", base, `{"folder":["Food"],"to":["Drinks"]}`).Want(t, 404, "not_found")
	b.do("PATCH", base, `{"folder":["Food"]}`).Want(t, 400, "invalid_request_body")
	if got := field(t, b.get(base), "folders"); !strings.Contains(got, "Drinks") || strings.Contains(got, "Food") || !strings.Contains(got, evil) {
		t.Errorf("the folders are %s", got)
	}
	b.do("DELETE", base+`?folder=["Drinks"]`, "").Want(t, 200, "")
	b.do("DELETE", base+`?folder=["Drinks"]`, "").Want(t, 404, "not_found")
	b.do("DELETE", base+`?folder=[]`, "").Want(t, 400, "bad_request")
	if got := field(t, b.get("/api/dashboard/studies/"+f.study.ID), "study", "folder"); got != "[]" {
		t.Errorf("the study is in %s", got)
	}
	for name, text := range map[string]string{"POST": `{"folder":["x"]}`, "PATCH": `{"folder":["x"],"to":["y"]}`} {
		f.as(storetest.NewScene(t, f.Store).User).do(name, base, text).Want(t, 404, "not_found")
	}
}

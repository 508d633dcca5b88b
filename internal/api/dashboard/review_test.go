package dashboard_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestReview reads a study and its responses as a researcher does, and decides about them.
func TestReview(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st := "/api/dashboard/studies/" + f.study.LinkID
	all := b.get("/api/dashboard/organizations/"+f.Org.ID+"/studies?q=apPL&state=live").Want(t, 200, "")
	if got := field(t, all, "studies", 0, "linkId"); got != f.study.LinkID {
		t.Errorf("the list has %s", all.Body)
	}
	for _, query := range []string{"state=open", "after=x", "after=", "stat=live"} {
		if query != "after=" {
			b.get("/api/dashboard/organizations/"+f.Org.ID+"/studies?"+query).Want(t, 400, "bad_request")
		}
	}
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.RenameLink(t.Context(), f.Org.ID, f.study.ID, "new-name") })
	if got := field(t, b.get(st).Want(t, 200, ""), "study", "linkId"); got != "new-name" {
		t.Errorf("a former link id leads to %s", got)
	}
	if got := field(t, b.get(st).Want(t, 200, ""), "counts", "complete"); got != "3" {
		t.Errorf("%s are complete", got)
	}
	b.get("/api/dashboard/studies/nosuchID").Want(t, 404, "study_not_found")

	for query, total := range map[string]string{
		"": "3", "progress=complete": "3", "progress=abandoned": "0", "hidden=true": "0", "hidden=any": "3", "qualityFrom=4": "3", "qualityTo=4": "0",
		"tag=%23taste": "3", "tag=taste": "0", "parameter=source%3Dmail": "3", "parameter=source%3Dweb": "0", "q=apples": "0",
	} {
		if got := field(t, b.get(st+"/responses?"+query).Want(t, 200, ""), "total"); got != total {
			t.Errorf("%q finds %s, want %s", query, got, total)
		}
	}
	for _, query := range []string{"progress=done", "hidden=1", "qualityFrom=0", "qualityTo=NaN", "parameter=source", "parameter=_secret%3Dx", "q=the", "after=0", "tag=a&tag=b"} {
		b.get(st+"/responses?"+query).Want(t, 400, "bad_request")
	}
	if got := field(t, b.get(st+"/responses?after=3").Want(t, 200, ""), "responses", 0, "number"); got != "2" {
		t.Errorf("below 3 is %s", got)
	}
	if a := b.get(st+"/arrivals?since=1").Want(t, 200, ""); field(t, a, "count") != "2" || field(t, a, "newest") != "3" {
		t.Errorf("since 1: %s", a.Body)
	}
	b.get(st+"/arrivals").Want(t, 400, "bad_request")

	one := b.get(st+"/responses/2").Want(t, 200, "")
	for want, keys := range map[string][]any{
		"3": {"newer"}, "1": {"older"}, "4.5": {"quality", "score"}, "effort": {"quality", "parts", 0, "name"}, "map[source:mail]": {"parameters"},
		"map[from:8 row:1 to:23]": {"statements", 2, "marks", 0}, "true": {"statements", 2, "verified"}, "builtin": {"writtenBy", "provider"},
		"Ach 🍏, they taste well": {"rows", 1, "answer"},
	} {
		if got := field(t, one, keys...); got != want {
			t.Errorf("%v is %s, want %s", keys, got, want)
		}
	}
	if welcome, question := field(t, one, "rows", 0, "statement"), field(t, one, "rows", 1, "statement"); welcome != "true" || question != "false" {
		t.Errorf("the welcome is a statement: %s; a question: %s", welcome, question)
	}
	for _, n := range []string{"9", "0", "x", "01", "99999999999"} {
		b.get(st+"/responses/"+n).Want(t, 404, "response_not_found")
		b.do("PUT", st+"/responses/"+n+"/quality", `{"score":2,"reason":"x"}`).Want(t, 404, "response_not_found")
		b.do("DELETE", st+"/responses/"+n+"/quality", "").Want(t, 404, "response_not_found")
	}
	b.get(st+"/responses/1?hidden=1").Want(t, 400, "bad_request")
	b.get("/api/dashboard/studies/nosuchID/responses/1").Want(t, 404, "study_not_found")

	b.do("PUT", st+"/responses/2/quality", `{"score":2.25,"reason":"x"}`).Want(t, 400, "invalid_request_body")
	b.do("PUT", st+"/responses/2/quality", `{"score":1.5,"reason":"read aloud"}`).Want(t, 200, "")
	one = b.get(st+"/responses/2?qualityFrom=1&qualityTo=2").Want(t, 200, "")
	if field(t, one, "quality", "score") != "4.5" || field(t, one, "quality", "override", "score") != "1.5" || field(t, one, "older") != "<nil>" {
		t.Errorf("both are kept: %s", one.Body)
	}
	b.do("DELETE", st+"/responses/2/quality", "").Want(t, 204, "")

	if got := string(b.do("POST", st+"/visibility", `{"numbers":[1,2,2,77],"hidden":true}`).Want(t, 200, "").Body); !strings.Contains(got, `[1,2]`) {
		t.Errorf("hidden: %s", got)
	}
	if got := field(t, b.get(st+"/responses").Want(t, 200, ""), "total"); got != "1" {
		t.Errorf("%s are left", got)
	}
	b.do("POST", st+"/visibility", `{"numbers":[1],"hidden":false}`).Want(t, 200, "")
	b.do("POST", st+"/deletions", `{"numbers":[1,2,77],"count":3}`).Want(t, 409, "count_differs")
	if got := field(t, b.do("POST", st+"/deletions", `{"numbers":[1,2,77],"count":2}`).Want(t, 202, ""), "receipts", 1, "number"); got != "2" {
		t.Errorf("the receipts are of %s", got)
	}
	b.get(st+"/responses/1").Want(t, 404, "response_not_found")

	log := b.get("/api/dashboard/organizations/"+f.Org.ID+"/audit").Want(t, 200, "")
	var actions []string
	for i := range 6 {
		actions = append(actions, field(t, log, "entries", i, "action"))
	}
	want := []string{org.AuditDeleted, org.AuditShown, org.AuditHidden, org.AuditQualityUnjudged, org.AuditQualityJudged, org.AuditSignedIn}
	if strings.Join(actions, " ") != strings.Join(want, " ") || field(t, log, "entries", 0, "subject") != "new-name/1,2" {
		t.Errorf("the log has %v: %s", actions, log.Body)
	}
	b.get("/api/dashboard/organizations/"+f.Org.ID+"/audit?after=x").Want(t, 400, "bad_request")
}

// TestBodies: every operation with a body refuses one of another shape.
func TestBodies(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	user := storetest.User(t, f.Store, f.Org.ID, org.Member)
	o, st := "/api/dashboard/organizations/"+f.Org.ID, "/api/dashboard/studies/"+f.study.LinkID
	for path, method := range map[string]string{
		"/api/dashboard/session": "POST", "/api/dashboard/session/password": "POST", "/api/dashboard/tokens/check": "POST", "/api/dashboard/tokens/set-up": "POST",
		"/api/dashboard/tokens/invitation": "POST", "/api/dashboard/tokens/reset": "POST", "/api/dashboard/tokens/sign-in": "POST",
		o + "/invitations": "POST", o + "/people/" + user.ID: "PATCH", o + "/keys": "POST",
		st + "/visibility": "POST", st + "/deletions": "POST", st + "/responses/1/quality": "PUT", st + "/report": "POST", st + "/themes/why": "POST", st + "/ask": "POST",
	} {
		for _, body := range []string{`{"colour":"red"}`, `[]`, `{"email":7,"token":7,"role":7,"name":7,"numbers":7,"score":"x","by":7}`} {
			b.do(method, path, body).Want(t, 400, "invalid_request_body")
		}
		b.do(method, path, `{`).Want(t, 400, "invalid_json")
	}
	b.do("POST", o+"/invitations", `{"email":"no address","role":"member"}`).Want(t, 400, "invalid_request_body")
	b.get("/api/dashboard/nothing").Want(t, 404, "not_found")
	b.do("PUT", "/api/dashboard/session", "{}").Want(t, 405, "method_not_allowed")
}

package v1_test

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store/storetest"
)

type found struct {
	Results []struct {
		ResponseID, StudyID, LinkID, StudyURL, ResponseURL string
		ReadableResponseID                                 int
	}
	NextCursor *string
}

func caller(s *servertest.Service) org.Caller {
	return org.Caller{OrgID: s.Org.ID, UserID: s.Admin.ID, Role: org.Admin}
}

func withParams(params map[string]string) document.Source {
	return document.Source{Response: response.Response{URLParams: params}}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	one, two := storetest.Study(t, s.Store, s.Org.ID, "", ""), storetest.Study(t, s.Store, s.Org.ID, "", "")
	var ids []string // newest first
	for i := range 5 {
		st := one
		if i%2 == 1 {
			st = two
		}
		ids = append([]string{s.AddResponse(t, st, withParams(map[string]string{"source": "mail", "_key": "mail", "empty": ""})).ID}, ids...)
	}
	hidden := s.AddResponse(t, one, withParams(map[string]string{"source": "mail"}))
	s.AddResponse(t, one, withParams(map[string]string{"source": "Mail"}))
	if err := s.Authoring.Hide(t.Context(), caller(s), hidden.ID, true); err != nil {
		t.Fatal(err)
	}

	const search = "/api/public/v1/responses?parameter=source&value=mail"
	all := s.Get(t, search)
	got := servertest.Decode[found](t, all.Want(t, 200, ""))
	if idsOf(got) == nil || !slices.Equal(idsOf(got), ids) || got.NextCursor != nil {
		t.Fatalf("found %v, want %v", idsOf(got), ids)
	}
	s.Get(t, search, "If-None-Match", all.Header.Get("Etag")).Want(t, 304, "")
	first := got.Results[0]
	if want := servertest.BaseURL + "/p/" + first.LinkID; first.StudyURL != want || first.ResponseURL != want+"/responses/"+strconv.Itoa(first.ReadableResponseID) {
		t.Errorf("found %+v", first)
	}
	for query, want := range map[string]int{
		"parameter=source&value=mail&includeHidden=true": 6, "parameter=empty&value=": 5, "parameter=source&value=": 0,
		"parameter=_key&value=mail": 0, "parameter=nothing&value=mail": 0,
	} {
		if got := servertest.Decode[found](t, s.Get(t, "/api/public/v1/responses?"+query).Want(t, 200, "")); len(got.Results) != want {
			t.Errorf("%s finds %d, want %d", query, len(got.Results), want)
		}
	}

	// Every page size leads to the same result, and it may change from page to page.
	for limit := 1; limit <= 5; limit++ {
		var all []string
		next := ""
		for size := limit; ; size++ {
			page := servertest.Decode[found](t, s.Get(t, search+"&limit="+strconv.Itoa(size)+next).Want(t, 200, ""))
			all = append(all, idsOf(page)...)
			if page.NextCursor == nil {
				break
			}
			next = "&cursor=" + url.QueryEscape(*page.NextCursor)
		}
		if !slices.Equal(all, ids) {
			t.Errorf("by pages from %d on: %v, want %v", limit, all, ids)
		}
	}
}

func TestSearchCursorIsBound(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	for range 3 {
		s.AddResponse(t, st, withParams(map[string]string{"source": "mail", "sourcem": "ail"}))
	}
	const search = "/api/public/v1/responses?limit=1&parameter="
	cursor := *servertest.Decode[found](t, s.Get(t, search+"source&value=mail")).NextCursor
	s.Get(t, search+"source&value=mail&includeHidden=false&cursor="+cursor).Want(t, 200, "")
	for name, query := range map[string]string{
		"another parameter": "sourcem&value=mail", "another value": "source&value=ail", "the border moved": "sourcem&value=ail",
		"hidden": "source&value=mail&includeHidden=true",
	} {
		if got := s.Get(t, search+query+"&cursor="+cursor); got.Code() != "bad_request" {
			t.Errorf("%s: answered %s", name, got.Body)
		}
	}
	other := storetest.Org(t, s.Store)
	key := storetest.Key(t, s.Store, other.ID, storetest.User(t, s.Store, other.ID, org.Admin).ID)
	s.Get(t, search+"source&value=mail&cursor="+cursor, "x-api-key", key).Want(t, 400, "bad_request")

	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		tampered := slices.Clone(raw)
		tampered[i] ^= 1
		s.Get(t, search+"source&value=mail&cursor="+base64.RawURLEncoding.EncodeToString(tampered)).Want(t, 400, "bad_request")
	}
	s.Get(t, search+"source&value=mail&cursor="+cursor[1:]).Want(t, 400, "bad_request")

	// Another process over the same store can read the cursor.
	again := servertest.NewWithStore(t, s.Store)
	again.Get(t, search+"source&value=mail&cursor="+cursor, "x-api-key", s.Key).Want(t, 200, "")
}

func idsOf(f found) (ids []string) {
	for _, r := range f.Results {
		ids = append(ids, r.ResponseID)
	}
	return ids
}

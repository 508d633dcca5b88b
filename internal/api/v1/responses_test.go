package v1_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// analysed returns a complete, analysed interview.
func analysed() document.Source {
	return document.Source{
		Response:  response.Response{Progress: response.Complete, Duration: 61 * time.Second, URLParams: map[string]string{"source": "mail", "_preview": "1"}},
		Answers:   []interview.Answered{{ItemID: "why", Number: 1, Question: "Why apples?", Text: "They <keep> & travel well."}},
		Exchanges: []interview.Exchange{{ItemID: "why", Moderator: "Why apples?", User: "They <keep> & travel well."}},
		Analysis:  &response.Analysis{Summary: "Practical.", Tagline: "Apples travel", Bullets: []string{"They keep"}, Quality: response.Quality{Score: 4.5}},
	}
}

type listed struct {
	ID           string
	ReadableID   int
	Progress     string
	UpdatedAt    string
	QualityScore any
	Answers      map[string]string
	URLParams    map[string]string
	Tagline      *string
}

func numbers(t *testing.T, a servertest.Answer) (ids []int) {
	t.Helper()
	for _, item := range servertest.Decode[[]listed](t, a.Want(t, 200, "")) {
		ids = append(ids, item.ReadableID)
	}
	return ids
}

func TestListResponses(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, s.Admin.ID, "")
	path := "/api/public/v1/responses/" + st.LinkID
	s.AddResponse(t, st, analysed())
	running := s.AddResponse(t, st, document.Source{})
	hidden := s.AddResponse(t, st, analysed())
	s.AddResponse(t, st, analysed())
	if err := s.Authoring.Hide(t.Context(), caller(s), hidden.ID, true); err != nil {
		t.Fatal(err)
	}

	all := s.Get(t, path)
	items := servertest.Decode[[]listed](t, all.Want(t, 200, ""))
	if got := numbers(t, all); !slices.Equal(got, []int{1, 2, 4}) || all.Header.Get("X-Total-Count") != "3" || all.Header.Get("Link") != "" {
		t.Errorf("listed %v with %v", got, all.Header)
	}
	if one := items[0]; one.QualityScore != 4.5 || one.Answers["Summary"] != "Practical." || one.Answers["Q1: Why apples?"] == "" || len(one.URLParams) != 1 {
		t.Errorf("the complete one is %+v", one)
	}
	if two := items[1]; two.QualityScore != "pending" || two.Progress != "in_progress" || two.Tagline != nil || len(two.Answers) != 0 {
		t.Errorf("the running one is %+v", two)
	}
	if count := servertest.Decode[[]listedStudy](t, s.Get(t, "/api/public/v1/studies"))[0].ResponseCount; count != 2 {
		t.Errorf("responseCount is %d, want 2", count)
	}

	last, err := time.Parse(time.RFC3339Nano, items[2].UpdatedAt)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]int{
		"includeInProgress=false":            {1, 4},
		"includeInProgress=true":             {1, 2, 4},
		"page=1&perPage=2":                   {4},
		"page=7":                             nil,
		"page=2147483647":                    nil,
		"unknown=1&unknown=2":                {1, 2, 4},
		"updatedSince=" + items[2].UpdatedAt: {4}, // at or after
		"updatedSince=" + last.Format("2006-01-02T15:04:05.000000"):                                                    {4}, // no offset is UTC
		"updatedSince=" + last.Format("2006-01-02T15:04:05.000000") + "001Z":                                           nil, // 1 ns later
		"updatedSince=" + last.In(time.FixedZone("", 5400)).Format("2006-01-02T15:04:05.000000-07:00"):                 {4}, // + as a space
		"updatedSince=" + url.QueryEscape(last.In(time.FixedZone("", -60)).Format("2006-01-02T15:04:05.999999Z07:00")): {4},
	} {
		if got := numbers(t, s.Get(t, path+"?"+query)); !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", query, got, want)
		}
	}
	for ref := range slices.Values([]string{st.ID, strings.ToUpper(st.ID)}) {
		if got := numbers(t, s.Get(t, "/api/public/v1/responses/"+ref)); len(got) != 3 {
			t.Errorf("by id the list is %v", got)
		}
	}

	for _, query := range []string{"page=2147483648", "page=99999999999999999999", "perPage=1e3", "perPage=10001"} {
		s.Get(t, path+"?"+query).Want(t, 400, "bad_request")
	}

	first := s.Get(t, path+"?perPage=2&includeInProgress=true")
	want := fmt.Sprintf("<%s%s?includeInProgress=true&page=1&perPage=2>; rel=\"next\"", servertest.BaseURL, path)
	if got := first.Header.Get("Link"); got != want || first.Header.Get("X-Total-Count") != "3" {
		t.Errorf("the next page is %s, want %s", got, want)
	}

	// A recorder keeps the bodies that net/http leaves out of an answer to HEAD: there must be none.
	for _, query := range []string{"", "?includeInProgress=false"} {
		get, head := s.Get(t, path+query), s.Do(t, "HEAD", path+query, "").Want(t, 200, "")
		if len(head.Body) != 0 {
			t.Errorf("HEAD reads %d bytes of documents", len(head.Body))
		}
		for _, name := range []string{"Etag", "Content-Type", "Content-Length", "X-Total-Count", "Link"} {
			if got, want := head.Header.Get(name), get.Header.Get(name); got != want {
				t.Errorf("HEAD %s says %s %q, GET %q", query, name, got, want)
			}
		}
	}

	etag := all.Header.Get("Etag")
	same := s.Get(t, path, "If-None-Match", `"other", `+etag).Want(t, 304, "")
	if len(same.Body) != 0 || same.Header.Get("Etag") != etag {
		t.Errorf("304 came with %v %s", same.Header, same.Body)
	}
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), s.Org.ID, running.ID, true) })
	s.Get(t, path, "If-None-Match", etag).Want(t, 200, "")
}

// TestListResponsesInChunks reads a page that is larger than one chunk.
func TestListResponsesInChunks(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	long := analysed()
	long.Answers[0].Text = strings.Repeat("apple ", 20_000) // so that three fill a chunk
	for range 8 {
		s.AddResponse(t, st, long)
	}
	if got := numbers(t, s.Get(t, "/api/public/v1/responses/"+st.ID+"?perPage=7")); !slices.Equal(got, []int{1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("listed %v", got)
	}
}

func TestGetResponse(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	r := s.AddResponse(t, st, analysed())
	path := "/api/public/v1/responses/" + st.LinkID + "/"
	byNumber := s.Get(t, path+"1").Want(t, 200, "")
	byID := s.Get(t, "/api/public/v1/responses/"+st.ID+"/"+strings.ToUpper(r.ID)).Want(t, 200, "")
	if string(byNumber.Body) != string(byID.Body) {
		t.Errorf("by number %s, by id %s", byNumber.Body, byID.Body)
	}
	var head struct {
		ID, LinkID string
		ReadableID int
		Transcript []json.RawMessage
	}
	if err := json.Unmarshal(byID.Body, &head); err != nil || head.ID != r.ID || head.ReadableID != 1 || head.LinkID != st.LinkID || len(head.Transcript) != 2 {
		t.Errorf("answered %s (%v)", byID.Body, err)
	}
	s.Get(t, path+"1", "If-None-Match", byID.Header.Get("Etag")).Want(t, 304, "")
	if err := s.Authoring.Hide(t.Context(), caller(s), r.ID, true); err != nil {
		t.Fatal(err)
	}
	s.Get(t, path+"1").Want(t, 200, "")
}

package v1_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

type created struct{ ID, LinkID, Status string }

type listedStudy struct {
	ID, LinkID, Title, CreatedAt string
	ResponseCount                int
	Creator                      *struct{ Name, Email *string }
	FolderPath                   []string
}

func TestCreateListAndQuestions(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	first := servertest.Decode[created](t, s.Do(t, "POST", create, string(guidetest.RichPayload()), "Content-Type", "text/plain").Want(t, 201, ""))
	second := servertest.Decode[created](t, s.Do(t, "POST", create, smallGuide).Want(t, 201, ""))
	if first.Status != "draft" || len(first.LinkID) != 8 || !study.IsUUID(first.ID) {
		t.Errorf("created %+v", first)
	}
	storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "") // another organization's

	list := servertest.Decode[[]listedStudy](t, s.Get(t, "/api/public/v1/studies").Want(t, 200, ""))
	if len(list) != 2 || list[0].ID != second.ID || list[1].ID != first.ID {
		t.Fatalf("listed %+v", list)
	}
	if c := list[0].Creator; c == nil || *c.Email != s.Admin.Email || *c.Name != s.Admin.Name || list[0].Title != "Apples" || list[0].FolderPath != nil {
		t.Errorf("listed %+v", list[0])
	}

	path := "/api/public/v1/studies/" + first.ID + "/questions"
	byID := s.Get(t, path).Want(t, 200, "")
	byLink := s.Get(t, "/api/public/v1/studies/"+first.LinkID+"/questions").Want(t, 200, "")
	upper := s.Get(t, "/api/public/v1/studies/"+strings.ToUpper(first.ID)+"/questions").Want(t, 200, "")
	if diff := cmp.Diff(string(byID.Body), string(byLink.Body)); diff != "" || string(upper.Body) != string(byID.Body) {
		t.Errorf("the questions differ by name of the study (-id +link):\n%s", diff)
	}
	got := servertest.Decode[struct {
		Questions []struct {
			ID, Type       string
			QuestionNumber int
			Options        []string
			Concepts       []struct{ ID string }
		}
	}](t, byID)
	for place, item := range guidetest.Rich().Items() {
		q := got.Questions[place.Number-1]
		if q.Type != string(item.Type) || q.QuestionNumber != place.Number || len(q.Concepts) != len(guidetest.Rich().Blocks[place.Block].Concepts()) {
			t.Errorf("question %d is %+v, the guide has %+v", place.Number, q, item)
		}
	}
	s.Get(t, path, "If-None-Match", byID.Header.Get("Etag")).Want(t, 304, "")
	if head := s.Do(t, "HEAD", path, "").Want(t, 200, ""); head.Header.Get("Etag") != byID.Header.Get("Etag") || head.Header.Get("Content-Length") != byID.Header.Get("Content-Length") {
		t.Errorf("HEAD answers %v", head.Header)
	}
	s.Do(t, "HEAD", path, "", "If-None-Match", byID.Header.Get("Etag")).Want(t, 304, "")
	if other := s.Get(t, "/api/public/v1/studies/"+second.ID+"/questions"); other.Header.Get("Etag") == byID.Header.Get("Etag") {
		t.Error("two studies have the same tag")
	}
	caller := org.Caller{OrgID: s.Org.ID, UserID: s.Admin.ID, Role: org.Admin}
	if err := s.Authoring.Revise(t.Context(), caller, first.ID, 1, []byte(smallGuide)); err != nil {
		t.Fatal(err)
	}
	if revised := s.Get(t, path, "If-None-Match", byID.Header.Get("Etag")).Want(t, 200, ""); bytes.Equal(revised.Body, byID.Body) {
		t.Error("an edit does not show")
	}
	etag := s.Get(t, "/api/public/v1/studies").Header.Get("Etag")
	s.Get(t, "/api/public/v1/studies", "If-None-Match", etag).Want(t, 304, "")
	s.Do(t, "POST", create, smallGuide).Want(t, 201, "")
	s.Get(t, "/api/public/v1/studies", "If-None-Match", etag).Want(t, 200, "")
}

func TestEmptyListsAreArrays(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	link := storetest.Study(t, s.Store, s.Org.ID, "", "").LinkID
	for path, want := range map[string]string{
		"/api/public/v1/wallets":                      `{"wallets":[]}`,
		"/api/public/v1/responses?parameter=a&value=": `{"results":[],"nextCursor":null}`,
		"/api/public/v1/responses/" + link:            `[]`,
	} {
		if got := string(s.Get(t, path).Want(t, 200, "").Body); got != want+"\n" {
			t.Errorf("%s answers %q, want %q", path, got, want)
		}
	}
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := servertest.NewWithStore(t, storetest.NewAt(t, clock))
	const header, key = "Idempotency-Key", "a key with blanks, and more than one needs"
	first := s.Do(t, "POST", create, smallGuide, header, key).Want(t, 201, "")
	again := s.Do(t, "POST", create, smallGuide, header, key).Want(t, 201, "")
	if string(first.Body) != string(again.Body) {
		t.Errorf("the repeat answers %s, the first %s", again.Body, first.Body)
	}
	replayed := func(a servertest.Answer) string { return a.Header.Get("Idempotency-Replayed") }
	if replayed(first) != "" || replayed(again) != "true" {
		t.Errorf("Idempotency-Replayed is %q at first and %q later", replayed(first), replayed(again))
	}
	for _, same := range []string{
		" " + strings.ReplaceAll(smallGuide, ":", " :\n"),
		strings.Replace(smallGuide, `"type":"open_ended","text":"Why apples?"`, `"text":"Why \u0061pples?","type":"open_ended"`, 1),
	} {
		if again := s.Do(t, "POST", create, same, header, key).Want(t, 201, ""); string(again.Body) != string(first.Body) || replayed(again) != "true" {
			t.Errorf("the same guide as %s answers %s", same, again.Body)
		}
	}
	s.Do(t, "POST", create, strings.Replace(smallGuide, "Apples", "Pears", 1), header, key).Want(t, 409, "conflict")
	s.Do(t, "POST", create, brokenGuide, header, "another").Want(t, 400, "invalid_study_guide")
	s.Do(t, "POST", create, smallGuide, header, "another").Want(t, 201, "") // errors are not kept

	other := storetest.Org(t, s.Store)
	theirs := storetest.Key(t, s.Store, other.ID, storetest.User(t, s.Store, other.ID, "admin").ID)
	if got := s.Do(t, "POST", create, smallGuide, header, key, "x-api-key", theirs).Want(t, 201, ""); string(got.Body) == string(first.Body) {
		t.Error("an answer crossed organizations")
	}

	id := servertest.Decode[created](t, first).ID
	s.Do(t, "POST", launch(id), "", header, key).Want(t, 200, "") // another path, so another request
	s.Do(t, "POST", launch(id), "{}", header, key).Want(t, 409, "conflict")

	s.Do(t, "POST", create, smallGuide, header, strings.Repeat("k", 256)).Want(t, 400, "bad_request")
	s.Do(t, "POST", launch(id), "", header, strings.Repeat("k", 256)).Want(t, 400, "bad_request")
	s.Do(t, "POST", launch(id), "", header, strings.Repeat("k", 255)).Want(t, 200, "")

	clock.Advance(24*time.Hour + time.Second)
	if got := s.Do(t, "POST", create, smallGuide, header, key).Want(t, 201, ""); string(got.Body) == string(first.Body) {
		t.Error("the answer was kept for more than a day")
	}
	if n := len(servertest.Decode[[]listedStudy](t, s.Get(t, "/api/public/v1/studies"))); n != 3 {
		t.Errorf("%d studies were made, want 3", n)
	}
}

func TestIdempotencyInFlight(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	draft := storetest.Draft(t, s.Store, s.Org.ID, "")
	s.Authoring.BeforePublish = func() {
		s.Authoring.BeforePublish = nil
		s.Do(t, "POST", launch(draft.ID), "", "Idempotency-Key", "k").Want(t, 409, "conflict")
		s.Do(t, "POST", launch(draft.ID), "", "Idempotency-Key", "l").Want(t, 200, "")
	}
	first := s.Do(t, "POST", launch(draft.ID), "", "Idempotency-Key", "k").Want(t, 200, "")
	again := s.Do(t, "POST", launch(draft.ID), "", "Idempotency-Key", "k").Want(t, 200, "")
	if string(first.Body) != string(again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repeat answers %s, the first %s", again.Body, first.Body)
	}
}

func TestOldLinkIDsResolve(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.RenameLink(t.Context(), s.Org.ID, st.ID, "why-apples") })
	for _, ref := range []string{st.ID, st.LinkID, "why-apples"} {
		s.Get(t, "/api/public/v1/responses/"+ref).Want(t, http.StatusOK, "")
		s.Get(t, "/api/public/v1/studies/"+ref+"/questions").Want(t, http.StatusOK, "")
	}
}

package server_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"verbatim/internal/api/media"
	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/objects"
	"verbatim/internal/service/transcription"
	"verbatim/internal/service/uploads"
)

// hostile are texts, escaped for a path or a query, that are sent where the service expects an id, a name or a number.
var hostile = []string{
	"%00", "%ff", "a%00b", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "\xff", "%EF%BF%BD", "%20", "%2E%2E%2F%2E%2E%2Fetc", "%0d%0aX: 1",
	"'%22;--", "{}", "NaN", "-1", "0", "99999999999999999999999999", "9223372036854775808", "2147483648", "1e400", "00000000-0000-0000-0000-000000000000",
	"%F0%9F%98%80", strings.Repeat("a", 5000), strings.Repeat("%ff", 3000), strings.Repeat("%F0%9F%98%80", 1500),
}

// testService is a complete service with a live study and an interview.
type testService struct {
	handler http.Handler
	key     string
	study   study.Study
	token   string
	media   string // path of a signed link, whose last segment is the file
}

// noTranscription finds no upload to transcribe.
type noTranscription struct{}

func (noTranscription) Transcribe(context.Context, string, string) (transcription.Status, transcript.Transcript, error) {
	return "", transcript.Transcript{}, recording.ErrNotFound
}

// newTestService returns a service over a store. Its answers are validated against the contract.
func newTestService(t *testing.T, s *store.Store) *testService {
	t.Helper()
	stored := blobtest.Folder(t)
	svc := servertest.NewWithStore(t, s)
	log := slog.New(slog.NewTextHandler(failing{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	links := blob.Links{Base: "", Keys: blobtest.Keys(strings.Repeat("s", 32)), Now: storetest.NewClock().Now}
	served := &objects.Service{Store: stored, Links: links}
	interviews := &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}, Synchronous: true}
	svc.Server.Participant = &pages.API{Objects: served, Protocol: &participant.API{
		Fieldwork: interviews, Uploads: &uploads.Service{Store: s, Objects: stored}, Transcription: noTranscription{}, Log: log, BaseURL: servertest.BaseURL,
	}}
	svc.Server.Media = &media.API{Objects: served, Log: log}
	svc.Server.Log = log
	svc.Server.Contracts = map[string][]byte{"v1.yaml": []byte("openapi: 3.1.0\n")}
	svc.Server.Docs = fstest.MapFS{"docs/index.html": {Data: []byte("reference")}, "docs/docs.js": {Data: []byte("1")}}
	st := &testService{key: svc.Key, handler: servertest.Contract().Wrap(t, svc.Server.Handler())}
	g := &guide.Guide{Title: "Apples", Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "photos", Type: guide.FileUpload, Text: "Your photos?"}, {ID: "why", Type: guide.OpenEnded, Text: "Why apples?"},
	}}}}
	storetest.Write(t, s, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(t.Context(), study.Study{OrgID: svc.Org.ID, Title: g.Title}, guide.Encode(g))
		if err == nil {
			err = tx.Publish(t.Context(), draft, "")
		}
		if err == nil {
			st.study, err = tx.Study(t.Context(), svc.Org.ID, draft.ID)
		}
		return err
	})
	token, _, err := interviews.Start(t.Context(), st.study.LinkID, "", "")
	if err != nil {
		t.Fatal(err)
	}
	st.token, st.media = token, links.Folder("responses/x/y", 3600e9)
	return st
}

// failing is the writer of a log in which nothing may be written.
type failing struct{ t *testing.T }

func (f failing) Write(line []byte) (int, error) {
	f.t.Errorf("logged: %.500s", line)
	return len(line), nil
}

// request is a request in which STUDY, LINK, TOKEN and MEDIA stand for those of each service.
type request struct {
	method, path, body string
	headers            []string // names and values
}

// send sends a request and returns the status and the code of the answer.
func (st *testService) send(t *testing.T, in request) string {
	t.Helper()
	own := strings.NewReplacer("STUDY", st.study.ID, "LINK", st.study.LinkID, "TOKEN", st.token, "MEDIA", st.media)
	target := own.Replace(in.path)
	address, err := url.ParseRequestURI(target)
	if err != nil {
		return "unsendable" // net/http refuses it itself
	}
	r := httptest.NewRequest(in.method, "/", nil)
	r.URL, r.RequestURI = address, target
	if in.body != "" {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(own.Replace(in.body))), int64(len(own.Replace(in.body)))
	}
	if strings.HasPrefix(address.Path, "/api/") {
		r.Header.Set("X-Api-Key", st.key)
	}
	for i := 0; i < len(in.headers); i += 2 {
		r.Header.Set(in.headers[i], in.headers[i+1])
	}
	w := httptest.NewRecorder()
	st.handler.ServeHTTP(w, r)
	answer := servertest.Answer{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
	if w.Code >= 500 {
		t.Errorf("%s %.120q %.120q answers %d %.200s", in.method, in.path, in.body, w.Code, w.Body)
	}
	return fmt.Sprint(answer.Status, " ", answer.Code())
}

// requests returns requests with every hostile text in every place of every route.
func requests() (all []request) {
	places := map[string][]string{"studyId": {"STUDY"}, "study_id": {"LINK"}, "linkId": {"LINK"}, "link_id": {"LINK"}, "token": {"TOKEN"}}
	fill := func(path, name, text string) string {
		for _, other := range []string{
			"studyId", "study_id", "linkId", "link_id", "token", "responseId", "response_id", "deletionId", "id", "file", "name", "expiry", "signature",
		} {
			with := "1"
			if known := places[other]; known != nil {
				with = known[0]
			}
			if other == name {
				with = text
			}
			path = strings.ReplaceAll(path, "{"+other+"}", with)
		}
		return path
	}
	type route struct{ method, path string }
	var routes []route
	for _, op := range servertest.Contract().Operations() {
		routes = append(routes, route{op.Method, op.Path})
	}
	for _, path := range []string{"/docs/{file}", "/openapi/{file}", "/brand/{file}", "/app/{file}", "/m/{expiry}/{signature}/{name}", "MEDIA{name}", "/p/{linkId}", "/{name}", "/s/{linkId}/{name}", "/api/public/v1/{name}", "/api/public/v1/../{name}"} {
		routes = append(routes, route{"GET", path})
	}
	names := []string{
		"parameter", "value", "limit", "cursor", "includeHidden", "page", "perPage", "per_page", "updatedSince", "updated_since", "includeInProgress",
		"include_in_progress", "studyId", "responseId", "_language", "source",
	}
	texts := hostile
	if testing.Short() {
		texts = hostile[:8]
	}
	for _, text := range texts {
		for _, rt := range routes {
			for at := rt.path; ; {
				_, rest, more := strings.Cut(at, "{")
				if !more {
					break
				}
				name, after, _ := strings.Cut(rest, "}")
				all = append(all, request{rt.method, fill(rt.path, name, text), "", nil})
				at = after
			}
		}
		// Queries, on routes that read some.
		for _, path := range []string{"/api/public/v1/responses", "/api/public/v1/responses/LINK", "/api/public/list_responses/LINK", "/s/LINK"} {
			for _, name := range names {
				query := "parameter=a&value=b&"
				if name == "parameter" || name == "value" {
					query = strings.ReplaceAll(query, name+"=", "x=")
				}
				all = append(all, request{"GET", path + "?" + query + name + "=" + text, "", nil}, request{"GET", path + "?" + query + text + "=1", "", nil})
			}
		}
		all = append(all,
			request{"DELETE", "/api/public/v1/responses?studyId=STUDY&responseId=" + text, "", nil},
			request{"DELETE", "/api/public/v1/responses?responseId=STUDY&studyId=" + text, "", nil},
			request{"POST", "/s/LINK/interviews?" + text + "=1&a=" + text, "", nil},
			request{"POST", "/s/LINK/interviews?" + text + "=1&a=" + text, "language=" + text + "&" + text + "=1", []string{"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"}},
			request{"POST", "/i/TOKEN/answers", "stepId=s1&text=" + text + "&" + text + "=1", []string{"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"}},
			request{"POST", "/i/TOKEN/answers", "stepId=" + text, []string{"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"}},
		)
		// Headers, unescaped: bytes that a proxy or a program may send.
		raw, err := url.PathUnescape(text)
		if err != nil {
			panic(err)
		}
		for _, name := range []string{"Accept-Language", "User-Agent", "X-Forwarded-For", "If-None-Match", "Last-Event-Id", "Sec-Ch-Ua-Platform", "Cookie", "Referer", "Content-Type", "Accept"} {
			all = append(all,
				request{"GET", "/s/LINK", "", []string{name, raw}}, request{"GET", "/s/nosuchstudy", "", []string{"Accept", "text/html", name, raw}},
				request{"GET", "/api/public/v1/responses/LINK", "", []string{name, raw}})
		}
		all = append(all,
			request{"POST", "/s/LINK/interviews", "{}", []string{"Accept-Language", raw, "User-Agent", raw, "X-Forwarded-For", raw, "Referer", raw}},
			request{"GET", "/api/public/v1/wallets", "", []string{"X-Api-Key", raw}},
			request{"POST", "/api/public/v1/studies/STUDY/launch", "{}", []string{"Idempotency-Key", raw}},
			request{"POST", "/api/public/v1/studies/create", smallGuide, []string{"Idempotency-Key", raw}},
			request{"POST", "/api/public/v1/studies/" + text + "/launch", "{}", []string{"Idempotency-Key", "k"}},
			request{"BREW", "/s/" + text, "", nil},
		)
		encoded := base64.StdEncoding.EncodeToString([]byte(raw))
		for _, metadata := range []string{
			"kind ZmlsZQ==,stepId czE=,filename " + encoded, "kind " + encoded + ",stepId czE=", "kind ZmlsZQ==,stepId " + encoded, "kind ZmlsZQ==,stepId czE=," + raw, raw,
		} {
			all = append(all, request{"POST", "/i/TOKEN/uploads", "", []string{"Tus-Resumable", "1.0.0", "Upload-Length", "3", "Upload-Metadata", metadata}})
		}
		for _, name := range []string{"Upload-Length", "Upload-Offset", "Upload-Defer-Length", "X-Http-Method-Override"} {
			all = append(all,
				request{"POST", "/i/TOKEN/uploads", "", []string{"Tus-Resumable", "1.0.0", "Upload-Metadata", "kind ZmlsZQ==,stepId czE=", name, raw}},
				request{"PATCH", "/i/TOKEN/uploads/STUDY", "x", []string{"Tus-Resumable", "1.0.0", "Content-Type", "application/offset+octet-stream", name, raw}})
		}
		// Bodies: the text as a string, a key, a number, and unquoted.
		quoted := `"` + strings.NewReplacer("\\", `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`, "\x00", `\u0000`).Replace(raw) + `"`
		for _, value := range []string{quoted, raw, "[" + quoted + "]", "{" + quoted + ":1}", `"\u0000"`, `"\ud800"`, `"\udc00\ud800"`, `1e400`, `-1e-400`, `123456789012345678901234567890`} {
			for _, at := range []struct{ path, before, after string }{
				{"/api/public/v1/studies/create", "", ""},
				{"/api/public/v1/studies/create", `{"title": `, `}`},
				{"/api/public/v1/studies/create", `{"title": "t", "studyGuide": [{"type": "flat", "title": "", "items": [{"type": "multiple_choice", "multiSelect": true, "text": "t", "options": [{"text": "a"}], "maxSelect": 1, "minSelect": `, `}]}]}`},
				{"/api/public/v1/studies/create", `{"title": "t", "studyGuide": [{"type": "flat", "title": "", "items": [{"type": "open_ended", "text": "t", "externalId": `, `}]}]}`},
				{"/api/public/v1/studies/STUDY/launch", `{"walletId": `, `}`},
				{"/s/LINK/interviews", `{"language": `, `}`},
				{"/s/LINK/interviews", "", ""},
				{"/i/TOKEN/answers", `{"stepId": `, `}`},
				{"/i/TOKEN/answers", `{"stepId": "s1", "uploads": [`, `]}`},
				{"/i/TOKEN/answers", `{"stepId": "s1", "text": "", "telemetry": {"typed": `, `}}`},
				{"/i/TOKEN/answers", `{"stepId": "s1", "cells": {"a": `, `}}`},
				{"/i/TOKEN/answers", `{"stepId": "s1", "cells": {"\u0000": `, `}}`},
			} {
				all = append(all, request{"POST", at.path, at.before + value + at.after, nil})
			}
		}
	}
	return all
}

const smallGuide = `{"title":"Apples","studyGuide":[{"type":"flat","title":"","items":[{"type":"open_ended","text":"Why apples?"}]}]}`

// TestHostileRequests: whatever a path, a query, a header or a body contains, no answer is an internal error, each is in the
// contract, and both engines answer the same. (Where the suite runs on SQLite both are SQLite.)
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	services := []*testService{newTestService(t, storetest.New(t)), newTestService(t, storetest.Open(t, storetest.SQLiteAddress(t), store.Options{}))}
	all := requests()
	answers := make([][]string, len(services))
	var senders sync.WaitGroup
	for i, st := range services {
		senders.Go(func() {
			for _, in := range all {
				answers[i] = append(answers[i], st.send(t, in))
			}
		})
	}
	senders.Wait()
	for i, in := range all {
		if one, two := answers[0][i], answers[1][i]; one != two {
			t.Errorf("%s %.200q %.200q %.200q answers %s on one engine and %s on the other", in.method, in.path, in.headers, in.body, one, two)
		}
	}
	if len(all) < 1500 {
		t.Errorf("%d requests; the routes were not found", len(all))
	}
}

// TestCleanedParametersAreFound: a search cleans its parameter and value in the same way as an interview's parameters are
// cleaned.
func TestCleanedParametersAreFound(t *testing.T) {
	t.Parallel()
	st := newTestService(t, storetest.New(t))
	for i, text := range []string{"%00", "%ff", "a%00b%ffc", "%ED%A0%80", strings.Repeat("%ff", 500), "x%EF%BF%BD"} {
		name := fmt.Sprint("p", i) + text
		if got := st.send(t, request{"POST", "/s/LINK/interviews?" + name + "=" + text, "", nil}); got != "201 " {
			t.Fatalf("an interview with %q answers %s", name, got)
		}
		r := httptest.NewRequest("GET", "/api/public/v1/responses?parameter="+name+"&value="+text, nil)
		r.Header.Set("X-Api-Key", st.key)
		w := httptest.NewRecorder()
		st.handler.ServeHTTP(w, r)
		if w.Code != 200 || strings.Count(w.Body.String(), `"responseId"`) != 1 {
			t.Errorf("the search for %.40q answers %d %s", name, w.Code, w.Body)
		}
	}
}

// TestInvalidTextIsNotFound has requests that were once answered 500.
func TestInvalidTextIsNotFound(t *testing.T) {
	t.Parallel()
	st := newTestService(t, storetest.New(t))
	for in, want := range map[[2]string]string{
		{"GET", "/s/%00"}: "404 study_not_found", {"GET", "/s/%ff"}: "404 study_not_found", {"POST", "/s/%00/interviews"}: "404 study_not_found",
		{"GET", "/i/%00"}: "404 interview_not_found", {"POST", "/i/%ff/answers"}: "404 interview_not_found",
		{"GET", "/api/public/v1/responses?parameter=%00&value=x"}: "200 ", {"GET", "/api/public/v1/responses?parameter=a&value=%ff"}: "200 ",
		{"GET", "/api/public/v1/responses/%00"}: "404 study_not_found", {"GET", "/docs/%ff"}: "404 ", {"GET", "/docs/%00"}: "404 ", {"GET", "/docs/docs.js"}: "200 ",
	} {
		if got := st.send(t, request{in[0], in[1], "", nil}); got != want {
			t.Errorf("%s %s answers %s, want %s", in[0], in[1], got, want)
		}
	}
}

// TestInventedMethodsAreNotLogged: the log does not contain methods that a client made up.
func TestInventedMethodsAreNotLogged(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	var written strings.Builder
	s.Server.Log = slog.New(slog.NewTextHandler(&written, nil))
	s.Server.Participant = routes{"/s/{id}": func(http.ResponseWriter, *http.Request) { panic(errors.New("no words")) }}
	h := s.Server.Handler()
	for _, path := range []string{"/nowhere", "/s/x", "/api/public/v1/wallets"} {
		ask(h, "CANARY", path, "x-api-key", s.Key)
	}
	if log := written.String(); strings.Contains(log, "CANARY") || strings.Count(log, "method=OTHER") != 4 {
		t.Errorf("logged: %s", log)
	}
}

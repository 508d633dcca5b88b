package legacy_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

const unknownID = "0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10" // an id that does not exist

var paths = []string{
	"/api/public/list_surveys", "/api/public/responses/" + unknownID, "/api/public/responses/" + unknownID + "/1", "/api/public/studies/nosuchstudy/questions",
}

// TestErrors has a subtest for each error code of this API, named after it.
func TestErrors(t *testing.T) {
	t.Parallel()
	everywhere := func(t *testing.T, s *servertest.Service, headers ...string) (got []servertest.Answer) {
		for _, path := range paths {
			got = append(got, s.Get(t, path, headers...))
		}
		return got
	}
	for _, test := range []struct {
		code   string
		status int
		ask    func(t *testing.T, s *servertest.Service) []servertest.Answer
	}{
		{"bad_request", 400, func(t *testing.T, s *servertest.Service) (got []servertest.Answer) {
			link := storetest.Study(t, s.Store, s.Org.ID, "", "").LinkID
			for _, query := range []string{
				"page=-1", "per_page=0", "per_page=10001", "updated_since=2026-03-02", "include_in_progress=yes", "per_page=1&per_page=1",
				"perPage=2", "updatedSince=2026-03-02T00:00:00Z", "includeInProgress=true",
			} {
				got = append(got, s.Get(t, "/api/public/responses/"+link+"?"+query))
			}
			return append(got, s.Get(t, "/api/public/responses/"+link+"/0"), s.Get(t, "/api/public/responses/"+link+"/x"))
		}},
		{"missing_api_key", 401, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			return everywhere(t, s, "x-api-key", "")
		}},
		{"invalid_api_key", 401, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			return everywhere(t, s, "x-api-key", "x")
		}},
		{"forbidden", 403, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			if err := s.Server.Access.RemoveUser(t.Context(), s.Org.ID, s.Admin.ID); err != nil {
				t.Fatal(err)
			}
			return everywhere(t, s)
		}},
		{"study_not_found", 404, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			own := storetest.Study(t, s.Store, s.Org.ID, "", "")
			foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
			return []servertest.Answer{
				s.Get(t, paths[1]), s.Get(t, paths[2]), s.Get(t, paths[3]),
				s.Get(t, "/api/public/responses/"+foreign.LinkID), s.Get(t, "/api/public/studies/"+foreign.LinkID+"/questions"),
				s.Get(t, "/api/public/studies/"+own.ID+"/questions"), // link ids alone
			}
		}},
		{"response_not_found", 404, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			link := storetest.Study(t, s.Store, s.Org.ID, "", "").LinkID
			return []servertest.Answer{s.Get(t, "/api/public/responses/"+link+"/1"), s.Get(t, "/api/public/responses/"+link+"/"+unknownID)}
		}},
		{"rate_limited", 429, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			s.Server.Keys = &access.Limiter{PerSecond: 1, Now: storetest.NewClock().Now}
			s.Get(t, paths[0]).Want(t, 200, "")
			s.Get(t, paths[0]).Want(t, 200, "")
			return everywhere(t, s)
		}},
		{"service_unavailable", 503, func(t *testing.T, _ *servertest.Service) []servertest.Answer {
			return inOutage(t, outage.ErrUnreachable)
		}},
		{"busy", 503, func(t *testing.T, _ *servertest.Service) []servertest.Answer { return inOutage(t, outage.ErrBusy) }},
		{"internal_error", 500, func(t *testing.T, s *servertest.Service) []servertest.Answer {
			if err := s.Store.Close(); err != nil {
				t.Fatal(err)
			}
			return everywhere(t, s)
		}},
	} {
		t.Run(test.code, func(t *testing.T) {
			t.Parallel()
			for i, answer := range test.ask(t, servertest.New(t)) {
				if answer.Status != test.status || answer.Code() != test.code {
					t.Errorf("request %d answered %d %s", i, answer.Status, answer.Body)
				}
			}
		})
	}
}

// inOutage asks for everything while each read fails.
func inOutage(t *testing.T, outage error) []servertest.Answer {
	t.Helper()
	var out atomic.Bool
	s := servertest.NewWithStore(t, storetest.Open(t, storetest.Address(t), store.Options{Fail: func(bool) error {
		if out.Load() {
			return outage
		}
		return nil
	}}))
	out.Store(true)
	var answers []servertest.Answer
	for _, path := range paths {
		answers = append(answers, s.Get(t, path))
	}
	for _, answer := range answers {
		if answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s has no Retry-After", answer.Body)
		}
	}
	return answers
}

func TestListSurveys(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	if got := string(s.Get(t, "/api/public/list_surveys").Want(t, 200, "").Body); got != "[]\n" {
		t.Errorf("without studies: %q", got)
	}
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	for _, want := range []string{"Apples (0 responses)", "Apples (1 response)", "Apples (2 responses)"} {
		got := servertest.Decode[[]map[string]string](t, s.Get(t, "/api/public/list_surveys").Want(t, 200, ""))[0]
		if got["desc"] != want || got["id"] != st.ID || got["link_id"] != st.LinkID || got["title"] != "Apples" || !strings.HasSuffix(got["created_at"], "+00:00") {
			t.Errorf("listed %v, want %q", got, want)
		}
		s.AddResponse(t, st, document.Source{Response: response.Response{Progress: response.Complete}})
	}
	etag := s.Get(t, "/api/public/list_surveys").Header.Get("Etag")
	s.Get(t, "/api/public/list_surveys", "If-None-Match", etag).Want(t, 304, "")
}

func TestListResponses(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	path := "/api/public/responses/" + st.LinkID
	s.AddResponse(t, st, document.Source{
		Response: response.Response{Progress: response.Complete, Duration: 9 * time.Second, URLParams: map[string]string{"source": "mail"}},
		Answers:  []interview.Answered{{ItemID: "why", Number: 1, Question: "Why apples?", Text: "<Taste> & price"}},
		Analysis: &response.Analysis{Summary: "Fond of apples.", Tagline: "Fond", Quality: response.Quality{Score: 3.5}},
	})
	s.AddResponse(t, st, document.Source{})
	s.AddResponse(t, st, document.Source{Response: response.Response{Progress: response.ScreenedOut}, Analysis: &response.Analysis{}})

	all := s.Get(t, path).Want(t, 200, "")
	items := servertest.Decode[[]map[string]any](t, all)
	if len(items) != 3 || all.Header.Get("X-Total-Count") != "3" {
		t.Fatalf("listed %s", all.Body)
	}
	one, two := items[0], items[1]
	keyed := one["answers"].(map[string]any)
	answer := one["answers_array"].([]any)[0].(map[string]any)
	if keyed["Question 1"] != "<Taste> & price" || keyed["Summary"] != "Fond of apples." || len(keyed) != 2 || one["summary"] != "Fond of apples." {
		t.Errorf("answers are %v", one)
	}
	if answer["question_id"] != answer["answer_id"] || answer["discussion_guide_question_id"] != "why" || answer["concept_id"] != nil {
		t.Errorf("the answer is %v", answer)
	}
	if one["response_number"] != 1.0 || one["quality_score"] != 3.5 || one["attributes"].(map[string]any)["source"] != "mail" {
		t.Errorf("the complete one is %v", one)
	}
	if score, there := two["quality_score"]; !there || score != nil || two["tagline"] != "" || two["short_transcript"] != nil {
		t.Errorf("the running one is %v", two)
	}
	if _, there := two["summary"]; there {
		t.Errorf("the running one has a summary: %v", two)
	}

	updated := items[1]["updated_at"].(string)
	for query, want := range map[string][]float64{
		"include_in_progress=false":         {1, 3},
		"page=1&per_page=2":                 {3},
		"updated_since=" + updated:          {3}, // strictly after; its + is decoded as a space
		"updated_since=2020-01-01T00:00:00": {1, 2, 3},
	} {
		var got []float64
		for _, item := range servertest.Decode[[]map[string]any](t, s.Get(t, path+"?"+query).Want(t, 200, "")) {
			got = append(got, item["response_number"].(float64))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", query, got, want)
		}
	}
	if link := s.Get(t, path+"?per_page=2").Header.Get("Link"); link != "<"+servertest.BaseURL+path+`?page=1&per_page=2>; rel="next"` {
		t.Errorf("the next page is %s", link)
	}
	s.Get(t, "/api/public/responses/"+st.ID).Want(t, 200, "")
	s.Get(t, path, "If-None-Match", all.Header.Get("Etag")).Want(t, 304, "")
}

func TestGetResponseAndQuestions(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	s.AddResponse(t, st, document.Source{Exchanges: []interview.Exchange{{ItemID: "why", Moderator: "Why apples?", User: "Taste"}}})
	one := s.Get(t, "/api/public/responses/"+st.LinkID+"/1").Want(t, 200, "")
	s.Get(t, "/api/public/responses/"+st.LinkID+"/1", "If-None-Match", one.Header.Get("Etag")).Want(t, 304, "")
	got := servertest.Decode[struct {
		Survey     string
		Transcript []map[string]any
	}](t, one)
	if got.Survey != st.LinkID || len(got.Transcript) != 2 || got.Transcript[0]["question_uuid"] != "" || got.Transcript[0]["discussion_guide_question_id"] != "" {
		t.Fatalf("answered %s", one.Body)
	}
	if row := got.Transcript[1]; row["question_uuid"] != "why" || row["discussion_guide_question_id"] != "why" || row["user"] != "Taste" || row["is_followup"] != false {
		t.Errorf("row 1 is %v", row)
	}

	path := "/api/public/studies/" + st.LinkID + "/questions"
	questions := s.Get(t, path).Want(t, 200, "")
	if !strings.Contains(string(questions.Body), `"text":"Why apples?"`) {
		t.Errorf("answered %s", questions.Body)
	}
	s.Get(t, path, "If-None-Match", questions.Header.Get("Etag")).Want(t, 304, "")
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.RenameLink(t.Context(), s.Org.ID, st.ID, "why-apples") })
	s.Get(t, path).Want(t, 200, "")
	s.Get(t, "/api/public/studies/why-apples/questions").Want(t, 200, "")
}

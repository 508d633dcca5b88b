package v1_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/codeframe"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/reporting"
)

type reportAnswer struct {
	ReportID *string
	Status   string
	Percent  int
	AsOf     *string
	Report   *struct {
		LinkID   string
		Sections []json.RawMessage
	}
}

func reportsPath(ref string) string { return "/api/public/v1/studies/" + ref + "/reports" }

func TestReports(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	for range 2 {
		storetest.Response(t, s.Store, st, nil)
	}
	foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
	at := servertest.Decode[reportAnswer](t, s.Do(t, "POST", reportsPath(st.LinkID), "").Want(t, 200, ""))
	if at.ReportID != nil || at.Status != "complete" || at.AsOf == nil || at.Report == nil || at.Report.LinkID != st.LinkID || len(at.Report.Sections) == 0 {
		t.Errorf("at once: %+v", at)
	}

	s.Server.V1.Reporting.AtOnce = 1
	begun := servertest.Decode[reportAnswer](t, s.Do(t, "POST", reportsPath(st.ID), `{}`).Want(t, 202, ""))
	again := servertest.Decode[reportAnswer](t, s.Do(t, "POST", reportsPath(st.ID), `{}`).Want(t, 202, ""))
	if begun.ReportID == nil || *again.ReportID != *begun.ReportID || begun.Status != "queued" || begun.Report != nil {
		t.Fatalf("in the background: %+v, asked again %+v", begun, again)
	}
	s.Do(t, "POST", reportsPath(st.ID), `{"noModel":true,"scales":[]}`).Want(t, 409, "conflict")
	path := "/api/public/v1/study-reports/" + *begun.ReportID
	waiting := s.Get(t, path).Want(t, 200, "")
	if err := (&reporting.Worker{Service: *s.Server.V1.Reporting}).Run(t.Context(), jobs.New(jobs.ReportArgs{ReportID: *begun.ReportID})); err != nil {
		t.Fatal(err)
	}
	got := s.Get(t, path, "If-None-Match", waiting.Header.Get("Etag")).Want(t, 200, "")
	done := servertest.Decode[reportAnswer](t, got)
	if done.Status != "complete" || done.Percent != 100 || done.Report == nil || done.Report.LinkID != st.LinkID || done.AsOf == nil {
		t.Errorf("done: %+v", done)
	}
	s.Get(t, path, "If-None-Match", got.Header.Get("Etag")).Want(t, 304, "")
	s.Get(t, "/api/public/v1/study-reports/1").Want(t, 400, "bad_request")
	s.Get(t, "/api/public/v1/study-reports/"+unknownID).Want(t, 404, "not_found")

	s.Do(t, "POST", reportsPath(st.ID), `{`).Want(t, 400, "invalid_json")
	for _, body := range []string{`[]`, `{"by":1}`, `{"by":""}`, `{"scale":["Q1"]}`, `{"weights":[{"by":"Q1"}]}`} {
		s.Do(t, "POST", reportsPath(st.ID), body).Want(t, 400, "invalid_request_body")
	}
	for _, body := range []string{`{"by":"Q99"}`, `{"scales":["Q1:sideways"]}`, `{"weights":[{"by":"Q99","value":"x","percent":100}]}`} {
		s.Do(t, "POST", reportsPath(st.ID), body).Want(t, 400, "bad_request")
	}
	s.Send(t, "POST", reportsPath(st.ID), iotest.ErrReader(io.ErrUnexpectedEOF)).Want(t, 400, "bad_request")
	s.Do(t, "POST", reportsPath(st.ID), strings.Repeat(" ", 4<<20+1)).Want(t, 413, "payload_too_large")
	for _, ref := range []string{foreign.ID, foreign.LinkID, "nosuchstudy"} {
		s.Do(t, "POST", reportsPath(ref), "{}").Want(t, 404, "study_not_found")
		s.Get(t, "/api/public/v1/studies/"+ref+"/themes").Want(t, 404, "study_not_found")
	}
}

type framed struct {
	QuestionID string
	Version    int
	Edited     bool
	Themes     []struct {
		Theme   int
		Name    string
		NamedBy *string
	}
	Changes []struct{ By, Action string }
}

func TestThemes(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	storetest.Response(t, s.Store, st, nil)
	themes := "/api/public/v1/studies/" + st.LinkID + "/themes"
	question := themes + "/why"
	list := func() (got struct{ Questions []framed }) {
		t.Helper()
		return servertest.Decode[struct{ Questions []framed }](t, s.Get(t, themes).Want(t, 200, ""))
	}
	if got := list(); len(got.Questions) != 0 {
		t.Errorf("before a report: %+v", got)
	}
	s.Do(t, "POST", question, `{"version":1,"action":"reset"}`).Want(t, 404, "not_found")
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		return tx.SaveMachineFrame(t.Context(), st.ID, codeframe.Made("why", "Keyword groups", "builtin", "", "4", []codeframe.Root{{Label: "taste"}, {Label: "price"}, {Label: "peel"}}))
	})
	edit := func(body string) framed {
		t.Helper()
		return servertest.Decode[framed](t, s.Do(t, "POST", question, body).Want(t, 200, ""))
	}
	if got := edit(`{"version":1,"action":"rename","theme":"1","name":"How they taste"}`); got.Version != 2 || !got.Edited || got.Themes[0].Name != "How they taste" || got.Themes[0].NamedBy == nil || got.Themes[1].NamedBy != nil {
		t.Errorf("renamed: %+v", got)
	}
	edit(`{"version":2,"action":"merge","themes":["3"],"into":"price"}`)
	edit(`{"version":3,"action":"split","theme":"1","name":"Sour","phrases":["too sour"]}`)
	edit(`{"version":4,"action":"recode","theme":"Sour","readableResponseId":1}`)
	s.Do(t, "POST", question, `{"version":4,"action":"recode","theme":"1","readableResponseId":1,"remove":true}`).Want(t, 409, "conflict")
	s.Do(t, "POST", question, `{"version":5,"action":"recode","theme":"1","readableResponseId":99}`).Want(t, 404, "response_not_found")
	got := s.Get(t, themes)
	if all := list(); len(all.Questions) != 1 || len(all.Questions[0].Themes) != 3 || len(all.Questions[0].Changes) != 4 || all.Questions[0].Changes[0].By == "" {
		t.Errorf("after the changes: %+v", all)
	}
	s.Get(t, themes, "If-None-Match", got.Header.Get("Etag")).Want(t, 304, "")
	s.Do(t, "POST", question, `{`).Want(t, 400, "invalid_json")
	for _, body := range []string{
		`{}`, `{"version":5}`, `{"version":5,"action":"drop"}`, `{"version":5,"action":"rename","theme":"1"}`, `{"version":5,"action":"reset","theme":"1"}`,
		`{"version":5,"action":"split","theme":"1","name":"x","phrases":[]}`, `{"action":"reset"}`,
	} {
		s.Do(t, "POST", question, body).Want(t, 400, "invalid_request_body")
	}
	for _, body := range []string{`{"version":5,"action":"rename","theme":"9","name":"x"}`, `{"version":5,"action":"merge","themes":["1"],"into":"1"}`} {
		s.Do(t, "POST", question, body).Want(t, 400, "bad_request")
	}
	s.Do(t, "POST", themes+"/Q99", `{"version":5,"action":"reset"}`).Want(t, 400, "bad_request")
	s.Send(t, "POST", question, iotest.ErrReader(io.ErrUnexpectedEOF)).Want(t, 400, "bad_request")
	s.Do(t, "POST", question, strings.Repeat(" ", 4<<20+1)).Want(t, 413, "payload_too_large")
	foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
	s.Do(t, "POST", "/api/public/v1/studies/"+foreign.ID+"/themes/why", `{"version":1,"action":"reset"}`).Want(t, 404, "study_not_found")
	if reset := edit(`{"version":5,"action":"reset"}`); reset.Edited || len(reset.Themes) != 0 {
		t.Errorf("after a reset: %+v", reset)
	}
}

package dashboard_test

import (
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// report stores a complete report of a study and returns its id. Its only table has a text that a spreadsheet would take for a formula.
func (f *fixture) report(ref string) string {
	f.t.Helper()
	st, made := f.find(ref), store.StudyReport{ID: store.NewID(), Options: "{}"}
	made.StudyID, made.OrgID = st.ID, st.OrgID
	made.Body = `{"studyId":"` + st.ID + `","sections":[{"key":"fieldwork","number":0,"tables":[{"key":"responses","columns":[{"key":"label","head":"Responses"},{"key":"count","head":"Count"}],` +
		`"rows":[{"label":"=Complete","count":3},{"label":null,"count":1.50}]},{"key":"screens","columns":[],"rows":[]}]}]}`
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		if _, err := tx.CreateStudyReport(f.t.Context(), made); err != nil {
			return err
		}
		if _, err := tx.StartStudyReport(f.t.Context(), made.ID); err != nil {
			return err
		}
		_, err := tx.CompleteStudyReport(f.t.Context(), made, 3, "{}")
		return err
	})
	return made.ID
}

// frame stores themes of the study's question, if there are none, and returns their version.
func (f *fixture) frame(ref string) int {
	f.t.Helper()
	st := f.find(ref)
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		return tx.SaveMachineFrame(f.t.Context(), st.ID, codeframe.Made("why", "Keyword groups", "builtin", "", "1", []codeframe.Root{{Label: "Taste"}, {Label: "Smell"}, {Label: "Price"}}))
	})
	frame, err := f.Store.View().CodeFrame(f.t.Context(), st.ID, "why")
	if err != nil {
		f.t.Fatal(err)
	}
	return frame.Version
}

func (f *fixture) find(ref string) study.Study {
	f.t.Helper()
	st, err := f.Store.View().StudyByRef(f.t.Context(), f.Org.ID, ref)
	if err != nil {
		f.t.Fatal(err)
	}
	return st
}

// TestReports asks for a report, finds it, and reads a table of it.
func TestReports(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st := "/api/dashboard/studies/" + f.study.LinkID
	if got := field(t, b.get(st+"/report").Want(t, 200, ""), "state"); got != "none" {
		t.Errorf("before there is one: %s", got)
	}
	id := f.report(f.study.ID)
	f.respond()
	got := b.get(st+"/report").Want(t, 200, "")
	for want, keys := range map[string][]any{"complete": {"state"}, id: {"reportId"}, "<nil>": {"underway"}, f.study.ID: {"report", "studyId"}, "false": {"lastFailed"}} {
		if is := field(t, got, keys...); is != want {
			t.Errorf("%v is %s, want %s", keys, is, want)
		}
	}
	if known := b.get(st+"/report?known="+id).Want(t, 200, ""); field(t, known, "reportId") != id || field(t, known, "report") != "<nil>" {
		t.Errorf("a known report is sent again: %s", known.Body)
	}
	if other := field(t, b.get(st+"/report?by=param%3Asource").Want(t, 200, ""), "state"); other != "none" {
		t.Errorf("another report is %s", other)
	}
	b.get(st+"/report?by=a&by=b").Want(t, 400, "bad_request")
	b.get(st+"/report?by="+strings.Repeat("x", 1001)).Want(t, 400, "bad_request")

	made := b.do("POST", st+"/report", `{}`).Want(t, 202, "")
	if field(t, made, "state") != "complete" || field(t, made, "underway", "step") != "queued" || field(t, made, "underway", "same") != "true" {
		t.Errorf("asked for: %s", made.Body)
	}
	b.do("POST", st+"/report", `{}`).Want(t, 202, "")
	b.do("POST", st+"/report", `{"by":"param:source"}`).Want(t, 409, "conflict")
	for _, options := range []string{`{"by":"nothing"}`, `{"only":"param:source"}`, `{"only":"nothing=x"}`, `{"only":"why=x"}`} {
		b.do("POST", st+"/report", options).Want(t, 400, "bad_request")
	}
	if got := field(t, b.get(st+"/report?by=param%3Asource").Want(t, 200, ""), "underway", "same"); got != "false" {
		t.Errorf("the report that is made is the one that was asked for: %s", got)
	}

	table := b.get(st+"/report/"+id+"/table?section=fieldwork&table=responses").Want(t, 200, "")
	if want := "\ufeffResponses,Count\n'=Complete,3\n,1.50\n"; string(table.Body) != want || table.Header.Get("Content-Disposition") != "attachment; filename="+f.study.LinkID+"-fieldwork-responses.csv" {
		t.Errorf("%q %q", table.Body, table.Header)
	}
	for _, path := range []string{id + "/table?section=fieldwork&table=screens", id + "/table?section=x&table=responses", store.NewID() + "/table?section=fieldwork&table=responses", "x/table?section=a&table=b"} {
		b.get(st+"/report/"+path).Want(t, 404, "not_found")
	}
	b.get(st+"/report/"+id+"/table?section=fieldwork").Want(t, 400, "bad_request")
	own := storetest.Study(t, f.Store, f.Org.ID, f.Admin.ID, "")
	b.get("/api/dashboard/studies/"+own.ID+"/report/"+id+"/table?section=fieldwork&table=responses").Want(t, 404, "not_found")
	groupings := b.get(st+"/groupings").Want(t, 200, "")
	if field(t, groupings, "groupings", 0, "by") != "param:source" || field(t, groupings, "groupings", 0, "values", 0, "value") != "mail" || strings.Contains(string(groupings.Body), "_secret") {
		t.Errorf("groupings: %s", groupings.Body)
	}
}

// TestThemes changes themes, moves an answer, and asks a question.
func TestThemes(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st := "/api/dashboard/studies/" + f.study.LinkID
	b.do("POST", st+"/themes/why", `{"version":1,"action":"reset"}`).Want(t, 404, "not_found")
	f.frame(f.study.ID)
	version := 1
	edit := func(change string, status int, code string) {
		t.Helper()
		a := b.do("POST", st+"/themes/why", `{"version":`+strconv.Itoa(version)+`,`+change+`}`).Want(t, status, code)
		if status == 200 {
			version, _ = strconv.Atoi(field(t, a, "version"))
		}
	}
	edit(`"action":"rename","theme":"1","name":"Flavour"`, 200, "")
	edit(`"action":"merge","themes":["3"],"into":"2"`, 200, "")
	edit(`"action":"split","theme":"1","name":"Sweetness","phrases":["sweet"]`, 200, "")
	edit(`"action":"recode","number":2,"theme":"2","from":"1"`, 200, "")
	if version != 6 {
		t.Errorf("version %d: moving an answer is two changes", version)
	}
	edit(`"action":"recode","number":99,"theme":"2"`, 404, "response_not_found")
	edit(`"action":"rename","theme":"7","name":"x"`, 400, "bad_request")
	edit(`"action":"rename","theme":"7"`, 400, "invalid_request_body")
	edit(`"action":"dance"`, 400, "invalid_request_body")
	b.do("POST", st+"/themes/why", `{"version":2,"action":"rename","theme":"1","name":"Late"}`).Want(t, 409, "conflict")
	b.do("POST", "/api/dashboard/studies/nosuchID/themes/why", `{"version":2,"action":"reset"}`).Want(t, 404, "study_not_found")
	all := b.get(st+"/themes").Want(t, 200, "")
	if field(t, all, "questions", 0, "themes", 0, "name") != "Flavour" || field(t, all, "questions", 0, "changes", 0, "by") == "" || field(t, all, "questions", 0, "changes", 1, "action") != "merge" {
		t.Errorf("themes: %s", all.Body)
	}
	id := f.report(f.study.ID) // begins after the changes
	if got := field(t, b.get(st+"/report").Want(t, 200, ""), "themesChanged"); got != "false" {
		t.Errorf("report %s: changed since: %s", id, got)
	}
	edit(`"action":"reset"`, 200, "")
	if got := field(t, b.get(st+"/report").Want(t, 200, ""), "themesChanged"); got != "true" {
		t.Errorf("after a change: %s", got)
	}

	answer := b.do("POST", st+"/ask", `{"question":"What about submarines?"}`).Want(t, 200, "")
	if field(t, answer, "status") != "declined" {
		t.Errorf("asked: %s", answer.Body)
	}
	b.do("POST", st+"/ask", `{"question":"  `+strings.Repeat("why ", 200)+`"}`).Want(t, 400, "bad_request")
	b.do("POST", "/api/dashboard/studies/nosuchID/ask", `{"question":"Why?"}`).Want(t, 404, "study_not_found")
	for _, path := range []string{"/report", "/groupings", "/themes", "/report/" + id + "/table?section=a&table=b"} {
		b.get("/api/dashboard/studies/nosuchID"+path).Want(t, 404, "study_not_found")
	}
	b.do("POST", "/api/dashboard/studies/nosuchID/report", `{}`).Want(t, 404, "study_not_found")
}

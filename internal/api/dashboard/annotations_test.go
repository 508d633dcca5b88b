package dashboard_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const spokenText = "I always luke at the price 🍏 first"

// speak adds a complete response whose only answer was spoken and transcribed, and returns its path.
func (f *fixture) speak() string {
	f.t.Helper()
	ctx := f.t.Context()
	g, err := guide.Decode(storetest.Guide(), guide.Options{Stored: true})
	if err != nil {
		f.t.Fatal(err)
	}
	r := storetest.Response(f.t, f.Store, f.study, nil)
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		u, err := tx.CreateUpload(ctx, recording.Upload{ResponseID: r.ID, Kind: recording.Audio, StepID: "s0", Name: "f", Size: recording.Unknown}, recording.Limits{Uploads: 9, Lifetime: time.Hour})
		if err != nil {
			return err
		}
		state := interview.NewPlan(g).Begin(r.Seed, r.URLParams)
		turn, err := state.Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{Text: spokenText, Recordings: interview.Recordings{Audio: u.ID}}}, tx.Now())
		if err != nil {
			return err
		}
		said := transcript.Transcript{Language: "en", Text: spokenText, Duration: 5 * time.Second}
		for i, word := range strings.Fields(strings.ReplaceAll(spokenText, "🍏 ", "")) {
			at := time.Duration(i) * 500 * time.Millisecond
			said.Words = append(said.Words, transcript.Word{Text: word, Start: at, End: at + 400*time.Millisecond, Confidence: 0.9})
		}
		done := r
		done.Progress, done.EndedAt = response.Complete, tx.Now()
		if done.UpdatedAt, err = tx.NextUpdate(ctx, r.StudyID); err != nil {
			return err
		}
		price, luke := strings.Index(spokenText, "at the price"), strings.Index(spokenText, "always luke")
		analysis := &response.Analysis{Summary: "s", Provider: "builtin", CompletedAt: done.UpdatedAt, Bullets: []string{"price", "luke"}, Claims: []response.Claim{
			{Part: response.PartBullets, Text: "price", Verified: true, Spans: []evidence.Span{{Row: 1, Start: price, End: price + 12}}},
			{Part: response.PartBullets, Text: "luke", Verified: true, Spans: []evidence.Span{{Row: 1, Start: luke, End: luke + 11}}},
		}}
		return errors.Join(
			tx.AppendTurn(ctx, r.ID, 0, turn), tx.UseUpload(ctx, r.ID, "s0", recording.Audio, u.ID),
			tx.AddRecording(ctx, recording.Recording{OrgID: r.OrgID, ResponseID: r.ID, StepID: "s0", Kind: recording.Audio, Row: 1}),
			tx.SaveTranscript(ctx, r.ID, u.ID, said), tx.SaveProgress(ctx, done, tx.Now()), tx.SaveAnalysis(ctx, r.ID, *analysis),
			tx.PutDocument(ctx, document.Source{Response: done, Guide: g, Answers: state.Answers(), Exchanges: state.Exchanges(), Analysis: analysis}))
	})
	return "/api/dashboard/studies/" + f.study.LinkID + "/responses/" + fmt.Sprint(r.ReadableID)
}

const nowhere = "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3"

// TestAnnotations highlights words, notes, tags and finds it all again, and refuses what does not stand there.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	member, _ := f.member(org.Member)
	st := "/api/dashboard/studies/" + f.study.LinkID
	spoken := f.speak()

	tag := field(t, b.do("POST", st+"/tags", `{"name":" #Price\u202e  <b>","colour":"teal"}`).Want(t, 201, ""), "id")
	b.do("POST", st+"/tags", `{"name":"price <B>","colour":"blue"}`).Want(t, 409, "conflict")
	b.do("POST", st+"/tags", `{"name":"\u200d","colour":"blue"}`).Want(t, 400, "bad_request")
	b.do("POST", st+"/tags", `{"name":"x","colour":"red"}`).Want(t, 400, "invalid_request_body")
	member.do("POST", st+"/tags", `{"name":"all","colour":"blue","everywhere":true}`).Want(t, 403, "role_needed")
	everywhere := field(t, b.do("POST", st+"/tags", `{"name":"all","colour":"blue","everywhere":true}`).Want(t, 201, ""), "id")
	b.do("PATCH", st+"/tags/"+tag, `{"name":"ALL","colour":"violet"}`).Want(t, 200, "") // of the study; the other is of the organization
	b.do("PATCH", st+"/tags/"+tag, `{"name":"\u200d"}`).Want(t, 400, "bad_request")
	b.do("PATCH", st+"/tags/"+tag, `{"colour":7}`).Want(t, 400, "invalid_request_body")
	second := field(t, b.do("POST", st+"/tags", `{"name":"second","colour":"grey"}`).Want(t, 201, ""), "id")
	b.do("PATCH", st+"/tags/"+second, `{"name":"all"}`).Want(t, 409, "conflict")
	for _, id := range []string{nowhere, "x"} {
		b.do("PATCH", st+"/tags/"+id, `{"colour":"grey"}`).Want(t, 404, "not_found")
		b.do("DELETE", st+"/tags/"+id, "").Want(t, 404, "not_found")
	}

	notes := spoken + "/annotations"
	made := b.do("POST", notes, `{"row":1,"from":27,"to":29,"words":"🍏","tags":["`+tag+`"],"note":"<script>"}`).Want(t, 201, "")
	id := field(t, made, "id")
	for _, body := range []string{
		`{"row":1,"from":27,"to":28,"words":"🍏"}`, `{"row":1,"from":28,"to":29,"words":"🍏"}`, `{"row":1,"from":0,"to":1,"words":"i"}`, `{"row":1,"from":0,"to":900,"words":"I"}`,
		`{"row":1,"from":5,"to":2,"words":"I"}`, `{"row":7,"from":0,"to":1,"words":"I"}`, `{"row":1,"from":1,"to":2,"words":" "}`, `{"row":1,"from":0,"to":1073741824,"words":"I"}`,
	} {
		b.do("POST", notes, body).Want(t, 409, "conflict")
	}
	b.do("POST", notes, `{}`).Want(t, 400, "bad_request")
	b.do("POST", notes, `{"row":-1,"from":0,"to":1,"words":"I"}`).Want(t, 400, "invalid_request_body")
	b.do("POST", notes, `{"words":"I"}`).Want(t, 400, "invalid_request_body")
	b.do("POST", notes, `{"tags":["`+nowhere+`"]}`).Want(t, 404, "not_found")
	b.do("POST", st+"/responses/99/annotations", `{"note":"x"}`).Want(t, 404, "response_not_found")
	b.get(st+"/responses/99/annotations").Want(t, 404, "response_not_found")
	price := b.do("POST", notes, `{"row":1,"from":21,"to":26,"words":"price","tags":["`+everywhere+`"]}`).Want(t, 201, "")
	if field(t, price, "begins") != "2.5" || field(t, price, "ends") != "2.9" {
		t.Errorf("the words are said then: %s", price.Body)
	}
	general := field(t, member.do("POST", notes, `{"note":"seems tired"}`).Want(t, 201, ""), "id")
	member.do("PATCH", notes+"/"+general, `{"note":""}`).Want(t, 400, "bad_request")
	member.do("PATCH", notes+"/"+general, `{"note":7}`).Want(t, 400, "invalid_request_body")
	b.do("PATCH", notes+"/"+general, `{"note":"is tired"}`).Want(t, 200, "")
	member.do("PATCH", notes+"/"+id, `{"note":"x"}`).Want(t, 403, "role_needed")
	member.do("DELETE", notes+"/"+id, "").Want(t, 403, "role_needed")
	for path, code := range map[string]string{notes + "/" + nowhere: "not_found", notes + "/x": "not_found", st + "/responses/99/annotations/" + id: "response_not_found", st + "/responses/1/annotations/" + id: "not_found"} {
		b.do("PATCH", path, `{"note":"x"}`).Want(t, 404, code)
		b.do("DELETE", path, "").Want(t, 404, code)
	}
	all := member.get(notes).Want(t, 200, "")
	for want, keys := range map[string][]any{"<nil>": {"annotations", 0, "row"}, "is tired": {"annotations", 0, "note"}, "price": {"annotations", 1, "words"}, "27": {"annotations", 2, "from"}, "<script>": {"annotations", 2, "note"}} {
		if got := field(t, all, keys...); got != want {
			t.Errorf("%v is %s, want %s", keys, got, want)
		}
	}

	quotes := b.get(st+"/quotes").Want(t, 200, "")
	if field(t, quotes, "quotes", 0, "words") != "price" || field(t, quotes, "quotes", 1, "words") != "🍏" || field(t, quotes, "people", 0, "userId") != f.Admin.ID {
		t.Errorf("the quotes are %s", quotes.Body)
	}
	for query, n := range map[string]int{"tag=" + tag: 1, "tag=" + nowhere: 0, "by=" + f.Admin.ID: 2, "by=" + nowhere: 0, "number=4": 2, "number=1": 0, "after=" + id: 0} {
		if got := strings.Count(string(b.get(st+"/quotes?"+query).Want(t, 200, "").Body), `"words":`); got != n {
			t.Errorf("%s finds %d, want %d", query, got, n)
		}
	}
	for _, query := range []string{"tag=x", "by=1", "number=0", "after=<script>"} {
		b.get(st+"/quotes?"+query).Want(t, 400, "bad_request")
	}
	for query, total := range map[string]string{"tag=all": "1", "tag=%23ALL": "1", "tag=none": "0", "tag=%23taste": "3"} {
		if got := field(t, b.get(st+"/responses?"+query).Want(t, 200, ""), "total"); got != total {
			t.Errorf("%s finds %s responses, want %s", query, got, total)
		}
	}
	if got := field(t, b.get(st+"/responses?tag=all").Want(t, 200, ""), "responses", 0, "givenTags", 0, "name"); got != "ALL" && got != "all" {
		t.Errorf("the list shows the tag %s", got)
	}
	other := storetest.NewScene(t, f.Store)
	foreign := storetest.Study(t, f.Store, other.Org.ID, other.User.ID, "")
	stranger := f.as(other.User)
	stranger.do("POST", "/api/dashboard/studies/"+foreign.LinkID+"/tags", `{"name":"foreign","colour":"grey"}`).Want(t, 201, "")
	stranger.do("PATCH", "/api/dashboard/studies/"+foreign.LinkID+"/tags/"+everywhere, `{"name":"mine"}`).Want(t, 404, "not_found")
	b.do("DELETE", notes+"/"+id, "").Want(t, 204, "")
	b.do("DELETE", st+"/tags/"+everywhere, "").Want(t, 204, "")
	if got := string(b.get(notes).Want(t, 200, "").Body); strings.Contains(got, everywhere) || !strings.Contains(got, `"words":"price"`) {
		t.Errorf("without the tag: %s", got)
	}
}

// TestCorrection corrects a transcript: the answer and its times, evidence and highlights follow, and the transcript stays.
func TestCorrection(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	spoken := f.speak()
	const better = "You know, I always look at the price 🍏 first"
	correction := spoken + "/rows/1/correction"
	b.do("POST", spoken+"/annotations", `{"row":1,"from":21,"to":26,"words":"price"}`).Want(t, 201, "")
	b.do("POST", spoken+"/annotations", `{"row":1,"from":9,"to":13,"words":"luke"}`).Want(t, 201, "")

	b.do("PUT", correction, `{"before":"something else","words":"x"}`).Want(t, 409, "conflict")
	b.do("PUT", correction, `{"before":"`+spokenText+`","words":" "}`).Want(t, 400, "bad_request")
	b.do("PUT", correction, `{"before":"`+spokenText+`"}`).Want(t, 400, "invalid_request_body")
	for path, code := range map[string]string{"/responses/99/rows/1": "response_not_found", "/responses/4/rows/x": "response_not_found"} {
		path = "/api/dashboard/studies/" + f.study.LinkID + path + "/correction"
		b.do("PUT", path, `{"before":"a","words":"b"}`).Want(t, 404, code)
		b.do("DELETE", path, "").Want(t, 404, code)
	}
	b.do("PUT", spoken+"/rows/0/correction", `{"before":"a","words":"b"}`).Want(t, 409, "conflict")
	typed := "/api/dashboard/studies/" + f.study.LinkID + "/responses/1/rows/1/correction"
	b.do("PUT", typed, `{"before":"Ach 🍏, they taste well","words":"b"}`).Want(t, 409, "conflict")
	b.do("DELETE", typed, "").Want(t, 409, "conflict")
	b.do("DELETE", correction, "").Want(t, 404, "not_found")

	b.do("PUT", correction, `{"before":"`+spokenText+`","words":"`+better+`"}`).Want(t, 204, "")
	one := b.get(spoken).Want(t, 200, "")
	for want, keys := range map[string][]any{
		better: {"rows", 1, "answer"}, spokenText: {"rows", 1, "recordings", 0, "transcript", "text"}, "true": {"outdated"},
		"map[from:28 row:1 to:40]": {"statements", 1, "marks", 0}, "[]": {"statements", 2, "marks"}, "false": {"statements", 2, "verified"},
		"[2.5 2.9 35 40 0.9]": {"rows", 1, "recordings", 0, "transcript", "answerWords", 7},
	} {
		if strings.HasPrefix(want, "map[from:28") {
			want = "map[from:28 row:1 to:36]"
			want = fmt.Sprintf("map[from:%d row:1 to:%d]", strings.Index(better, "at the price"), strings.Index(better, "at the price")+12)
		}
		if strings.HasPrefix(want, "[2.5") {
			want = fmt.Sprintf("[2.5 2.9 %d %d 0.9]", strings.Index(better, "price"), strings.Index(better, "price")+5)
		}
		if got := field(t, one, keys...); got != want {
			t.Errorf("%v is %s, want %s", keys, got, want)
		}
	}
	if field(t, one, "rows", 1, "correction", "before") != spokenText || field(t, one, "rows", 1, "spoken") != "true" {
		t.Errorf("the correction is %s", one.Body)
	}
	notes := b.get(spoken+"/annotations").Want(t, 200, "")
	if got := string(notes.Body); !strings.Contains(got, fmt.Sprintf(`"from":%d`, strings.Index(better, "price"))) || !strings.Contains(got, `"from":null,"to":null,"words":"luke"`) {
		t.Errorf("the highlights follow: %s", got)
	}
	b.do("POST", spoken+"/analysis", "").Want(t, 202, "")
	b.do("DELETE", correction, "").Want(t, 204, "")
	if got := field(t, b.get(spoken).Want(t, 200, ""), "rows", 1, "answer"); got != spokenText {
		t.Errorf("undone: %s", got)
	}
	if got := string(b.get(spoken+"/annotations").Want(t, 200, "").Body); !strings.Contains(got, `"from":9,"to":13,"words":"luke"`) {
		t.Errorf("the lost highlight is back: %s", got)
	}
	b.do("DELETE", correction, "").Want(t, 404, "not_found")

	open := storetest.Response(t, f.Store, f.study, nil)
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.PutDocument(t.Context(), document.Source{Response: open}) })
	b.do("POST", "/api/dashboard/studies/"+f.study.LinkID+"/responses/"+fmt.Sprint(open.ReadableID)+"/analysis", "").Want(t, 409, "conflict")
	b.do("POST", "/api/dashboard/studies/"+f.study.LinkID+"/responses/99/analysis", "").Want(t, 404, "response_not_found")
}

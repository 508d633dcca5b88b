package dashboard_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
)

// incomplete is a guide with a question without words.
const incomplete = `{"title":"Apples","studyGuide":[{"type":"flat","title":"Start","externalId":"block","items":[` +
	`{"type":"open_ended","externalId":"why","text":""}]}]}`

// complete is a guide with a screening question, a branch, and a link parameter.
const complete = `{"title":"Pears","studyGuide":[
	{"type":"screening","title":"","externalId":"s","items":[{"type":"multiple_choice","externalId":"eats","text":"Do you eat pears?",
		"options":[{"externalId":"no","text":"No","status":"reject"},{"externalId":"yes","text":"Yes","status":"approve"}]}]},
	{"type":"flat","title":"Start","externalId":"block","items":[
		{"type":"multiple_choice","externalId":"where","text":"Where?","options":[{"externalId":"home","text":"At home"},{"externalId":"work","text":"At work"}]},
		{"type":"open_ended","externalId":"why","text":"Why at work?","conditional":{"operator":"and","criteria":[
			{"type":"selectedTemplateOptions","questionId":"where","matchingCriteria":"mustSelect","choices":["work"]},
			{"type":"searchParam","parameter":"source","value":"mail"}]}},
		{"type":"statement","externalId":"end","text":"Thank you."}]}]}`

// save sends a guide as an edit of a version.
func (b *browser) save(st, tag, guide string) servertest.Answer {
	b.f.t.Helper()
	return b.do("PUT", "/api/dashboard/studies/"+st+"/draft", `{"guide":`+guide+`}`, "If-Match", tag)
}

// draft creates a study with a guide, and returns its link id and the tag of its working copy.
func (b *browser) draft(guide string) (st, tag string) {
	b.f.t.Helper()
	made := b.do("POST", "/api/dashboard/organizations/"+b.f.Org.ID+"/studies", `{"from":"guide","guide":`+guide+`}`).Want(b.f.t, 201, "")
	st = field(b.f.t, made, "study", "linkId")
	return st, b.get("/api/dashboard/studies/"+st+"/draft").Want(b.f.t, 200, "").Header.Get("ETag")
}

// TestDraft follows a guide from its first letter: problems, versions, what programs read, and conflicts.
func TestDraft(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, user := f.member(org.Member)
	st, tag := b.draft(incomplete)
	base := "/api/dashboard/studies/" + st
	draft := b.get(base + "/draft")
	for want, keys := range map[string][]any{
		"1": {"version"}, "false": {"valid"}, "error": {"problems", 0, "severity"}, "why": {"problems", 0, "itemId"}, "block": {"problems", 0, "blockId"},
		"/studyGuide/0/items/0/text": {"problems", 0, "pointer"}, "true": {"unpublished"},
	} {
		if got := field(t, draft, keys...); got != want {
			t.Errorf("%v is %s, want %s", keys, got, want)
		}
	}
	questions := func() string {
		return string(f.Get(t, "/api/public/v1/studies/"+st+"/questions").Body)
	}
	if got := questions(); !strings.Contains(got, "Untitled question") {
		t.Errorf("programs read %s", got)
	}
	b.do("PUT", base+"/draft", `{"guide":`+complete+`}`).Want(t, 428, "if_match_needed")
	b.save(st, `"x"`, complete).Want(t, 428, "if_match_needed")
	for _, bad := range []string{`{}`, `{"guide":[]}`, `{"guide":{"studyGuide":{}}}`, `{"guide":{"studyGuide":[1]}}`, `{"guide":{"studyGuide":[{"items":{}}]}}`, `{"guide":{"studyGuide":[{"items":["x"]}]}}`} {
		b.do("PUT", base+"/draft", bad, "If-Match", tag).Want(t, 400, "invalid_request_body")
	}
	saved := b.save(st, tag, complete).Want(t, 200, "")
	if field(t, saved, "version") != "2" || field(t, saved, "valid") != "true" || field(t, saved, "guide") != "<nil>" {
		t.Errorf("saved: %s", saved.Body)
	}
	if got := questions(); !strings.Contains(got, "Why at work?") {
		t.Errorf("programs read %s", got)
	}
	second := saved.Header.Get("ETag")
	if again := b.save(st, second, complete).Want(t, 200, ""); field(t, again, "version") != "2" {
		t.Errorf("the same again: %s", again.Body)
	}
	conflict := b.save(st, tag, incomplete).Want(t, 412, "version_conflict")
	if field(t, conflict, "draft", "version") != "2" || field(t, conflict, "draft", "guide", "title") != "Pears" || field(t, conflict, "draft", "updatedBy") != user.Name || conflict.Header.Get("ETag") != second {
		t.Errorf("the conflict: %s", conflict.Body)
	}
	third := b.save(st, second, `{"title":"Plums","studyGuide":[{"type":"flat","title":"","items":[{"type":"open_ended","text":"Why?"}]}]}`).Want(t, 200, "")
	if id := field(t, third, "guide", "studyGuide", 0, "items", 0, "externalId"); len(id) != 36 {
		t.Errorf("ids were not filled in: %s", third.Body)
	}
	if got := field(t, b.get(base), "study", "title"); got != "Plums" {
		t.Errorf("the title is %s", got)
	}
	b.get(base+"/draft/versions?before=x").Want(t, 400, "bad_request")
	list := b.get(base+"/draft/versions").Want(t, 200, "")
	if field(t, list, "versions", 0, "version") != "3" || field(t, list, "versions", 1, "origin") != "created" || field(t, list, "versions", 0, "userName") != user.Name {
		t.Errorf("edits within a minute are one version: %s", list.Body)
	}
	if field(t, list, "versions", 0, "counts", "removed") == "0" || field(t, list, "versions", 0, "labels", 0) == "" {
		t.Errorf("the summary: %s", list.Body)
	}
	for _, n := range []string{"2", "9", "x", "0"} {
		b.get(base+"/draft/versions/"+n).Want(t, 404, "not_found")
	}
	if got := field(t, b.get(base+"/draft/versions/1").Want(t, 200, ""), "guide", "title"); got != "Apples" {
		t.Errorf("version 1 is %s", got)
	}
	restore := base + "/draft/versions/1/restore"
	b.do("POST", restore, "").Want(t, 428, "if_match_needed")
	b.do("POST", restore, "", "If-Match", second).Want(t, 412, "version_conflict")
	b.do("POST", base+"/draft/versions/2/restore", "", "If-Match", third.Header.Get("ETag")).Want(t, 404, "not_found")
	restored := b.do("POST", restore, "", "If-Match", third.Header.Get("ETag")).Want(t, 200, "")
	if field(t, restored, "version") != "4" || field(t, restored, "guide", "title") != "Apples" || field(t, restored, "valid") != "false" {
		t.Errorf("restored: %s", restored.Body)
	}
	if list := b.get(base + "/draft/versions"); field(t, list, "versions", 0, "restoredVersion") != "1" || field(t, list, "versions", 0, "origin") != "restore" {
		t.Errorf("the history: %s", list.Body)
	}
	changes := b.get(base+"/draft/changes?from=3").Want(t, 200, "")
	if !strings.Contains(string(changes.Body), `"change":"removed"`) || field(t, changes, "more") != "0" {
		t.Errorf("changes: %s", changes.Body)
	}
	for _, query := range []string{"", "?from=x", "?from=1&to=x"} {
		b.get(base+"/draft/changes"+query).Want(t, 400, "bad_request")
	}
	b.get(base+"/draft/changes?from=published").Want(t, 404, "not_found")
	b.get(base+"/draft/changes?from=9").Want(t, 404, "not_found")
}

// TestTwoSavers: of those who edit the same version at the same time one wins, the others are told, and nothing is lost.
func TestTwoSavers(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st, tag := b.draft(incomplete)
	const savers = 8
	answers := make([]servertest.Answer, savers)
	var group sync.WaitGroup
	for i := range savers {
		guide := strings.Replace(complete, "Pears", string(rune('A'+i)), 1)
		saver := &browser{f: f, cookie: b.cookie}
		group.Go(func() { answers[i] = saver.save(st, tag, guide) })
	}
	group.Wait()
	winner := ""
	for i, a := range answers {
		if a.Status == 200 {
			winner += string(rune('A' + i))
			continue
		}
		a.Want(t, 412, "version_conflict")
	}
	if len(winner) != 1 || field(t, b.get("/api/dashboard/studies/"+st+"/draft"), "guide", "title") != winner {
		t.Fatalf("the winners are %q", winner)
	}
	for _, a := range answers {
		if a.Status == 412 && field(t, a, "draft", "guide", "title") != winner {
			t.Errorf("a loser is told %s", a.Body)
		}
	}
}

// TestLaunch launches a draft, edits it while it is live, and publishes the edits.
func TestLaunch(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st, tag := b.draft(incomplete)
	base := "/api/dashboard/studies/" + st
	launch := func(version string, more ...string) servertest.Answer {
		return b.do("POST", base+"/launch", `{"version":`+version+strings.Join(more, "")+`}`)
	}
	check := b.get(base+"/launch-check").Want(t, 200, "")
	if field(t, check, "ready") != "false" || field(t, check, "checks", 0, "itemId") != "why" || field(t, check, "mayLaunch") != "true" {
		t.Errorf("the check: %s", check.Body)
	}
	b.do("POST", base+"/launch", `{}`).Want(t, 400, "invalid_request_body")
	launch("1").Want(t, 409, "guide_has_problems")
	launch("7").Want(t, 409, "conflict")
	id := field(t, b.get(base), "study", "id")
	public := f.Do(t, "POST", "/api/public/v1/studies/"+id+"/launch", "").Want(t, 409, "conflict")
	if !strings.Contains(string(public.Body), "unpublished edits in the dashboard") {
		t.Errorf("programs are told %s", public.Body)
	}
	b.do("POST", base+"/close", "").Want(t, 409, "not_launched")
	b.save(st, tag, complete).Want(t, 200, "")

	w := storetest.Wallet(t, f.Store, f.Org.ID, 0)
	launch("2").Want(t, 400, "insufficient_credits")
	if check := b.get(base + "/launch-check"); field(t, check, "ready") != "false" || field(t, check, "walletId") != w.ID {
		t.Errorf("without credits: %s", check.Body)
	}
	rich := storetest.Wallet(t, f.Store, f.Org.ID, 5000)
	launch("2").Want(t, 400, "wallet_required")
	launch("2", `,"walletId":"0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3"`).Want(t, 403, "wallet_access_denied")
	check = b.get(base+"/launch-check").Want(t, 200, "")
	if field(t, check, "ready") != "true" || field(t, check, "price") != "1" || field(t, check, "parameters") != "[source]" {
		t.Errorf("before the launch: %s", check.Body)
	}
	live := launch("2", `,"walletId":"`+rich.ID+`"`).Want(t, 200, "")
	if field(t, live, "study", "state") != "live" || field(t, live, "participantLink") != servertest.BaseURL+"/s/"+st || field(t, live, "wallet", "balance") != "5" {
		t.Errorf("launched: %s", live.Body)
	}
	draft := b.get(base + "/draft")
	if field(t, draft, "unpublished") != "false" || field(t, b.get(base+"/draft/versions"), "versions", 0, "published") != "true" {
		t.Errorf("after the launch: %s", draft.Body)
	}

	edited := strings.Replace(complete, `{"externalId":"home","text":"At home"},`, "", 1)
	saved := b.save(st, draft.Header.Get("ETag"), edited).Want(t, 200, "")
	if field(t, saved, "unpublished") != "true" || field(t, saved, "version") != "3" {
		t.Errorf("an edit of a live study: %s", saved.Body)
	}
	changes := b.get(base+"/draft/changes?from=published").Want(t, 200, "")
	if field(t, changes, "changes", 0, "change") != "removed" || field(t, changes, "changes", 0, "id") != "home" || field(t, changes, "changes", 0, "itemId") != "where" {
		t.Errorf("what publishing changes: %s", changes.Body)
	}
	launch("2").Want(t, 409, "conflict")
	launch("3").Want(t, 200, "")
	if field(t, b.get(base+"/draft"), "unpublished") != "false" {
		t.Error("the edits are not published")
	}
	launch("3").Want(t, 200, "")
	if got := field(t, b.do("POST", base+"/close", "").Want(t, 200, ""), "study", "state"); got != "closed" {
		t.Errorf("closed: %s", got)
	}
	launch("3").Want(t, 409, "conflict")
	log := b.get("/api/dashboard/organizations/" + f.Org.ID + "/audit")
	for i, want := range []string{org.AuditClosed, org.AuditPublished, org.AuditLaunched, org.AuditStudyCreated} {
		if got := field(t, log, "entries", i, "action"); got != want {
			t.Errorf("entry %d of the log is %s, want %s", i, got, want)
		}
	}
}

// TestStudies creates studies in every way, renames, moves, and trashes them.
func TestStudies(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	orgPath := "/api/dashboard/organizations/" + f.Org.ID
	create := func(body string) servertest.Answer { return b.do("POST", orgPath+"/studies", body) }
	for body, title := range map[string]string{
		`{"from":"blank"}`: "Untitled study",
		`{"from":"blank","title":"Nuts","folder":["Food"]}`:       "Nuts",
		`{"from":"template","template":"churn"}`:                  "Churn interview",
		`{"from":"copy","copyOf":"` + f.study.LinkID + `"}`:       "Copy of Apples",
		`{"from":"outline","outline":"# Tea\n## Habits\nHow?"}`:   "Tea",
		`{"from":"guide","guide":` + incomplete + `,"title":"X"}`: "X",
	} {
		made := create(body).Want(t, 201, "")
		if field(t, made, "study", "title") != title || field(t, made, "study", "state") != "draft" || field(t, made, "study", "own") != "true" {
			t.Errorf("%s makes %s", body, made.Body)
		}
	}
	for _, body := range []string{`{}`, `{"from":"guide"}`, `{"from":"copy"}`, `{"from":"outline"}`, `{"from":"template"}`, `{"from":"blank","folder":[1]}`, `{"from":"x"}`} {
		create(body).Want(t, 400, "invalid_request_body")
	}
	create(`{"from":"template","template":"nothing"}`).Want(t, 404, "not_found")
	create(`{"from":"copy","copyOf":"nosuchID"}`).Want(t, 404, "study_not_found")
	foreign := storetest.NewScene(t, f.Store)
	create(`{"from":"copy","copyOf":"`+foreign.Study.ID+`"}`).Want(t, 404, "study_not_found")
	b.do("POST", "/api/dashboard/outline", `{"text":""}`).Want(t, 400, "invalid_request_body")
	if got := field(t, b.do("POST", "/api/dashboard/outline", `{"text":"Why?"}`), "guide", "studyGuide", 0, "items", 0, "text"); got != "Why?" {
		t.Errorf("the outline asks %s", got)
	}
	b.get("/api/dashboard/templates/nothing").Want(t, 404, "not_found")
	if got := field(t, b.get("/api/dashboard/templates"), "templates", 0, "id"); got != "concept-test" {
		t.Errorf("the first template is %s", got)
	}

	st := "/api/dashboard/studies/" + f.study.LinkID
	for body, code := range map[string]string{`{"title":""}`: "invalid_request_body", `{"linkId":"a b"}`: "bad_link_id", `{"state":"live"}`: "invalid_request_body"} {
		b.do("PATCH", st, body).Want(t, 400, code)
	}
	other := storetest.Draft(t, f.Store, f.Org.ID, "")
	b.do("PATCH", st, `{"linkId":"`+other.LinkID+`"}`).Want(t, 409, "link_taken")
	changed := b.do("PATCH", st, `{"title":"Green apples","linkId":"green","folder":["Food","Fruit"]}`).Want(t, 200, "")
	if field(t, changed, "study", "title") != "Green apples" || field(t, changed, "study", "linkId") != "green" || field(t, changed, "study", "folder") != "[Food Fruit]" {
		t.Errorf("changed: %s", changed.Body)
	}
	if got := field(t, b.get("/api/dashboard/studies/green/draft"), "guide", "title"); got != "Green apples" {
		t.Errorf("the guide is titled %s", got)
	}
	inFolder := func(folder string) string {
		var found struct{ Studies []struct{ Title string } }
		if err := json.Unmarshal(b.get(orgPath+"/studies?folder="+folder).Want(t, 200, "").Body, &found); err != nil {
			t.Fatal(err)
		}
		titles := ""
		for _, s := range found.Studies {
			titles += s.Title + ";"
		}
		return titles
	}
	if got := inFolder(`["Food","Fruit"]`); got != "Green apples;" {
		t.Errorf("in the folder: %s", got)
	}
	if got := inFolder(`[]`); !strings.Contains(got, "Tea;") || strings.Contains(got, "Green") {
		t.Errorf("in no folder: %s", got)
	}
	b.get(orgPath+"/studies?folder=Food").Want(t, 400, "bad_request")
	folders := b.get(orgPath+"/folders").Want(t, 200, "")
	if field(t, folders, "folders", 0, "folder") != "[Food Fruit]" && field(t, folders, "folders", 1, "folder") != "[Food Fruit]" {
		t.Errorf("folders: %s", folders.Body)
	}

	b.do("DELETE", "/api/dashboard/studies/green", "").Want(t, 200, "")
	b.get("/api/dashboard/studies/green").Want(t, 404, "study_not_found")
	b.do("DELETE", "/api/dashboard/studies/green", "").Want(t, 404, "study_not_found")
	f.Get(t, "/api/public/v1/studies/green/questions").Want(t, 404, "study_not_found")
	trash := b.get(orgPath+"/trash").Want(t, 200, "")
	if field(t, trash, "studies", 0, "study", "linkId") != "green" || field(t, trash, "studies", 0, "mayRestore") != "true" {
		t.Errorf("the trash: %s", trash.Body)
	}
	b.do("POST", "/api/dashboard/trash/green/restore", "").Want(t, 200, "")
	b.do("POST", "/api/dashboard/trash/green/restore", "").Want(t, 404, "study_not_found")
	b.get("/api/dashboard/studies/green").Want(t, 200, "")
}

// TestPreview walks through an interview that is not stored, and lets the server find the way to an item.
func TestPreview(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, _ := f.member(org.Member)
	path := "/api/dashboard/studies/" + f.study.LinkID + "/preview"
	preview := func(body string) servertest.Answer { return b.do("POST", path, body) }
	landing := preview(`{}`).Want(t, 200, "")
	if field(t, landing, "kind") != "landing" || field(t, landing, "bootstrap", "view") != "front" || field(t, landing, "bootstrap", "front", "title") != "Apples" {
		t.Errorf("the landing page: %s", landing.Body)
	}
	first := preview(`{"seed":7,"answers":[]}`).Want(t, 200, "")
	if field(t, first, "itemId") != "why" || field(t, first, "bootstrap", "step", "question", "text") != "Why apples?" {
		t.Errorf("the first step: %s", first.Body)
	}
	preview(`{"answers":[],"answer":{"stepId":"s0"}}`).Want(t, 400, "invalid_request_body")
	end := preview(`{"answers":[],"answer":{"stepId":"s0","text":"Sweet"}}`).Want(t, 200, "")
	if field(t, end, "kind") != "complete" || field(t, end, "answers", 0, "text") != "Sweet" || field(t, end, "bootstrap", "view") != "end" {
		t.Errorf("the end: %s", end.Body)
	}
	if stale := preview(`{"answers":[{"stepId":"s0","selected":["x"]}],"answer":{"stepId":"s1","text":"x"}}`).Want(t, 200, ""); field(t, stale, "answers") != "[]" {
		t.Errorf("answers to another guide: %s", stale.Body)
	}
	shown := preview(`{"guide":`+complete+`,"show":{"itemId":"why"}}`).Want(t, 200, "")
	if field(t, shown, "itemId") != "why" || field(t, shown, "reachable") != "true" || field(t, shown, "parameters", "source") != "mail" || field(t, shown, "answers", 1, "selected") != "[work]" {
		t.Errorf("the way: %s", shown.Body)
	}
	if never := preview(`{"guide":`+complete+`,"show":{"itemId":"nothing"}}`).Want(t, 200, ""); field(t, never, "reachable") != "false" || field(t, never, "itemId") != "eats" {
		t.Errorf("no way: %s", never.Body)
	}
	preview(`{"guide":`+incomplete+`}`).Want(t, 409, "guide_has_problems")
	if got := field(t, b.get("/api/dashboard/studies/"+f.study.LinkID), "counts", "inProgress"); got != "0" {
		t.Errorf("%s interviews were stored", got)
	}
}

package dashboard_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/translator"
	"verbatim/openapi"
)

// TestTableIsTheContract compares the table of operations with x-role, x-own-study and x-recent-sign-in of the contract.
func TestTableIsTheContract(t *testing.T) {
	t.Parallel()
	var doc struct {
		Paths map[string]map[string]struct {
			Role   string `yaml:"x-role"`
			Own    bool   `yaml:"x-own-study"`
			Recent bool   `yaml:"x-recent-sign-in"`
		}
	}
	if err := yaml.Unmarshal(openapi.Dashboard, &doc); err != nil {
		t.Fatal(err)
	}
	var want []dashboard.Row
	for path, methods := range doc.Paths {
		for method, op := range methods {
			want = append(want, dashboard.Row{Pattern: strings.ToUpper(method) + " " + path, Role: op.Role, Own: op.Own, Recent: op.Recent})
		}
	}
	got := dashboard.Table()
	byPattern := func(a, b dashboard.Row) int { return strings.Compare(a.Pattern, b.Pattern) }
	slices.SortFunc(want, byPattern)
	slices.SortFunc(got, byPattern)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contract and table (-want +got):\n%s", diff)
	}
}

// target is a request of the matrix.
type target struct {
	method, path, body string
	headers            []string
}

// target returns a valid call of an operation, with things of its own.
func (f *fixture) target(pattern string, st string, caller *browser) target {
	method, path, _ := strings.Cut(pattern, " ")
	admin := f.as(f.Admin)
	orgPath := "/api/dashboard/organizations/" + f.Org.ID
	fill := strings.NewReplacer("{orgId}", f.Org.ID, "{studyRef}", st, "{number}", "1", "{version}", "1", "{templateId}", "churn", "{part}", "database").Replace
	if strings.Contains(path, "{userId}") {
		u := storetest.User(f.t, f.Store, f.Org.ID, org.Member)
		storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
			return errors.Join(tx.BeginTwoStep(f.t.Context(), u.ID, "GEZDGNBV"), tx.ConfirmTwoStep(f.t.Context(), u.ID))
		})
		path = strings.ReplaceAll(path, "{userId}", u.ID)
	}
	if strings.Contains(path, "{keyId}") {
		path = strings.ReplaceAll(path, "{keyId}", field(f.t, admin.do("POST", orgPath+"/keys", `{"name":"k"}`), "key", "id"))
	}
	if strings.Contains(path, "{walletId}") {
		path = strings.ReplaceAll(path, "{walletId}", f.wallet().ID)
	}
	if strings.Contains(path, "{ruleStudy}") {
		path = strings.ReplaceAll(path, "{ruleStudy}", f.study.LinkID)
		admin.do("PUT", orgPath+"/retention", `{"study":"`+f.study.LinkID+`","legalHold":true}`)
	}
	if strings.HasSuffix(path, "/plays") {
		f.record()
	}
	if strings.Contains(path, "{invitationId}") {
		path = strings.ReplaceAll(path, "{invitationId}", field(f.t, admin.do("POST", orgPath+"/invitations", `{"email":"i@example.org","role":"member"}`), "invitation", "id"))
	}
	if strings.Contains(path, "{sessionId}") {
		id := "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3"
		if caller.cookie != "" {
			id = field(f.t, caller.get("/api/dashboard/session/list"), "sessions", 0, "id")
		}
		path = strings.ReplaceAll(path, "{sessionId}", id)
	}
	if strings.Contains(path, "{passkeyId}") {
		id := "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3"
		if caller.cookie != "" {
			id = f.passkey(field(f.t, caller.get("/api/dashboard/session"), "user", "id"))
		}
		path = strings.ReplaceAll(path, "{passkeyId}", id)
	}
	if strings.Contains(path, "{reportId}") {
		path = strings.ReplaceAll(path, "{reportId}", f.report(st)) + "?section=fieldwork&table=responses"
	}
	if strings.Contains(path, "{exportId}") {
		path = strings.ReplaceAll(path, "{exportId}", f.exported(admin, st, `{"format":"csv"}`))
	}
	if strings.Contains(path, "{webhookId}") {
		id := field(f.t, admin.do("POST", orgPath+"/webhooks", `{"url":"https://example.org/"}`), "webhook", "id")
		path = strings.ReplaceAll(path, "{webhookId}", id)
		if strings.Contains(path, "{eventId}") {
			path = strings.ReplaceAll(path, "{eventId}", f.failedMessage(admin, orgPath+"/webhooks/"+id))
		}
	}
	if strings.Contains(path, "{tagId}") {
		path = strings.ReplaceAll(path, "{tagId}", field(f.t, admin.do("POST", fill("/api/dashboard/studies/{studyRef}/tags"), `{"name":"`+store.NewID()+`","colour":"teal"}`), "id"))
	}
	if strings.Contains(path, "{annotationId}") {
		author := admin
		if caller.cookie != "" && caller.get(fill("/api/dashboard/studies/{studyRef}/responses/1")).Status == 200 {
			author = caller
		}
		path = strings.ReplaceAll(path, "{annotationId}", field(f.t, author.do("POST", "/api/dashboard/studies/"+f.study.ID+"/responses/1/annotations", `{"note":"n"}`), "id"))
	}
	path = strings.ReplaceAll(path, "{row}", "1")
	body := ""
	var headers []string
	if strings.Contains(path, "{mediaId}") {
		path, headers = strings.ReplaceAll(path, "{mediaId}", f.begun(admin, st)), []string{"Upload-Offset", "0"}
	}
	if strings.Contains(path, "/translations") {
		tag := admin.get(fill("/api/dashboard/studies/{studyRef}/draft")).Header.Get("ETag")
		admin.save(st, tag, bilingual)
		path = strings.ReplaceAll(path, "{language}", "de")
	}
	if strings.Contains(path, "/folders") && method != "GET" {
		admin.do("POST", orgPath+"/folders", `{"folder":["Old"]}`)
	}
	if method == "DELETE" && strings.Contains(path, "/grants/") {
		admin.do("PUT", fill(path), "").Want(f.t, 204, "")
	}
	if strings.Contains(path, "/trash/") {
		admin.do("DELETE", fill("/api/dashboard/studies/{studyRef}"), "")
	}
	if method == "PUT" && strings.HasSuffix(path, "/draft") || strings.HasSuffix(path, "/versions/{version}/restore") {
		headers = []string{"If-Match", admin.get(fill("/api/dashboard/studies/{studyRef}/draft")).Header.Get("ETag")}
	}
	switch {
	case strings.Contains(path, "/webhooks"):
		body = map[string]string{
			"POST /webhooks": `{"url":"https://example.org/"}`, "PATCH /webhooks": `{"description":"d"}`, "POST /replay": `{"since":"2026-03-02T09:30:00Z"}`,
		}[method+" "+webhookPart(path)]
	case strings.HasSuffix(path, "/tags"):
		if method == "POST" {
			body = `{"name":"` + store.NewID() + `","colour":"blue"}`
		}
	case strings.Contains(path, "/tags/") && method == "PATCH":
		body = `{"colour":"grey"}`
	case strings.Contains(path, "/annotations") && method != "GET" && method != "DELETE":
		body = `{"note":"x"}`
	case strings.HasSuffix(path, "/correction") && method == "PUT":
		body = `{"before":"x","words":"y"}`
	case strings.HasSuffix(path, "/analysis"):
	case strings.Contains(path, "/grants/"):
	case strings.HasSuffix(path, "/folders") && method == "POST":
		body = `{"folder":["New"]}`
	case strings.HasSuffix(path, "/folders") && method == "PATCH":
		body = `{"folder":["Old"],"to":["New"]}`
	case strings.HasSuffix(path, "/folders") && method == "DELETE":
		path += `?folder=["Old"]`
	case strings.HasSuffix(path, "/presence"):
		body = `{"tab":"t"}`
	case method == "PATCH" && strings.Contains(path, "/media/"):
		body = strings.Repeat("WEBVTT ", 100)
	case method == "POST" && strings.HasSuffix(path, "/media"):
		body = `{"name":"a.png","size":600}`
	case method == "PATCH" && strings.Contains(path, "/translations/"):
		body = `{"texts":{"item/which/text":"Welches Obst?"}}`
	case strings.HasSuffix(path, "/machine"):
		f.api().Translator = &translator.Service{Store: f.Store, Model: silent{}}
	case strings.Contains(path, "/themes/"):
		path = strings.ReplaceAll(path, "{questionId}", "why")
		version := f.frame(st)
		body = fmt.Sprintf(`{"version":%d,"action":"rename","theme":"1","name":"Name %d"}`, version, version)
	case strings.HasSuffix(path, "/ask"):
		body = `{"question":"What about apples?"}`
	case strings.HasSuffix(path, "/restore") || strings.HasSuffix(path, "/close") || strings.HasSuffix(path, "/pause") || strings.HasSuffix(path, "/reopen") || strings.HasSuffix(path, "/try"):
	case strings.HasSuffix(path, "/preview-link"):
		body = `{"days":7}`
	case strings.HasSuffix(path, "/panel/secret"):
		body = `{"purposes":["link"],"action":"make"}`
	case strings.HasSuffix(path, "/panel/links"):
		body = `{"links":[{"parameters":{"pid":"p1"}}]}`
	case method == "PUT" && strings.HasSuffix(path, "/draft"):
		body = `{"guide":` + incomplete + `}`
	case method == "POST" && strings.HasSuffix(path, "/studies"):
		body = `{"from":"blank"}`
	case strings.HasSuffix(path, "/outline"):
		body = `{"text":"Why?"}`
	case strings.HasSuffix(path, "/launch"):
		body = `{"version":` + field(f.t, admin.get(fill("/api/dashboard/studies/{studyRef}/draft")), "version") + `}`
	case method != "GET" && strings.HasSuffix(path, "/retention"), strings.HasSuffix(path, "/retention/preview"):
		body = `{"recordingDays":30,"responseDays":365,"transcripts":"delete"}`
	case strings.HasSuffix(path, "/plays"):
		body = `{"row":1,"kind":"audio"}`
	case strings.HasSuffix(path, "/deposits"):
		body = `{"account":"project","credits":"0.125"}`
	case method == "PATCH" && strings.Contains(path, "/keys/"):
		body = `{"name":"n","readOnly":true,"days":30}`
	case method == "PATCH" && strings.Contains(path, "{studyRef}"):
		body = `{"folder":["Food"]}`
	case method == "GET" || method == "DELETE" || strings.HasSuffix(path, "/reset") && strings.Contains(path, "/people/"):
	case strings.HasSuffix(path, "/keys"):
		body = `{"name":"n","readOnly":true,"days":30}`
	case method == "PATCH" && strings.Contains(path, "/passkeys/"):
		body = `{"name":"Laptop"}`
	case strings.HasSuffix(path, "/invitations"):
		body = `{"email":"new@example.org","role":"supervisor"}`
	case method == "PATCH":
		body = `{"role":"supervisor"}`
	case strings.HasSuffix(path, "/visibility"):
		body = `{"numbers":[2],"hidden":true}`
	case strings.HasSuffix(path, "/deletions"):
		f.respond()
		newest := field(f.t, admin.get("/api/dashboard/studies/"+f.study.LinkID+"/responses"), "responses", 0, "number")
		body = `{"numbers":[` + newest + `],"count":1}`
	case strings.HasSuffix(path, "/exports"):
		body = `{"format":"xlsx"}`
	case strings.HasSuffix(path, "/quality"):
		body = `{"score":2.5,"reason":"not read"}`
	default:
		body = `{}`
	}
	if strings.HasSuffix(path, "/arrivals") {
		path += "?since=0"
	}
	if strings.HasSuffix(path, "/audit/file") {
		path += "?format=csv"
	}
	if strings.HasSuffix(path, "/changes") {
		path += "?from=published"
	}
	return target{method, fill(path), body, headers}
}

// TestRoles calls every operation as nobody, as an admin of another organization, and with every role, also by whom the study belongs to.
func TestRoles(t *testing.T) {
	t.Parallel()
	rank := map[string]int{"nobody": 0, "person": 1, "member": 2, "supervisor": 3, "admin": 4, "instance": 4}
	for _, op := range dashboard.Table() {
		t.Run(strings.ReplaceAll(op.Pattern, "/", "_"), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			other := storetest.NewScene(t, f.Store)
			owner, ownerUser := f.member(org.Member)
			own := storetest.Study(t, f.Store, f.Org.ID, ownerUser.ID, "")
			granted, grantedUser := f.member(org.Member)
			if err := f.Server.Access.GrantStudy(t.Context(), f.study.ID, grantedUser.ID, org.StartRecruitment); err != nil {
				t.Fatal(err)
			}
			member, _ := f.member(org.Member)
			supervisor, _ := f.member(org.Supervisor)
			admin, _ := f.member(org.Admin)
			scoped := strings.Contains(op.Pattern, "{orgId}") || strings.Contains(op.Pattern, "{studyRef}")
			for _, who := range []struct {
				name   string
				b      *browser
				rank   int
				inside bool
			}{
				{"nobody", &browser{f: f}, 0, false},
				{"stranger", f.as(other.User), 1, false},
				{"member", member, 2, true},
				{"granted", granted, 2, true},
				{"owner", owner, 2, true},
				{"supervisor", supervisor, 3, true},
				{"admin", admin, 4, true},
			} {
				st := f.study.LinkID
				if who.name == "owner" {
					st = own.ID
				}
				call := f.target(op.Pattern, st, who.b)
				a := who.b.do(call.method, call.path, call.body, call.headers...)
				if strings.Contains(op.Pattern, "/trash/") || op.Pattern == "DELETE /api/dashboard/studies/{studyRef}" {
					f.as(f.Admin).do("POST", "/api/dashboard/trash/"+st+"/restore", "")
				}
				may := who.rank >= rank[op.Role] || op.Own && (who.name == "owner" || who.name == "granted")
				switch {
				case op.Role == "nobody":
					if c := a.Code(); c == "sign_in_needed" || c == "role_needed" {
						t.Errorf("%s gets %s", who.name, c)
					}
				case who.rank == 0:
					a.Want(t, 401, "sign_in_needed")
				case scoped && !who.inside:
					if a.Status != 404 {
						t.Errorf("a stranger gets %d %s", a.Status, a.Body)
					}
				case !may:
					a.Want(t, 403, "role_needed")
				case who.name == "owner" && a.Code() == "response_not_found", who.name == "owner" && a.Code() == "count_differs": // the study has no responses
				case strings.HasSuffix(op.Pattern, "/correction") && a.Code() == "conflict": // nothing was spoken
				case a.Code() == "no_panel": // the study has none
				case strings.HasPrefix(op.Pattern, "POST /api/dashboard/session/"): // they need a password or code besides
				case a.Status >= 300 && a.Code() != "member_already":
					t.Errorf("%s gets %d %s", who.name, a.Status, a.Body)
				}
			}
		})
	}
}

// TestOtherOrganizations: an admin does nothing to another organization by naming its things below the own one.
func TestOtherOrganizations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other := storetest.NewScene(t, f.Store)
	stranger, admin := f.as(other.User), f.as(f.Admin)
	base, own := "/api/dashboard/organizations/"+other.Org.ID, "/api/dashboard/organizations/"+f.Org.ID
	key := field(t, stranger.do("POST", base+"/keys", `{"name":"k"}`).Want(t, 201, ""), "key", "id")
	invitation := field(t, stranger.do("POST", base+"/invitations", `{"email":"i@example.org","role":"member"}`).Want(t, 201, ""), "invitation", "id")
	for _, call := range []target{
		{"DELETE", own + "/keys/" + key, "", nil},
		{"DELETE", own + "/invitations/" + invitation, "", nil},
		{"DELETE", own + "/people/" + other.User.ID, "", nil},
		{"PATCH", own + "/people/" + other.User.ID, `{"role":"member"}`, nil},
		{"POST", own + "/people/" + other.User.ID + "/reset", "", nil},
		{"GET", base + "/people", "", nil},
	} {
		admin.do(call.method, call.path, call.body).Want(t, 404, "not_found")
	}
	if got := field(t, stranger.get(base+"/keys"), "keys", 0, "revokedAt"); got != "<nil>" {
		t.Errorf("the key was revoked: %s", got)
	}
	_ = servertest.BaseURL
}

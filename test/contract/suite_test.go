package contract

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/sample"
)

func load(t *testing.T) *Suite {
	t.Helper()
	suite, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

func TestOperations(t *testing.T) {
	t.Parallel()
	var got []string
	for _, op := range load(t).Operations() {
		got = append(got, op.Document+" "+op.Pattern())
	}
	want := []string{
		"v1 POST /api/public/v1/ask",
		"v1 GET /api/public/v1/response-deletions/{deletionId}",
		"v1 GET /api/public/v1/responses",
		"v1 DELETE /api/public/v1/responses",
		"v1 GET /api/public/v1/responses/{linkId}",
		"v1 GET /api/public/v1/responses/{linkId}/{responseId}",
		"v1 GET /api/public/v1/studies",
		"v1 POST /api/public/v1/studies/create",
		"v1 POST /api/public/v1/studies/{studyId}/ask",
		"v1 POST /api/public/v1/studies/{studyId}/launch",
		"v1 GET /api/public/v1/studies/{studyId}/questions",
		"v1 POST /api/public/v1/studies/{studyId}/reports",
		"v1 GET /api/public/v1/studies/{studyId}/themes",
		"v1 POST /api/public/v1/studies/{studyId}/themes/{questionId}",
		"v1 GET /api/public/v1/study-reports/{reportId}",
		"v1 GET /api/public/v1/wallets",
		"v1 GET /m/{expiry}/{signature}/{name...}",
		"v1 OPTIONS /m/{expiry}/{signature}/{name...}",
		"legacy GET /api/public/list_surveys",
		"legacy GET /api/public/responses/{link_id}",
		"legacy GET /api/public/responses/{link_id}/{response_id}",
		"legacy GET /api/public/studies/{study_id}/questions",
		"participant GET /i/{token}",
		"participant POST /i/{token}/answers",
		"participant POST /i/{token}/consent",
		"participant GET /i/{token}/events",
		"participant GET /i/{token}/steps/{stepId}/speech",
		"participant POST /i/{token}/uploads",
		"participant OPTIONS /i/{token}/uploads",
		"participant HEAD /i/{token}/uploads/{id}",
		"participant POST /i/{token}/uploads/{id}",
		"participant PATCH /i/{token}/uploads/{id}",
		"participant DELETE /i/{token}/uploads/{id}",
		"participant OPTIONS /i/{token}/uploads/{id}",
		"participant POST /i/{token}/uploads/{id}/transcript",
		"participant POST /i/{token}/withdraw",
		"participant GET /s/{linkId}",
		"participant POST /s/{linkId}/interviews",
		"dashboard GET /api/dashboard/instance",
		"dashboard POST /api/dashboard/instance/parts/{part}/try",
		"dashboard GET /api/dashboard/organizations/{orgId}/audit",
		"dashboard GET /api/dashboard/organizations/{orgId}/audit/file",
		"dashboard GET /api/dashboard/organizations/{orgId}/folders",
		"dashboard POST /api/dashboard/organizations/{orgId}/folders",
		"dashboard PATCH /api/dashboard/organizations/{orgId}/folders",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/folders",
		"dashboard POST /api/dashboard/organizations/{orgId}/invitations",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/invitations/{invitationId}",
		"dashboard GET /api/dashboard/organizations/{orgId}/keys",
		"dashboard POST /api/dashboard/organizations/{orgId}/keys",
		"dashboard PATCH /api/dashboard/organizations/{orgId}/keys/{keyId}",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/keys/{keyId}",
		"dashboard GET /api/dashboard/organizations/{orgId}/people",
		"dashboard PATCH /api/dashboard/organizations/{orgId}/people/{userId}",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/people/{userId}",
		"dashboard POST /api/dashboard/organizations/{orgId}/people/{userId}/reset",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/people/{userId}/two-step",
		"dashboard GET /api/dashboard/organizations/{orgId}/retention",
		"dashboard PUT /api/dashboard/organizations/{orgId}/retention",
		"dashboard POST /api/dashboard/organizations/{orgId}/retention/preview",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/retention/studies/{ruleStudy}",
		"dashboard GET /api/dashboard/organizations/{orgId}/studies",
		"dashboard POST /api/dashboard/organizations/{orgId}/studies",
		"dashboard GET /api/dashboard/organizations/{orgId}/trash",
		"dashboard GET /api/dashboard/organizations/{orgId}/wallets",
		"dashboard GET /api/dashboard/organizations/{orgId}/wallets/{walletId}",
		"dashboard POST /api/dashboard/organizations/{orgId}/wallets/{walletId}/deposits",
		"dashboard GET /api/dashboard/organizations/{orgId}/webhooks",
		"dashboard POST /api/dashboard/organizations/{orgId}/webhooks",
		"dashboard GET /api/dashboard/organizations/{orgId}/webhooks/{webhookId}",
		"dashboard PATCH /api/dashboard/organizations/{orgId}/webhooks/{webhookId}",
		"dashboard DELETE /api/dashboard/organizations/{orgId}/webhooks/{webhookId}",
		"dashboard GET /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries",
		"dashboard POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries/{eventId}/replay",
		"dashboard POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/replay",
		"dashboard POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/secret",
		"dashboard POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/test",
		"dashboard POST /api/dashboard/outline",
		"dashboard GET /api/dashboard/panel-presets",
		"dashboard POST /api/dashboard/passkeys/challenge",
		"dashboard POST /api/dashboard/passkeys/sign-in",
		"dashboard GET /api/dashboard/session",
		"dashboard POST /api/dashboard/session",
		"dashboard DELETE /api/dashboard/session",
		"dashboard GET /api/dashboard/session/confirmation",
		"dashboard POST /api/dashboard/session/confirmation",
		"dashboard POST /api/dashboard/session/forgotten",
		"dashboard GET /api/dashboard/session/list",
		"dashboard DELETE /api/dashboard/session/list/{sessionId}",
		"dashboard GET /api/dashboard/session/passkeys",
		"dashboard POST /api/dashboard/session/passkeys",
		"dashboard POST /api/dashboard/session/passkeys/challenge",
		"dashboard PATCH /api/dashboard/session/passkeys/{passkeyId}",
		"dashboard DELETE /api/dashboard/session/passkeys/{passkeyId}",
		"dashboard POST /api/dashboard/session/password",
		"dashboard GET /api/dashboard/session/two-step",
		"dashboard POST /api/dashboard/session/two-step",
		"dashboard POST /api/dashboard/session/two-step/confirmation",
		"dashboard POST /api/dashboard/session/two-step/end",
		"dashboard POST /api/dashboard/session/two-step/recovery-codes",
		"dashboard GET /api/dashboard/sign-in",
		"dashboard GET /api/dashboard/studies/{studyRef}",
		"dashboard PATCH /api/dashboard/studies/{studyRef}",
		"dashboard DELETE /api/dashboard/studies/{studyRef}",
		"dashboard GET /api/dashboard/studies/{studyRef}/arrivals",
		"dashboard POST /api/dashboard/studies/{studyRef}/ask",
		"dashboard POST /api/dashboard/studies/{studyRef}/close",
		"dashboard POST /api/dashboard/studies/{studyRef}/deletions",
		"dashboard GET /api/dashboard/studies/{studyRef}/draft",
		"dashboard PUT /api/dashboard/studies/{studyRef}/draft",
		"dashboard GET /api/dashboard/studies/{studyRef}/draft/changes",
		"dashboard GET /api/dashboard/studies/{studyRef}/draft/versions",
		"dashboard GET /api/dashboard/studies/{studyRef}/draft/versions/{version}",
		"dashboard POST /api/dashboard/studies/{studyRef}/draft/versions/{version}/restore",
		"dashboard GET /api/dashboard/studies/{studyRef}/exports",
		"dashboard POST /api/dashboard/studies/{studyRef}/exports",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/exports/{exportId}",
		"dashboard GET /api/dashboard/studies/{studyRef}/exports/{exportId}/file",
		"dashboard GET /api/dashboard/studies/{studyRef}/fieldwork",
		"dashboard GET /api/dashboard/studies/{studyRef}/grants",
		"dashboard PUT /api/dashboard/studies/{studyRef}/grants/{userId}",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/grants/{userId}",
		"dashboard GET /api/dashboard/studies/{studyRef}/groupings",
		"dashboard POST /api/dashboard/studies/{studyRef}/launch",
		"dashboard GET /api/dashboard/studies/{studyRef}/launch-check",
		"dashboard GET /api/dashboard/studies/{studyRef}/media",
		"dashboard POST /api/dashboard/studies/{studyRef}/media",
		"dashboard GET /api/dashboard/studies/{studyRef}/media/{mediaId}",
		"dashboard PATCH /api/dashboard/studies/{studyRef}/media/{mediaId}",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/media/{mediaId}",
		"dashboard GET /api/dashboard/studies/{studyRef}/panel/deliveries",
		"dashboard POST /api/dashboard/studies/{studyRef}/panel/deliveries/retry",
		"dashboard POST /api/dashboard/studies/{studyRef}/panel/links",
		"dashboard PUT /api/dashboard/studies/{studyRef}/panel/secret",
		"dashboard POST /api/dashboard/studies/{studyRef}/pause",
		"dashboard POST /api/dashboard/studies/{studyRef}/presence",
		"dashboard POST /api/dashboard/studies/{studyRef}/preview",
		"dashboard POST /api/dashboard/studies/{studyRef}/preview-link",
		"dashboard GET /api/dashboard/studies/{studyRef}/quotes",
		"dashboard POST /api/dashboard/studies/{studyRef}/reopen",
		"dashboard GET /api/dashboard/studies/{studyRef}/report",
		"dashboard POST /api/dashboard/studies/{studyRef}/report",
		"dashboard GET /api/dashboard/studies/{studyRef}/report/{reportId}/table",
		"dashboard GET /api/dashboard/studies/{studyRef}/responses",
		"dashboard GET /api/dashboard/studies/{studyRef}/responses/{number}",
		"dashboard POST /api/dashboard/studies/{studyRef}/responses/{number}/analysis",
		"dashboard GET /api/dashboard/studies/{studyRef}/responses/{number}/annotations",
		"dashboard POST /api/dashboard/studies/{studyRef}/responses/{number}/annotations",
		"dashboard PATCH /api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}",
		"dashboard POST /api/dashboard/studies/{studyRef}/responses/{number}/plays",
		"dashboard PUT /api/dashboard/studies/{studyRef}/responses/{number}/quality",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/responses/{number}/quality",
		"dashboard PUT /api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction",
		"dashboard GET /api/dashboard/studies/{studyRef}/tags",
		"dashboard POST /api/dashboard/studies/{studyRef}/tags",
		"dashboard PATCH /api/dashboard/studies/{studyRef}/tags/{tagId}",
		"dashboard DELETE /api/dashboard/studies/{studyRef}/tags/{tagId}",
		"dashboard GET /api/dashboard/studies/{studyRef}/themes",
		"dashboard POST /api/dashboard/studies/{studyRef}/themes/{questionId}",
		"dashboard GET /api/dashboard/studies/{studyRef}/translations",
		"dashboard GET /api/dashboard/studies/{studyRef}/translations/{language}",
		"dashboard PATCH /api/dashboard/studies/{studyRef}/translations/{language}",
		"dashboard POST /api/dashboard/studies/{studyRef}/translations/{language}/approval",
		"dashboard POST /api/dashboard/studies/{studyRef}/translations/{language}/machine",
		"dashboard POST /api/dashboard/studies/{studyRef}/visibility",
		"dashboard GET /api/dashboard/templates",
		"dashboard GET /api/dashboard/templates/{templateId}",
		"dashboard POST /api/dashboard/tokens/check",
		"dashboard POST /api/dashboard/tokens/invitation",
		"dashboard POST /api/dashboard/tokens/reset",
		"dashboard POST /api/dashboard/tokens/set-up",
		"dashboard POST /api/dashboard/tokens/sign-in",
		"dashboard POST /api/dashboard/trash/{studyRef}/restore",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}

// TestAnswerExamples also checks that every error code has an example of its name.
func TestAnswerExamples(t *testing.T) {
	t.Parallel()
	suite := load(t)
	shown := map[Case]bool{}
	for _, example := range suite.Examples() {
		if example.IsRequest() {
			continue
		}
		op := suite.operation(t, example.Operation)
		a := op.answers[example.Status]
		var code string
		if slices.Contains(a.codes, example.Name) {
			code = example.Name
			if !bytes.Contains(example.Body, []byte(`"code":"`+code+`"`)) {
				t.Errorf("%s %d: the example %s shows another code", op.Pattern(), example.Status, example.Name)
			}
		}
		shown[Case{op.Operation, example.Status, code}] = true
		schema := a.content[example.MediaType]
		if !isJSON(example.MediaType) {
			continue
		}
		if err := fits(schema, example.Body); err != nil {
			t.Errorf("%s %d, example %s: %v", op.Pattern(), example.Status, example.Name, err)
		}
	}
	for _, op := range suite.operations {
		for _, c := range op.cases() {
			shows := func(schema *jsonschema.Schema) bool { return schema != nil } // bytes cannot be shown
			if slices.ContainsFunc(slices.Collect(maps.Values(op.answers[c.Status].content)), shows) && op.Method != http.MethodHead && !shown[c] {
				t.Errorf("%s: no example shows it", c)
			}
		}
	}
}

func TestRequestExamples(t *testing.T) {
	t.Parallel()
	suite := load(t)
	seen := map[Operation]int{}
	for _, example := range suite.Examples() {
		if !example.IsRequest() {
			continue
		}
		op := suite.operation(t, example.Operation)
		seen[op.Operation]++
		if strings.ContainsAny(example.Target, "{}") {
			t.Errorf("%s: %s is no address", op.Pattern(), example.Target)
		}
		request, err := http.NewRequest(op.Method, example.Target, bytes.NewReader(example.Body))
		if err != nil {
			t.Fatal(err)
		}
		if found := suite.find(request); found != op {
			t.Errorf("%s: %s leads elsewhere", op.Pattern(), example.Target)
		}
		if example.MediaType != "" {
			if err := fits(op.body[example.MediaType], example.Body); err != nil {
				t.Errorf("%s, example %s: %v", op.Pattern(), example.Name, err)
			}
		}
		if op.ID == "createStudy" && op.Document != "dashboard" {
			if _, err := guide.Decode(example.Body, guide.Options{NewID: uuid.NewString}); err != nil {
				t.Errorf("create refuses the example %s: %v", example.Name, err)
			}
		}
	}
	for _, op := range suite.operations {
		if seen[op.Operation] == 0 && op.body["application/json"] != nil {
			t.Errorf("%s has no request example", op.Pattern())
		}
	}
}

// TestCreateSchema plants one violation each into the rich create example, and checks that the server's decoder agrees with the schema.
func TestCreateSchema(t *testing.T) {
	t.Parallel()
	suite := load(t)
	i := slices.IndexFunc(suite.Examples(), func(e Example) bool { return e.Operation.ID == "createStudy" && e.Name == "rich" })
	rich := string(suite.Examples()[i].Body)
	schema := suite.operation(t, suite.Examples()[i].Operation).body["application/json"]

	if err := fits(schema, sample.Payload); err != nil {
		t.Errorf("the sample guide: %v", err)
	}
	for _, test := range []struct {
		name, old, new string
		fits           bool
	}{
		{"null of another type's key", `"type":"ranking"`, `"type":"ranking","rows":null`, true},
		{"null config of another block", `"type":"screening"`, `"type":"screening","conceptSamplingConfig":null`, true},
		{"config without concepts, a matter of the rules", `"type":"screening"`, `"type":"screening","conceptSamplingConfig":{}`, true},
		{"value of another type's key", `"type":"ranking"`, `"type":"ranking","rows":[]`, false},
		{"unknown key", `"type":"ranking"`, `"type":"ranking","colour":"red"`, false},
		{"unknown type", `"type":"ranking"`, `"type":"rank"`, false},
		{"file upload", `"type":"ranking"`, `"type":"file_upload"`, false},
		{"missing title", `"title":"Meal kits 2026, pausing",`, ``, false},
		{"empty title", `"title":"Meal kits 2026, pausing"`, `"title":""`, false},
		{"screen size", `"itemsPerScreen":3`, `"itemsPerScreen":6`, false},
		{"zero minSelect", `"minSelect":1`, `"minSelect":0`, false},
		{"null of a key without null", `"closingMessage":"That was all. Thank you for your time."`, `"closingMessage":null`, false},
		{"unknown language", `["de","fr"]`, `["de","xx"]`, false},
		{"relative address", `"url":"https://media.example.com/snooze.png"`, `"url":"/snooze.png"`, false},
		{"wrong scheme", `"url":"https://media.example.com/snooze.png"`, `"url":"ftp://example.com/a.png"`, false},
		{"unknown criterion", `"type":"searchParam"`, `"type":"cookie"`, false},
		{"wide picture", `"widthPercentage":60`, `"widthPercentage":101`, false},
		{"width in fractions", `"widthPercentage":60`, `"widthPercentage":33.3`, true},
		{"narrow picture", `"widthPercentage":60`, `"widthPercentage":0.5`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			body := strings.Replace(rich, test.old, test.new, 1)
			if body == rich {
				t.Fatalf("the example has no %s", test.old)
			}
			if err := fits(schema, []byte(body)); (err == nil) != test.fits {
				t.Errorf("fits = %t, want %t: %v", err == nil, test.fits, err)
			}
			_, err := guide.Decode([]byte(body), guide.Options{NewID: uuid.NewString})
			if _, refused := errors.AsType[*guide.SchemaError](err); refused == test.fits {
				t.Errorf("the decoder disagrees: %v", err)
			}
		})
	}
}

func (s *Suite) operation(t *testing.T, want Operation) *operation {
	t.Helper()
	for _, op := range s.operations {
		if op.Operation == want {
			return op
		}
	}
	t.Fatalf("no operation %s", want.Pattern())
	return nil
}

func fits(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

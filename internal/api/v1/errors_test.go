package v1_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/openapi"
)

const (
	create    = "/api/public/v1/studies/create"
	unknownID = "0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10" // an id that does not exist
)

const smallGuide = `{"title":"Apples","studyGuide":[{"type":"flat","title":"","items":[{"type":"open_ended","text":"Why apples?"}]}]}`

// brokenGuide has the right shape but contradicts itself.
const brokenGuide = `{"title":"Apples","studyGuide":[{"type":"concept","title":"","items":[{"type":"open_ended","text":"Why?"}]}]}`

// launch returns the path that launches a study.
func launch(studyID string) string { return "/api/public/v1/studies/" + studyID + "/launch" }

// testedElsewhere names the tests of the error codes that have no subtest of TestErrors.
var testedElsewhere = map[string]string{
	"concurrent_modification": "TestBusy", "study_busy": "TestBusy",
	"conflict":            "TestIdempotency and TestLaunch",
	"service_unavailable": "TestOutages", "insufficient_storage": "TestOutages",
	"invalid_link": "the tests of internal/api/media", "expired_link": "the tests of internal/api/media",
}

// TestErrors has a subtest for each error code of the contract (ErrorCode in openapi/v1.yaml), named after it, except for those in
// testedElsewhere.
func TestErrors(t *testing.T) {
	t.Parallel()
	type service = servertest.Service
	tests := []struct {
		code   string
		status int
		ask    func(t *testing.T, s *service) []servertest.Answer
	}{
		{"invalid_json", 400, func(t *testing.T, s *service) (got []servertest.Answer) {
			draft := storetest.Draft(t, s.Store, s.Org.ID, "")
			for _, body := range []string{`{`, `{"title":"a","title":"b"}`, `{} {}`, "{\"title\":\"\xff\"}", `{"title":NaN}`} {
				got = append(got, s.Do(t, "POST", create, body), s.Do(t, "POST", launch(draft.ID), body))
			}
			return append(got, s.Do(t, "POST", create, ""))
		}},
		{"invalid_request_body", 400, func(t *testing.T, s *service) (got []servertest.Answer) {
			draft := storetest.Draft(t, s.Store, s.Org.ID, "")
			return []servertest.Answer{
				s.Do(t, "POST", create, `{"title":1}`),
				s.Do(t, "POST", create, strings.Replace(smallGuide, "title", "tittle", 1)),
				s.Do(t, "POST", launch(draft.ID), `{"walletId":"mine"}`),
				s.Do(t, "POST", launch(draft.ID), `{"walletId":null}`),
				s.Do(t, "POST", launch(draft.ID), `[]`),
				s.Do(t, "POST", launch(unknownID), `{"wallet":"x"}`), // the schema is checked before the study is looked up
			}
		}},
		{"invalid_study_guide", 400, func(t *testing.T, s *service) []servertest.Answer {
			a := s.Do(t, "POST", create, brokenGuide)
			if !strings.Contains(string(a.Body), "studyGuide[0]") {
				t.Errorf("the message does not say where the broken rule is: %s", a.Body)
			}
			return []servertest.Answer{a}
		}},
		{"wallet_required", 400, func(t *testing.T, s *service) []servertest.Answer {
			storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit)
			storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit)
			draft := storetest.Draft(t, s.Store, s.Org.ID, "")
			return []servertest.Answer{s.Do(t, "POST", launch(draft.ID), ""), s.Do(t, "POST", launch(draft.ID), "{}")}
		}},
		{"insufficient_credits", 400, func(t *testing.T, s *service) []servertest.Answer {
			storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit-1)
			rich := storetest.Wallet(t, s.Store, s.Org.ID, 5*wallet.Credit)
			other := storetest.Org(t, s.Store)
			storetest.Write(t, s.Store, func(tx *store.Tx) error {
				return tx.GrantWallet(t.Context(), wallet.Grant{WalletID: rich.ID, OrgID: other.ID, Limited: true})
			})
			key := storetest.Key(t, s.Store, other.ID, storetest.User(t, s.Store, other.ID, org.Admin).ID)
			poor := storetest.Draft(t, s.Store, s.Org.ID, "")
			limited := storetest.Draft(t, s.Store, other.ID, "")
			wallets := servertest.Decode[walletList](t, s.Get(t, "/api/public/v1/wallets"))
			return []servertest.Answer{
				s.Do(t, "POST", launch(poor.ID), fmt.Sprintf(`{"walletId":%q}`, wallets.Wallets[0].WalletID)),
				s.Do(t, "POST", launch(limited.ID), "", "x-api-key", key),
			}
		}},
		{"bad_request", 400, func(t *testing.T, s *service) (got []servertest.Answer) {
			link := storetest.Study(t, s.Store, s.Org.ID, "", "").LinkID
			for _, query := range []string{
				"page=-1", "page=x", "page=", "page=1.5", "page=%2B1", "page=1&page=1", "perPage=0", "perPage=10001",
				"perPage=99999999999999999999", "updatedSince=2026-03-02", "updatedSince=yesterday", "updatedSince=2026-13-02T00:00:00Z",
				"updatedSince=2026-03-02T00:00:00%2B0100", "updatedSince=", "includeInProgress=1", "includeInProgress=True", "page=%zz",
			} {
				got = append(got, s.Get(t, "/api/public/v1/responses/"+link+"?"+query))
			}
			for query, parts := range map[string][]string{
				"per_page=2":                            {"perPage"},
				"updated_since=x&page=-1":               {"updatedSince", "page must"},
				"page=-1&perPage=0&IncludeInProgress=1": {"page must", "perPage must", "includeInProgress"},
			} {
				a := s.Get(t, "/api/public/v1/responses/"+link+"?"+query)
				for _, part := range parts {
					if !strings.Contains(string(a.Body), part) {
						t.Errorf("%s is refused without %q: %s", query, part, a.Body)
					}
				}
				got = append(got, a)
			}
			for method, query := range map[string]string{"GET": "limit=0&includehidden=true", "DELETE": "study_id=" + unknownID} {
				a := s.Do(t, method, "/api/public/v1/responses?"+query, "")
				for _, part := range map[string][]string{"GET": {"limit must", "includeHidden", "parameter is missing", "value is missing"}, "DELETE": {"Did you mean studyId?", "studyId must", "responseId must"}}[method] {
					if !strings.Contains(string(a.Body), part) {
						t.Errorf("%s %s is refused without %q: %s", method, query, part, a.Body)
					}
				}
				got = append(got, a)
			}
			for _, query := range []string{
				"", "value=x", "parameter=&value=x", "parameter=a", "parameter=a&parameter=b&value=x", "parameter=a&value=x&limit=0",
				"parameter=a&value=x&limit=1001", "parameter=a&value=x&includeHidden=yes", "parameter=a&value=x&cursor=",
				"parameter=a&value=x&cursor=AYmX0T5fewaNQnfBoOS50w",
			} {
				got = append(got, s.Get(t, "/api/public/v1/responses?"+query))
			}
			for _, query := range []string{"", "studyId=" + unknownID, "studyId=x&responseId=" + unknownID, "studyId=" + unknownID + "&responseId=1"} {
				got = append(got, s.Do(t, "DELETE", "/api/public/v1/responses?"+query, ""))
			}
			for _, ref := range []string{"0", "01", "-1", "abc", unknownID[:35]} {
				got = append(got, s.Get(t, "/api/public/v1/responses/"+link+"/"+ref))
			}
			for _, path := range []string{create, launch(unknownID)} {
				got = append(got, s.Send(t, "POST", path, iotest.ErrReader(errors.New("the sender is gone"))))
			}
			return append(got,
				s.Get(t, "/api/public/v1/responses/nosuchstudy/abc"), // the path is checked before the study is looked up
				s.Get(t, "/api/public/v1/response-deletions/1"))
		}},
		{"missing_api_key", 401, func(t *testing.T, s *service) (got []servertest.Answer) {
			for _, op := range operations() {
				got = append(got, s.Do(t, op.Method, op.path(), "", "x-api-key", ""))
			}
			return append(got, s.Get(t, "/api/public/v1/wallets", "x-api-key", " "))
		}},
		{"invalid_api_key", 401, func(t *testing.T, s *service) (got []servertest.Answer) {
			for _, op := range operations() {
				got = append(got, s.Do(t, op.Method, op.path(), "", "x-api-key", "vb_nonsense"))
			}
			unknown := org.FormatKey([32]byte{1})
			revoked := storetest.Key(t, s.Store, s.Org.ID, s.Admin.ID)
			if _, err := (&access.Service{Store: s.Store}).RevokeKey(t.Context(), revoked); err != nil {
				t.Fatal(err)
			}
			return append(got, s.Get(t, "/api/public/v1/wallets", "x-api-key", unknown), s.Get(t, "/api/public/v1/wallets", "x-api-key", revoked))
		}},
		{"forbidden", 403, func(t *testing.T, s *service) (got []servertest.Answer) {
			if err := (&access.Service{Store: s.Store}).RemoveUser(t.Context(), s.Org.ID, s.Admin.ID); err != nil {
				t.Fatal(err)
			}
			for _, op := range operations() {
				got = append(got, s.Do(t, op.Method, op.path(), ""))
			}
			return got
		}},
		{"launch_permission_denied", 403, func(t *testing.T, s *service) []servertest.Answer {
			draft := storetest.Draft(t, s.Store, s.Org.ID, s.Admin.ID)
			key := storetest.Key(t, s.Store, s.Org.ID, member(t, s, s.Org.ID))
			return []servertest.Answer{s.Do(t, "POST", launch(draft.ID), fmt.Sprintf(`{"walletId":%q}`, unknownID), "x-api-key", key)}
		}},
		{"wallet_access_denied", 403, func(t *testing.T, s *service) []servertest.Answer {
			foreign := storetest.Wallet(t, s.Store, storetest.Org(t, s.Store).ID, wallet.Credit)
			draft := storetest.Draft(t, s.Store, s.Org.ID, "")
			return []servertest.Answer{
				s.Do(t, "POST", launch(draft.ID), fmt.Sprintf(`{"walletId":%q}`, foreign.ID)),
				s.Do(t, "POST", launch(draft.ID), fmt.Sprintf(`{"walletId":%q}`, unknownID)),
			}
		}},
		{"study_not_found", 404, func(t *testing.T, s *service) (got []servertest.Answer) {
			foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
			for _, ref := range []string{foreign.ID, foreign.LinkID, unknownID, "nosuchstudy", "%00", "a%2Fb"} {
				got = append(got,
					s.Get(t, "/api/public/v1/studies/"+ref+"/questions"), s.Get(t, "/api/public/v1/responses/"+ref),
					s.Get(t, "/api/public/v1/responses/"+ref+"/1"), s.Do(t, "POST", launch(ref), ""))
			}
			own := storetest.Draft(t, s.Store, s.Org.ID, "")
			return append(got, s.Do(t, "POST", launch(own.LinkID), ""))
		}},
		{"response_not_found", 404, func(t *testing.T, s *service) (got []servertest.Answer) {
			one, two := storetest.Study(t, s.Store, s.Org.ID, "", ""), storetest.Study(t, s.Store, s.Org.ID, "", "")
			elsewhere := s.AddResponse(t, two, document.Source{})
			for _, ref := range []string{"1", unknownID, elsewhere.ID, "99999999999999999999"} {
				got = append(got, s.Get(t, "/api/public/v1/responses/"+one.LinkID+"/"+ref))
			}
			return got
		}},
		{"not_found", 404, func(t *testing.T, s *service) []servertest.Answer {
			one, two := storetest.Study(t, s.Store, s.Org.ID, "", ""), storetest.Study(t, s.Store, s.Org.ID, "", "")
			r := s.AddResponse(t, one, document.Source{})
			foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
			theirs := s.AddResponse(t, foreign, document.Source{})
			return []servertest.Answer{
				s.Do(t, "DELETE", deletion(two.ID, r.ID), ""),
				s.Do(t, "DELETE", deletion(one.ID, unknownID), ""),
				s.Do(t, "DELETE", deletion(unknownID, r.ID), ""),
				s.Do(t, "DELETE", deletion(foreign.ID, theirs.ID), ""),
				s.Get(t, "/api/public/v1/response-deletions/"+unknownID),
				s.Get(t, "/api/public/v1/nothing"),
				s.Get(t, "/api/public/v1//studies"),
				s.Get(t, "/api/public/v1/studies/"),
				s.Get(t, "/api/public/"),
			}
		}},
		{"method_not_allowed", 405, func(t *testing.T, s *service) []servertest.Answer {
			for path, allow := range map[string]string{
				"/api/public/v1/responses": "DELETE, GET, HEAD", create: "POST", "/api/public/list_surveys": "GET, HEAD",
			} {
				if got := s.Do(t, "PATCH", path, "").Header.Get("Allow"); got != allow {
					t.Errorf("PATCH %s allows %q, want %q", path, got, allow)
				}
			}
			return []servertest.Answer{s.Do(t, "PUT", create, "{}"), s.Get(t, create), s.Do(t, "OPTIONS", "/api/public/v1/wallets", "")}
		}},
		{"payload_too_large", 413, func(t *testing.T, s *service) []servertest.Answer {
			huge := strings.Repeat(" ", 4<<20+1)
			many := "[" + strings.Repeat("0,", strictjson.MaxValues) + "0]"
			return []servertest.Answer{
				s.Do(t, "POST", create, huge), s.Do(t, "POST", launch(unknownID), huge), s.Do(t, "POST", create, many), s.Do(t, "POST", launch(unknownID), many),
			}
		}},
		{"rate_limited", 429, func(t *testing.T, s *service) (got []servertest.Answer) {
			s.Server.Keys = &access.Limiter{PerSecond: 1, Now: storetest.NewClock().Now}
			for range 2 {
				s.Get(t, "/api/public/v1/nothing").Want(t, 404, "not_found")
			}
			for _, op := range operations() {
				got = append(got, s.Do(t, op.Method, op.path(), ""))
			}
			if after := got[0].Header.Get("Retry-After"); after != "1" {
				t.Errorf("Retry-After is %q, want 1", after)
			}
			return got
		}},
		{"busy", 503, func(t *testing.T, s *service) []servertest.Answer {
			s.Server.Bodies = &httpx.Budget{Bytes: 8 << 10, Wait: time.Nanosecond}
			held, sender := io.Pipe()
			began, ended := make(chan bool), make(chan servertest.Answer)
			go func() {
				ended <- s.Send(t, "POST", create, io.MultiReader(readFunc(func() { close(began) }), held)) // uses all that its address may use
			}()
			<-began
			got := []servertest.Answer{s.Do(t, "POST", create, smallGuide), s.Do(t, "POST", launch(unknownID), "{}")}
			_ = sender.Close()
			(<-ended).Want(t, 400, "invalid_json")
			s.Do(t, "POST", create, smallGuide).Want(t, 201, "") // what was used is refunded
			return got
		}},
		{"internal_error", 500, func(t *testing.T, s *service) (got []servertest.Answer) {
			if err := s.Store.Close(); err != nil {
				t.Fatal(err)
			}
			for _, op := range operations() {
				got = append(got, s.Do(t, op.Method, op.path(), ""))
			}
			if id := got[0].Header.Get("X-Request-Id"); id == "" || !strings.Contains(string(got[0].Body), id) {
				t.Errorf("the answer lacks the request id %q: %s", id, got[0].Body)
			}
			return got
		}},
	}
	tested := maps.Clone(testedElsewhere)
	for _, test := range tests {
		tested[test.code] = "here"
	}
	if want, got := errorCodes(t), slices.Sorted(maps.Keys(tested)); !slices.Equal(got, want) {
		t.Errorf("tested are %v; the contract has the codes %v", got, want)
	}
	for _, test := range tests {
		t.Run(test.code, func(t *testing.T) {
			t.Parallel()
			for i, answer := range test.ask(t, servertest.New(t)) {
				if answer.Status != test.status || answer.Code() != test.code {
					t.Errorf("request %d answered %d %s", i, answer.Status, answer.Body)
				}
				var keys map[string]json.RawMessage
				if err := json.Unmarshal(answer.Body, &keys); err != nil {
					t.Errorf("request %d: no JSON: %v", i, err)
				}
				if _, issues := keys["issues"]; issues != (test.code == "invalid_request_body") {
					t.Errorf("request %d: issues are there: %v", i, issues)
				}
			}
		})
	}
}

// errorCodes returns the error codes of the contract, sorted.
func errorCodes(t *testing.T) []string {
	t.Helper()
	text, err := openapi.JSON(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas struct{ ErrorCode struct{ Enum []string } }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(document.Components.Schemas.ErrorCode.Enum))
}

// readFunc is an empty reader that calls itself when it is read.
type readFunc func()

func (f readFunc) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}

// TestBusy holds SQLite's only write transaction, so that every other write waits in vain.
func TestBusy(t *testing.T) {
	t.Parallel()
	s := servertest.NewWithStore(t, storetest.Open(t, storetest.SQLiteAddress(t), store.Options{Wait: 50 * time.Millisecond}))
	draft := storetest.Draft(t, s.Store, s.Org.ID, "")
	storetest.Write(t, s.Store, func(*store.Tx) error {
		s.Do(t, http.MethodPost, create, smallGuide).Want(t, 409, "concurrent_modification")
		s.Do(t, http.MethodPost, launch(draft.ID), "").Want(t, 409, "study_busy")
		return nil
	})
	s.Do(t, http.MethodPost, launch(draft.ID), "").Want(t, 200, "")
}

// operation is a method and path of the contract.
type operation struct{ Method, pattern string }

// path returns the pattern filled with ids that do not exist.
func (o operation) path() string {
	return strings.NewReplacer("{studyId}", unknownID, "{linkId}", unknownID, "{responseId}", "1", "{deletionId}", unknownID, "{reportId}", unknownID, "{questionId}", "q1").Replace(o.pattern)
}

func operations() (all []operation) {
	for _, op := range servertest.Contract().Operations() {
		if op.Document == "v1" && strings.HasPrefix(op.Path, "/api/") {
			all = append(all, operation{op.Method, op.Path})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.pattern+a.Method, b.pattern+b.Method) })
	return all
}

// member creates a user who may not launch the studies of others.
func member(t *testing.T, s *servertest.Service, orgID string) string {
	t.Helper()
	return storetest.User(t, s.Store, orgID, org.Member).ID
}

func deletion(studyID, responseID string) string {
	return "/api/public/v1/responses?studyId=" + studyID + "&responseId=" + responseID
}

type walletList struct {
	Wallets []struct{ WalletID, Name string }
}

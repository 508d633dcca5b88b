package dashboard_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/instance"
)

// wallet returns a wallet of the fixture's organization with ten credits.
func (f *fixture) wallet() wallet.Wallet {
	return storetest.Wallet(f.t, f.Store, f.Org.ID, 10*wallet.Credit)
}

// record adds to the first response a recording of its first answer.
func (f *fixture) record() {
	item, err := f.Store.View().ItemByReadableID(f.t.Context(), f.study.ID, 1)
	if err != nil {
		f.t.Fatal(err)
	}
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		return tx.AddRecording(f.t.Context(), recording.Recording{OrgID: f.Org.ID, ResponseID: item.ResponseID, StepID: "s1", Kind: recording.Audio, Row: 1})
	})
}

// TestKeyLimits changes name, scope and expiry of a key, until it is revoked.
func TestKeyLimits(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	keys := "/api/dashboard/organizations/" + f.Org.ID + "/keys"
	id := field(t, b.do("POST", keys, `{"name":"one"}`).Want(t, 201, ""), "key", "id")
	for _, step := range []struct{ body, name, readOnly, expires string }{
		{`{"name":"two"}`, "two", "false", "<nil>"},
		{`{"readOnly":true}`, "two", "true", "<nil>"},
		{`{"days":30}`, "two", "true", "20"},
		{`{"days":0,"readOnly":false}`, "two", "false", "<nil>"},
		{`{}`, "two", "false", "<nil>"},
	} {
		a := b.do("PATCH", keys+"/"+id, step.body).Want(t, 200, "")
		if field(t, a, "name") != step.name || field(t, a, "readOnly") != step.readOnly || !strings.HasPrefix(field(t, a, "expiresAt"), step.expires) {
			t.Errorf("%s gives %s", step.body, a.Body)
		}
	}
	b.do("PATCH", keys+"/"+id, `{"days":4000}`).Want(t, 400, "invalid_request_body")
	b.do("DELETE", keys+"/"+id, "").Want(t, 204, "")
	b.do("PATCH", keys+"/"+id, `{"name":"three"}`).Want(t, 404, "not_found")
	f.wantActions(b, "key.revoked", "key.changed", "key.changed", "key.changed", "key.changed", "key.created")
}

// wantActions fails the test unless these are the latest actions of the audit log.
func (f *fixture) wantActions(b *browser, want ...string) {
	f.t.Helper()
	log := b.get("/api/dashboard/organizations/"+f.Org.ID+"/audit").Want(f.t, 200, "")
	for i, action := range want {
		if got := field(f.t, log, "entries", i, "action"); got != action {
			f.t.Errorf("entry %d is %s, want %s", i, got, action)
		}
	}
}

// TestWallets tops a wallet up and reads its movements. Another organization's movements in the same wallet have no name.
func TestWallets(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, ctx := f.as(f.Admin), t.Context()
	w, other := f.wallet(), storetest.NewScene(t, f.Store)
	base := "/api/dashboard/organizations/" + f.Org.ID + "/wallets"
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return tx.GrantWallet(ctx, wallet.Grant{WalletID: w.ID, OrgID: other.Org.ID})
	})
	for range 2 {
		r := storetest.Response(t, f.Store, other.Study, nil)
		storetest.Write(t, f.Store, func(tx *store.Tx) error {
			return tx.PlaceHold(ctx, store.Hold{WalletID: w.ID, OrgID: other.Org.ID, StudyID: other.Study.ID, ResponseID: r.ID, Amount: wallet.Credit})
		})
	}
	made := b.do("POST", base+"/"+w.ID+"/deposits", `{"account":"project","credits":"2.125","note":"Invoice 7"}`).Want(t, 201, "")
	if got := field(t, made, "project", "available"); got != "10.125" {
		t.Errorf("after the deposit: %s", got)
	}
	for body, code := range map[string]string{
		`{"account":"project","credits":"0"}`: "bad_request", `{"account":"project","credits":"10000001"}`: "bad_request",
		`{"account":"project","credits":"-1"}`: "invalid_request_body", `{"account":"spent","credits":"1"}`: "invalid_request_body", `{"account":"project","credits":1}`: "invalid_request_body",
	} {
		b.do("POST", base+"/"+w.ID+"/deposits", body).Want(t, 400, code)
	}
	ledger := b.get(base+"/"+w.ID).Want(t, 200, "")
	for want, keys := range map[string][]any{
		"deposit": {"movements", 0, "reason"}, "10.125": {"movements", 0, "balance"}, "8": {"movements", 1, "balance"}, "true": {"movements", 1, "otherOrganization"}, "2": {"movements", 1, "held"}, "<nil>": {"next"},
	} {
		if got := field(t, ledger, keys...); got != want {
			t.Errorf("%v is %s, want %s", keys, got, want)
		}
	}
	if got := field(t, ledger, "days", 59, "project"); got != "10.125" {
		t.Errorf("at the end of today: %s", got)
	}
	older := b.get(base+"/"+w.ID+"?after="+field(t, ledger, "movements", 1, "id")).Want(t, 200, "")
	if got := field(t, older, "movements", 0, "balance"); got != "9" {
		t.Errorf("the page after begins with the balance %s", got)
	}
	b.get(base+"/"+w.ID+"?account=recruitment").Want(t, 200, "")
	for _, query := range []string{"?account=spent", "?after=1"} {
		b.get(base+"/"+w.ID+query).Want(t, 400, "bad_request")
	}
	b.get(base+"/"+f.Org.ID).Want(t, 404, "not_found")
	b.get(base+"/no-wallet").Want(t, 404, "not_found")
	stranger := f.as(other.User)
	strangers := "/api/dashboard/organizations/" + other.Org.ID + "/wallets"
	if got := field(t, stranger.get(strangers).Want(t, 200, ""), "mayTopUp"); got != "false" {
		t.Error("an admin of a later organization may top up")
	}
	stranger.do("POST", strangers+"/"+w.ID+"/deposits", `{"account":"project","credits":"1"}`).Want(t, 403, "role_needed")
	f.wantActions(b, "wallet.deposited")
}

// TestPlayIsAudited: a recording that is played stands in the audit log once, however often the browser says so.
func TestPlayIsAudited(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.record()
	b := f.as(f.Admin)
	plays := "/api/dashboard/studies/" + f.study.LinkID + "/responses/1/plays"
	for range 3 {
		b.do("POST", plays, `{"row":1,"kind":"audio"}`).Want(t, 204, "")
	}
	b.do("POST", plays, `{"row":1,"kind":"video"}`).Want(t, 404, "response_not_found")
	b.do("POST", plays, `{"row":-1,"kind":"audio"}`).Want(t, 400, "invalid_request_body")
	f.wantActions(b, "recording.played", "session.signed_in")
	log := b.get("/api/dashboard/organizations/" + f.Org.ID + "/audit?action=recording.played")
	if got := field(t, log, "entries", 0, "subject"); got != f.study.LinkID+"/1" {
		t.Errorf("the subject is %s", got)
	}
}

// TestAuditFiles reads the log as files, and finds neither a mail address in the log nor a formula in the file.
func TestAuditFiles(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	base := "/api/dashboard/organizations/" + f.Org.ID
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return tx.Audit(t.Context(), org.AuditEntry{OrgID: f.Org.ID, Action: org.AuditKeyCreated, Subject: "=1+1", Detail: map[string]string{"name": "<k>"}})
	})
	b.do("POST", base+"/invitations", `{"email":"ben@example.org","role":"member"}`).Want(t, 201, "")
	a := b.get(base+"/audit/file?format=csv").Want(t, 200, "")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(a.Body), "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 4 || rows[1][4] != "audit.exported" || rows[2][6] != "ben@example.org" || strings.Contains(rows[2][5]+rows[2][7], "@") || rows[3][5] != "'=1+1" || rows[3][7] != `{"name":"<k>"}` {
		t.Errorf("%v, %v", rows, err)
	}
	a = b.get(base+"/audit/file?format=jsonl&action=person.invited").Want(t, 200, "")
	var line struct{ Action, SubjectName, Hash string }
	if err := json.Unmarshal(a.Body, &line); err != nil || line.Action != "person.invited" || line.SubjectName != "ben@example.org" || len(line.Hash) != 64 {
		t.Errorf("%s: %v", a.Body, err)
	}
	for _, query := range []string{"/audit/file", "/audit/file?format=xlsx", "/audit?user=ben", "/audit?since=yesterday"} {
		b.get(base+query).Want(t, 400, "bad_request")
	}
	for query, want := range map[string]string{"user=" + f.Admin.ID: "audit.exported", "user=operator": "key.created"} {
		if got := field(t, b.get(base+"/audit?"+query).Want(t, 200, ""), "entries", 0, "action"); got != want {
			t.Errorf("%s finds %s first, want %s", query, got, want)
		}
	}
}

// TestInstance reads the parts of the installation and tries them, one at a time.
func TestInstance(t *testing.T) {
	t.Parallel()
	f := setup(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	f.Server.Dashboard.(*dashboard.API).Instance = &instance.Service{Version: "1.2", Parts: []instance.Part{
		{Name: "model", Configured: true, Try: func(context.Context) (string, error) { close(entered); <-leave; return "", errors.New("it sleeps") }},
		{Name: "mail"},
	}}
	b := f.as(f.Admin)
	seen := b.get("/api/dashboard/instance").Want(t, 200, "")
	if field(t, seen, "version") != "1.2" || field(t, seen, "parts", 1, "configured") != "false" {
		t.Errorf("%s", seen.Body)
	}
	b.do("POST", "/api/dashboard/instance/parts/mail/try", "").Want(t, 404, "not_found")
	first := make(chan servertest.Answer)
	go func() { first <- b.do("POST", "/api/dashboard/instance/parts/model/try", "") }()
	<-entered
	b.do("POST", "/api/dashboard/instance/parts/model/try", "").Want(t, 409, "conflict")
	close(leave)
	if a := <-first; field(t, a, "works") != "false" || field(t, a, "problem") != "it sleeps" {
		t.Errorf("%s", a.Body)
	}
}

// TestInstanceAdmin: the operator makes somebody an instance administrator and takes it back; the page of the person says so.
func TestInstanceAdmin(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other := storetest.NewScene(t, f.Store)
	b := f.as(other.User)
	for _, allowed := range []bool{true, false} {
		if _, err := f.Server.Access.SetInstanceAdmin(t.Context(), other.User.ID, allowed); err != nil {
			t.Fatal(err)
		}
		if got := field(t, b.get("/api/dashboard/session").Want(t, 200, ""), "instanceAdmin"); got != fmt.Sprint(allowed) {
			t.Errorf("the page says %s", got)
		}
		status, code := 200, ""
		if !allowed {
			status, code = 403, "role_needed"
		}
		b.get("/api/dashboard/instance").Want(t, status, code)
	}
	if _, err := f.Server.Access.SetInstanceAdmin(t.Context(), other.Org.ID, true); !errors.Is(err, org.ErrNoUser) {
		t.Errorf("nobody: %v", err)
	}
}

// TestRetention sets rules, asks what they would delete, and removes one.
func TestRetention(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, base := f.as(f.Admin), "/api/dashboard/organizations/"+f.Org.ID+"/retention"
	if got := field(t, b.get(base).Want(t, 200, ""), "rule"); got != "<nil>" {
		t.Errorf("before the first rule: %s", got)
	}
	for body, code := range map[string]string{
		`{"recordingDays":31,"responseDays":30}`: "bad_request", `{"responseDays":0}`: "invalid_request_body", `{"transcripts":"forget"}`: "invalid_request_body",
	} {
		b.do("PUT", base, body).Want(t, 400, code)
		b.do("POST", base+"/preview", body).Want(t, 400, code)
	}
	for _, call := range [][2]string{{"PUT", ""}, {"POST", "/preview"}} {
		b.do(call[0], base+call[1], `{"study":"no-such-study","responseDays":30}`).Want(t, 404, "study_not_found")
	}
	b.do("DELETE", base+"/studies/no-such-study", "").Want(t, 404, "study_not_found")
	b.do("DELETE", base+"/studies/"+f.study.LinkID, "").Want(t, 404, "not_found")
	b.do("PUT", base, `{"responseDays":365}`).Want(t, 200, "")
	b.do("PUT", base, `{"study":"`+f.study.LinkID+`","legalHold":true}`).Want(t, 200, "")
	rules := b.get(base).Want(t, 200, "")
	if field(t, rules, "rule", "responseDays") != "365" || field(t, rules, "studies", 0, "rule", "legalHold") != "true" {
		t.Errorf("%s", rules.Body)
	}
	preview := b.do("POST", base+"/preview", `{"responseDays":1}`).Want(t, 200, "")
	if field(t, preview, "studies", 0, "held") != "true" || field(t, preview, "studies", 0, "month", "responses") != "0" {
		t.Errorf("on hold: %s", preview.Body)
	}
	b.do("DELETE", base+"/studies/"+f.study.LinkID, "").Want(t, 204, "")
	preview = b.do("POST", base+"/preview", `{"responseDays":1}`).Want(t, 200, "")
	if got := field(t, preview, "studies", 0, "month", "responses"); got != "3" {
		t.Errorf("within a month %s are deleted: %s", got, preview.Body)
	}
	f.wantActions(b, "retention.removed", "retention.changed", "retention.changed")
}

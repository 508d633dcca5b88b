package dashboard_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// panelStudy adds a study with a quota, a target and a panel; live or a draft.
func (f *fixture) panelStudy(live bool) study.Study {
	f.t.Helper()
	limit := 2
	g := &guide.Guide{Title: "Panel", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{ID: "q", Type: guide.OpenEnded, Text: "Why?"}}}}}
	g.Config.Fieldwork.Target = 10
	g.Config.Quotas = []guide.Quota{{ID: "by", Limit: &limit, Dimensions: []guide.Dimension{{Parameter: "region", Groups: []guide.Group{{ID: "n", Title: "North", Values: []string{"n"}}}}}}}
	g.Config.Panel = &panel.Settings{Participant: panel.Participant{Parameter: "pid"}, SignedLinks: true, Postback: &panel.Postback{URL: "https://panel.example/postback"}}
	var made study.Study
	storetest.Write(f.t, f.Store, func(tx *store.Tx) (err error) {
		made, err = tx.CreateStudy(f.t.Context(), study.Study{OrgID: f.Org.ID, CreatorID: f.Admin.ID, Title: g.Title}, guide.Encode(g))
		if err == nil && live {
			err = tx.Publish(f.t.Context(), made, "")
		}
		return err
	})
	return made
}

// TestFieldwork: cells and dates are shown, a study is paused and reopened, and links of previews are made, all in the audit log.
func TestFieldwork(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, _ := f.member(org.Supervisor)
	draft, live := f.panelStudy(false), f.panelStudy(true)
	at := "/api/dashboard/studies/" + live.LinkID
	shown := b.get(at + "/fieldwork")
	shown.Want(t, 200, "")
	if field(t, shown, "link") != "open" || field(t, shown, "cells", 1, "title") != "North" || field(t, shown, "grids", 0, "dimensions", 0, "title") != "region" ||
		field(t, shown, "cells", 0, "quota") != "<nil>" || field(t, shown, "panel", "secrets", 2, "needed") != "true" {
		t.Errorf("the fieldwork is %s", shown.Body)
	}
	b.do("POST", "/api/dashboard/studies/"+draft.LinkID+"/pause", "").Want(t, 409, "not_launched")
	b.do("POST", "/api/dashboard/studies/"+draft.LinkID+"/reopen", "").Want(t, 409, "not_launched")
	if got := field(t, b.get("/api/dashboard/studies/"+draft.LinkID+"/fieldwork"), "link"); got != "draft" {
		t.Errorf("a draft's link is %s", got)
	}
	b.do("POST", at+"/pause", "").Want(t, 200, "")
	if got := field(t, b.get(at+"/fieldwork"), "link"); got != "paused" {
		t.Errorf("a paused study's link is %s", got)
	}
	b.do("POST", at+"/close", "").Want(t, 200, "")
	b.do("POST", at+"/pause", "").Want(t, 409, "conflict")
	b.do("POST", at+"/reopen", "").Want(t, 200, "")
	preview := b.do("POST", at+"/preview-link", `{"days":7}`)
	if preview.Want(t, 200, ""); !strings.Contains(field(t, preview, "link"), "_preview=") {
		t.Errorf("the preview is %s", preview.Body)
	}
	b.do("POST", at+"/preview-link", `{"days":61}`).Want(t, 400, "invalid_request_body")
	log := string(f.as(f.Admin).get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	for _, action := range []string{org.AuditPaused, org.AuditReopened, org.AuditClosed, org.AuditPreviewLinkMade} {
		if !strings.Contains(log, `"`+action+`"`) {
			t.Errorf("the audit log lacks %s: %s", action, log)
		}
	}
}

// TestPanelInDashboard: a secret goes in and is shown once if it was made, links are signed with it, and messages are listed and sent again.
func TestPanelInDashboard(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, _ := f.member(org.Supervisor)
	live := f.panelStudy(true)
	at := "/api/dashboard/studies/" + live.LinkID
	if presets := b.get("/api/dashboard/panel-presets"); !strings.Contains(string(presets.Body), `"PROLIFIC_PID"`) {
		t.Errorf("the presets are %s", presets.Body)
	}
	rows := `{"links":[{"parameters":{"pid":"p 1","region":"n"}},{"parameters":{"pid":"p2"}}],"hours":72}`
	b.do("POST", "/api/dashboard/studies/"+f.study.LinkID+"/panel/links", rows).Want(t, 409, "no_panel")
	b.do("POST", at+"/panel/links", rows).Want(t, 409, "no_panel_secret")
	made := b.do("PUT", at+"/panel/secret", `{"purposes":["redirect","link"],"action":"make"}`)
	made.Want(t, 200, "")
	secret := field(t, made, "secret")
	if len(secret) < 40 {
		t.Errorf("made: %s", made.Body)
	}
	b.do("PUT", at+"/panel/secret", `{"purposes":["postback"],"action":"set","secret":"xyz"}`).Want(t, 400, "bad_request")
	b.do("PUT", at+"/panel/secret", `{"purposes":["postback"],"action":"set"}`).Want(t, 400, "invalid_request_body")
	if set := b.do("PUT", at+"/panel/secret", `{"purposes":["key"],"action":"set","secret":"hush hush"}`); field(t, set, "secret") != "<nil>" {
		t.Errorf("set: %s", set.Body)
	}
	links := b.do("POST", at+"/panel/links", rows)
	if links.Want(t, 200, ""); !strings.Contains(field(t, links, "links", 0), "_sig=") || !strings.Contains(field(t, links, "links", 0), "_until=") {
		t.Errorf("links: %s", links.Body)
	}
	b.do("POST", at+"/panel/links", `{"links":[{"parameters":{"region":"n"}}]}`).Want(t, 400, "bad_request")
	b.do("POST", at+"/panel/links", `{"links":[]}`).Want(t, 400, "invalid_request_body")
	var id string
	storetest.Write(t, f.Store, func(tx *store.Tx) (err error) {
		id, err = tx.AddPanelDelivery(t.Context(), store.PanelDelivery{
			StudyID: live.ID, OrgID: f.Org.ID, ResponseID: "r1", Key: "r1.complete", Outcome: panel.Complete, Message: panel.Message{Method: "POST", URL: "https://panel.example"},
		})
		return err
	})
	if listed := b.get(at + "/panel/deliveries?state=waiting"); field(t, listed, "messages", 0, "id") != id {
		t.Errorf("listed: %s", listed.Body)
	}
	b.get(at+"/panel/deliveries?state=lost").Want(t, 400, "bad_request")
	if again := b.do("POST", at+"/panel/deliveries/retry", `{}`); field(t, again, "retried") != "1" {
		t.Errorf("sent again: %s", again.Body)
	}
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return tx.NotePanelAttempt(t.Context(), store.PanelDelivery{ID: id, State: store.DeliveryDelivered})
	})
	b.do("POST", at+"/panel/deliveries/retry", `{"messageId":"`+id+`"}`).Want(t, 409, "conflict")
	b.do("POST", at+"/panel/deliveries/retry", `{"messageId":"`+live.ID+`"}`).Want(t, 404, "not_found")
	b.do("POST", at+"/panel/deliveries/retry", `{"messageId":"x"}`).Want(t, 400, "invalid_request_body")
	log := string(f.as(f.Admin).get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	if strings.Contains(log, secret) || strings.Contains(log, "hush") || !strings.Contains(log, `"`+org.AuditPanelSecretSet+`"`) || !strings.Contains(log, `"`+org.AuditPostbacksRetried+`"`) {
		t.Errorf("audit log: %s", log)
	}
}

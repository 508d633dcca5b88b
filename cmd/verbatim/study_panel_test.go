package main

import (
	"bytes"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestPanelCommands: secrets go in and are never printed, links are signed by them, and what is wrong is named.
func TestPanelCommands(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	data := "--data=" + dir
	org := text(t, object(t, "org", "create", "Org", data), "id")
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	var live study.Study
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		g := &guide.Guide{Title: "Panel", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{ID: "q", Type: guide.OpenEnded, Text: "Why?"}}}}}
		g.Config.Panel = &panel.Settings{Participant: panel.Participant{Parameter: "pid"}, SignedLinks: true}
		live, err = tx.CreateStudy(t.Context(), study.Study{OrgID: org, Title: g.Title}, guide.Encode(g))
		return err
	})
	if _, stderr := command(t, exitRefused, "study", "panel", "link", live.LinkID, "--param", "pid=a=b", data); !strings.Contains(stderr, "panel secret") {
		t.Errorf("a link without a secret: %s", stderr)
	}
	if shown := object(t, "study", "panel", "show", live.LinkID, data); shown["secretLink"] != "missing" || shown["secretKey"] != "not needed" {
		t.Errorf("the panel is shown as %v", shown)
	}
	set := object(t, "study", "panel", "secret", live.LinkID, "--file", writeSecret(t, "hush hush\n"), "--for", "link", data)
	if set["secret"] != nil || set["set"] != true {
		t.Errorf("setting a secret prints %v", set)
	}
	var out, shown bytes.Buffer
	if run(t.Context(), []string{"study", "panel", "show", live.LinkID, data}, &out, &shown); shown.Len() > 0 {
		t.Errorf("with all secrets it needs: %s", shown.String())
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		return tx.ChangeSetting(t.Context(), baseURLSetting, "", "https://served.example")
	})
	if served := text(t, object(t, "study", "panel", "link", live.LinkID, "--param", "pid=p1", data), "link"); !strings.HasPrefix(served, "https://served.example/s/") {
		t.Errorf("without --base-url the link is %s", served)
	}
	link := object(t, "study", "panel", "link", live.LinkID, "--param", "pid=a=b", "--base-url", "https://studies.example", data)
	u, err := url.Parse(text(t, link, "link"))
	if err != nil || u.Host != "studies.example" || u.Path != "/s/"+live.LinkID || u.Query().Get("pid") != "a=b" ||
		u.Query().Get(panel.LinkSignatureParam) != panel.SignLink("hush hush", map[string]string{"pid": "a=b"}) {
		t.Errorf("the link is %v (%v)", link, err)
	}
	for _, args := range [][]string{{"study", "panel", "show", live.LinkID}, {"study", "panel", "deliveries", live.LinkID}, {"study", "panel", "codes", live.LinkID}} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), append(args, data), &out, &errs); code != 0 || strings.Contains(out.String()+errs.String(), "hush") {
			t.Errorf("%v: exit %d\n%s%s", args, code, out.String(), errs.String())
		}
	}
	made := object(t, "study", "panel", "secret", live.LinkID, "--generate", data)
	if len(text(t, made, "secret")) < 40 {
		t.Errorf("the secret that was made is %v", made)
	}
	for _, wrong := range [][]string{
		{"study", "panel", "secret", live.LinkID},
		{"study", "panel", "secret", live.LinkID, "--generate", "--remove"},
		{"study", "panel", "preset", "nobody"},
		{"study", "panel", "link", live.LinkID},
		{"study", "panel", "link", live.LinkID, "--param", "_sig=x"},
		{"panel", "--listen", "nowhere"},
	} {
		command(t, exitUsage, append(wrong, data)...)
	}
}

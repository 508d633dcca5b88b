package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestTranslateByHand checks that a person can export, fill in, import and approve a translation without a model, and that errors name
// their place.
func TestTranslateByHand(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	data := "--data=" + dir
	link := draftOf(t, dir, `{"title": "Fruit", "config": {"questionLanguage": "en", "availableLanguages": ["de", "fr"]}, "studyGuide": [
		{"type": "flat", "title": "One", "items": [{"type": "open_ended", "text": "Why do you like apples, {name}?", "externalId": "why"}]}]}`)
	file := filepath.Join(dir, "de.json")
	command(t, 0, "study", "translate", link, "--language", "de", "--export", file, data)
	if status := translateStatus(t, data, link); len(status) != 2 || status[0]["untranslated"] != 2.0 || status[0]["shown"] != "own texts" {
		t.Errorf("before: %v", status)
	}
	fill := func(texts map[string]string) {
		t.Helper()
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var content map[string]any
		if err := json.Unmarshal(body, &content); err != nil {
			t.Fatal(err)
		}
		for _, line := range content["texts"].([]any) {
			line := line.(map[string]any)
			line["text"] = texts[line["id"].(string)]
		}
		if body, err = json.Marshal(content); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		texts map[string]string
		says  string
	}{
		"a lost placeholder": {map[string]string{"study/title": "Obst", "item/why/text": "Warum mögen Sie Äpfel?"}, "texts[1]"},
		"the wrong language": {map[string]string{"study/title": "Obst", "item/why/text": "Why do you like all these apples, {name}?"}, "language"},
		"a missing text":     {map[string]string{"study/title": "Obst"}, "empty"},
	} {
		fill(tt.texts)
		if out, _ := command(t, exitRefused, "study", "translate", link, "--language", "de", "--import", file, "--approve", data); !strings.Contains(out, tt.says) {
			t.Errorf("%s: it says %q", name, out)
		}
	}
	if status := translateStatus(t, data, link); status[0]["untranslated"] != 2.0 {
		t.Errorf("a refused file was stored: %v", status)
	}
	fill(map[string]string{"study/title": "Obst", "item/why/text": "Warum mögen Sie Äpfel, {name}?"})
	if done := object(t, "study", "translate", link, "--language", "de", "--import", file, data); done["edited"] != 2.0 || done["shown"] != "own texts" {
		t.Errorf("imported: %v", done)
	}
	if done := object(t, "study", "translate", link, "--language", "de", "--approve", data); done["approved"] != 2.0 || done["shown"] != "translation" {
		t.Errorf("approved: %v", done)
	}
	if done := object(t, "study", "translate", link, "--language", "de", "--auto-approve", data); done["autoApprove"] != true {
		t.Errorf("trusting machines: %v", done)
	}
	if done := object(t, "study", "translate", link, "--language", "de", "--no-auto-approve", data); done["autoApprove"] != false {
		t.Errorf("trusting them no more: %v", done)
	}
	for name, c := range map[string]struct {
		code int
		args []string
		says string
	}{
		"no model":         {exitRefused, []string{"--language", "fr"}, "VERBATIM_LLM_URL"},
		"another language": {exitRefused, []string{"--language", "it", "--status"}, "[de fr]"},
		"incomplete":       {exitRefused, []string{"--language", "fr", "--approve"}, "not translated yet"},
		"no language":      {exitUsage, []string{"--approve"}, "--language"},
		"two actions":      {exitUsage, []string{"--language", "de", "--status", "--approve"}, "--status"},
		"no such file":     {exitRefused, []string{"--language", "de", "--import", filepath.Join(dir, "none.json")}, "none.json"},
	} {
		args := append([]string{"study", "translate", link, data}, c.args...)
		if _, says := command(t, c.code, args...); !strings.Contains(says, c.says) {
			t.Errorf("%s: it says %q, want %q", name, says, c.says)
		}
	}
	if err := os.WriteFile(file, []byte(`{"language": "de", "texts": [{"id": "study/title"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := command(t, exitRefused, "study", "translate", link, "--language", "de", "--import", file, data); !strings.Contains(out, "texts[0].text") {
		t.Errorf("a file of another shape: %q", out)
	}
}

// draftOf creates a draft study in the database of a data folder and returns its link id.
func draftOf(t *testing.T, dir, payload string) string {
	t.Helper()
	g, err := guide.Decode([]byte(payload), guide.Options{NewID: store.NewID})
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	o := storetest.Org(t, s)
	var draft study.Study
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		draft, err = tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		return err
	})
	return draft.LinkID
}

func translateStatus(t *testing.T, data, link string) (rows []map[string]any) {
	t.Helper()
	out, _ := command(t, 0, "study", "translate", link, "--status", "--json", data)
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

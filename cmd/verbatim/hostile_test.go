package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/plaintext"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/analysis"
)

// hostile contains what a terminal acts on: colours, the clipboard (OSC 52), a hidden link (OSC 8), the title, C1, a carriage return,
// backspaces, a bidirectional override and invisible characters. It also contains a line break.
const hostile = "\u200b＝cmd\x1b[31m\x1b]52;c;bHM=\a\x1b]8;;http://evil.example\x1b\\x\x1b]0;t\a\u009b2J\u0085\x7f\rover\b\b\u202egpj\u2066\ufeff\nFORGED: all is well\u2028more\tcell"

// TestHostileWords checks that no command prints control characters of untrusted text, and that such text adds no line or column to a
// table. It runs all commands except those that are named with a reason.
func TestHostileWords(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	data := "--data=" + dir
	id := func(args ...string) string { return text(t, object(t, append(args, data)...), "id") }
	org := id("org", "create", hostile)
	user := id("user", "create", "--org", org, "--email", "a\x1b[31m\u202e\u009b@example.org", "--name", hostile, "--role", "admin")
	balance := id("wallet", "create", hostile)
	object(t, "wallet", "grant", balance, "--org", org, data)
	key := id("key", "create", "--org", org, "--user", user, "--name", hostile, data)
	hook := text(t, object(t, "webhook", "create", "--org", org, "--url", "https://example.org/hooks", "--description", "\u202e\ufeff", data), "id")
	link, responseID := hostileStudy(t, dir, org, user, balance)

	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	encoded, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	wrong := file("wrong \x1b]0;t\a\u202e.json", `{"title":"`+"\u202e"+`","`+"\u009b"+`":1,"studyGuide":[{"type":`+string(encoded)+`,"title":"","items":[]}]}`)
	report, translated, tables := filepath.Join(dir, "report.md"), filepath.Join(dir, "translation.json"), filepath.Join(dir, "tables")
	ran := map[string]bool{}
	for _, args := range [][]string{
		{"org", "list"},
		{"org", "update", org, "--name", hostile, "--colour", "#ffff00"},
		{"org", "create", hostile},
		{"user", "list", "--org", org},
		{"user", "create", "--org", org, "--email", "b@example.org", "--name", hostile, "--role", "member"},
		{"user", "setup-link", "--base-url", hostile},
		{"user", "setup-link"},
		{"user", "reset-link", hostile},
		{"user", "reset-link", user},
		{"user", "signin-link", hostile},
		{"mail", "test", hostile, "--mail-host", "localhost", "--mail-from", "a@example.org"},
		{"mail", "test", "a@example.org", "--mail-host", hostile, "--mail-from", hostile},
		{"user", "two-step-off", hostile},
		{"user", "two-step-off", user},
		{"user", "signin-link", user},
		{"user", "create", "--org", org, "--email", hostile, "--name", "b", "--role", "member"},
		{"key", "list", "--org", org},
		{"key", "create", "--org", org, "--user", user, "--name", hostile},
		{"wallet", "list"},
		{"wallet", "create", hostile},
		{"wallet", "grant", balance, "--org", org, "--limit", "5"},
		{"wallet", "deposit", balance, "--account", "project", "5"},
		{"wallet", "withdraw", balance, "--account", "project", "1"},
		{"wallet", "statement", balance},
		{"wallet", "statement", hostile},
		{"audit", "list", "--org", org},
		{"audit", "list", "--org", hostile, "--action", hostile},
		{"audit", "export", "--org", org, "--user", "operator", "-o", filepath.Join(dir, "audit \x1b[31m.csv")},
		{"audit", "export", "--org", hostile, "--format", "jsonl", "--since", hostile},
		{"audit", "verify", "--org", org},
		{"audit", "verify", "--org", hostile, "--known", hostile},
		{"retention", "set", "--org", org, "--study", link, "--responses", "3650", "--hold", "on"},
		{"retention", "set", "--org", org, "--recordings", hostile},
		{"retention", "set", "--org", org, "--study", hostile, "--hold", "on"},
		{"retention", "show", "--org", org},
		{"retention", "show", "--org", hostile},
		{"retention", "preview", "--org", org},
		{"retention", "preview", "--org", org, "--transcripts", hostile},
		{"retention", "run", "--org", org},
		{"user", "instance-admin", user},
		{"user", "instance-admin", hostile, "--end"},
		{"grant", "list", "--study", link},
		{"grant", "add", "--study", hostile, "--user", user, "start-recruitment"},
		{"grant", "revoke", "--study", hostile, "--user", hostile, "start-recruitment"},
		{"grant", "--study", hostile, "--user", user, "start-recruitment"},
		{"study", "lint", wrong},
		{"study", "list"},
		{"study", "show", link},
		{"study", "quota", link},
		{"study", "quota", hostile},
		{"study", "preview", link, "--base-url", hostile},
		{"study", "preview", link},
		{"study", "pause", link},
		{"study", "close", hostile},
		{"study", "reopen", link},
		{"study", "analyse", link},
		{"study", "analyse", link, "--by", "param:" + hostile},
		{"study", "analyse", link, "--only", "param:" + hostile},
		{"study", "analyse", link, "--markdown", report, "--csv", tables},
		{"study", "ask", link, hostile},
		{"study", "ask", link, "why apples", "--all-studies", "--llm-url", hostile, "--llm-model", hostile},
		{"study", "simulate", link, "--participants", "1"},
		{"study", "translate", link, "--status"},
		{"study", "translate", link, "--language", "de", "--export", "-"},
		{"study", "translate", link, "--language", "de", "--export", translated},
		{"study", "translate", link, "--language", "de", "--import", wrong},
		{"study", "translate", link, "--language", hostile, "--import", translated},
		{"study", "panel", "show", link},
		{"study", "panel", "show", hostile},
		{"study", "panel", "preset", "plain"},
		{"study", "panel", "preset", hostile},
		{"study", "panel", "secret", link, "--file", wrong},
		{"study", "panel", "link", link, "--param", hostile + "=" + hostile},
		{"study", "panel", "deliveries", link},
		{"study", "panel", "retry", link},
		{"study", "panel", "retry", link, "--key", hostile},
		{"study", "panel", "codes", link},
		{"panel", "--listen", hostile},
		{"webhook", "create", "--org", org, "--url", hostile},
		{"webhook", "create", "--org", org, "--url", "https://example.org/", "--description", hostile},
		{"webhook", "create", "--org", org, "--url", "https://example.org/", "--event", hostile},
		{"webhook", "create", "--org", org, "--url", "https://example.org/", "--study", hostile},
		{"webhook", "list", "--org", org},
		{"webhook", "list", "--org", hostile},
		{"webhook", "show", hook},
		{"webhook", "show", hostile},
		{"webhook", "rotate", hook},
		{"webhook", "disable", hook},
		{"webhook", "test", hook},
		{"webhook", "enable", hook},
		{"webhook", "deliveries", hook},
		{"webhook", "deliveries", hook, "--state", hostile},
		{"webhook", "replay", hook, hostile},
		{"webhook", "replay", hook, "--failed-since", hostile},
		{"webhook", "replay", hook, "--failed-since", "1d"},
		{"webhook", "delete", hostile},
		{"webhook", "delete", hook},
		{"response", "list", link},
		{"response", "delete", link, "1"},
		{"response", "delete", link, hostile},
		{"response", "show", link, "1"},
		{"response", "show", hostile, "1"},
		{"replay", responseID},
		{"replay", "--study", link},
		{"study", "reports", link},
		{"study", "reports", link, hostile},
		{"study", "export", link, "--format", "csv", "-o", filepath.Join(dir, "answers \x1b[31m.csv")},
		{"study", "export", link, "--format", "xlsx", "--filter", "tag=" + hostile, "-o", filepath.Join(dir, "answers.xlsx")},
		{"study", "export", link, "--format", hostile},
		{"study", "theme", "list", link},
		{"study", "theme", "rename", link, hostile, "1", hostile},
		{"study", "theme", "merge", link, hostile, "1", "2"},
		{"study", "theme", "split", link, hostile, "1", hostile, hostile},
		{"study", "theme", "recode", link, hostile, "1", "1"},
		{"study", "theme", "reset", link, hostile},
		{"moderation", link},
		{"card", link},
		{"deletion", "list"},
		{"deletion", "retry", hostile},
		{"import", link, wrong},
		{"doctor"},
		{"rebuild"},
		{"migrate"},
		{"backup", filepath.Join(dir, "copy \x1b[31m.db")},
		{"backup", filepath.Join(dir, "sealed.db"), "--recipient", hostile},
		{"restore", filepath.Join(dir, "copy \x1b[31m.db")},
		{"restore", hostile, "--without-tombstones"},
		{"restore", wrong, "--without-tombstones", "--identity-file", hostile},
		{"restore", "--tombstones-only"},
		{"move", "--from", "sqlite:" + hostile, "--to", "sqlite:" + hostile + "2"},
		{"move", "--blobs-from", "file:" + hostile, "--blobs-to", hostile},
		{"llm", "preview", responseID},
		{"llm", "usage", "--study", link},
		{"llm", "usage"},
		{"llm", "check", "--llm-url", hostile, "--llm-model", hostile},
		{"health", "--listen", hostile},
		{"serve", "--listen", "127.0.0.1:0", "--base-url", hostile, "--log-format", "text"},
		{"user", "remove", "--org", org, "--user", user},
		{"key", "revoke", key},
		{"secret", "list"},
		{"secret", "list", "--secret-file", wrong},
		{"secret", "rotate"},
		{"secret", "rotate", "--secret-file", hostile},
		{"quickstart", "--org", "Q" + hostile, "--email", "a@example.org", "--name", hostile},
		{"quickstart", "--org", hostile, "--email", hostile},
		{"config"},
		{"config", "--base-url", hostile, "--config", wrong},
		{"help", "wallet"},
		{"help", hostile},
		{"completion", "zsh"},
		{"man", "serve"},
		{"man", "--dir", filepath.Join(dir, "man")},
		{"version"},
		{hostile},
		{"org", hostile},
		{"org", "list", "--" + hostile},
	} {
		for _, form := range [][]string{nil, {"--json"}} {
			var out, errs bytes.Buffer
			code := run(t.Context(), slices.Concat(args, form, []string{data}), &out, &errs)
			if slices.Equal(args[:min(2, len(args))], []string{"study", "lint"}) && code != exitRefused {
				t.Errorf("%q: exit %d", args, code)
			}
			for where, printed := range map[string]string{"standard output": out.String(), "standard error": errs.String()} {
				noControls(t, strings.Join(args, " ")+" on "+where, printed)
			}
			if form != nil && out.Len() > 0 && !json.Valid(bytes.TrimSpace(out.Bytes())) && !slices.Contains([]string{"study", "help", "completion", "man"}, args[0]) {
				t.Errorf("%q: no JSON: %s", args, out.String())
			}
		}
		for depth := range min(3, len(args)) {
			ran[strings.Join(args[:depth+1], " ")] = true
		}
	}
	for _, leaf := range model(t).Leaves(true) {
		name := leaf.FullPath()[len("verbatim "):]
		if !ran[name] && name != "demo" { // demo prints only its own data
			t.Errorf("verbatim %s is not run here", name)
		}
	}
	files, err := filepath.Glob(filepath.Join(tables, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, report, translated) {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		noControls(t, name, string(body))
	}
}

// noControls fails if text contains control characters, or a line that untrusted text added.
func noControls(t *testing.T, what, text string) {
	t.Helper()
	isCSV := strings.HasSuffix(what, ".csv") // cells may contain tabs and line breaks
	for i, r := range text {
		if r != '\n' && plaintext.IsUnsafe(r) && !(isCSV && r == '\t') {
			t.Errorf("%q prints %U: %q", what, r, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
	if !isCSV && strings.HasPrefix(text, "FORGED") || !isCSV && strings.Contains(text, "\nFORGED") {
		t.Errorf("%q prints a line of untrusted text: %q", what, text)
	}
}

// hostileStudy creates a study in which every text is hostile, with one analysed response of a hostile participant.
func hostileStudy(t *testing.T, dir, orgID, userID, walletID string) (link, responseID string) {
	t.Helper()
	ctx := t.Context()
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	payload, err := json.Marshal(map[string]any{
		"title": hostile, "config": map[string]any{
			"questionLanguage": "en", "availableLanguages": []string{"de"},
			"verbatim": map[string]any{"fieldwork": map[string]any{"target": 1000}, "quotas": []any{map[string]any{
				"title": hostile, "limit": 1000, "fullText": hostile, "dimensions": []any{map[string]any{"questionId": "which", "groups": []any{
					map[string]any{"externalId": "a", "title": hostile, "choices": []string{"a"}}, map[string]any{"externalId": strings.ReplaceAll(hostile, "/", "|"), "choices": []string{"b"}},
				}}},
			}}},
		},
		"studyGuide": []any{map[string]any{"type": "flat", "title": hostile, "items": []any{
			map[string]any{"type": "open_ended", "text": "Why?" + hostile, "externalId": "why", "followUp": "light"},
			map[string]any{"type": "multiple_choice", "text": hostile, "externalId": "which", "options": []any{
				map[string]any{"text": hostile, "externalId": "a"}, map[string]any{"text": "b"},
			}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := guide.Decode(payload, guide.Options{NewID: store.NewID})
	if err != nil {
		t.Fatal(err)
	}
	var st study.Study
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		st, err = tx.CreateStudy(ctx, study.Study{OrgID: orgID, CreatorID: userID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(ctx, st, walletID); err != nil {
			return err
		}
		st, err = tx.Study(ctx, orgID, st.ID)
		return err
	})
	r := storetest.Response(t, s, st, map[string]string{hostile: hostile, "source": hostile})
	words := "I like apples because of the taste, " + hostile
	storetest.Write(t, s, func(tx *store.Tx) error {
		decision := interview.Decision{
			Words: "Why that?" + hostile, Kind: interview.ProbeKind(hostile), Reason: hostile, Provider: hostile, Model: hostile, Prompt: hostile,
			Fallback: hostile, Attempts: []interview.Attempt{{Words: hostile, Kind: interview.ProbeKind(hostile), Reason: hostile}},
		}
		turns := []interview.Turn{
			{Kind: interview.TurnAnswer, ItemID: "why", Answer: interview.Answer{Text: words}},
			{Kind: interview.TurnProbe, ItemID: "why", Probe: decision.Words, Provider: hostile, Decided: true},
			{Kind: interview.TurnReply, ItemID: "why", Answer: interview.Answer{Text: words}},
			{Kind: interview.TurnAnswer, ItemID: "which", Answer: interview.Answer{Selected: []string{"a"}}},
		}
		for i, turn := range turns {
			turn.StepID, turn.At = "s"+string(rune('0'+i)), tx.Now()
			if err := tx.AppendTurn(ctx, r.ID, i, turn); err != nil {
				return err
			}
		}
		if err := tx.AppendDecision(ctx, r.ID, 1, decision); err != nil {
			return err
		}
		r.Progress, r.EndedAt, r.UpdatedAt, r.Duration = response.Complete, tx.Now(), tx.Now(), time.Minute
		return tx.SaveProgress(ctx, r, tx.Now())
	})
	if err := (&analysis.Worker{Store: s, Analyst: analysis.BuiltIn{}}).Run(ctx, store.Job{Args: r.ID, Attempt: 1}); err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		written, err := tx.Analysis(ctx, r.ID)
		if err != nil {
			return err
		}
		written.Provider, written.Fallback, written.Summary = hostile, hostile, hostile
		for part := range written.Authors {
			written.Authors[part] = response.Author{Provider: hostile, Model: hostile, Prompt: hostile}
		}
		for i := range written.Quality.Parts {
			written.Quality.Parts[i].Reason = hostile
		}
		return errors.Join(err, tx.SaveAnalysis(ctx, r.ID, *written))
	})
	return st.LinkID, r.ID
}

package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// list runs a command with --json and decodes the rows that it prints.
func list(t *testing.T, args ...string) (rows []map[string]any) {
	t.Helper()
	out, _ := command(t, 0, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatalf("%v printed %q: %v", args, out, err)
	}
	return rows
}

// TestOperatorCommands lists, shows, closes and reopens studies, lists and deletes responses, and grants and revokes permissions.
func TestOperatorCommands(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	place := []string{"--data", t.TempDir(), "--database", address}
	do := func(args ...string) []string { return append(args, place...) }
	s := storetest.Open(t, address, store.Options{})
	sc := storetest.NewScene(t, s)
	first := storetest.Response(t, s, sc.Study, nil)
	second := storetest.Response(t, s, sc.Study, nil)
	draft := storetest.Draft(t, s, sc.Org.ID, sc.User.ID)

	all := list(t, do("study", "list", "--org", sc.Org.ID)...)
	if len(all) != 2 || all[0]["id"] != draft.ID || all[0]["status"] != "draft" || all[1]["linkId"] != sc.Study.LinkID || all[1]["organization"] != sc.Org.Name {
		t.Errorf("listed: %v", all)
	}
	if newest, _ := command(t, 0, do("study", "list", "--org", sc.Org.ID, "--limit", "1", "--field", "id")...); newest != draft.ID+"\n" {
		t.Errorf("the newest: %q", newest)
	}
	if shown := object(t, do("study", "show", sc.Study.LinkID)...); shown["underWay"] != 2.0 || shown["complete"] != 0.0 || shown["walletId"] != sc.Wallet.ID {
		t.Errorf("shown: %v", shown)
	}
	for _, step := range []struct{ do, status string }{{"pause", "paused"}, {"pause", "paused"}, {"reopen", "live"}, {"pause", "paused"}, {"close", "closed"}, {"close", "closed"}, {"reopen", "live"}, {"reopen", "live"}, {"close", "closed"}} {
		if now := object(t, do("study", step.do, sc.Study.ID)...); now["status"] != step.status {
			t.Errorf("%s: %v", step.do, now["status"])
		}
	}
	if _, stderr := command(t, exitRefused, do("study", "simulate", sc.Study.LinkID)...); !strings.Contains(stderr, "verbatim study reopen "+sc.Study.LinkID) {
		t.Errorf("a closed study is simulated: %s", stderr)
	}
	if _, stderr := command(t, exitRefused, do("study", "pause", sc.Study.LinkID)...); !strings.Contains(stderr, "the study is closed") {
		t.Errorf("a closed study is paused: %s", stderr)
	}
	for _, args := range [][]string{{"study", "close", draft.ID}, {"study", "pause", draft.ID}, {"study", "reopen", draft.LinkID}} {
		if _, stderr := command(t, exitRefused, do(args...)...); !strings.Contains(stderr, "draft") {
			t.Errorf("%v: %s", args, stderr)
		}
	}

	listed := list(t, do("response", "list", sc.Study.LinkID)...)
	if len(listed) != 2 || listed[0]["id"] != first.ID || listed[0]["readableId"] != 1.0 || listed[1]["progress"] != string(response.InProgress) {
		t.Errorf("listed: %v", listed)
	}
	if out, stderr := command(t, 0, do("response", "list", sc.Study.LinkID, "--limit", "1")...); strings.Contains(out, second.ID) || !strings.Contains(stderr, "--after 1") {
		t.Errorf("the first of two: %s%s", out, stderr)
	}
	if _, stderr := command(t, exitUsage, do("response", "delete", sc.Study.LinkID, "2")...); !strings.Contains(stderr, second.ID) || !strings.Contains(stderr, "--yes") {
		t.Errorf("without --yes: %s", stderr)
	}
	gone := object(t, do("response", "delete", sc.Study.LinkID, "2", "--yes")...)
	if gone["responseId"] != second.ID || gone["status"] != string(response.DeletionQueued) {
		t.Errorf("deleted: %v", gone)
	}
	if again := object(t, do("response", "delete", sc.Study.LinkID, second.ID, "--yes")...); again["id"] != gone["id"] {
		t.Errorf("deleted again: %v", again)
	}
	command(t, exitRefused, do("response", "delete", sc.Study.LinkID, "2", "--yes")...)
	if left := list(t, do("response", "list", sc.Study.LinkID)...); len(left) != 1 {
		t.Errorf("left: %v", left)
	}

	permission := []string{"--study", sc.Study.ID, "--user", sc.User.ID, "start-recruitment"}
	if _, stderr := command(t, exitRefused, do("grant", "--study", sc.Study.ID, "--user", "nobody", "start-recruitment")...); !strings.Contains(stderr, `user not found: "nobody"`) {
		t.Errorf("a permission for nobody: %s", stderr)
	}
	object(t, do(append([]string{"grant"}, permission...)...)...)
	if granted := list(t, do("grant", "list", "--study", sc.Study.LinkID)...); len(granted) != 1 || granted[0]["email"] != sc.User.Email {
		t.Errorf("granted: %v", granted)
	}
	object(t, do(append([]string{"grant", "revoke"}, permission...)...)...)
	command(t, exitRefused, do(append([]string{"grant", "revoke"}, permission...)...)...)
	if granted := list(t, do("grant", "list", "--study", sc.Study.LinkID)...); len(granted) != 0 {
		t.Errorf("still granted: %v", granted)
	}
}

// TestStatement checks the balances of each account before the first line of a statement and after each line.
func TestStatement(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	do := func(args ...string) []string { return append(args, "--data", t.TempDir(), "--database", address) }
	s := storetest.Open(t, address, store.Options{})
	sc := storetest.NewScene(t, s) // begins with 100 credits
	for _, end := range []func(*store.Tx, string) error{nil, func(tx *store.Tx, id string) error { return tx.SettleHold(t.Context(), id) }, func(tx *store.Tx, id string) error { return tx.ReleaseHold(t.Context(), id) }} {
		r := storetest.Response(t, s, sc.Study, nil)
		storetest.Write(t, s, func(tx *store.Tx) error {
			return tx.PlaceHold(t.Context(), store.Hold{ResponseID: r.ID, WalletID: sc.Wallet.ID, OrgID: sc.Org.ID, StudyID: sc.Study.ID, Amount: wallet.Credit})
		})
		if end != nil {
			storetest.Write(t, s, func(tx *store.Tx) error { return end(tx, r.ID) })
		}
	}
	deposit := func(account, amount string) {
		t.Helper()
		object(t, do("wallet", "deposit", sc.Wallet.ID, "--account", account, amount)...)
	}
	deposit("recruitment", "8")
	deposit("project", "-2.5")
	object(t, do("wallet", "withdraw", sc.Wallet.ID, "--account", "project", "-1")...)
	statement := list(t, do("wallet", "statement", sc.Wallet.ID)...)
	if last := statement[len(statement)-1]; len(statement) != 9 || last["movement"] != "deposit" || last["amount"] != 1.0 || last["available"] != 96.5 || last["held"] != 1.0 || last["spent"] != 1.0 {
		t.Fatalf("the complete statement: %v", statement)
	}
	short := list(t, do("wallet", "statement", sc.Wallet.ID, "--account", "project", "--last", "2")...)
	if len(short) != 3 || short[0]["movement"] != "before" || short[0]["available"] != 98.0 || short[1]["movement"] != "withdraw" || short[1]["amount"] != 2.5 || short[2]["available"] != 96.5 {
		t.Errorf("the last two: %v", short)
	}
	if none := list(t, do("wallet", "statement", sc.Wallet.ID, "--until", "2001-01-31")...); len(none) != 0 {
		t.Errorf("of long ago: %v", none)
	}
	if none := list(t, do("wallet", "statement", sc.Wallet.ID, "--since", "2999-01-31", "--account", "recruitment")...); len(none) != 1 || none[0]["available"] != 8.0 {
		t.Errorf("of days to come: %v", none)
	}
	command(t, exitUsage, do("wallet", "statement", sc.Wallet.ID, "--since", "yesterday")...)
	command(t, exitRefused, do("wallet", "statement", "nothing")...)
}

// TestQuickstart checks that one command creates what a first session needs, and only once.
func TestQuickstart(t *testing.T) {
	t.Parallel()
	place := []string{"--data", filepath.Join(t.TempDir(), "it's new"), "--database", storetest.Address(t)}
	quickstart := append([]string{"quickstart", "--org", "Acme's", "--email", "Ada@example.org", "--credits", "12.5"}, place...)
	made := object(t, quickstart...)
	if members := list(t, append([]string{"user", "list", "--org", text(t, made, "orgId")}, place...)...); len(members) != 1 || members[0]["email"] != "ada@example.org" || members[0]["role"] != "admin" {
		t.Errorf("members: %v", members)
	}
	if wallets := list(t, append([]string{"wallet", "list"}, place...)...); len(wallets) != 1 || wallets[0]["projectBalance"] != 12.5 || wallets[0]["id"] != made["walletId"] {
		t.Errorf("wallets: %v", wallets)
	}
	out, stderr := command(t, exitRefused, quickstart...)
	if out != "" || !strings.Contains(stderr, text(t, made, "orgId")) || !strings.Contains(stderr, "key create") {
		t.Errorf("again: %q %s", out, stderr)
	}
	if wallets := list(t, append([]string{"wallet", "list"}, place...)...); len(wallets) != 1 {
		t.Errorf("the refusal made something: %v", wallets)
	}
	command(t, exitRefused, append([]string{"quickstart", "--org", "Other", "--email", "nobody"}, place...)...)

	folder := filepath.Join(t.TempDir(), "it's new")
	exports, _ := command(t, 0, "quickstart", "--data", folder)
	if !strings.HasPrefix(exports, "export VERBATIM_DATA='"+strings.ReplaceAll(folder, "'", `'\''`)+"'\nexport ORG_ID='") || strings.Count(exports, "\n") != 5 {
		t.Errorf("exports:\n%s", exports)
	}
}

// TestField checks that --field prints one field only, and that an unknown field is refused.
func TestField(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + t.TempDir()
	id, _ := command(t, 0, "org", "create", "Acme Research", "--field", "id", data)
	if out, _ := command(t, 0, "org", "list", "--field", "id", data); out != id || strings.Count(out, "\n") != 1 {
		t.Errorf("%q, want %q", out, id)
	}
	for _, args := range [][]string{{"org", "list", "--field", "nme"}, {"org", "list", "--field", "id", "--json"}, {"help", "--field", "id"}} {
		if _, stderr := command(t, exitUsage, append(args, data)...); !strings.Contains(stderr, "--field") {
			t.Errorf("%v: %s", args, stderr)
		}
	}
}

// TestDataMustExist checks that a command creates no folder and no database at a misspelled location.
func TestDataMustExist(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	for _, place := range [][]string{
		{"--data", missing},
		{"--database", "sqlite:" + filepath.Join(missing, "verbatim.db")},
		{"--data", missing, "--database", "sqlite:" + filepath.Join(dir, "x.db")},
	} {
		for _, args := range [][]string{{"org", "list"}, {"org", "create", "Acme"}, {"wallet", "list"}, {"migrate"}, {"rebuild"}} {
			if _, stderr := command(t, exitRefused, append(args, place...)...); !strings.Contains(stderr, "does not exist") || !strings.Contains(stderr, "--create") {
				t.Errorf("%v %v: %s", args, place, stderr)
			}
		}
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(found) > 0 {
		t.Errorf("made: %v (%v)", found, err)
	}
	command(t, 0, "org", "create", "Acme", "--data", missing, "--create")
	command(t, 0, "org", "list", "--data", missing)
	if _, stderr := command(t, exitRefused, "org", "list", "--data", missing, "--database", "sqlite:"+filepath.Join(missing, "other.db")); !strings.Contains(stderr, "other.db") {
		t.Errorf("a database beside another: %s", stderr)
	}
	command(t, 0, "org", "list", "--data", t.TempDir()) // an empty folder is accepted for new data
}

// TestNegativeNumbers checks that a negative number is not taken for a flag, wherever it stands.
func TestNegativeNumbers(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	for _, args := range [][]string{
		{"wallet", "deposit", "x", "--account", "project", "-5"},
		{"wallet", "deposit", "x", "-5", "--account", "project"},
		{"wallet", "withdraw", "x", "--account", "project", "--", "-0.125"},
	} {
		if _, stderr := command(t, exitRefused, append([]string{"--data", t.TempDir()}, args...)...); !strings.Contains(stderr, `wallet not found: "x"`) {
			t.Errorf("%v: %s", args, stderr)
		}
	}
	for _, args := range [][]string{
		{"wallet", "grant", "x", "--org", "y", "--limit", "-5"},
		{"serve", "--listen", "127.0.0.1:0", "--rate-limit", "-1"},
		{"wallet", "deposit", "x", "--account", "project", "-5x"},
		{"wallet", "deposit", "x", "-.5", "--account", "project"},
		{"response", "list", "x", "--after", "-1"},
	} {
		if _, stderr := command(t, exitUsage, append(args, "--data", t.TempDir())...); strings.Contains(stderr, "unknown flag") {
			t.Errorf("%v: %s", args, stderr)
		}
	}
}

// TestServeFailsInItsLog checks that every failure of serve is one line of the log, in the configured format.
func TestServeFailsInItsLog(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	busy, err := listen("--listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	taken := busy.Addr().String()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitRefused, taken + ": another program listens there already", []string{"--listen", taken}},
		{exitRefused, "--metrics-listen " + taken, []string{"--listen", "127.0.0.1:0", "--metrics-listen", taken}},
		{exitUsage, "HOST:PORT", []string{"--listen", "8080"}},
		{exitUsage, "--drain", []string{"--drain", "fast"}},
		{exitUsage, "unknown flag --drian", []string{"--drian", "3s"}},
		{exitUsage, "nosuch.yaml", []string{"--config", filepath.Join(dir, "nosuch.yaml")}},
		{exitUsage, "--log-level", []string{"--log-level", "loud"}},
		{exitUsage, "--price", []string{"--listen", "127.0.0.1:0", "--price", "0"}},
		{exitRefused, "database address", []string{"--listen", "127.0.0.1:0", "--database", "mysql:x"}},
	} {
		args := append([]string{"serve", "--data", data}, c.args...)
		out, stderr := command(t, c.code, args...)
		last := stderr[strings.LastIndex(strings.TrimSuffix(stderr, "\n"), "\n")+1:]
		var line struct{ Level, Error string }
		if err := json.Unmarshal([]byte(last), &line); err != nil || out != "" || line.Level != "ERROR" || !strings.Contains(line.Error, c.says) {
			t.Errorf("%v: %q (%v)", args, stderr, err)
		}
		if _, stderr := command(t, c.code, append(args, "--log-format", "text")...); !strings.Contains(stderr, "level=ERROR msg=") || strings.Contains(stderr, "{\"") {
			t.Errorf("%v as text: %q", args, stderr)
		}
		if strings.Contains(c.says, taken) {
			if found, err := filepath.Glob(data); err != nil || len(found) > 0 {
				t.Errorf("%v: a server that could not listen made its data: %v (%v)", args, found, err)
			}
		}
	}
}

// TestHints checks that wrong usage prints the available commands and how to get help.
func TestHints(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	for line, want := range map[string][]string{
		"wallet credit":                   {`no command "wallet credit"`, "deposit, withdraw, statement", `"verbatim wallet --help"`},
		"wallet":                          {"expected one of create, list, grant", `"verbatim wallet --help"`},
		"org creat":                       {`no command "org creat"; did you mean create?`, `"verbatim org --help"`},
		"serv":                            {`no command "serv"; did you mean serve?`, `"verbatim --help"`},
		"wallet deposit":                  {"wallet deposit: missing flags", `"verbatim wallet deposit --help"`},
		"wallet deposit x --accont y":     {"--account", `"verbatim wallet deposit --help"`},
		"study simulate x --participants": {"--participants", `"verbatim study simulate --help"`},
		"help wallet deposi":              {"did you mean deposit?"},
		"help nothing":                    {`no command "nothing"`},
	} {
		_, stderr := command(t, exitUsage, strings.Fields(line)...)
		for _, part := range want {
			if !strings.Contains(stderr, part) {
				t.Errorf("%s: %q says nothing of %q", line, stderr, part)
			}
		}
	}
}

// TestHelp checks that the help command prints the same as --help, with every flag and every default.
func TestHelp(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for _, leaf := range model(t).Leaves(true) {
		name := strings.Fields(leaf.FullPath())[1:]
		var want, got bytes.Buffer
		if run(t.Context(), append(name, "--help"), &want, &want) != 0 || run(t.Context(), append([]string{"help"}, name...), &got, &got) != 0 || got.String() != want.String() {
			t.Errorf("help %v:\n%s", name, got.String())
		}
		for _, flags := range leaf.AllFlags(true) {
			for _, f := range flags {
				if !strings.Contains(plain(got.String()), "--"+f.Name) {
					t.Errorf("help %v has no --%s", name, f.Name)
				}
				if f.Default != "" && !strings.Contains(plain(got.String()), plain(f.Help)+" Default: "+f.Default+".") && !strings.Contains(f.Help, "Default:") {
					t.Errorf("help %v does not say the default of --%s", name, f.Name)
				}
			}
		}
	}
}

// TestPasswordsAreNotPrinted checks that no command prints the password of the database, whatever goes wrong.
func TestPasswordsAreNotPrinted(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	for _, address := range []string{
		"postgres://u:hush@127.0.0.1:1/x",
		"postgres://127.0.0.1:1/x?user=u&password=hush",
		"postgres://u:hush@127.0.0.1:1/x?sslmode=hush",
		"postgres://u:hush@127.0.0.1:port/x",
		"postgres://u:hu%sh@127.0.0.1:1/hush",
		"mysql://u:hush@127.0.0.1/x",
	} {
		for _, args := range [][]string{{"migrate"}, {"org", "list"}, {"doctor"}, {"secret", "list"}, {"serve", "--listen", "127.0.0.1:0"}, {"quickstart"}} {
			out, stderr := command(t, exitRefused, append(args, "--database", address, "--data", t.TempDir())...)
			if stderr = strings.ReplaceAll(stderr, "sslmode", ""); strings.Contains(out+stderr, ":hush") || strings.Contains(out+stderr, "=hush") || strings.Contains(out+stderr, "hu%sh") {
				t.Errorf("%v %s: %s%s", args, address, out, stderr)
			}
		}
	}
}

package generated

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/testserver"
)

// engine is a server on one of the databases.
type engine struct {
	name    string
	address string
	store   *store.Store
	client  *http.Client
}

// postgres returns the address of an empty database: of the suites' server, or of one that is started for this test.
func postgres(t *testing.T) string {
	t.Helper()
	if storetest.OnPostgres() {
		return storetest.Address(t)
	}
	return pgtest.StartFor(t).URL("postgres")
}

// newEngine starts a server; without an address on SQLite.
func newEngine(t *testing.T, binary, name, database string) *engine {
	t.Helper()
	dir := t.TempDir()
	if database == "" {
		database = "sqlite:" + filepath.Join(dir, "verbatim.db")
	}
	e := &engine{name: name, address: testserver.FreeAddress(t)}
	e.client = &http.Client{
		Timeout:       30 * time.Second,
		Transport:     &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(binary, "serve", "--listen", e.address, "--data", dir, "--database", database, "--rate-limit", "0", "--trusted-proxies", "127.0.0.1/32")
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
		if out, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, `"level":"ERROR"`) {
					t.Logf("%s logged %s", name, clip(line, 800))
				}
			}
		}
		log.Close()
	})
	for deadline := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
		if answer, err := e.client.Get("http://" + e.address + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server on %s does not become ready", name)
		}
	}
	if e.store, err = store.Open(t.Context(), database, store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// world is one client's data on one engine: real ids, which requests name as {{name}}.
type world struct {
	*engine
	ids    map[string]string
	tokens []string
	etags  map[string]string // by the path that returned them
	links  map[string]bool   // link ids that answers named
}

// theGuide has a question of each type that is the same for every participant, whatever their seed.
const theGuide = `{"title":"Generated","config":{"availableLanguages":["en","de"],"interviewMode":"text"},"studyGuide":[
	{"type":"flat","title":"","externalId":"block","items":[
		{"type":"multiple_choice","externalId":"q1","text":"Which?","multiSelect":true,"allowCustomOption":true,
			"options":[{"text":"One","externalId":"o1"},{"text":"Two","externalId":"o2"},{"text":"Three","externalId":"o3"}]},
		{"type":"open_ended","externalId":"q2","text":"Why?","followUp":"light"},
		{"type":"matrix","externalId":"q3","text":"Rate.","options":[{"text":"Good"},{"text":"Bad"}],"rows":[{"text":"Price"},{"text":"Taste"}]},
		{"type":"ranking","externalId":"q4","text":"Rank.","options":[{"text":"One","externalId":"r1"},{"text":"Two","externalId":"r2"}]},
		{"type":"max_diff","externalId":"q5","text":"Best?","metric":"worth","itemsPerScreen":3,
			"options":[{"text":"A","externalId":"m1"},{"text":"B","externalId":"m2"},{"text":"C","externalId":"m3"}]},
		{"type":"statement","externalId":"q6","text":"Thanks."},
		{"type":"open_ended","externalId":"q7","text":"More?","followUp":"none"}]}]}`

const fileGuide = `{"title":"Files","config":{"interviewMode":"audio_text"},"studyGuide":[{"type":"flat","title":"","externalId":"block","items":[
	{"type":"file_upload","externalId":"f1","text":"Show us."},{"type":"open_ended","externalId":"f2","text":"Why?","followUp":"none"}]}]}`

// plant creates a client's organization: keys, wallets, studies and responses, and another organization's, whose ids must behave as if they
// did not exist.
func (e *engine) plant(t *testing.T, number int) *world {
	t.Helper()
	w := &world{engine: e, ids: map[string]string{}, etags: map[string]string{}}
	for _, whose := range []string{"", "other"} {
		o := storetest.Org(t, e.store)
		admin, member := storetest.User(t, e.store, o.ID, org.Admin), storetest.User(t, e.store, o.ID, org.Member)
		w.ids[whose+"key"], w.ids[whose+"memberkey"] = storetest.Key(t, e.store, o.ID, admin.ID), storetest.Key(t, e.store, o.ID, member.ID)
		w.ids["strangerkey"] = storetest.Key(t, e.store, o.ID, storetest.User(t, e.store, storetest.Org(t, e.store).ID, org.Admin).ID) // of no member
		w.ids[whose+"wallet"] = storetest.Wallet(t, e.store, o.ID, 1_000_000*wallet.Credit).ID
		w.ids[whose+"study"], w.ids[whose+"link"] = w.study(t, o.ID, w.ids[whose+"wallet"], theGuide)
		w.ids[whose+"draft"], w.ids[whose+"draftlink"] = w.study(t, o.ID, "", theGuide)
		if whose == "" {
			_, w.ids["filelink"] = w.study(t, o.ID, w.ids["wallet"], fileGuide)
		}
		for n := range 6 {
			w.begin(t, whose, n)
		}
	}
	w.ids["client"] = fmt.Sprint(number)
	w.ids["upload"], w.ids["deletion"] = store.NewID(), store.NewID()
	return w
}

// study stores a guide, and publishes it if it gets a wallet.
func (w *world) study(t *testing.T, orgID, walletID, text string) (id, link string) {
	t.Helper()
	g, err := guide.Decode([]byte(text), guide.Options{NewID: store.NewID, Stored: true})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(t.Context(), study.Study{OrgID: orgID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		id, link = draft.ID, draft.LinkID
		if walletID == "" {
			return nil
		}
		return tx.Publish(t.Context(), draft, walletID)
	})
	return id, link
}

// begin starts an interview through the protocol, and records its ids.
func (w *world) begin(t *testing.T, whose string, n int) {
	t.Helper()
	link := w.ids[whose+"link"]
	if n == 5 && whose == "" {
		link = w.ids["filelink"]
	}
	a, err := w.send(t.Context(), &template{method: http.MethodPost, target: "/s/" + link + "/interviews?panel=p1&n=" + fmt.Sprint(n), body: []byte("{}"), address: "198.51.100.1"})
	if err != nil || a.status != http.StatusCreated {
		t.Fatalf("beginning on %s: %d %s, %v", w.name, a.status, a.body, err)
	}
	if whose == "" {
		w.learn(a)
	}
	r, err := w.send(t.Context(), &template{method: http.MethodGet, target: "/api/public/v1/responses/" + link, header: []string{"x-api-key", w.ids[whose+"key"]}})
	items := a.list(r.body)
	if err != nil || len(items) == 0 {
		t.Fatalf("listing on %s: %d %s, %v", w.name, r.status, r.body, err)
	}
	id, _ := items[len(items)-1]["id"].(string)
	w.ids[fmt.Sprint(whose, "response", n)] = id
}

// answer is a server's answer to a request.
type answer struct {
	request *http.Request
	sent    []byte
	status  int
	header  http.Header
	body    []byte
	stream  bool // an event stream, of which only the beginning was read
}

// send puts the world's ids into a template and sends it.
func (w *world) send(ctx context.Context, like *template) (a answer, err error) {
	fill := w.filler()
	var payload io.Reader
	if like.body != nil {
		a.sent = []byte(fill.Replace(string(like.body)))
		payload = bytes.NewReader(a.sent)
	}
	if a.request, err = http.NewRequestWithContext(ctx, like.method, "http://"+w.address+fill.Replace(like.target), payload); err != nil {
		return a, err
	}
	w.ids["etag"] = w.etags[a.request.URL.Path]
	fill = w.filler()
	a.request.Header.Set("Accept", "application/json")
	a.request.Header.Set("X-Forwarded-For", like.address)
	for i := 0; i+1 < len(like.header); i += 2 {
		a.request.Header.Add(like.header[i], fill.Replace(like.header[i+1]))
		if like.header[i] == "Accept" {
			a.request.Header.Set("Accept", like.header[i+1])
		}
	}
	response, err := w.client.Do(a.request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.status, a.header = response.StatusCode, response.Header
	if a.stream = strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream"); !a.stream {
		a.body, err = io.ReadAll(response.Body)
	}
	return a, err
}

// filler returns a replacer that puts ids in the place of their names.
func (w *world) filler() *strings.Replacer {
	var pairs []string
	for name, id := range w.ids {
		pairs = append(pairs, "{{"+name+"}}", id)
	}
	return strings.NewReplacer(pairs...)
}

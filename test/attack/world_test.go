package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
)

// world is everyone who uses the server.
type world struct {
	server    *server
	model     *llmtest.Server // the language model's service
	load      *load
	innocent  account
	hostile   account
	addresses atomic.Int64
	accounts  atomic.Int64
}

// account is an organization with a key and a wallet.
type account struct {
	OrgID, UserID, Key, WalletID string
}

// newWorld starts a server with the default limits, except for the sizes of uploads, which are small so that filling them is cheap.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{model: llmtest.New()}
	models := httptest.NewServer(w.model)
	t.Cleanup(models.Close)
	w.server = newServer(t, "--trusted-proxies", "127.0.0.1/32", "--llm-url", models.URL+"/v1", "--llm-model", "fake",
		"--max-file", "8MiB", "--max-audio", "8MiB", "--max-video", "16MiB", "--max-interview", "32MiB", "--max-uploads", "20", "--max-study", "1GiB")
	w.innocent = w.account(t, 1_000_000)
	w.hostile = w.account(t, 1_000_000)
	w.server.start(t)
	w.load = newLoad(t, w)
	return w
}

// ensureUp starts the server again if an attack has ended it.
func (w *world) ensureUp(t *testing.T) {
	t.Helper()
	if !w.server.alive() {
		w.server.start(t)
	}
}

// account creates an organization with an admin, a key, and a wallet of so many credits.
func (w *world) account(t *testing.T, credits int) (a account) {
	t.Helper()
	name := fmt.Sprintf("Organization %d", w.accounts.Add(1))
	var made struct{ ID, Key string }
	w.server.command(t, &made, "org", "create", name)
	a.OrgID = made.ID
	w.server.command(t, &made, "user", "create", "--org", a.OrgID, "--email", fmt.Sprintf("u%d@example.org", w.accounts.Load()), "--name", name, "--role", "admin")
	a.UserID = made.ID
	w.server.command(t, &made, "key", "create", "--org", a.OrgID, "--user", a.UserID, "--name", "attack")
	a.Key = made.Key
	w.server.command(t, &made, "wallet", "create", name)
	a.WalletID = made.ID
	w.server.command(t, nil, "wallet", "grant", a.WalletID, "--org", a.OrgID)
	w.server.command(t, nil, "wallet", "deposit", a.WalletID, "--account", "project", fmt.Sprint(credits))
	return a
}

// address returns an address that nobody has used yet, for the trusted proxy to report.
func (w *world) address() string {
	n := w.addresses.Add(1)
	return fmt.Sprintf("198.%d.%d.%d", 18+n>>16, n>>8&255, n&255)
}

// somebody returns an innocent person with an address of their own.
func (w *world) somebody() *person { return w.server.proxied(w.address()) }

// dict is a JSON object.
type dict = map[string]any

// guideOf returns a study guide with these items in one block.
func guideOf(title string, items ...any) dict {
	return dict{"title": title, "studyGuide": []any{dict{"type": "flat", "title": "", "items": items}}}
}

func open(text, followUp string) dict {
	return dict{"type": "open_ended", "text": text, "followUp": followUp}
}

// texts returns n options, rows or columns.
func texts(n int, prefix string) (all []any) {
	for i := range n {
		all = append(all, dict{"text": fmt.Sprintf("%s %d", prefix, i)})
	}
	return all
}

// create stores a study through the API and returns the answer, which may be a refusal.
func (w *world) create(ctx context.Context, p *person, a account, guide any) (id string, r reply, err error) {
	r, err = p.send(ctx, http.MethodPost, "/api/public/v1/studies/create", guide, "X-Api-Key", a.Key, "Content-Type", "application/json")
	if err != nil {
		return "", r, err
	}
	var made struct{ ID string }
	if r.status == http.StatusCreated {
		err = r.decode(&made)
	}
	return made.ID, r, err
}

// study creates and launches a study, and returns its link.
func (w *world) study(t *testing.T, a account, guide any) (id, link string) {
	t.Helper()
	id, r, err := w.create(t.Context(), w.somebody(), a, guide)
	if err != nil || id == "" {
		t.Fatalf("creating a study: %d %.500s, %v", r.status, r.body, err)
	}
	return id, w.launch(t, a, id)
}

func (w *world) launch(t *testing.T, a account, id string) (link string) {
	t.Helper()
	r, err := w.somebody().send(t.Context(), http.MethodPost, "/api/public/v1/studies/"+id+"/launch", nil, "X-Api-Key", a.Key)
	var live struct{ LinkID string }
	if err != nil || r.status != http.StatusOK || r.decode(&live) != nil {
		t.Fatalf("launching a study: %d %.500s, %v", r.status, r.body, err)
	}
	return live.LinkID
}

// plant stores a study that the API cannot create, one that asks for files, and launches it.
func (w *world) plant(t *testing.T, a account, g dict) (id, link string) {
	t.Helper()
	encoded, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := guide.Decode(encoded, guide.Options{NewID: store.NewID, Stored: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), w.server.database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(t.Context(), study.Study{OrgID: a.OrgID, Title: decoded.Title}, guide.Encode(decoded))
		id = draft.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return id, w.launch(t, a, id)
}

// step holds the fields of a step that the attacks read.
type step struct {
	StepID, Kind, Moderator string
	Question                *struct {
		Type    string
		Options []struct{ ID string }
	}
}

func (s step) ended() bool { return s.Kind == "complete" || s.Kind == "screened_out" }

// session is an interview under way.
type session struct {
	token string
	step  step
}

// begin starts an interview.
func (p *person) begin(ctx context.Context, link string) (i session, r reply, err error) {
	r, err = p.send(ctx, http.MethodPost, "/s/"+link+"/interviews", dict{}, "Content-Type", "application/json")
	if err != nil {
		return i, r, err
	}
	var begun struct {
		Token string
		Step  step
	}
	if r.status == http.StatusCreated {
		err = r.decode(&begun)
	}
	return session{begun.Token, begun.Step}, r, err
}

// mustBegin starts an interview that nothing may stop.
func (s *stage) mustBegin(p *person, link string) session {
	s.t.Helper()
	i, r, err := p.begin(s.t.Context(), link)
	if err != nil || i.token == "" {
		s.t.Fatalf("beginning an interview: %d %.300s, %v", r.status, r.body, err)
	}
	return i
}

// answer answers the interview's step and advances the session.
func (p *person) answer(ctx context.Context, i *session, answer dict) (reply, error) {
	answer["stepId"] = i.step.StepID
	r, err := p.send(ctx, http.MethodPost, "/i/"+i.token+"/answers", answer, "Content-Type", "application/json")
	if err != nil {
		return r, err
	}
	var next struct{ Step step }
	if r.status == http.StatusOK {
		if err = r.decode(&next); err == nil {
			i.step = next.Step
		}
	}
	return r, err
}

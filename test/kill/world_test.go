package kill

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim/test/testserver"
)

// world is everyone who uses the server during the test.
type world struct {
	*program
	facts
	key    string
	link   string
	serial atomic.Int64
}

// begin creates an organization with credits, starts the nodes and launches a study.
func begin(t *testing.T, p *program) (w *world, studyID string) {
	var org, user, key, balance struct{ ID, Key string }
	p.command(&org, "org", "create", "Kill")
	p.command(&user, "user", "create", "--org", org.ID, "--email", "k@example.org", "--name", "K", "--role", "admin")
	p.command(&key, "key", "create", "--org", org.ID, "--user", user.ID, "--name", "kill")
	p.command(&balance, "wallet", "create", "Kill")
	p.command(nil, "wallet", "grant", balance.ID, "--org", org.ID)
	p.command(nil, "wallet", "deposit", balance.ID, "--account", "project", fmt.Sprint(deposit))
	for _, n := range p.nodes {
		p.start(n)
	}
	w = &world{program: p, key: key.Key, facts: facts{deletions: map[string]string{}}}
	studyID = w.mustCreate(t, "main study")
	w.link = w.mustLaunch(t, studyID)
	return w, studyID
}

// guideOf returns a study guide with an open question that has follow-ups, a choice and a MaxDiff question.
func guideOf(title string) map[string]any {
	options := func(texts ...string) (all []map[string]any) {
		for _, text := range texts {
			all = append(all, map[string]any{"text": text})
		}
		return all
	}
	return map[string]any{"title": title, "studyGuide": []any{map[string]any{"type": "flat", "title": "", "items": []any{
		map[string]any{"type": "open_ended", "text": "What happened?", "followUp": "light"},
		map[string]any{"type": "multiple_choice", "text": "Which one?", "options": options("a", "b", "c")},
		map[string]any{"type": "max_diff", "text": "Best and worst?", "options": options("u", "v", "w", "x", "y"), "metric": "worth"},
		map[string]any{"type": "open_ended", "text": "Anything else?", "followUp": "none"},
	}}}}
}

func (w *world) mustCreate(t *testing.T, title string) string {
	id, err := w.create(t.Context(), title)
	w.errs(t, err)
	return id
}

// create creates a study under one idempotency key, and repeats that until it is acknowledged.
func (w *world) create(ctx context.Context, title string) (string, error) {
	r, err := w.insist(ctx, http.MethodPost, "/api/public/v1/studies/create", w.key, guideOf(title), "Idempotency-Key", title)
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	if err := r.decode(&made); err != nil || r.status != http.StatusCreated {
		return "", fmt.Errorf("create: %d %s: %w", r.status, r.body, err)
	}
	return made.ID, nil
}

func (w *world) mustLaunch(t *testing.T, id string) string {
	link, err := w.launch(t.Context(), id)
	w.errs(t, err)
	return link
}

func (w *world) launch(ctx context.Context, id string) (string, error) {
	r, err := w.insist(ctx, http.MethodPost, "/api/public/v1/studies/"+id+"/launch", w.key, nil)
	if err != nil {
		return "", err
	}
	var live struct{ LinkID, Status string }
	if err := r.decode(&live); err != nil || r.status != http.StatusOK || live.Status != "live" {
		return "", fmt.Errorf("launch: %d %s: %w", r.status, r.body, err)
	}
	return live.LinkID, nil
}

// studyLoop creates and launches studies one after the other.
func (w *world) studyLoop(ctx context.Context) {
	for ctx.Err() == nil {
		title := fmt.Sprintf("study %d", w.serial.Add(1))
		id, err := w.create(ctx, title)
		if w.failed(ctx, err) {
			return
		}
		w.mu.Lock()
		w.studies = append(w.studies, created{id: id, title: title})
		w.mu.Unlock()
		if _, err := w.launch(ctx, id); w.failed(ctx, err) {
			return
		}
	}
}

// interviewLoop takes interviews one after the other.
func (w *world) interviewLoop(ctx context.Context, n int) {
	for ctx.Err() == nil {
		r, err := w.insist(ctx, http.MethodPost, fmt.Sprintf("/s/%s/interviews?worker=%d", w.link, n), "", map[string]any{})
		if w.failed(ctx, err) {
			return
		}
		var begun struct{ Token string }
		if err := r.decode(&begun); err != nil || r.status != http.StatusCreated {
			w.t.Errorf("start: %d %s", r.status, r.body)
			return
		}
		i := &taken{token: begun.Token}
		w.mu.Lock()
		w.interviews = append(w.interviews, i)
		w.mu.Unlock()
		if err := w.goOn(ctx, i); w.failed(ctx, err) {
			return
		}
	}
}

// goOn answers an interview's steps to its end.
func (w *world) goOn(ctx context.Context, i *taken) error {
	r, err := w.insist(ctx, http.MethodGet, "/i/"+i.token, "", nil)
	if err != nil {
		return err
	}
	for {
		if r.status == http.StatusGone {
			i.finished = true // a deletion took it
			return nil
		}
		var now struct{ Step testserver.Step }
		if err := r.decode(&now); err != nil || r.status != http.StatusOK {
			return fmt.Errorf("step: %d %s: %w", r.status, r.body, err)
		}
		if now.Step.Ended() {
			i.finished = true
			return nil
		}
		answer, said := w.answerTo(now.Step)
		if r, err = w.insist(ctx, http.MethodPost, "/i/"+i.token+"/answers", "", answer); err != nil {
			return err
		}
		if said != "" && r.status == http.StatusOK {
			i.said = append(i.said, said)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (w *world) answerTo(s testserver.Step) (answer map[string]any, said string) {
	if s.Open() {
		said = fmt.Sprintf("word %d, said once", w.serial.Add(1))
	}
	return s.Answer(said), said
}

// listed holds the fields of a response that the test reads.
type listed struct {
	ID, Progress string
	ReadableID   int
	AnswersArray []struct{ Answer string }
}

func (w *world) list(ctx context.Context, studyID, query string) ([]listed, error) {
	r, err := w.insist(ctx, http.MethodGet, "/api/public/v1/responses/"+studyID+"?perPage=10000"+query, w.key, nil)
	if err != nil {
		return nil, err
	}
	var items []listed
	if err := r.decode(&items); err != nil {
		return nil, err
	}
	seen := map[int]bool{}
	for _, item := range items {
		if seen[item.ReadableID] {
			return nil, fmt.Errorf("readable id %d is there twice", item.ReadableID)
		}
		seen[item.ReadableID] = true
	}
	return items, nil
}

// deleteLoop deletes one listed response in four, finished or not.
func (w *world) deleteLoop(ctx context.Context, studyID string) {
	for ctx.Err() == nil {
		items, err := w.list(ctx, studyID, "")
		if w.failed(ctx, err) {
			return
		}
		w.mu.Lock()
		enough := len(w.deletions)*4 >= len(w.interviews)
		w.mu.Unlock()
		if enough || len(items) == 0 {
			continue
		}
		id := items[len(items)/2].ID
		r, err := w.insist(ctx, http.MethodDelete, fmt.Sprintf("/api/public/v1/responses?studyId=%s&responseId=%s", studyID, id), w.key, nil)
		if w.failed(ctx, err) {
			return
		}
		var receipt struct{ DeletionID string }
		if err := r.decode(&receipt); err != nil || r.status != http.StatusAccepted && r.status != http.StatusOK {
			w.t.Errorf("delete: %d %s", r.status, r.body)
			return
		}
		w.mu.Lock()
		w.deletions[id] = receipt.DeletionID
		w.mu.Unlock()
	}
}

// failed reports whether a loop must end: silently at the end of the test, else with its error.
func (w *world) failed(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if ctx.Err() == nil && !strings.Contains(err.Error(), "context canceled") {
		w.t.Error(err)
	}
	return true
}

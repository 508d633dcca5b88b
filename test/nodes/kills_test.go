package nodes

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/testserver"
)

var (
	requests     = flag.Int("requests", 1200, "how many requests are sent, at least")
	kills        = flag.Int("kills", 3, "how often a node is killed while they are sent")
	participants = flag.Int("participants", 16, "how many participants send them, one request at a time each")
	program      = flag.String("caddy", "caddy", "the Caddy to try")
)

// load sends the requests and records their results.
type load struct {
	*service
	base   func() string // returns the address of the next request
	link   string
	serial atomic.Int64
	sent   atomic.Int64

	mu       sync.Mutex
	killed   []time.Time
	failures []failure
	slowest  time.Duration
	begun    []begun
	said     []string // acknowledged open answers, each unique in the world
}

// begun is an interview and the participant who takes it.
type begun struct {
	participant int
	token       string
}

// failure is a request that the client must repeat: an error of the network, or a status of 500 or above.
type failure struct {
	participant int
	method      string
	why         string
	kill        int           // the latest kill before the request failed
	begun       time.Duration // since that kill; negative: before it
}

// TestKillsBehindCaddy kills nodes in turn behind the proxy while participants take interviews. Only the request that the killed node was
// answering may fail, once, if Caddy is too old to repeat it; with a Caddy that repeats requests fewer than five may fail. Nothing that was
// acknowledged is lost, and nothing is stored twice.
func TestKillsBehindCaddy(t *testing.T) {
	database := pgtest.StartFor(t).URL("postgres")
	if storetest.OnPostgres() {
		database = storetest.Address(t)
	}
	l := &load{service: newService(t, database, 3)}
	key := l.organization()
	for _, n := range l.nodes {
		l.start(n)
	}
	proxy := testserver.StartCaddy(t, *program, l.addresses())
	l.base = func() string { return "http://" + proxy.Address }
	l.until("the proxy answers", func() bool {
		answer, err := l.client.Get(l.base() + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	studyID := l.launch(t, key)

	work, stop := context.WithCancel(t.Context())
	defer stop()
	var workers sync.WaitGroup
	for n := range *participants {
		workers.Go(func() {
			for work.Err() == nil && l.interview(t.Context(), n, toTheEnd) {
			}
		})
	}
	for k := range *kills {
		l.until("enough requests were sent", func() bool { return l.sent.Load() >= int64((k+1)**requests/(*kills+1)) })
		victim := l.nodes[k%len(l.nodes)]
		l.until("the node takes part", victim.serves)
		l.mu.Lock()
		l.killed = append(l.killed, time.Now())
		l.mu.Unlock()
		victim.kill()
		l.start(victim)
		l.until("the node takes part again", victim.serves)
	}
	l.until("all requests were sent", func() bool { return l.sent.Load() >= int64(*requests) })
	stop()
	workers.Wait()
	if t.Failed() {
		return
	}
	l.judge(t, proxy)
	l.compare(t, key, studyID)
}

// judge prints the failures and checks them against the promise.
func (l *load) judge(t *testing.T, proxy *testserver.Caddy) {
	late, again := 0, 0
	seen := map[[2]int]bool{}
	for _, f := range l.failures {
		t.Logf("failed %v after kill %d: %s: %s", f.begun.Round(time.Millisecond), f.kill+1, f.method, f.why)
		if f.begun > time.Second {
			late++
		}
		if seen[[2]int{f.participant, f.kill}] {
			again++
		}
		seen[[2]int{f.participant, f.kill}] = true
	}
	t.Logf("Caddy %s with %s: %d requests of %d participants, %d kills of 3 nodes: %d failed, %d of them sent more than a second after a kill; slowest request %v",
		proxy.Version, proxy.File, l.sent.Load(), *participants, len(l.killed), len(l.failures), late, l.slowest.Round(time.Millisecond))
	if again > 0 {
		t.Errorf("%d requests failed of participants to whom the same kill had done so before", again)
	}
	if proxy.Replays && len(l.failures) >= 5 {
		t.Errorf("%d requests failed; this Caddy repeats them", len(l.failures))
	}
}

// try makes one request through the proxy, and counts failures.
func (l *load) try(ctx context.Context, participant int, method, path, key string, body any) (status int, read []byte, failed bool) {
	encoded, err := json.Marshal(body)
	if err != nil {
		l.t.Error(err)
		return 0, nil, true
	}
	request, err := http.NewRequestWithContext(ctx, method, l.base()+path, nil)
	if err != nil {
		l.t.Error(err)
		return 0, nil, true
	}
	if body != nil {
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(encoded)), int64(len(encoded))
	}
	request.Header.Set("Accept", "application/json")
	if key != "" {
		request.Header.Set("x-api-key", key)
	}
	status, read = l.send(participant, request)
	return status, read, status == 0 || status >= 500
}

// send sends a request, and counts failures; status 0: there was no answer.
func (l *load) send(participant int, request *http.Request) (status int, read []byte) {
	begun := time.Now()
	why := ""
	answer, err := l.client.Do(request)
	if err == nil {
		read, err = io.ReadAll(answer.Body)
		answer.Body.Close()
		status = answer.StatusCode
	}
	switch {
	case err != nil:
		status, why = 0, err.Error()
	case status >= 500:
		why = fmt.Sprintf("%d %s", status, read)
	}
	took := time.Since(begun)
	l.sent.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, took)
	if why != "" {
		latest := len(l.killed) - 1
		f := failure{participant: participant, method: request.Method, why: why, kill: latest}
		if latest >= 0 {
			f.begun = begun.Sub(l.killed[latest])
		}
		l.failures = append(l.failures, f)
	}
	return status, read
}

// insist repeats a request until it succeeds, as the participant's page does.
func (l *load) insist(ctx context.Context, participant int, method, path, key string, body any) (int, []byte) {
	for {
		status, read, failed := l.try(ctx, participant, method, path, key, body)
		if !failed || ctx.Err() != nil {
			return status, read
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// organization creates one with credits, and returns an API key of it.
func (l *load) organization() string {
	var org, user, key, balance struct{ ID, Key string }
	l.command(&org, "org", "create", "Nodes")
	l.command(&user, "user", "create", "--org", org.ID, "--email", "n@example.org", "--name", "N", "--role", "admin")
	l.command(&key, "key", "create", "--org", org.ID, "--user", user.ID, "--name", "nodes")
	l.command(&balance, "wallet", "create", "Nodes")
	l.command(&struct{}{}, "wallet", "grant", balance.ID, "--org", org.ID)
	l.command(&struct{}{}, "wallet", "deposit", balance.ID, "--account", "project", "100000")
	return key.Key
}

func (l *load) launch(t *testing.T, key string) (studyID string) {
	t.Helper()
	items := []any{
		map[string]any{"type": "open_ended", "text": "What happened?", "followUp": "none"},
		map[string]any{"type": "open_ended", "text": "And then?", "followUp": "none"},
		map[string]any{"type": "multiple_choice", "text": "Which one?", "options": []any{map[string]any{"text": "a"}, map[string]any{"text": "b"}}},
		map[string]any{"type": "open_ended", "text": "Anything else?", "followUp": "none"},
	}
	guide := map[string]any{"title": "Balanced", "studyGuide": []any{map[string]any{"type": "flat", "title": "", "items": items}}}
	var made struct{ ID, LinkID string }
	status, body := l.insist(t.Context(), -1, http.MethodPost, "/api/public/v1/studies/create", key, guide)
	if err := json.Unmarshal(body, &made); err != nil || status != http.StatusCreated {
		t.Fatalf("create: %d %s", status, body)
	}
	status, body = l.insist(t.Context(), -1, http.MethodPost, "/api/public/v1/studies/"+made.ID+"/launch", key, nil)
	studyID = made.ID
	if err := json.Unmarshal(body, &made); err != nil || status != http.StatusOK {
		t.Fatalf("launch: %d %s", status, body)
	}
	l.link = made.LinkID
	return studyID
}

// toTheEnd is more answers than an interview has.
const toTheEnd = 1000

// interview begins an interview and gives so many answers, or all, and reports whether it could.
func (l *load) interview(ctx context.Context, participant, answers int) bool {
	var answer struct{ Token string }
	status, body := l.insist(ctx, participant, http.MethodPost, "/s/"+l.link+"/interviews", "", map[string]any{})
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusCreated {
		l.t.Errorf("begin: %d %s", status, body)
		return false
	}
	l.mu.Lock()
	l.begun = append(l.begun, begun{participant, answer.Token})
	l.mu.Unlock()
	return l.goOn(ctx, answer.Token, participant, answers)
}

// goOn answers so many steps of an interview, or all that are left.
func (l *load) goOn(ctx context.Context, token string, participant, answers int) bool {
	for range answers {
		var now struct {
			Step struct {
				StepID, Kind string
				Question     *struct {
					Type    string
					Options []struct{ ID string }
				}
			}
		}
		status, body := l.insist(ctx, participant, http.MethodGet, "/i/"+token, "", nil)
		if err := json.Unmarshal(body, &now); err != nil || status != http.StatusOK {
			l.t.Errorf("step: %d %s", status, body)
			return false
		}
		if now.Step.Kind == "complete" {
			return true
		}
		answer, said := map[string]any{"stepId": now.Step.StepID}, ""
		if now.Step.Question.Type == "multiple_choice" {
			answer["selected"] = []string{now.Step.Question.Options[0].ID}
		} else {
			said = fmt.Sprintf("word %d of participant %d, said once", l.serial.Add(1), participant)
			answer["text"] = said
		}
		status, body = l.insist(ctx, participant, http.MethodPost, "/i/"+token+"/answers", "", answer)
		if status != http.StatusOK {
			l.t.Errorf("answer: %d %s", status, body)
			return false
		}
		if said != "" {
			l.mu.Lock()
			l.said = append(l.said, said)
			l.mu.Unlock()
		}
	}
	return true
}

// compare compares what is stored with what was acknowledged.
func (l *load) compare(t *testing.T, key, studyID string) {
	t.Helper()
	words := map[string]int{}
	for page := 0; ; page++ {
		status, body := l.insist(t.Context(), -1, http.MethodGet, fmt.Sprintf("/api/public/v1/responses/%s?perPage=1000&page=%d", studyID, page), key, nil)
		var items []struct {
			AnswersArray []struct{ Answer string }
		}
		if err := json.Unmarshal(body, &items); err != nil || status != http.StatusOK {
			t.Fatalf("list: %d %s", status, body)
		}
		for _, item := range items {
			participant := ""
			for _, a := range item.AnswersArray {
				words[a.Answer]++
				if _, who, spoke := strings.Cut(a.Answer, " of participant "); spoke {
					if participant != "" && who != participant {
						t.Errorf("one response holds answers of %q and of %q", participant, who)
					}
					participant = who
				}
			}
		}
		if len(items) == 0 {
			break
		}
	}
	lost := slices.DeleteFunc(slices.Clone(l.said), func(said string) bool { return words[said] == 1 })
	if len(lost) > 0 || len(l.said) == 0 {
		t.Errorf("of %d acknowledged answers %d are not there once, such as %q", len(l.said), len(lost), lost[:min(len(lost), 3)])
	}
}

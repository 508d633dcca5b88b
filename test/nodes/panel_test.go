package nodes

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/panel"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
)

var (
	people = flag.Int("people", 60, "how many people of a panel come")
	groups = flag.Int("groups", 4, "how many groups each of the two dimensions of the interlocked quota has")
	outage = flag.Duration("outage", 0, "how long the panel's server is down; 0: as long as a third of the people take, and what did not arrive is sent again by command")
)

// TestPanel lets a panel send people to three nodes: each clicks twice, some have a second device, some are screened out, withdraw or leave. A
// node is killed, and the panel's server is down for a while. No cell of the interlocked quota has more people than its limit, nobody is charged
// twice, and every redirect and postback is what docs/panels.md promises.
func TestPanel(t *testing.T) {
	database := pgtest.StartFor(t).URL("postgres")
	if storetest.OnPostgres() {
		database = storetest.Address(t)
	}
	p := newPanelTrial(t, database)
	begun := time.Now()
	work := make(chan int)
	var workers sync.WaitGroup
	for range *participants {
		workers.Go(func() {
			for n := range work {
				p.visit(t.Context(), n)
			}
		})
	}
	back := make(chan time.Time, 1)
	for n := range *people {
		switch n {
		case *people / 3:
			p.server.stop()
			if *outage > 0 {
				time.AfterFunc(*outage, func() { p.server.start(t); back <- time.Now() })
			}
		case *people / 2:
			p.nodes[0].kill()
		case *people * 2 / 3:
			if *outage == 0 {
				p.server.start(t)
				back <- time.Now()
			}
			p.start(p.nodes[0])
		}
		work <- n
	}
	close(work)
	workers.Wait()
	took := time.Since(begun)
	up := <-back
	if *outage == 0 {
		var retried struct{ Retried int }
		p.command(&retried, "study", "panel", "retry", p.link)
	}
	if t.Failed() {
		return
	}
	p.returns.Wait()
	counted := time.Now()
	p.until("every postback has arrived", func() bool { // a message that waits when its participant withdraws is removed
		if time.Since(counted) < 100*time.Millisecond { // counting takes a while
			return false
		}
		counted = time.Now()
		told := p.told()
		return !slices.ContainsFunc(slices.Collect(maps.Keys(p.people)), func(pid string) bool { return p.people[pid].last() != "" && !told[pid][p.people[pid].last()] })
	})
	p.judge(t, took, time.Since(up))
}

// panelTrial is the service, the panel, and what became of the people.
type panelTrial struct {
	*load

	key     string
	studyID string
	server  *panelServer
	limit   int // of each cell

	mu      sync.Mutex
	people  map[string]*person
	refused int // starts from a second device
	clicks  int // requests that were sent twice at once
	returns sync.WaitGroup
}

const panelSecret = "a secret of the trial"

// person is somebody whom the panel sent.
type person struct {
	age, region int
	second      bool // comes with a second device
	unfit       bool // is screened out
	withdraws   bool
	leaves      bool

	outcome panel.Outcome // empty: left
	exits   []string      // where the person went afterwards
}

func newPanelTrial(t *testing.T, database string) *panelTrial {
	t.Helper()
	p := &panelTrial{load: &load{service: newService(t, database, 3)}, people: map[string]*person{}}
	p.limit = max(1, *people/(*groups**groups)-1)
	p.flags = []string{"--postback-networks", "127.0.0.0/8"}
	p.key = p.organization()
	for _, n := range p.nodes {
		p.start(n)
	}
	turn := make(chan string, len(p.nodes))
	for _, n := range p.nodes {
		turn <- "http://" + n.address
	}
	p.base = func() string { // each node in turn
		next := <-turn
		turn <- next
		return next
	}
	p.server = newPanelServer(t)
	p.launchWithPanel(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(panelSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	p.command(&struct{}{}, "study", "panel", "secret", p.link, "--file", secret)
	return p
}

func (p *panelTrial) launchWithPanel(t *testing.T) {
	t.Helper()
	ages, byAge, byRegion := []any{}, []any{}, []any{}
	for i := range *groups {
		id := fmt.Sprintf("a%d", i)
		ages = append(ages, map[string]any{"text": "Age " + id, "externalId": id, "status": "neutral"})
		byAge = append(byAge, map[string]any{"externalId": id, "choices": []string{id}})
		byRegion = append(byRegion, map[string]any{"externalId": fmt.Sprintf("r%d", i), "values": []string{fmt.Sprintf("r%d", i)}})
	}
	redirects := map[string]any{}
	for _, outcome := range []string{"complete", "screenedOut", "quotaFull", "closed", "withdrawn"} {
		redirects[outcome] = "http://" + p.server.address + "/back?pid={{pid}}&status={{status}}"
	}
	guide := map[string]any{
		"title": "Panel",
		"studyGuide": []any{
			map[string]any{"type": "screening", "title": "", "items": []any{
				map[string]any{"type": "multiple_choice", "text": "How old are you?", "externalId": "age", "options": ages},
				map[string]any{"type": "multiple_choice", "text": "Do you cook?", "externalId": "cook", "options": []any{
					map[string]any{"text": "Yes", "externalId": "yes", "status": "approve"}, map[string]any{"text": "No", "externalId": "no", "status": "reject"},
				}},
			}},
			map[string]any{"type": "flat", "title": "", "items": []any{map[string]any{"type": "open_ended", "text": "Why?", "externalId": "why", "followUp": "none"}}},
		},
		"config": map[string]any{"verbatim": map[string]any{
			"quotas": []any{map[string]any{"externalId": "grid", "limit": p.limit, "dimensions": []any{
				map[string]any{"questionId": "age", "groups": byAge}, map[string]any{"parameter": "region", "groups": byRegion},
			}}},
			"panel": map[string]any{
				"participant": map[string]any{"parameter": "pid"}, "signedLinks": true, "redirects": redirects,
				"signature": map[string]any{"algorithm": "hmac-sha256", "parameter": "signature"},
				"postback":  map[string]any{"url": "http://" + p.server.address + "/postback"},
			},
		}},
	}
	var made struct{ ID, LinkID string }
	status, body := p.insist(t.Context(), -1, http.MethodPost, "/api/public/v1/studies/create", p.key, guide)
	if err := json.Unmarshal(body, &made); err != nil || status != http.StatusCreated {
		t.Fatalf("create: %d %s", status, body)
	}
	if status, body = p.insist(t.Context(), -1, http.MethodPost, "/api/public/v1/studies/"+made.ID+"/launch", p.key, nil); status != http.StatusOK {
		t.Fatalf("launch: %d %s", status, body)
	}
	p.studyID, p.link = made.ID, made.LinkID
}

// newPerson returns person n. Half of the people belong to a quarter of the groups, so that some cells fill up and others do not.
func newPerson(n int) *person {
	draw := func(salt int) int {
		i := (n*7919 + salt*104729) % 1009
		if i%2 == 0 {
			return i / 2 % max(1, *groups/2)
		}
		return i / 2 % *groups
	}
	return &person{age: draw(1), region: draw(2), second: n%5 == 1, unfit: n%11 == 3, withdraws: n%13 == 5, leaves: n%17 == 7}
}

// place is an interview in the words of the protocol.
type place struct {
	Token string
	Code  string
	Step  struct {
		StepID, Kind, Reason string
		Question             *struct{ ID string }
		Exit                 *struct{ URL string }
	}
}

// visit leads person n through the study.
func (p *panelTrial) visit(ctx context.Context, n int) {
	pid, who := fmt.Sprintf("p-%d", n), newPerson(n)
	p.mu.Lock()
	p.people[pid] = who
	p.mu.Unlock()
	params := map[string]string{"pid": pid, "region": fmt.Sprintf("r%d", who.region)}
	query := url.Values{"pid": {pid}, "region": {params["region"]}, panel.LinkSignatureParam: {panel.SignLink(panelSecret, params)}}
	start := "/s/" + p.link + "/interviews?" + query.Encode()
	at, ok := p.twice(ctx, n, start, "the first device of "+pid+", in full", struct{}{})
	if !ok {
		return
	}
	if who.second {
		if status, body := p.insistPost(ctx, n, start, "the second device of "+pid+", in full", struct{}{}); status != http.StatusConflict || !strings.Contains(string(body), "already_") {
			p.t.Errorf("%s: a second device is answered %d %s", pid, status, body)
		}
		p.mu.Lock()
		p.refused++
		p.mu.Unlock()
	}
	token := at.Token
	for at.Step.Question != nil {
		answer := map[string]any{"stepId": at.Step.StepID}
		switch at.Step.Question.ID {
		case "age":
			answer["selected"] = []string{fmt.Sprintf("a%d", who.age)}
		case "cook":
			answer["selected"] = []string{map[bool]string{false: "yes", true: "no"}[who.unfit]}
		default:
			if who.leaves {
				return
			}
			answer["text"] = "Because I like what " + pid + " eats."
		}
		if at, ok = p.twice(ctx, n, "/i/"+token+"/answers", "", answer); !ok {
			return
		}
	}
	p.end(ctx, n, who, pid, token, at)
}

// end notes how an interview ended, goes where the page leads, and comes again.
func (p *panelTrial) end(ctx context.Context, n int, who *person, pid, token string, at place) {
	switch {
	case at.Step.Kind == "complete":
		who.outcome = panel.Complete
	case at.Step.Reason == "quota_full":
		who.outcome = panel.QuotaFull
	case at.Step.Kind == "screened_out":
		who.outcome = panel.ScreenedOut
	}
	if who.outcome == "" || at.Step.Exit == nil {
		p.t.Errorf("%s: the interview ended as %+v", pid, at.Step)
		return
	}
	p.goBack(ctx, who, at.Step.Exit.URL)
	if !who.withdraws || who.outcome != panel.Complete {
		who.withdraws = false
		return
	}
	var exit struct{ URL string }
	status, body := p.insistPost(ctx, n, "/i/"+token+"/withdraw", "", nil)
	if status == http.StatusGone { // the request before was answered by a node that died then
		who.exits = append(who.exits, "")
		return
	}
	if err := json.Unmarshal(body, &exit); err != nil || status != http.StatusOK {
		p.t.Errorf("%s: the withdrawal is answered %d %s", pid, status, body)
		return
	}
	p.goBack(ctx, who, exit.URL)
}

// goBack follows a redirect in the background, until the panel answers.
func (p *panelTrial) goBack(ctx context.Context, who *person, address string) {
	who.exits = append(who.exits, address)
	p.returns.Go(func() {
		for ctx.Err() == nil {
			if answer, err := p.client.Get(address); err == nil {
				answer.Body.Close()
				return
			}
			p.server.await(ctx)
		}
	})
}

// twice sends a request to two nodes at once, as a double click does, and repeats it until it is answered. Both answers must be the same.
func (p *panelTrial) twice(ctx context.Context, n int, path, key string, body any) (at place, ok bool) {
	var both [2]place
	var clicks sync.WaitGroup
	for i := range both {
		clicks.Go(func() {
			status, answer := p.insistPost(ctx, n, path, key, body)
			if err := json.Unmarshal(answer, &both[i]); err != nil || status/100 != 2 {
				p.t.Errorf("person %d: %s is answered %d %s", n, path, status, answer)
			}
		})
	}
	clicks.Wait()
	p.mu.Lock()
	p.clicks++
	p.mu.Unlock()
	if both[0].Token != both[1].Token || both[0].Step.StepID != both[1].Step.StepID || both[0].Step.Kind != both[1].Step.Kind {
		p.t.Errorf("person %d: a double click is answered %+v and %+v", n, both[0], both[1])
		return at, false
	}
	return both[0], both[0].Step.Kind != ""
}

// insistPost sends a request until it is answered, each time to the next node.
func (p *panelTrial) insistPost(ctx context.Context, n int, path, key string, body any) (status int, answer []byte) {
	for ctx.Err() == nil && (status == 0 || status >= 500) {
		status, answer = p.post(ctx, n, path, key, body)
	}
	return status, answer
}

// post sends one request with an idempotency key; status 0: it failed.
func (p *panelTrial) post(ctx context.Context, n int, path, key string, body any) (status int, answer []byte) {
	encoded := []byte("{}")
	if body != nil {
		encoded, _ = json.Marshal(body) // maps of texts encode
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base()+path, strings.NewReader(string(encoded)))
	if err != nil {
		p.t.Error(err)
		return 0, nil
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	return p.send(n, request)
}

// last returns the outcome that the panel must be told of in any case; empty: none.
func (w *person) last() panel.Outcome {
	if w.withdraws {
		return panel.Withdrawn
	}
	return w.outcome
}

// told returns what the panel was told of each participant.
func (p *panelTrial) told() map[string]map[panel.Outcome]bool {
	told := map[string]map[panel.Outcome]bool{}
	for _, b := range p.postbacks() {
		if told[b.Participant] == nil {
			told[b.Participant] = map[panel.Outcome]bool{}
		}
		told[b.Participant][panel.Outcome(b.Outcome)] = true
	}
	return told
}

// postbacks returns those that have arrived, by their idempotency key.
func (p *panelTrial) postbacks() map[string]postback {
	all := map[string]postback{}
	for _, visit := range p.server.stand.Visits() {
		if !visit.Postback {
			continue
		}
		var b postback
		if err := json.Unmarshal([]byte(visit.Body), &b); err != nil || !visit.Signed {
			p.t.Errorf("the postback %s is signed %q (%v)", visit.Body, visit.Signature, err)
		}
		b.times = all[visit.Key].times + 1
		all[visit.Key] = b
	}
	return all
}

type postback struct {
	Outcome, Status, Participant, ResponseID string

	times int
}

// expected returns how many times people come back to the panel.
func (p *panelTrial) expected() (n int) {
	for _, who := range p.people {
		n += len(who.exits)
	}
	return n
}

// judge compares what was stored, charged and told with what people saw, and prints the figures.
func (p *panelTrial) judge(t *testing.T, took, late time.Duration) {
	t.Helper()
	outcomes, complete := map[panel.Outcome]int{}, map[string]int{}
	withdrawn, inProgress := 0, map[string]int{}
	for _, who := range p.people {
		outcomes[who.outcome]++
		cell := fmt.Sprintf("a%d/r%d", who.age, who.region)
		switch {
		case who.withdraws:
			withdrawn++
		case who.outcome == panel.Complete:
			complete[cell]++
		case who.outcome == "":
			inProgress[cell]++
		}
	}
	over, full := p.judgeCells(t, complete, inProgress)
	charged := p.judgeCharges(t, outcomes[panel.Complete], outcomes[""])
	repeated := p.judgePostbacks(t)
	p.judgeRedirects(t)
	t.Logf("%d people over 3 nodes, %d x %d cells with the limit %d, in %v", len(p.people), *groups, *groups, p.limit, took.Round(time.Millisecond))
	for _, line := range []struct {
		what string
		n    any
	}{
		{"complete (withdrawn afterwards)", fmt.Sprintf("%d (%d)", outcomes[panel.Complete], withdrawn)},
		{"screened out", outcomes[panel.ScreenedOut]},
		{"turned away by a full cell", outcomes[panel.QuotaFull]},
		{"left half-way", outcomes[""]},
		{"double clicks", p.clicks},
		{"second devices refused", p.refused},
		{"requests that failed and were repeated", len(p.failures)},
		{"cells full / over their limit", fmt.Sprintf("%d / %d", full, over)},
		{"charged twice", charged},
		{"redirects, all right and signed", p.expected()},
		{"postbacks, all right and signed / arrived again", fmt.Sprintf("%d / %d", len(p.postbacks()), repeated)},
		{"last postback after the panel's server was back", late.Round(time.Millisecond)},
	} {
		t.Logf("%-50s %v", line.what, line.n)
	}
}

// judgeCells checks that no cell has more people than its limit, and that the counts are those of the people.
func (p *panelTrial) judgeCells(t *testing.T, complete, inProgress map[string]int) (over, full int) {
	t.Helper()
	var cells []struct {
		Cell                        string
		Limit, InProgress, Complete int
	}
	p.command(&cells, "study", "quota", p.link)
	if len(cells) != *groups**groups {
		t.Errorf("%d cells are counted", len(cells))
	}
	for _, c := range cells {
		name := strings.ReplaceAll(c.Cell, " × ", "/")
		if c.InProgress+c.Complete > c.Limit {
			over++
			t.Errorf("cell %s has %d + %d people, and the limit %d", name, c.Complete, c.InProgress, c.Limit)
		}
		if c.InProgress+c.Complete == c.Limit {
			full++
		}
		if c.Complete != complete[name] || c.InProgress != inProgress[name] {
			t.Errorf("cell %s counts %d complete and %d in progress; people say %d and %d", name, c.Complete, c.InProgress, complete[name], inProgress[name])
		}
	}
	return over, full
}

// judgeCharges checks that each completed interview was charged once, and nothing else, and that each participant has one response.
func (p *panelTrial) judgeCharges(t *testing.T, complete, left int) (twice int) {
	t.Helper()
	var wallets []struct{ ProjectUsage json.Number }
	p.command(&wallets, "wallet", "list")
	if want := json.Number(fmt.Sprint(complete + left)); wallets[0].ProjectUsage != want {
		t.Errorf("%s credits are charged or held, want %s", wallets[0].ProjectUsage, want)
	}
	seen := map[string]int{}
	_, body := p.insist(t.Context(), -1, http.MethodGet, "/api/public/v1/responses/"+p.studyID+"?perPage=10000", p.key, nil)
	var items []struct {
		Progress  string
		URLParams map[string]string
	}
	if err := json.Unmarshal(body, &items); err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		pid := item.URLParams["pid"]
		if seen[pid]++; seen[pid] > 1 {
			twice++
			t.Errorf("%s has %d responses", pid, seen[pid])
		}
		want := map[panel.Outcome]string{panel.Complete: "complete", panel.ScreenedOut: "screened_out", panel.QuotaFull: "screened_out", "": "in_progress"}[p.people[pid].outcome]
		if item.Progress != want {
			t.Errorf("the response of %s is %s, want %s", pid, item.Progress, want)
		}
	}
	return twice
}

// judgePostbacks checks that the panel was told how it ended for everybody, and nothing else. Of those who withdrew it may have been told before
// that they were complete.
func (p *panelTrial) judgePostbacks(t *testing.T) (repeated int) {
	t.Helper()
	for key, b := range p.postbacks() {
		if key != b.ResponseID+"."+b.Outcome || b.Status != b.Outcome {
			t.Errorf("the postback %s says %+v", key, b)
		}
		repeated += b.times - 1
	}
	told := p.told()
	for pid, who := range p.people {
		if who.withdraws {
			delete(told[pid], panel.Complete)
		}
		if want := who.last(); want != "" && (len(told[pid]) != 1 || !told[pid][want]) || want == "" && len(told[pid]) > 0 {
			t.Errorf("of %s the panel was told %v, want %q", pid, told[pid], want)
		}
		delete(told, pid)
	}
	if len(told) > 0 {
		t.Errorf("the panel was told of %v", told)
	}
	return repeated
}

// judgeRedirects checks that everybody came back with the right status and a valid signature.
func (p *panelTrial) judgeRedirects(t *testing.T) {
	t.Helper()
	came := map[string]bool{}
	for _, visit := range p.server.stand.Visits() {
		if u, err := url.Parse(visit.Address); err == nil && !visit.Postback && visit.Signed {
			came[u.Query().Get("pid")+" "+u.Query().Get("status")] = true
		}
	}
	for pid, who := range p.people {
		if who.outcome != "" && !came[pid+" "+string(who.outcome)] {
			t.Errorf("%s did not come back as %s, by %v", pid, who.outcome, who.exits)
		}
		if who.withdraws && len(who.exits) > 1 && who.exits[1] != "" && !came[pid+" withdrawn"] {
			t.Errorf("%s did not come back after withdrawing, by %v", pid, who.exits)
		}
	}
}

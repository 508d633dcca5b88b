package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"verbatim/internal/api/testpanel"
	"verbatim/internal/domain/guide/sample"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/reporting"
)

type demoCommand struct {
	Listen       string `help:"Address to listen on. If its port is taken, a free one is used." default:"127.0.0.1:8080" env:"VERBATIM_LISTEN" placeholder:"HOST:PORT"`
	Participants int    `help:"Number of simulated participants." default:"25" placeholder:"N"`
	Seed         uint64 `help:"Seed of the participants. The same seed makes the same participants." default:"1" placeholder:"N"`
	Exit         bool   `help:"Exit after the tour is printed instead of serving on."`
	llmFlags     `group:"Language model:"`
}

// demoCredits is the amount in the demo's wallet.
const demoCredits = 500 * wallet.Credit

// Run creates a sample installation and prints a tour of it. Its folder is removed at the end unless --data names one.
func (cmd *demoCommand) Run(ctx context.Context, c *Common) (err error) {
	if err := checkListen("--listen", cmd.Listen); err != nil {
		return err
	}
	if cmd.Participants < 1 || cmd.Participants > 400 {
		return usageError("--participants must be from 1 to 400")
	}
	if !c.dataGiven() {
		if c.Data, err = os.MkdirTemp("", "verbatim-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(c.Data)) }()
	}
	c.Create = true
	address, _, err := c.database()
	if err != nil {
		return err
	}
	clock := newDemoClock(address, cmd.Participants)
	var now func() time.Time
	if clock != nil {
		now = clock.Now
	}
	s, err := c.openWith(ctx, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	listener, err := listenNear(cmd.Listen)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	svc, err := newService(ctx, s, c.blobsAddress(), serviceFlags{BaseURL: base, RateLimit: 1000, connectionFlags: connectionFlags{MaxConnections: 4096}, Price: "1", AbandonAfter: 24 * time.Hour, llmFlags: cmd.llmFlags, secrets: c.secretFlags, panelFlags: panelFlags{PostbackNetworks: []string{"127.0.0.0/8"}}}, quiet(c.stderr))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	var serving sync.WaitGroup
	var served error
	serving.Go(func() { served = svc.run(ctx, listener) })
	defer func() { stop(); serving.Wait(); err = errors.Join(err, served) }()

	stand, err := listenNear("127.0.0.1:8090")
	if err != nil {
		return err
	}
	serving.Go(func() { _ = serveTestPanel(ctx, &testpanel.Panel{Now: time.Now}, stand) })
	t := tour{Common: c, service: svc, base: base, panel: "http://" + stand.Addr().String(), clock: clock}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	if err := t.interview(ctx, cmd.Participants, cmd.Seed); err != nil {
		return err
	}
	if err := t.print(ctx); err != nil || cmd.Exit {
		return err
	}
	if _, err := (&reporting.Service{Store: s, Now: time.Now}).Start(ctx, t.study, reporting.Request{}); err != nil { // for the dashboard
		return err
	}
	c.stdout.printf("\nServing at %s until you press Ctrl-C.\n", base)
	<-ctx.Done()
	return nil
}

// listenNear listens on the address, or on a free port of the same host if the port is taken.
func listenNear(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	host, _, splitErr := net.SplitHostPort(address)
	if splitErr != nil {
		return nil, err
	}
	if listener, freeErr := net.Listen("tcp", net.JoinHostPort(host, "0")); freeErr == nil {
		return listener, nil
	}
	return nil, err
}

// tour sets the demo up through the public API, as a researcher would, and prints what to try.
type tour struct {
	*Common
	*service
	base  string
	panel string     // the address of the test panel
	clock *demoClock // nil: the participants need no time

	key     string
	admin   org.User
	study   study.Study
	ends    map[string]int
	elapsed time.Duration
}

// prepare creates an organization, a user, a key and a funded wallet, then creates and launches the sample study.
func (t *tour) prepare(ctx context.Context) error {
	o, err := t.access.CreateOrg(ctx, "Demo Research")
	if err != nil {
		return err
	}
	u, err := t.access.CreateUser(ctx, o.ID, "ada@example.org", "Ada Demo", org.Admin)
	if err != nil {
		return err
	}
	t.admin = u
	if _, t.key, err = t.access.CreateKey(ctx, o.ID, u.ID, "demo"); err != nil {
		return err
	}
	w, err := t.billing.CreateWallet(ctx, "Demo wallet")
	if err != nil {
		return err
	}
	if err := t.billing.Grant(ctx, wallet.Grant{WalletID: w.ID, OrgID: o.ID}); err != nil {
		return err
	}
	if _, err := t.billing.Deposit(ctx, w.ID, wallet.Project, demoCredits); err != nil {
		return err
	}
	var created struct{ ID, LinkID string }
	if err := t.call(ctx, http.MethodPost, "/api/public/v1/studies/create", sample.Payload, &created); err != nil {
		return err
	}
	if err := t.call(ctx, http.MethodPost, "/api/public/v1/studies/"+created.ID+"/launch", nil, nil); err != nil {
		return err
	}
	t.study, err = t.store.View().Study(ctx, o.ID, created.ID)
	return err
}

// interview lets the participants take the study over HTTP and waits for the analyses.
func (t *tour) interview(ctx context.Context, participants int, seed uint64) error {
	started := time.Now()
	load := simulatedLoad{store: t.store, size: participants, seed: seed, progress: t.progress("interviews taken"), clock: t.clock}
	ends, err := load.interview(ctx, http.DefaultClient, t.base, t.study)
	if err != nil {
		return err
	}
	if ends["analysed"], err = awaitAnalyses(ctx, t.store, t.study.ID); err != nil {
		return err
	}
	if t.clock != nil {
		t.clock.arrive()
	}
	t.ends, t.elapsed = ends, time.Since(started)
	return nil
}

// print prints the tour. Every line that begins with curl can be pasted into a shell.
func (t *tour) print(ctx context.Context) error {
	var responses []struct {
		ID, Progress, Tagline string
		ReadableID            int
	}
	path := "/api/public/v1/responses/" + t.study.LinkID
	if err := t.call(ctx, http.MethodGet, path, nil, &responses); err != nil {
		return err
	}
	shown, last := responses[0], responses[len(responses)-1]
	for _, r := range responses {
		if r.Progress == "complete" {
			shown = r
			break
		}
	}
	signIn, err := t.signIn.OperatorLink(ctx, org.SignInToken, t.admin.ID)
	if err != nil {
		return err
	}
	t.stdout.printf(`Verbatim demo

  dashboard  %s   (signs you in, once)
  study      %s
  link       %s/s/%s   (take an interview yourself)
  reference  %s/docs/
  API key    %s
  test panel %s   (verbatim study panel preset test prints the settings of a guide that uses it)
  data       %s

  %d interviews in %.1f s: %d complete, %d screened out, %d left half-way; %d analysed.
  Response %d in one line: %s
  %s

`, signIn.Address, t.study.Title, t.base, t.study.LinkID, t.base, t.key, t.panel, t.store,
		t.ends["complete"]+t.ends["screened_out"]+t.ends["left"], t.elapsed.Seconds(), t.ends["complete"], t.ends["screened_out"], t.ends["left"], t.ends["analysed"],
		shown.ReadableID, shown.Tagline, t.moderatorNote())
	for _, stop := range []struct{ title, method, path string }{
		{"Your studies", "", "/api/public/v1/studies"},
		{"The study's questions", "", "/api/public/v1/studies/" + t.study.LinkID + "/questions"},
		{"The first three responses, with answers and summaries", "", path + "?perPage=3"},
		{"One response with its transcript", "", fmt.Sprintf("%s/%d", path, shown.ReadableID)},
		{"Participants who came from the newsletter", "", "/api/public/v1/responses?parameter=source&value=newsletter&limit=5"},
		{"What the study has cost", "", "/api/public/v1/wallets"},
		{"The same in the legacy dialect", "", "/api/public/responses/" + t.study.LinkID + "?per_page=1"},
		{"Delete a person's data for good; again for the receipt", "DELETE", fmt.Sprintf("/api/public/v1/responses?studyId=%s&responseId=%s", t.study.ID, last.ID)},
		{"It is gone", "", fmt.Sprintf("%s/%d", path, last.ReadableID)},
	} {
		verb := ""
		if stop.method != "" {
			verb = "-X " + stop.method + " "
		}
		t.stdout.printf("# %s\ncurl -s %s-H 'x-api-key: %s' '%s%s'\n", stop.title, verb, t.key, t.base, stop.path)
	}
	return nil
}

// moderatorNote returns a sentence about who moderates.
func (t *tour) moderatorNote() string {
	if t.model == nil {
		return "No language model: the built-in moderator and analyst did the work. Set VERBATIM_LLM_URL and VERBATIM_LLM_MODEL to use one."
	}
	return fmt.Sprintf("%s at %s moderates and analyses; the built-in moderator and analyst take over if it fails.", t.model.Model(), t.model.Provider())
}

// call sends one request to the API as the demo's user and decodes the answer.
func (t *tour) call(ctx context.Context, method, path string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, t.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", t.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, strings.TrimSpace(string(read)))
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(read, answer)
}

package fieldwork_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/jobs"
)

const back = "https://panel.example/back?pid={{pid}}&status={{status}}"

// withPanel returns small with a panel that identifies participants by pid.
func withPanel(change func(*panel.Settings)) *guide.Guide {
	s := &panel.Settings{
		Participant: panel.Participant{Parameter: "pid"},
		Redirects:   panel.Redirects{Addresses: map[panel.Outcome]string{}},
		Postback:    &panel.Postback{URL: "https://panel.example/postback"},
	}
	for _, outcome := range panel.Outcomes {
		s.Redirects.Addresses[outcome] = back
	}
	if change != nil {
		change(s)
	}
	g := small()
	g.Config.Panel = s
	return g
}

// enter begins an interview from a link with a query.
func (f *fixture) enter(query string) (string, fieldwork.View, error) {
	return f.Begin(f.t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Query: query})
}

// goThrough answers every step of an interview of small.
func (f *fixture) goThrough(token string, at fieldwork.View) fieldwork.View {
	f.t.Helper()
	for !at.Step.Ended() {
		at = f.answer(token, at, anyAnswer(at.Step))
	}
	return at
}

func (f *fixture) secret(of panel.Secret, value string) {
	f.t.Helper()
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		return tx.ChangeSetting(f.t.Context(), store.PanelSecret(f.study.ID, of), "", value)
	})
}

func (f *fixture) deliveries() []store.PanelDelivery {
	f.t.Helper()
	all, err := f.Store.View().PanelDeliveries(f.t.Context(), f.study.ID, "", 100)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

func mustHaveParticipated(t *testing.T, err error, want panel.Earlier) {
	t.Helper()
	if earlier, ok := errors.AsType[*fieldwork.ParticipatedError](err); !ok || earlier.State != want {
		t.Fatalf("error is %v, want that the participant has an interview that is %s", err, want)
	}
}

// TestOneInterviewEach: of many simultaneous starts of one participant on two servers one succeeds, and one credit is held.
func TestOneInterviewEach(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(nil), 100*wallet.Credit)
	other := &fieldwork.Service{Store: f.Store, Moderator: f.moderator}
	var all sync.WaitGroup
	results := make([]error, 16)
	for i := range results {
		service := []*fieldwork.Service{f.Service, other}[i%2]
		all.Go(func() {
			_, _, results[i] = service.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Query: "pid=p1&x=" + strconv.Itoa(i), Key: "a key of this start " + strconv.Itoa(i)})
		})
	}
	all.Wait()
	begun := 0
	for _, err := range results {
		if err == nil {
			begun++
		} else {
			mustHaveParticipated(t, err, panel.EarlierStarted)
		}
	}
	if begun != 1 || f.balance().Usage != wallet.Credit {
		t.Errorf("%d starts succeeded, and %v is held", begun, f.balance().Usage)
	}
	if _, _, err := f.enter("pid=p2"); err != nil {
		t.Errorf("another participant: %v", err)
	}
	for _, query := range []string{"", "pid=", "PID=p3", "x=p3"} {
		_, _, err := f.enter(query)
		mustFail(t, err, fieldwork.ErrLink)
	}
}

// TestEarlierInterviews: a study allows another interview after the states that it names, and after no other.
func TestEarlierInterviews(t *testing.T) {
	t.Parallel()
	for _, allowed := range []panel.Earlier{"", panel.EarlierStarted, panel.EarlierComplete, panel.EarlierScreenedOut} {
		f := setup(t, withPanel(func(s *panel.Settings) {
			if allowed != "" {
				s.Participant.Again = []panel.Earlier{allowed}
			}
		}), 100*wallet.Credit)
		for _, state := range []panel.Earlier{panel.EarlierStarted, panel.EarlierComplete, panel.EarlierScreenedOut} {
			query := "pid=" + string(state)
			token, at, err := f.enter(query)
			if err != nil {
				t.Fatal(err)
			}
			switch state {
			case panel.EarlierComplete:
				f.goThrough(token, at)
			case panel.EarlierScreenedOut:
				f.answer(token, at, no)
			}
			linkErr := f.CheckLink(t.Context(), f.study.LinkID, query)
			_, _, err = f.enter(query)
			if state == allowed {
				if err != nil || linkErr != nil {
					t.Errorf("after %s, which is allowed: %v, %v", state, err, linkErr)
				}
				continue
			}
			mustHaveParticipated(t, err, state)
			if state != panel.EarlierStarted { // which may be resumed by its token
				mustHaveParticipated(t, linkErr, state)
			}
		}
	}
}

// TestReplacedInterview: where a participant may begin again, the earlier interview cannot be finished, so one is paid for.
func TestReplacedInterview(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(func(s *panel.Settings) { s.Participant.Again = []panel.Earlier{panel.EarlierStarted} }), 100*wallet.Credit)
	first, at, err := f.enter("pid=p1")
	if err != nil {
		t.Fatal(err)
	}
	second, begun, err := f.enter("pid=p1")
	if err != nil || first == second {
		t.Fatalf("%q and %q (%v)", first, second, err)
	}
	if f.balance().Usage != wallet.Credit {
		t.Errorf("%v is held", f.balance().Usage)
	}
	_, err = f.Answer(t.Context(), first, at.Step.ID, yes)
	mustFail(t, err, response.ErrGone)
	f.goThrough(second, begun)
	_, err = f.Answer(t.Context(), first, at.Step.ID, yes)
	mustFail(t, err, response.ErrGone)
	if f.completed() != 1 || f.balance().Usage != wallet.Credit || len(f.deliveries()) != 1 {
		t.Errorf("%d are complete, %v is spent, the panel is told %d times", f.completed(), f.balance().Usage, len(f.deliveries()))
	}
}

// TestResumeAnywhere: a participant resumes an interview by the link, and only a running one.
func TestResumeAnywhere(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(func(s *panel.Settings) { s.Participant.Resume = panel.ResumeAnywhere }), 100*wallet.Credit)
	var all sync.WaitGroup
	tokens := make([]string, 8)
	for i := range tokens {
		all.Go(func() {
			token, _, err := f.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Query: "pid=p1", Key: "a key of one device " + strconv.Itoa(i)})
			if err != nil {
				t.Error(err)
			}
			tokens[i] = token
		})
	}
	all.Wait()
	for _, token := range tokens {
		if token != tokens[0] {
			t.Fatalf("the devices have different interviews: %q", tokens)
		}
	}
	at, err := f.Current(t.Context(), tokens[0])
	if err != nil {
		t.Fatal(err)
	}
	at = f.answer(tokens[0], at, yes)
	if token, again, err := f.enter("pid=p1&from=elsewhere"); err != nil || token != tokens[0] || again.Step.ID != at.Step.ID || f.balance().Usage != wallet.Credit {
		t.Errorf("resumed at %s (%v), want %s", again.Step.ID, err, at.Step.ID)
	}
	if token, _, err := f.enter("pid=p2"); err != nil || token == tokens[0] {
		t.Errorf("another participant has the interview %q (%v)", token, err)
	}
	f.goThrough(tokens[0], at)
	_, _, err = f.enter("pid=p1")
	mustHaveParticipated(t, err, panel.EarlierComplete)
}

// TestExits: the end of an interview names the address of its outcome, on the answer and whenever it is opened again.
func TestExits(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(func(s *panel.Settings) {
		s.Signature = &panel.Signature{Algorithm: panel.SHA256, Parameter: "sig"}
		s.Code.PerResponse = true
	}), 100*wallet.Credit)
	hostile := url.QueryEscape("p1&status=complete#@evil.example/../")
	token, at, err := f.enter("pid=" + hostile)
	if err != nil || at.Exit != (fieldwork.Exit{}) {
		t.Fatalf("%+v (%v)", at.Exit, err)
	}
	end := f.goThrough(token, at)
	if end.Exit.URL != "" || len(end.Exit.Code) != 10 {
		t.Errorf("without a secret the exit is %+v", end.Exit)
	}
	f.secret(panel.RedirectSecret, "hush hush")
	if end, err = f.Current(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	unsigned := "https://panel.example/back?pid=" + strings.ReplaceAll(hostile, "+", "%20") + "&status=complete"
	if want := unsigned + "&sig=" + panel.MAC(panel.SHA256, panel.Hex, "hush hush", unsigned); end.Exit.URL != want {
		t.Errorf("the exit is %s, want %s", end.Exit.URL, want)
	}
	token, at, err = f.enter("pid=p2")
	if err != nil {
		t.Fatal(err)
	}
	if out := f.answer(token, at, no); !strings.Contains(out.Exit.URL, "pid=p2&status=screened_out&sig=") || out.Exit.Code != "" {
		t.Errorf("the exit is %+v", out.Exit)
	}
	told := f.deliveries()
	if len(told) != 2 || told[0].Outcome != panel.ScreenedOut || told[1].Outcome != panel.Complete || told[1].Key != end.Response.ID+".complete" {
		t.Fatalf("the panel is told %+v", told)
	}
	var body map[string]string
	if err := json.Unmarshal([]byte(told[1].Message.Body), &body); err != nil || body["participant"] != "p1&status=complete#@evil.example/../" || body["completionCode"] != end.Exit.Code {
		t.Errorf("the panel is told %s (%v)", told[1].Message.Body, err)
	}
	if queued := f.jobs()[jobs.KindPostback]; len(queued) != 2 {
		t.Errorf("%d postbacks are enqueued", len(queued))
	}
}

// TestLinkExit: a closed study sends visitors back, one that was never launched and one without a panel do not.
func TestLinkExit(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(nil), 100*wallet.Credit)
	exit, err := f.LinkExit(t.Context(), f.study.LinkID, "pid=a%26b", panel.Closed)
	if err != nil || exit.URL != "https://panel.example/back?pid=a%26b&status=closed" {
		t.Errorf("the exit is %+v (%v)", exit, err)
	}
	for _, c := range []struct{ link, query string }{{f.study.LinkID, ""}, {"nosuchlink", "pid=1"}, {launch(t, f.Store, f.org, f.wallet, small()).LinkID, "pid=1"}} {
		if exit, err := f.LinkExit(t.Context(), c.link, c.query, panel.Closed); err != nil || exit.URL != "" {
			t.Errorf("%s?%s: %+v (%v)", c.link, c.query, exit, err)
		}
	}
}

// TestWithdrawnParticipant: who withdraws goes back, the panel is told, and what is kept of the participant is forgotten, or a hash of it
// where the study remembers deleted ones.
func TestWithdrawnParticipant(t *testing.T) {
	t.Parallel()
	for _, remember := range []bool{false, true} {
		f := setup(t, withPanel(func(s *panel.Settings) { s.Participant.RememberDeleted = remember }), 100*wallet.Credit)
		token, at, err := f.enter("pid=p1")
		if err != nil {
			t.Fatal(err)
		}
		f.goThrough(token, at)
		goodbye, err := f.Service.Withdraw(t.Context(), token)
		if err != nil || goodbye.URL != "https://panel.example/back?pid=p1&status=withdrawn" {
			t.Fatalf("%+v (%v)", goodbye, err)
		}
		for range 2 { // before and after the purge
			told := f.deliveries()
			if len(told) != 1 || told[0].Outcome != panel.Withdrawn || told[0].ResponseID != "" {
				t.Fatalf("the panel is told %+v", told)
			}
			if _, err := (&erasure.Worker{Store: f.Store}).Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		told := f.deliveries()[0]
		told.State = store.DeliveryDelivered
		storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.NotePanelAttempt(t.Context(), told) })
		if told = f.deliveries()[0]; told.State != store.DeliveryDelivered || told.Message.URL != "" || told.Message.Body != "" {
			t.Errorf("of the message %+v is kept", told)
		}
		_, _, err = f.enter("pid=p1")
		if !remember && err != nil {
			t.Errorf("after the deletion: %v", err)
		}
		if remember {
			mustHaveParticipated(t, err, panel.EarlierComplete)
		}
	}
}

// TestSignedLinks: only links with the signature of their parameters begin interviews.
func TestSignedLinks(t *testing.T) {
	t.Parallel()
	f := setup(t, withPanel(func(s *panel.Settings) { s.SignedLinks = true }), 100*wallet.Credit)
	params := map[string]string{"pid": "p 1", panel.LinkExpiryParam: strconv.FormatInt(f.clock.Now().Add(time.Hour).Unix(), 10)}
	signed := func() string {
		query := url.Values{panel.LinkSignatureParam: {panel.SignLink("the secret", params)}}
		for name, value := range params {
			query.Set(name, value)
		}
		return query.Encode()
	}()
	_, _, err := f.enter(signed)
	mustFail(t, err, fieldwork.ErrLink) // no secret is set
	f.secret(panel.LinkSecret, "the secret")
	for name, query := range map[string]string{
		"none": "pid=p1", "another participant": strings.Replace(signed, "p+1", "p2", 1), "a first one": "pid=p2&" + signed, "a further one": signed + "&wave=2",
		"a second one behind": signed + "&pid=p2", "a second one, written otherwise": signed + "&p%69d=p2", "two signatures": signed + "&_sig=x",
		"no expiry": strings.Replace(signed, panel.LinkExpiryParam+"=", "_x=", 1),
	} {
		if err := f.CheckLink(t.Context(), f.study.LinkID, query); !errors.Is(err, fieldwork.ErrLink) {
			t.Errorf("%s: %v", name, err)
		}
		_, _, err := f.enter(query)
		mustFail(t, err, fieldwork.ErrLink)
	}
	for query, want := range map[string]fieldwork.LinkError{
		signed + "&pid=p2": {Parameter: "pid", Repeated: true}, "pid=p1": {Signature: panel.ErrUnsigned}, signed + "&wave=2": {Signature: panel.ErrForged},
	} {
		if wrong, ok := errors.AsType[*fieldwork.LinkError](f.CheckLink(t.Context(), f.study.LinkID, query)); !ok || *wrong != want {
			t.Errorf("?%s: %v, want %v", query, wrong, want)
		}
	}
	if _, at, err := f.enter("_language=de&_language=fr&" + signed); err != nil || at.Response.URLParams["pid"] != "p 1" {
		t.Errorf("a signed link: %v", err)
	}
	f.clock.Advance(2 * time.Hour)
	if err := f.CheckLink(t.Context(), f.study.LinkID, signed); !errors.Is(err, fieldwork.ErrLink) {
		t.Errorf("an expired link: %v", err)
	}
	mustFail(t, f.CheckLink(t.Context(), "nosuchlink", signed), study.ErrNotFound)
}

package simulation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/simulation"
)

// server speaks the protocol for a list of steps: an answer leads to the next one. It fails the set number of times.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	steps  []string // questions as JSON; the end follows
	at     int
	fails  int // number of requests still to be refused
	got    []map[string]any
	query  string
	refuse func(http.ResponseWriter)
}

func serve(t *testing.T, steps ...string) *server {
	s := &server{steps: steps, refuse: func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/s/") {
		s.query = r.URL.RawQuery
		fmt.Fprintf(w, `{"token":"t","step":%s}`, s.step())
		return
	}
	s.got = append(s.got, body)
	if body["stepId"] == fmt.Sprintf("s%d", s.at) {
		s.at++
	}
	if s.fails > 0 { // the answer is stored, but its acknowledgement is lost
		s.fails--
		s.refuse(w)
		return
	}
	fmt.Fprintf(w, `{"step":%s}`, s.step())
}

func (s *server) step() string {
	if s.at == len(s.steps) {
		return fmt.Sprintf(`{"stepId":"s%d","kind":"complete","question":null,"concept":null}`, s.at)
	}
	return fmt.Sprintf(`{"stepId":"s%d",%s}`, s.at, s.steps[s.at])
}

const (
	openQuestion = `"kind":"question","question":{"id":"q1","number":3,"type":"open_ended","text":"What do you think of this idea?"},"concept":{"id":"c1","title":"The tin"}`
	followUp     = `"kind":"follow_up","question":{"id":"q1","number":3,"type":"open_ended","text":"What do you think?"},"concept":null`
	statement    = `"kind":"statement","question":{"id":"q0","number":1,"type":"statement","text":"Hello"},"concept":null`
	choice       = `"kind":"question","question":{"id":"q2","number":4,"type":"multiple_choice","multiSelect":true,"minSelect":2,"maxSelect":3,
		"options":[{"id":"a","text":"A"},{"id":"b","text":"B"},{"id":"c","text":"C"},{"id":"n","text":"None","exclusive":true}]},"concept":null`
	screener = `"kind":"question","question":{"id":"q3","number":1,"type":"multiple_choice","multiSelect":false,
		"options":[{"id":"y","text":"Yes"},{"id":"n","text":"Never"}]},"concept":null`
	upload = `"kind":"question","question":{"id":"q4","number":1,"type":"file_upload","text":"A file?"},"concept":null`
)

func TestSameSeedSameInterview(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) []simulation.Given {
		s := serve(t, statement, screener, openQuestion, followUp, choice)
		p := simulation.New(seed)
		p.LeaveAfter = 0
		outcome, err := p.Take(t.Context(), s.Client(), s.URL+"/", "link", map[string][]string{"panel": {"a b"}})
		if err != nil || outcome.End != simulation.Complete || outcome.Token != "t" || s.query != "panel=a+b" {
			t.Fatalf("outcome %+v, query %q, %v", outcome, s.query, err)
		}
		return outcome.Given
	}
	first := run(4)
	if !reflect.DeepEqual(first, run(4)) {
		t.Error("the same seed took two different interviews")
	}
	if reflect.DeepEqual(first, run(5)) {
		t.Error("two seeds took the same interview")
	}
	if len(first) != 5 || first[2].QuestionID != "q1" || first[2].ConceptID != "c1" || first[2].StepID != "s2" {
		t.Errorf("given: %+v", first)
	}
	if text := first[2].Body["text"].(string); len(text) < 10 || strings.Contains(text, "{") {
		t.Errorf("the open answer is %q", text)
	}
}

func TestChoicesKeepTheBounds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		s := serve(t, choice)
		outcome, err := simulation.New(seed).Take(t.Context(), s.Client(), s.URL, "link", nil)
		if err != nil {
			t.Fatal(err)
		}
		selected := outcome.Given[0].Body["selected"].([]string)
		alone := len(selected) == 1 && selected[0] == "n"
		if together := len(selected) == 2 || len(selected) == 3; !alone && (!together || strings.Contains(strings.Join(selected, ""), "n")) {
			t.Errorf("seed %d selects %v", seed, selected)
		}
	}
}

func TestScreenersAreAnsweredDeliberately(t *testing.T) {
	t.Parallel()
	answer := func(p *simulation.Participant) string {
		s := serve(t, screener)
		outcome, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
		if err != nil {
			t.Fatal(err)
		}
		return outcome.Given[0].Body["selected"].([]string)[0]
	}
	known := map[string][]string{"q3": {"y"}}
	for seed := range uint64(20) {
		for want, p := range map[string]simulation.Participant{
			"y, by the words": {}, "n, by the words": {Persona: simulation.Persona{Unfit: true}},
			"n, as known": {Rejects: known}, "y, as known": {Persona: simulation.Persona{Unfit: true}, Rejects: known},
		} {
			p.Seed = seed
			if got := answer(&p); got != want[:1] {
				t.Errorf("seed %d chooses %s, want %s", seed, got, want)
			}
		}
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	refusals := map[string]func(http.ResponseWriter){
		"no connection": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"busy":          func(w http.ResponseWriter) { http.Error(w, `{"code":"busy"}`, http.StatusServiceUnavailable) },
		"too fast":      func(w http.ResponseWriter) { http.Error(w, `{"code":"rate_limited"}`, http.StatusTooManyRequests) },
	}
	for name, refuse := range refusals {
		s := serve(t, openQuestion, statement)
		s.fails, s.refuse = 3, refuse
		p := simulation.New(1)
		p.Timeout = time.Minute
		outcome, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
		if err != nil || outcome.End != simulation.Complete || outcome.Retries != 3 || len(outcome.Given) != 2 {
			t.Errorf("%s: outcome %+v, %v", name, outcome, err)
		}
		for _, sent := range s.got[:4] {
			if !reflect.DeepEqual(sent, s.got[0]) {
				t.Errorf("%s: a repeat differs: %v, then %v", name, s.got[0], sent)
			}
		}

		s = serve(t, openQuestion)
		s.fails, s.refuse = 1, refuse
		p.Timeout = 0
		if outcome, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil); err == nil || outcome.Retries != 0 {
			t.Errorf("%s: without patience the outcome is %+v, %v", name, outcome, err)
		}
	}
}

func TestRefusedAnswersAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := serve(t, openQuestion)
	s.fails, s.refuse = 1, func(w http.ResponseWriter) {
		http.Error(w, `{"error":"no","code":"invalid_answer"}`, http.StatusBadRequest)
	}
	p := simulation.New(1)
	p.Timeout = time.Minute
	_, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
	if refused, ok := errors.AsType[*simulation.RefusedError](err); !ok || refused.Code != "invalid_answer" || len(s.got) != 1 {
		t.Errorf("error %v after %d requests", err, len(s.got))
	}
}

func TestStaleStepContinuesAtTheCurrentStep(t *testing.T) {
	t.Parallel()
	s := serve(t, openQuestion, statement)
	s.fails, s.refuse = 1, func(w http.ResponseWriter) {
		http.Error(w, `{"error":"late","code":"stale_step","step":`+s.step()+`}`, http.StatusConflict)
	}
	outcome, err := simulation.New(1).Take(t.Context(), s.Client(), s.URL, "link", nil)
	if err != nil || outcome.End != simulation.Complete || len(outcome.Given) != 1 {
		t.Errorf("outcome %+v, %v", outcome, err)
	}
}

func TestLeavesHalfWay(t *testing.T) {
	t.Parallel()
	s := serve(t, statement, statement, statement)
	p := simulation.Participant{Persona: simulation.Persona{LeaveAfter: 2}}
	outcome, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
	if err != nil || outcome.End != simulation.Left || len(outcome.Given) != 2 {
		t.Errorf("outcome %+v, %v", outcome, err)
	}
}

func TestUnanswerableStepIsAnError(t *testing.T) {
	t.Parallel()
	s := serve(t, statement, upload)
	outcome, err := simulation.New(2).Take(t.Context(), s.Client(), s.URL, "link", nil)
	if err == nil || !strings.Contains(err.Error(), "file_upload") || len(outcome.Given) != 1 {
		t.Errorf("outcome %+v, %v", outcome, err)
	}
}

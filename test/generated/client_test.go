package generated

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"verbatim/test/contract"
)

// client sends requests one after the other, each to both engines, and compares the answers.
type client struct {
	number int
	suite  *contract.Suite
	worlds []*world
	maker  *maker
	report *report
	sent   int
	same   same
}

func (l *client) run(ctx context.Context, n int) {
	for range n {
		made := l.maker.next()
		l.sent++
		// Each request comes from a new address: another test covers limits by address.
		made.address = fmt.Sprintf("2001:db8:%x:%x00::1", l.number+1, l.sent)
		l.report.counted()
		var answers []answer
		for _, w := range l.worlds {
			a, err := w.send(ctx, made)
			if err != nil {
				l.report.add(fmt.Sprintf("%s: no answer: %s", w.name, regexp.MustCompile(`".*"`).ReplaceAllString(err.Error(), "")), made.String())
				return
			}
			l.judge(w, made, a)
			answers = append(answers, a)
			w.learn(a)
		}
		if slices.ContainsFunc(answers, answer.mustWait) {
			continue
		}
		if one, other := answers[0].outcome(), answers[1].outcome(); one != other {
			l.report.add(fmt.Sprintf("%s: %s on %s, %s on %s", l.operation(answers[0].request), one, l.worlds[0].name, other, l.worlds[1].name), made.String())
			continue
		}
		l.compare(ctx, made, answers)
	}
}

// operation returns the pattern of a request's operation.
func (l *client) operation(r *http.Request) string {
	if op, ok := l.suite.Documented(r); ok {
		return op.Pattern()
	}
	return r.Method + " an address that is not documented"
}

// judge checks one answer against the contract.
func (l *client) judge(w *world, made *template, a answer) {
	l.report.answered(a.status)
	name := w.name + ": " + l.operation(a.request)
	if a.status >= 500 && (a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "") {
		l.report.add(fmt.Sprintf("%s answers %d", name, a.status), made.String()+" "+clip(string(a.body), 200))
		return
	}
	if a.status == http.StatusPermanentRedirect && strings.HasSuffix(a.request.URL.Path, "/") {
		return // to the address without the slash
	}
	for _, violation := range l.suite.Check(a.request, a.sent, a.status, a.header, a.body) {
		if a.stream && strings.HasPrefix(violation, "the body") {
			continue
		}
		if a.repeated() && strings.HasPrefix(violation, "the request was accepted") {
			continue
		}
		first, _, _ := strings.Cut(violation, "\n")
		l.report.add(fmt.Sprintf("%s answers %d: %s", name, a.status, clip(unvaried.ReplaceAllString(first, "…"), 300)), made.String()+" "+clip(violation, 500))
	}
}

// mustWait reports whether somebody tried to sign in again too soon, which depends on the time since the last failure.
func (a answer) mustWait() bool {
	return a.status == http.StatusTooManyRequests && strings.HasPrefix(a.request.URL.Path, "/api/dashboard/")
}

// repeated reports whether an answer may be that to a repeated one, whose body counts for nothing beside its step. What a body for the
// current step may hold is tested in internal/api/participant.
func (a answer) repeated() bool {
	return a.request.Method == http.MethodPost && strings.HasSuffix(a.request.URL.Path, "/answers") && a.status == http.StatusOK
}

// unvaried matches what differs between violations of one kind: ids and quoted values.
var unvaried = regexp.MustCompile(`'[^']*'|[0-9a-f-]{36}|contract:\S+`)

// outcome returns what both engines must agree on: the status and the code. Whether a deletion is done, and whether an answer has changed
// since the last request, depend on time.
func (a answer) outcome() string {
	var e struct{ Code string }
	_ = json.Unmarshal(a.body, &e) // a page has none
	status := a.status
	switch {
	case status == http.StatusNotModified, a.request.Method == http.MethodDelete && status == http.StatusAccepted:
		status = http.StatusOK
	}
	return strings.TrimSpace(fmt.Sprint(status, " ", e.Code))
}

// learn records the ids of an answer, so that later requests can use them.
func (w *world) learn(a answer) {
	if a.status >= 300 && a.status != http.StatusConflict {
		return
	}
	var said struct {
		Token, DeletionID, LinkID string
		Step                      *struct{ StepID, Kind string }
	}
	_ = json.Unmarshal(a.body, &said) // not every answer is an object
	path := a.request.URL.Path
	if said.Token != "" {
		w.tokens = append(w.tokens, said.Token)
		w.ids["token"] = said.Token
		if strings.Contains(path, w.ids["filelink"]) {
			w.ids["filetoken"] = said.Token
		}
		for n := range 4 {
			w.ids[fmt.Sprint("token", n)] = w.tokens[max(0, len(w.tokens)-2-n)]
		}
	}
	if said.DeletionID != "" {
		w.ids["deletion"] = said.DeletionID
	}
	if said.Step != nil && (said.Token != "" || strings.HasPrefix(path, "/i/"+w.ids["token"])) {
		w.ids["step"], w.ids["kind"] = said.Step.StepID, said.Step.Kind
	}
	if location := a.header.Get("Location"); strings.Contains(location, "/uploads/") {
		w.ids["upload"] = location[strings.LastIndex(location, "/")+1:]
	}
	if tag := a.header.Get("ETag"); tag != "" {
		w.etags[path] = tag
	}
}

// list decodes an array of objects; nil if it is none.
func (answer) list(body []byte) (items []map[string]any) {
	_ = json.Unmarshal(body, &items) // callers look at the length
	return items
}

package faults

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"verbatim/test/testserver"
)

// reply is an answer that arrived complete.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) decode(v any) error {
	if err := json.Unmarshal(r.body, v); err != nil {
		return fmt.Errorf("%d %.200s: %w", r.status, r.body, err)
	}
	return nil
}

// code returns the error code of an answer, or "".
func (r reply) code() string {
	var e struct{ Code string }
	_ = json.Unmarshal(r.body, &e) // a proxy's answer has none
	return e.Code
}

// send makes one request. A body may be bytes or a value to encode as JSON.
func send(ctx context.Context, client *http.Client, address, method, path string, body any, header ...string) (reply, error) {
	var payload io.Reader
	switch body := body.(type) {
	case nil:
	case []byte:
		payload = bytes.NewReader(body)
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		payload = bytes.NewReader(encoded)
		header = append([]string{"Content-Type", "application/json"}, header...)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, payload)
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Accept", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, read}, err
}

// failure is a request without a good answer.
type failure struct {
	at     time.Time // when it failed
	group  string
	status int // 0: no answer
	code   string
	retry  bool   // it named a time to try again
	text   string // an error's text, or the beginning of the answer
}

// String groups failures of one kind.
func (f failure) String() string {
	switch {
	case f.status == 0:
		return f.text
	case f.code == "":
		return fmt.Sprint(f.status)
	}
	return fmt.Sprint(f.status, " ", f.code)
}

// honest reports whether a failure is a clear refusal: it names a time to try again.
func (f failure) honest() bool {
	return (f.status == http.StatusServiceUnavailable || f.status == http.StatusInsufficientStorage) && f.retry
}

// span is how long somebody waited for a good answer, retries included.
type span struct{ begun, done time.Time }

// load is the people who use the service while something breaks: participants who take interviews, and a researcher who polls. Without a
// good answer they try again, as the participant's page does.
type load struct {
	link, key string
	pause     time.Duration // between two requests of one person
	timeout   time.Duration // after which a request is cancelled and tried again

	stop    chan struct{}
	people  sync.WaitGroup
	client  *http.Client
	serial  atomic.Int64
	turn    atomic.Int64
	avoided atomic.Value  // an address; see avoid
	count   atomic.Int64  // requests made
	begins  chan struct{} // an interview begins for each value until it is closed; nil: one after the other
	counted chan struct{} // receives a value whenever a request has ended

	mu         sync.Mutex
	failures   []failure
	spans      map[string][]span // by group of people
	interviews []*taken
	seen       map[string]string // the latest updatedAt that the poller saw, by response
	polled     string            // the latest updatedAt that the poller saw
	leaving    map[string]bool   // groups that begin no more interviews
	wrong      []string          // answers that no fault explains
}

// taken is an interview as its participant remembers it.
type taken struct {
	token    string
	said     []string // acknowledged answers, each unique in the world
	finished bool
}

func newLoad(link, key string, timeout time.Duration) *load {
	l := &load{
		link: link, key: key, pause: 10 * time.Millisecond, timeout: timeout, stop: make(chan struct{}), counted: make(chan struct{}, 1),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}},
		spans:  map[string][]span{}, seen: map[string]string{}, leaving: map[string]bool{},
	}
	return l
}

// participants has n people of a group take interviews, each request at the next of the addresses.
func (l *load) participants(n int, group string, addresses ...string) {
	for range n {
		l.people.Go(func() {
			for !l.stopped() && !l.isLeaving(group) {
				if l.begins != nil {
					if _, more := <-l.begins; !more {
						return
					}
				}
				if err := l.interview(group, addresses, nil); err != nil {
					l.unexplained("%v", err)
					return
				}
			}
		})
	}
}

// leaveAfterThis lets the people of a group end when their interviews do.
func (l *load) leaveAfterThis(group string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaving[group] = true
}

func (l *load) isLeaving(group string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaving[group]
}

// researcher has somebody poll for changes.
func (l *load) researcher(addresses ...string) {
	l.people.Go(func() {
		for !l.stopped() {
			if err := l.poll("researcher", addresses); err != nil {
				l.unexplained("%v", err)
				return
			}
			l.rest(100 * time.Millisecond)
		}
	})
}

func (l *load) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

// rest waits for a duration or for the end of the load.
func (l *load) rest(d time.Duration) {
	select {
	case <-l.stop:
	case <-time.After(d):
	}
}

// end lets everybody finish their interview.
func (l *load) end() {
	close(l.stop)
	l.people.Wait()
}

// requests waits until n more requests have been made.
func (l *load) requests(ctx context.Context, n int64) error {
	for want := l.count.Load() + n; l.count.Load() < want; {
		select {
		case <-l.counted:
		case <-ctx.Done():
			return fmt.Errorf("of %d requests %d were answered", n, n-(want-l.count.Load()))
		}
	}
	return nil
}

// answered waits until a group has had n more good answers.
func (l *load) answered(ctx context.Context, group string, n int) error {
	had := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.spans[group])
	}
	for want := had() + n; had() < want; {
		select {
		case <-l.counted:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests were answered", n-(want-had()), n)
		}
	}
	return nil
}

// unexplained records an error that no fault explains.
func (l *load) unexplained(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

// maxWaiting is how long somebody goes on trying.
const maxWaiting = 3 * time.Minute

// insist repeats a request until the answer is good, at one address after the other.
func (l *load) insist(group string, addresses []string, method, path string, body any, header ...string) (reply, error) {
	begun := time.Now()
	for {
		address := l.next(addresses)
		ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
		r, err := send(ctx, l.client, address, method, path, body, header...)
		cancel()
		l.count.Add(1)
		select {
		case l.counted <- struct{}{}:
		default:
		}
		if err == nil && r.status < 500 && r.status != http.StatusTooManyRequests {
			l.mu.Lock()
			l.spans[group] = append(l.spans[group], span{begun, time.Now()})
			l.mu.Unlock()
			return r, nil
		}
		f := failure{at: time.Now(), group: group, status: r.status, code: r.code(), retry: r.header.Get("Retry-After") != "", text: fmt.Sprintf("%.200s", r.body)}
		if err != nil {
			f.status, f.text = 0, plain(err)
		}
		l.mu.Lock()
		l.failures = append(l.failures, f)
		l.mu.Unlock()
		if time.Since(begun) > maxWaiting {
			return r, fmt.Errorf("%s %s was not answered in %v: %v", method, path, maxWaiting, f)
		}
		<-time.After(50 * time.Millisecond) // the page waits longer; the suite wants the first success
	}
}

// next returns the address whose turn it is.
func (l *load) next(addresses []string) string {
	for {
		address := addresses[int(l.turn.Add(1))%len(addresses)]
		if avoided, _ := l.avoided.Load().(string); address != avoided || len(addresses) == 1 {
			return address
		}
	}
}

// avoid stops new requests at an address; "" ends that.
func (l *load) avoid(address string) { l.avoided.Store(address) }

// plain returns a network error without its addresses.
func plain(err error) string {
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return "no answer in time"
	case strings.Contains(err.Error(), "connection refused"):
		return "connection refused"
	}
	return "connection broken"
}

// thinkers has n people each begin an interview and think about its first question until the returned channel is closed. It returns when
// all have begun.
func (l *load) thinkers(n int, addresses ...string) chan struct{} {
	until, begun := make(chan struct{}), make(chan struct{})
	for range n {
		l.people.Go(func() {
			err := l.interview("thinkers", addresses, func() { begun <- struct{}{}; <-until })
			if err != nil {
				l.unexplained("%v", err)
			}
		})
	}
	for range n {
		<-begun
	}
	return until
}

// interview takes one interview to its end; it calls think, if not nil, before the first answer.
func (l *load) interview(group string, addresses []string, think func()) error {
	n := l.serial.Add(1)
	r, err := l.insist(group, addresses, http.MethodPost, fmt.Sprintf("/s/%s/interviews?pid=%d", l.link, n), struct{}{},
		"Idempotency-Key", fmt.Sprintf("a person of study %s, number %d", l.link, n))
	if err != nil {
		return err
	}
	var now struct {
		Token string
		Step  testserver.Step
	}
	if err := r.decode(&now); err != nil || r.status != http.StatusCreated {
		return fmt.Errorf("a start is answered %d %.300s", r.status, r.body)
	}
	i := &taken{token: now.Token}
	l.mu.Lock()
	l.interviews = append(l.interviews, i)
	l.mu.Unlock()
	if think != nil {
		think()
	}
	for !now.Step.Ended() {
		if l.pause > 0 {
			l.rest(l.pause/2 + rand.N(l.pause))
		}
		answer, said := l.answer(now.Step)
		if r, err = l.insist(group, addresses, http.MethodPost, "/i/"+i.token+"/answers", answer); err != nil {
			return err
		}
		if r.status != http.StatusOK {
			return fmt.Errorf("an answer is answered %d %.300s", r.status, r.body)
		}
		if err := r.decode(&now); err != nil {
			return err
		}
		if said != "" {
			l.mu.Lock()
			i.said = append(i.said, said)
			l.mu.Unlock()
		}
	}
	l.mu.Lock()
	i.finished = true
	l.mu.Unlock()
	return nil
}

// answer returns the answer to a step, and the text in it, which is unique in the world.
func (l *load) answer(s testserver.Step) (answer map[string]any, said string) {
	if s.Open() {
		said = fmt.Sprintf("word %d, said once", l.serial.Add(1))
	}
	return s.Answer(said), said
}

// listed holds the fields of a listed response that the suite reads.
type listed struct {
	ID, Progress, UpdatedAt string
	URLParams               map[string]string `json:"urlParams"`
	AnswersArray            []struct{ Answer string }
}

// poll reads what has changed since the latest change that it saw.
func (l *load) poll(group string, addresses []string) error {
	// The first poll asks for all by time as well: a page by number is sent while it is read, so what changed meanwhile may be older than
	// the latest entry.
	query := "?perPage=10000&updatedSince=" + url.QueryEscape(cmp.Or(l.polled, "2000-01-01T00:00:00Z"))
	r, err := l.insist(group, addresses, http.MethodGet, "/api/public/v1/responses/"+l.link+query, nil, "X-Api-Key", l.key)
	if err != nil {
		return err
	}
	var items []listed
	if err := r.decode(&items); err != nil || r.status != http.StatusOK {
		return fmt.Errorf("a list is answered %d %.300s", r.status, r.body)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, item := range items {
		l.seen[item.ID] = item.UpdatedAt
		l.polled = max(l.polled, item.UpdatedAt)
	}
	return nil
}

// longest returns the longest wait of a group for a good answer since a time; "" stands for all participants.
func (l *load) longest(group string, from time.Time) (limit time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, spans := range l.spans {
		if group != "" && name != group || group == "" && name == "researcher" {
			continue
		}
		for _, s := range spans {
			if s.begun.Before(from) {
				s.begun = from
			}
			limit = max(limit, s.done.Sub(s.begun))
		}
	}
	return limit
}

// failed returns the failures between two times.
func (l *load) failed(from, to time.Time) (all []failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.failures {
		if !f.at.Before(from) && f.at.Before(to) {
			all = append(all, f)
		}
	}
	return all
}

// failedOf returns the failures of a group's requests.
func (l *load) failedOf(group string) (all []failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.failures {
		if f.group == group {
			all = append(all, f)
		}
	}
	return all
}

// kinds counts failures by kind.
func kinds(all []failure) string {
	count := map[string]int{}
	for _, f := range all {
		count[f.String()]++
	}
	var texts []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		texts = append(texts, fmt.Sprintf("%d %s", count[kind], kind))
	}
	return strings.Join(texts, ", ")
}

package webhooks_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// events is the number of events of TestStorm:
//
//	go test ./internal/service/webhooks -run TestStorm -v -events 10000
var events = flag.Int("events", 300, "events of TestStorm")

// nodeVariable makes the test's binary a node on the database at the address in it, until it is killed.
const nodeVariable = "VERBATIM_TEST_WEBHOOK_NODE"

func TestMain(m *testing.M) {
	if address := os.Getenv(nodeVariable); address != "" {
		s, err := store.Open(context.Background(), address, store.Options{})
		if err == nil {
			err = stormNode(s).Run(context.Background())
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// stormNode returns the runner of a node that tries again sooner than a real one.
func stormNode(s *store.Store) *jobs.Runner {
	worker := &webhooks.Worker{
		Store: s, Client: webhooks.Client([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
		Backoff: 20 * time.Millisecond, Timeout: 250 * time.Millisecond, Poll: 10 * time.Millisecond,
	}
	return &jobs.Runner{
		Store: s, Queue: store.Queue{Name: jobs.QueueOf(jobs.KindWebhook)}, Handlers: map[string]jobs.Handler{jobs.KindWebhook: {Run: worker.Run, Discard: worker.Discard}},
		Workers: 8, Attempts: 500, Lease: time.Second, Poll: 10 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
	}
}

// receiver is a program that gets messages, badly.
type receiver struct {
	t        *testing.T
	verifier *standard.Webhook
	address  string
	server   *http.Server
	events   int

	mu       sync.Mutex
	random   *rand.Rand
	arrived  map[string]int // the steps of a subject that arrived
	accepted map[string]int // and those that were accepted
	requests int
	repeated int // requests about what had been accepted
	late     int // of these, those that came after a later event
	wrong    []string
	half     chan struct{} // closed when half of the events were accepted
	done     chan struct{} // closed when all were
	total    int           // of those that were accepted
}

func (r *receiver) listen() {
	var listener net.Listener
	var err error
	for { // the port of the receiver before may be in use for a moment
		if listener, err = net.Listen("tcp", r.address); err == nil {
			break
		}
	}
	r.address = listener.Addr().String()
	r.server = &http.Server{Handler: r}
	server := r.server
	go func() { _ = server.Serve(listener) }()
}

// ServeHTTP checks signature and order, and then accepts the message, refuses it, hangs, or breaks off.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var message struct {
		Data struct {
			Subject string
			Step    int
		}
	}
	err := r.verifier.Verify(body, request.Header)
	if err == nil {
		err = json.Unmarshal(body, &message)
	}
	r.mu.Lock()
	subject, step := message.Data.Subject, message.Data.Step
	r.requests++
	if step <= r.accepted[subject] {
		r.repeated++
	}
	if step < r.arrived[subject] {
		r.late++
	}
	if err != nil || step > r.accepted[subject]+1 {
		r.wrong = append(r.wrong, fmt.Sprintf("step %d of %s arrived when %d had arrived and %d were accepted; %v", step, subject, r.arrived[subject], r.accepted[subject], err))
	}
	r.arrived[subject] = max(step, r.arrived[subject])
	chance := r.random.IntN(100)
	if accept := chance >= 14; accept && step == r.accepted[subject]+1 {
		r.accepted[subject] = step
		if r.total++; r.total == r.events/2 {
			close(r.half)
		}
		if r.total == r.events {
			close(r.done)
		}
	}
	r.mu.Unlock()
	switch {
	case chance < 8:
		w.WriteHeader(500)
	case chance < 10:
		<-request.Context().Done() // it hangs
	case chance < 14:
		panic(http.ErrAbortHandler) // it breaks off
	case chance < 17:
		panic(http.ErrAbortHandler) // it has accepted the message, and its answer is lost
	}
}

// restart ends the receiver with all connections, and starts it again.
func (r *receiver) restart() {
	_ = r.server.Close()
	r.listen()
}

// TestStorm: each event arrives at least once, signed, and in order for each response, at a receiver that fails, hangs, loses its answers and
// restarts, while a node is killed with -9.
func TestStorm(t *testing.T) {
	address := storetest.Address(t)
	s := storetest.Open(t, address, store.Options{})
	scene := storetest.NewScene(t, s)
	service, caller := &webhooks.Service{Store: s}, org.Caller{OrgID: scene.Org.ID, UserID: scene.User.ID}
	r := &receiver{
		t: t, address: "127.0.0.1:0", random: rand.New(rand.NewPCG(1, 2)), arrived: map[string]int{}, accepted: map[string]int{}, events: *events,
		half: make(chan struct{}), done: make(chan struct{}),
	}
	r.listen()
	t.Cleanup(func() { _ = r.server.Close() })
	hook, secret, err := service.Create(t.Context(), caller, webhook.Endpoint{URL: "http://" + r.address + "/hooks"})
	if err != nil {
		t.Fatal(err)
	}
	if r.verifier, err = standard.NewWebhook(secret); err != nil {
		t.Fatal(err)
	}
	const steps, batch = 4, 100
	for from := 0; from < *events; from += batch {
		storetest.Write(t, s, func(tx *store.Tx) error {
			for i := from; i < min(from+batch, *events); i++ {
				subject := fmt.Sprintf("response-%d", i/steps)
				e := webhook.Event{
					Type: webhook.ResponseAnalyzed, OrgID: scene.Org.ID, StudyID: scene.Study.ID, ResponseID: subject, Subject: subject,
					Facts: fmt.Appendf(nil, `{"subject":%q,"step":%d}`, subject, i%steps+1),
				}
				if err := webhooks.Emit(t.Context(), tx, e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	begun := time.Now()
	node := exec.CommandContext(t.Context(), os.Args[0])
	node.Env = append(os.Environ(), nodeVariable+"="+address)
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var own sync.WaitGroup
	own.Go(func() { _ = stormNode(s).Run(ctx) })
	defer own.Wait()
	defer stop()
	<-r.half
	_ = node.Process.Kill() // as kill -9 does
	_ = node.Wait()
	r.restart()
	<-r.done
	for w := hook; ; {
		if w, err = service.Show(t.Context(), caller, hook.ID); err != nil || w.Waiting == 0 {
			if err != nil || w.Failed > 0 || w.Delivered != *events {
				t.Errorf("the log has %d of %d messages, %d failed, %v", w.Delivered, *events, w.Failed, err)
			}
			break
		}
	}
	took := time.Since(begun)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, wrong := range r.wrong {
		if i < 5 {
			t.Error(wrong)
		}
	}
	t.Logf("%d events in %v (%.0f/s): %d requests, %d of them about what had been accepted (%d after a later event), %d out of order or wrongly signed", *events, took.Round(time.Millisecond),
		float64(*events)/took.Seconds(), r.requests, r.repeated, r.late, len(r.wrong))
}

package delivery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"verbatim/internal/platform/httpclient"
	"verbatim/internal/platform/store"
)

const (
	// RetryFor is the time within which the delivery of a message is tried again.
	RetryFor = 72 * time.Hour
	// Backoff is the pause after the first failure. It doubles up to an hour.
	Backoff = 30 * time.Second
	// Attempts is more than there are within RetryFor, however short the pauses are.
	Attempts = 500
	// Timeout is how long one attempt may last.
	Timeout = 15 * time.Second
	// KeptAnswer limits what is kept of an answer's body, in bytes.
	KeptAnswer = 1024
)

// Attempt holds the result of sending a message once.
type Attempt struct {
	Status   int    // of the answer; 0: there was none
	Answer   string // the beginning of its body, in UTF-8
	Duration time.Duration
	Err      error // nil: the message arrived. It holds nothing of the message or of the answer
}

// Send sends a message once. The attempt failed unless the answer's status is 2xx.
func Send(ctx context.Context, client *http.Client, request *http.Request, timeout time.Duration) (a Attempt) {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := client.Do(request.WithContext(ctx))
	if err != nil {
		a.Duration, a.Err = time.Since(begun), httpclient.Reason(err)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			a.Err = errors.New("no answer in time")
		}
		return a
	}
	defer answer.Body.Close()
	start, _ := io.ReadAll(io.LimitReader(answer.Body, KeptAnswer)) // the status decides, not whether the body arrives
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	a.Status, a.Answer, a.Duration = answer.StatusCode, strings.ToValidUTF8(string(start), ""), time.Since(begun)
	if a.Status < 200 || a.Status > 299 {
		a.Err = fmt.Errorf("it answers %d", a.Status)
	}
	return a
}

// State returns the state of a message after an attempt. begun is when the message was to be sent first.
func (a Attempt) State(begun, now time.Time) store.DeliveryState {
	switch {
	case a.Err == nil:
		return store.DeliveryDelivered
	case now.Sub(begun) >= RetryFor:
		return store.DeliveryFailed
	}
	return store.DeliveryWaiting
}

// Pause returns the pause after a number of failed attempts, with jitter. first is that after the first one.
func Pause(first time.Duration, attempts int) time.Duration {
	pause := min(first<<min(attempts-1, 20), time.Hour)
	return pause/2 + rand.N(pause/2+1)
}

// Client returns a client for messages, which reaches public addresses and the allowed networks. Where a redirect leads to another host it
// takes only the headers named in kept along.
func Client(allowed []netip.Prefix, kept ...string) *http.Client {
	return httpclient.PublicClient(Timeout, allowed, kept...)
}

// ClientWithoutRedirects is Client for messages that stay where they are sent: a redirect is an answer as any other.
func ClientWithoutRedirects(allowed []netip.Prefix) *http.Client {
	client := httpclient.PublicClient(Timeout, allowed)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

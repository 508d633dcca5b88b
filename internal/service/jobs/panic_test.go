package jobs_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// TestPanicsLeakNoContent: a panic's value may quote a participant, so neither the log nor the job's row contains it.
func TestPanicsLeakNoContent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var log bytes.Buffer
	gone := make(chan bool, 1)
	stop := start(t, &jobs.Runner{
		Store: s, Attempts: 2, Backoff: time.Nanosecond, Poll: time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Handlers: map[string]jobs.Handler{"k": {
			Run: func(context.Context, store.Job) error { panic(fmt.Errorf("they said %s", "canary")) },
			Discard: func(context.Context, *store.Tx, store.Job) error {
				gone <- true
				return nil
			},
		}},
	})
	enqueue(t, s, store.Job{Kind: "k"})
	<-gone
	stop()
	// The error stored with the job is logged, too.
	if words := log.String(); strings.Contains(words, "canary") || !strings.Contains(words, "panic=*") || !strings.Contains(words, `error="panic: *`) {
		t.Errorf("logged: %s", words)
	}
}

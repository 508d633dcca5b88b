package main

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// TestEveryKindIsRun: each queue has one runner, which runs every kind of the queue by the service that jobs.Kinds names.
func TestEveryKindIsRun(t *testing.T) {
	t.Parallel()
	svc, err := newService(t.Context(), storetest.New(t), "file:"+t.TempDir(), serviceFlags{BaseURL: "http://service.invalid", Price: "1", AbandonAfter: time.Hour, mailFlags: mailFlags{MailHost: "mail.invalid", MailFrom: "a@example.org"}}, quiet(t.Output()))
	if err != nil {
		t.Fatal(err)
	}
	runners := map[string]*jobs.Runner{}
	handlers := 0
	for _, runner := range svc.runners {
		if runner.Queue.Name == "" || runners[runner.Queue.Name] != nil {
			t.Errorf("queue %q has several runners, or none of its own", runner.Queue.Name)
		}
		runners[runner.Queue.Name] = runner
		handlers += len(runner.Handlers)
	}
	for _, kind := range jobs.Kinds() {
		if runners[kind.Queue] == nil {
			t.Errorf("queue %s has no runner", kind.Queue)
			continue
		}
		run := runtime.FuncForPC(reflect.ValueOf(runners[kind.Queue].Handlers[kind.Name].Run).Pointer())
		if run == nil || !strings.Contains(run.Name(), "/internal/service/"+kind.Service+".") {
			t.Errorf("kind %s is run by %v, want service/%s", kind.Name, run, kind.Service)
		}
	}
	if handlers != len(jobs.Kinds()) {
		t.Errorf("%d handlers for %d kinds", handlers, len(jobs.Kinds()))
	}
}

func TestTooFewTranscodeWorkersAreRefused(t *testing.T) {
	t.Parallel()
	for _, workers := range []string{"0", "-1"} {
		_, stderr := command(t, exitUsage, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--transcode-workers="+workers)
		if !strings.Contains(stderr, "--transcode-workers must be at least 1") {
			t.Errorf("--transcode-workers=%s: %s", workers, stderr)
		}
	}
}

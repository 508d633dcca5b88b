package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// TestReportToSystemd reads the notifications in place of systemd: ready, a watchdog signal while the server answers, and stopping.
func TestReportToSystemd(t *testing.T) {
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", socket.LocalAddr().String())
	t.Setenv("WATCHDOG_USEC", "20000")
	var healthy atomic.Bool
	healthy.Store(true)
	var answered atomic.Int32
	refused := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if healthy.Load() && r.URL.Path == "/healthz" {
			answered.Add(1)
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
		select {
		case refused <- struct{}{}:
		default: // the test has seen enough
		}
	}))
	defer server.Close()
	next := func() string {
		t.Helper()
		message := make([]byte, 100)
		if err := socket.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		n, err := socket.Read(message)
		if err != nil {
			t.Fatal(err)
		}
		return string(message[:n])
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		reportToSystemd(ctx, server.Listener.Addr(), slog.New(slog.DiscardHandler))
		close(ended)
	}()
	for i, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if got := next(); got != want {
			t.Fatalf("message %d was %q, want %q", i+1, got, want)
		}
	}
	healthy.Store(false)
	for range 4 {
		<-refused
	}
	stop()
	<-ended
	signs := 2
	for got := next(); got != "STOPPING=1"; got = next() {
		if signs++; got != "WATCHDOG=1" {
			t.Fatalf("%q came instead of STOPPING=1", got)
		}
	}
	if signs > int(answered.Load()) {
		t.Errorf("%d signs of life came from a server that answered %d times", signs, answered.Load())
	}
}

func TestReportWithoutSystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	reportToSystemd(t.Context(), &net.TCPAddr{}, slog.New(slog.DiscardHandler)) // returns at once
}

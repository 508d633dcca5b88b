package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// reportToSystemd notifies systemd that requests are served, and that the program stops when ctx ends, if systemd started the program with
// Type=notify. With WatchdogSec= it also reports twice per interval that the server answers; systemd restarts a server that does not.
// Without systemd it does nothing.
func reportToSystemd(ctx context.Context, listens net.Addr, log *slog.Logger) {
	notified, err := daemon.SdNotify(false, daemon.SdNotifyReady)
	if err != nil {
		log.Warn("notifying systemd that requests are served", "error", err)
	}
	if !notified {
		return
	}
	defer func() { _, _ = daemon.SdNotify(false, daemon.SdNotifyStopping) }() // the program stops either way
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("reading the watchdog interval from systemd", "error", err)
	}
	if interval <= 0 {
		<-ctx.Done()
		return
	}
	for tick := time.NewTicker(interval / 2); ; {
		if err := checkHealth(ctx, listens, interval/2); err == nil {
			_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog) // a lost notification is followed by the next
		} else if ctx.Err() == nil {
			log.Error("the server does not answer its own health check; systemd will restart it", "error", err)
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// checkHealth requests the server's health like any client. It does not check readiness, because an unavailable database is no reason to
// restart.
func checkHealth(ctx context.Context, listens net.Addr, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	address := listens.String()
	if tcp, is := listens.(*net.TCPAddr); is && tcp.IP.IsUnspecified() {
		address = fmt.Sprintf("localhost:%d", tcp.Port)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a new connection each time, as a new client's
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET /healthz answers %s", response.Status)
	}
	return nil
}

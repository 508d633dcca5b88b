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

// reportToSystemd tells systemd, where it started the program with Type=notify, that requests are served, and that the program
// stops when ctx ends. With WatchdogSec= it also says twice in each such span that the server still answers; systemd starts one
// that does not again. Elsewhere nothing happens.
func reportToSystemd(ctx context.Context, listens net.Addr, log *slog.Logger) {
	told, err := daemon.SdNotify(false, daemon.SdNotifyReady)
	if err != nil {
		log.Warn("telling systemd that requests are served", "error", err)
	}
	if !told {
		return
	}
	defer func() { _, _ = daemon.SdNotify(false, daemon.SdNotifyStopping) }() // it stops either way
	span, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("reading the watchdog's span from systemd", "error", err)
	}
	if span <= 0 {
		<-ctx.Done()
		return
	}
	for tick := time.NewTicker(span / 2); ; {
		if err := checkHealth(ctx, listens, span/2); err == nil {
			_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog) // one that is lost is followed by the next
		} else if ctx.Err() == nil {
			log.Error("the server does not answer itself; systemd will start it again", "error", err)
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// answers asks the server for its health as any client would. A database that is away is no reason to start again, so
// readiness is not asked for.
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
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a new connection each time, as a stranger's
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

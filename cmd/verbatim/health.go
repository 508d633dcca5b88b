package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

type healthCommand struct {
	Listen string `help:"Address that the server listens on." default:"127.0.0.1:8080" env:"VERBATIM_LISTEN" placeholder:"HOST:PORT"`
}

// healthTimeout is how long the server may take to answer.
const healthTimeout = 4 * time.Second

// Run asks a server on this machine whether it is ready. It serves container images that have no other HTTP client.
func (cmd *healthCommand) Run(ctx context.Context, c *Common) error {
	if err := checkListen("--listen", cmd.Listen); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(cmd.Listen)
	if err != nil {
		return usageError(fmt.Sprintf("--listen %q must be HOST:PORT", cmd.Listen))
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // the server listens on every address, so on this one too; a name would need a hosts file
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return usageError(fmt.Sprintf("--listen %q must be HOST:PORT", cmd.Listen))
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready: %s", answer.Status)
	}
	return c.print(row{{"status", "ready"}})
}

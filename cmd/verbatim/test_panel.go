package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"verbatim/internal/api/testpanel"
)

type panelCommand struct {
	Listen   string `help:"Address to listen on." default:"127.0.0.1:8090" placeholder:"HOST:PORT"`
	SecretOf string `help:"File with the secret that the study shares with the panel, to check signatures." placeholder:"FILE"`
}

// Run serves a test panel until ctx ends.
func (cmd *panelCommand) Run(ctx context.Context, c *Common) error {
	if err := checkListen("--listen", cmd.Listen); err != nil {
		return err
	}
	stand := &testpanel.Panel{Now: time.Now}
	if cmd.SecretOf != "" {
		var err error
		if stand.Secret, err = readLine("", "--secret-of", cmd.SecretOf); err != nil {
			return err
		}
	}
	listener, err := listen("--listen", cmd.Listen)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	c.stdout.printf("Test panel: %s\n\nIn a guide, let participants go back to %s/back?pid={{pid}}&status={{status}} and send postbacks to %s/postback.\n"+
		"Postbacks reach it from servers with --postback-networks 127.0.0.0/8.\n", base, base, base)
	return serveTestPanel(ctx, stand, listener)
}

// serveTestPanel serves a test panel until ctx ends.
func serveTestPanel(ctx context.Context, stand *testpanel.Panel, listener net.Listener) error {
	server := &http.Server{Handler: stand, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

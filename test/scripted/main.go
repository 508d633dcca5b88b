// Command scripted serves one study whose moderator writes what it is told, so that browser tests decide what the page shows when. It
// prints {"link": ...} once it serves. Each line of its standard input is the next chunk of the follow-up that is being written; an empty
// line ends the follow-up. It exits at the end of its input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"verbatim/internal/api/legacy"
	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/server"
	v1 "verbatim/internal/api/v1"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/web"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// moderator writes what arrives on standard input.
type moderator struct{ chunks chan string }

// Decide implements fieldwork.Moderator.
func (m moderator) Decide(ctx context.Context, in interview.Ask) interview.Decision {
	soFar := ""
	for {
		select {
		case chunk := <-m.chunks:
			if chunk == "" {
				return interview.Decision{Words: soFar, Provider: "scripted"}
			}
			soFar += chunk
			in.Words(soFar)
		case <-ctx.Done():
			return interview.Decision{Provider: "scripted"}
		}
	}
}

func run() error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	folder, err := os.MkdirTemp("", "verbatim-scripted-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(ctx, "sqlite:"+filepath.Join(folder, "verbatim.db"), store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	live, err := launch(ctx, s)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	m := moderator{make(chan string)}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	work := &fieldwork.Service{Store: s, Moderator: m, ProbeWithin: 5 * time.Minute}
	srv := &server.Server{
		Access: &access.Service{Store: s}, V1: &v1.API{}, Legacy: &legacy.API{}, Log: log, Grace: time.Second,
		Participant: &pages.API{Protocol: &participant.API{Fieldwork: work, Log: log, BaseURL: base}, App: web.Participant},
	}
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			m.chunks <- lines.Text()
		}
		stop()
	}()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"link": base + "/s/" + live.LinkID}); err != nil {
		return err
	}
	return srv.Run(ctx, listener)
}

// launch creates a live study without a wallet.
func launch(ctx context.Context, s *store.Store) (live study.Study, err error) {
	if _, err := s.Migrate(ctx); err != nil {
		return live, err
	}
	g := &guide.Guide{Title: "Mornings", Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "morning", Type: guide.OpenEnded, Text: "How was your morning?", FollowUp: guide.FollowUpLight},
		{ID: "evening", Type: guide.OpenEnded, Text: "And how will the evening be?", FollowUp: guide.FollowUpNone},
	}}}}
	return live, s.Write(ctx, func(tx *store.Tx) error {
		o, err := tx.CreateOrg(ctx, "Larkspur")
		if err != nil {
			return err
		}
		draft, err := tx.CreateStudy(ctx, study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(ctx, draft, ""); err != nil {
			return err
		}
		live, err = tx.Study(ctx, o.ID, draft.ID)
		return err
	})
}

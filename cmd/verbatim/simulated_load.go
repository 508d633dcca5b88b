package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/panels"
	"verbatim/internal/simulation"
)

// simulatedLoad lets simulated participants take one study.
type simulatedLoad struct {
	store    *store.Store
	blobs    string // the address of the objects
	secrets  secretFlags
	size     int
	seed     uint64
	progress func(done, total int)
	clock    *demoClock // of the store; nil: participants need no time
}

// run starts a complete service inside this process and takes the interviews through it, a few at a time. It waits for the analyses, and
// returns how many interviews ended in each way and how many were analysed.
func (l simulatedLoad) run(ctx context.Context, s study.Study, log *slog.Logger) (map[string]int, error) {
	svc, err := newService(ctx, l.store, l.blobs, serviceFlags{BaseURL: "http://simulated.invalid", Price: "1", AbandonAfter: 24 * time.Hour, secrets: l.secrets, noLinks: true}, log)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		if err := svc.runner(jobs.KindAnalyse).Run(ctx); err != nil {
			log.Error("jobs stopped", "error", err)
		}
	})
	defer working.Wait()
	defer stop()
	client := &http.Client{Transport: inProcess{svc.server.Handler()}}
	ends, err := l.interview(ctx, client, "http://simulated.invalid", s)
	if err != nil {
		return nil, err
	}
	ends["analysed"], err = awaitAnalyses(ctx, l.store, s.ID)
	return ends, err
}

// interview lets each participant take the study over HTTP, four at a time, and counts how the interviews ended. Where time passes by
// a clock, they come one after the other, each when the analysis before is done, so that no time passes under another interview or job.
func (l simulatedLoad) interview(ctx context.Context, client *http.Client, base string, s study.Study) (map[string]int, error) {
	stored, err := l.store.View().StudyGuide(ctx, s.OrgID, s.ID, s.PublishedRevision)
	if err != nil {
		return nil, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return nil, err
	}
	load := simulation.Load{
		Participants: l.size, Seed: l.seed, Rejects: g.RejectingOptions(), AtOnce: 4, Progress: l.progress,
		Params: func(n int) (url.Values, error) { return l.params(ctx, s, g, n) }, TurnedAway: turnedAway(g),
	}
	if l.clock != nil {
		load.AtOnce, load.Think = 1, l.clock.pass
		load.After = func(ctx context.Context) error {
			_, err := awaitAnalyses(ctx, l.store, s.ID)
			return err
		}
	}
	return load.Take(ctx, client, base, s.LinkID)
}

// turnedAway maps the codes with which a study with quotas, or one that identifies its participants, refuses a start to the ends of a load.
func turnedAway(g *guide.Guide) map[string]string {
	ends := map[string]string{"quota_full": simulation.QuotaFull, "target_reached": simulation.QuotaFull, "already_participated": simulation.Before, "already_started": simulation.Before}
	if g.Config.Fieldwork.Target > 0 { // interviews in progress may have its last places
		ends["not_taking_participants"] = simulation.QuotaFull
	}
	return ends
}

// params returns the parameters on the link of participant n: those of any panel, the one that identifies participants, one for each
// dimension of a quota over parameters, and the signature where the study demands it.
func (l simulatedLoad) params(ctx context.Context, s study.Study, g *guide.Guide, n int) (url.Values, error) {
	params := simulation.PanelParams(l.seed, n)
	rest := n
	for i := range g.Config.Quotas {
		for d := range g.Config.Quotas[i].Dimensions {
			if dimension := &g.Config.Quotas[i].Dimensions[d]; dimension.Parameter != "" {
				group := dimension.Groups[rest%len(dimension.Groups)]
				rest /= len(dimension.Groups)
				params.Set(dimension.Parameter, group.Values[0])
			}
		}
	}
	settings := g.Config.Panel
	if settings == nil {
		return params, nil
	}
	if name := settings.Participant.Parameter; name != "" {
		params.Set(name, fmt.Sprintf("P-%d-%03d", l.seed, n+1))
	}
	if !settings.SignedLinks {
		return params, nil
	}
	given := map[string]string{}
	for name := range params {
		given[name] = params.Get(name)
	}
	link, err := (&panels.Service{Store: l.store}).Link(ctx, s, "", given, 0)
	if err != nil {
		return nil, err
	}
	_, query, _ := strings.Cut(link, "?")
	return url.ParseQuery(query)
}

// inProcess is a transport that calls a handler directly.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:0"
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	t.handler.ServeHTTP(recorder, in)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return recorder.Result(), nil
}

// progress returns a function that shows a counter on a terminal. Elsewhere it prints nothing.
func (c *Common) progress(what string) func(done, total int) {
	return func(done, total int) {
		c.stderr.redraw(fmt.Sprintf("%d of %d %s", done, total, what))
		if done == total && c.stderr.tty {
			c.stderr.printf("\n")
		}
	}
}

// awaitAnalyses waits until every ended response of a study is analysed, and returns how many there are.
func awaitAnalyses(ctx context.Context, s *store.Store, studyID string) (int, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		analysed, pending, err := s.View().CountAnalyses(ctx, studyID)
		if err != nil || pending == 0 {
			return analysed, err
		}
		select {
		case <-ctx.Done():
			return analysed, ctx.Err()
		case <-tick.C:
		}
	}
}

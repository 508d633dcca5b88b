package access

import (
	"context"
	"log/slog"
	"time"

	"verbatim/internal/platform/store"
)

// Nodes divides rate limits, and the database's connections where those are too few, among the servers that share a database: each
// gives a sign in it now and then, counts those that did, and takes its equal part. No request waits for the database, and where that is away the last count holds.
//
// The parts add up to the limit wherever requests are spread evenly. A client that always reaches the same node gets that
// node's part alone.
type Nodes struct {
	Store    *store.Store
	Name     string // of this node, the same when it starts again, so that a crash does not count it twice; empty: a new one
	Limiters []*Limiter
	Log      *slog.Logger
	Every    time.Duration // between signs; 0: 3 s. A node counts for three times as long

	id string
}

// Join gives the first sign and divides the limits. Call it before the first request, then Run.
func (n *Nodes) Join(ctx context.Context) error {
	if n.Every == 0 {
		n.Every = 3 * time.Second
	}
	if n.id = n.Name; n.id == "" {
		n.id = store.NewID()
	}
	return n.heartbeat(ctx)
}

// Run gives signs until ctx ends, then takes this node out, so that the others soon share its part.
func (n *Nodes) Run(ctx context.Context) {
	tick := time.NewTicker(n.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.Every)
			defer cancel()
			if err := n.Store.Write(leaving, func(tx *store.Tx) error { return tx.LeaveNode(leaving, n.id) }); err != nil {
				n.Log.Warn("leaving the nodes; the others notice by themselves", "error", err)
			}
			return
		case <-tick.C:
			if err := n.heartbeat(ctx); err != nil && ctx.Err() == nil {
				n.Log.Error("counting the nodes", "error", err)
			}
		}
	}
}

func (n *Nodes) heartbeat(ctx context.Context) error {
	if err := n.Store.Write(ctx, func(tx *store.Tx) error { return tx.BeatNode(ctx, n.id) }); err != nil {
		return err
	}
	live, err := n.Store.View().LiveNodes(ctx, 3*n.Every)
	if err != nil {
		return err
	}
	for _, l := range n.Limiters {
		l.Divide(live)
	}
	return n.Store.ShareConnections(ctx, live)
}

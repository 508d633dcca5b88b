package access

import (
	"context"
	"log/slog"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Nodes divides rate limits, and the database's connections if they are too few, among the servers that share a database. Each
// node writes a heartbeat, counts the nodes with a recent one, and uses its equal part. No request waits for the database, and
// while the database is away the last count stays in use.
//
// The parts add up to the limit if requests are spread evenly. A client that always reaches the same node gets only that node's
// part.
type Nodes struct {
	Store    *store.Store
	Name     string // of this node; the same after a restart, so that a crash does not count it twice; empty: a random one
	Limiters []*Limiter
	Log      *slog.Logger
	Every    time.Duration // heartbeat interval; 0: 3 s. A node counts for three intervals

	id string
}

// Join writes the first heartbeat and divides the limits. Call it before the first request, then Run.
func (n *Nodes) Join(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "access.Nodes.Join")
	if n.Every == 0 {
		n.Every = 3 * time.Second
	}
	if n.id = n.Name; n.id == "" {
		n.id = store.NewID()
	}
	return n.heartbeat(ctx)
}

// Run writes heartbeats until ctx ends, then removes this node, so that the others soon share its part.
func (n *Nodes) Run(ctx context.Context) {
	tick := time.NewTicker(n.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.Every)
			defer cancel()
			if err := n.Store.Write(leaving, func(tx *store.Tx) error { return tx.RemoveNode(leaving, n.id) }); err != nil {
				n.Log.Warn("this node could not sign off; the others notice when its heartbeat expires", "error", err)
			}
			return
		case <-tick.C:
			if err := n.heartbeat(ctx); err != nil && ctx.Err() == nil {
				n.Log.Error("this node could not count the nodes; it keeps its last part of the limits", "error", err)
			}
		}
	}
}

func (n *Nodes) heartbeat(ctx context.Context) error {
	if err := n.Store.Write(ctx, func(tx *store.Tx) error { return tx.Heartbeat(ctx, n.id) }); err != nil {
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

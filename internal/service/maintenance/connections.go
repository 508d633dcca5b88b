package maintenance

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// nodeTimeout is how long a server counts as running after its last heartbeat: three times the interval between two.
const nodeTimeout = 9 * time.Second

// connectionShortage returns a sentence about how many connections the servers open and how many the database allows, or "" if they
// suffice.
func connectionShortage(p store.ConnectionPlan) string {
	if p.Enough() {
		return ""
	}
	return fmt.Sprintf("%d servers open %d connections together (pool_max_conns), and the database has %d for them: each server takes an equal share",
		p.Nodes, p.Requested, p.Available())
}

const fixConnections = "raise max_connections of PostgreSQL, lower pool_max_conns in the address of the database, or put pgbouncer in between; see \"PostgreSQL in production\" in docs/self-hosting.md"

// WarnConnections logs a warning if the running servers want more connections than the database allows.
func WarnConnections(ctx context.Context, s *store.Store, log *slog.Logger) (err error) {
	defer operation.Wrap(&err, "maintenance.WarnConnections")
	plan, err := s.PlanConnections(ctx, nodeTimeout)
	if err != nil {
		return err
	}
	if shortage := connectionShortage(plan); shortage != "" {
		log.WarnContext(ctx, "too few connections to the database", "found", shortage, "mend", fixConnections)
	}
	return nil
}

// ConnectionFinding compares the connections that the servers open with the database's limit. If no server runs, it assumes one.
func ConnectionFinding(ctx context.Context, s *store.Store) (_ Finding, err error) {
	defer operation.Wrap(&err, "maintenance.ConnectionFinding")
	f := Finding{Check: "connections", Advice: true, Remedy: fixConnections}
	plan, err := s.PlanConnections(ctx, nodeTimeout)
	if err != nil {
		return f, fmt.Errorf("reading the connection limit: %w", err)
	}
	if plan.Nodes == 0 {
		plan.Nodes, plan.Requested = 1, plan.Own
	}
	if shortage := connectionShortage(plan); shortage != "" {
		f.Violations = []string{shortage}
	}
	return f, nil
}

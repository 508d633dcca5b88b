package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

// nodesWithin is how long a server counts after its last sign: three times as long as it is between two.
const nodeTimeout = 9 * time.Second

// connectionSum says what the servers ask of the database, and what it gives; "" where it gives enough.
func connectionShortage(p store.ConnectionPlan) string {
	if p.Enough() {
		return ""
	}
	return fmt.Sprintf("%d servers open %d connections together (pool_max_conns), and the database has %d for them: each takes an equal part of those",
		p.Nodes, p.Wished, p.Room())
}

const connectionMend = "raise max_connections of PostgreSQL, lower pool_max_conns in the address of the database, or put pgbouncer between; see \"PostgreSQL in production\" in docs/self-hosting.md"

// warnConnections logs that the servers that run now want more connections than the database has.
func warnConnections(ctx context.Context, s *store.Store, log *slog.Logger) error {
	plan, err := s.PlanConnections(ctx, nodeTimeout)
	if err != nil {
		return err
	}
	if sum := connectionShortage(plan); sum != "" {
		log.WarnContext(ctx, "too few connections to the database", "found", sum, "mend", connectionMend)
	}
	return nil
}

// connectionFinding compares the connections that the servers open with the database's limit. Where none runs, it counts one.
func connectionFinding(ctx context.Context, s *store.Store) (maintenance.Finding, error) {
	f := maintenance.Finding{Check: "connections", Advice: true, Mend: connectionMend}
	plan, err := s.PlanConnections(ctx, nodeTimeout)
	if err != nil {
		return f, fmt.Errorf("asking for the limit of connections: %w", err)
	}
	if plan.Nodes == 0 {
		plan.Nodes, plan.Wished = 1, plan.Own
	}
	if sum := connectionShortage(plan); sum != "" {
		f.Violations = []string{sum}
	}
	return f, nil
}

package main

import (
	"context"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
)

type deletionCommand struct {
	List  deletionList  `cmd:"" help:"List the deletions, newest first."`
	Retry deletionRetry `cmd:"" help:"Queue a failed deletion again. A running server carries it out."`
}

type deletionList struct{}

// Run lists the deletions.
func (deletionList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		all, err := (&erasure.Service{Store: s}).List(ctx)
		if err != nil {
			return err
		}
		var rows []row
		for _, d := range all {
			rows = append(rows, deletionRow(d))
		}
		return c.printAll(rows, "No deletion has been requested.")
	})
}

type deletionRetry struct {
	ID string `arg:"" help:"The deletion's id."`
}

// Run queues the deletion.
func (cmd *deletionRetry) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		d, err := (&erasure.Service{Store: s}).Retry(ctx, cmd.ID)
		if err != nil {
			return err
		}
		return c.print(deletionRow(d))
	})
}

func deletionRow(d response.Deletion) row {
	return row{
		{"id", d.ID},
		{"status", d.Status},
		{"responseId", d.ResponseID},
		{"studyId", d.StudyID},
		{"requestedAt", d.RequestedAt},
		{"completedAt", d.CompletedAt},
	}
}

package main

import (
	"context"
	"fmt"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/keyring"
)

type studyQuota struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run prints a line for each cell of the study's quotas, the target of completed interviews first.
func (cmd *studyQuota) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		cells, err := (&fieldwork.Service{Store: s}).Quotas(ctx, found)
		if err != nil {
			return err
		}
		var rows []row
		for _, cell := range cells {
			quota := cell.QuotaTitle
			if cell.IsTarget() {
				quota = "target"
			}
			rows = append(rows, row{
				{"quota", quota},
				{"cell", cell.Title},
				{"limit", cell.Limit},
				{"inProgress", cell.InProgress},
				{"complete", cell.Complete},
				{"turnedAway", cell.TurnedAway},
			})
		}
		return c.printAll(rows, fmt.Sprintf("Study %s has neither quotas nor a target. Set them in config.verbatim of its guide.", found.LinkID))
	})
}

type studyPreview struct {
	Link string `arg:"" help:"The study's link id, or its id."`
	Days int    `help:"How long the link works." default:"7" placeholder:"N"`
	linkFlags
}

// Run prints the link of a preview.
func (cmd *studyPreview) Run(ctx context.Context, c *Common) error {
	if cmd.Days < 1 || cmd.Days > fieldwork.MaxPreviewDays {
		return usageError(fmt.Sprintf("--days must be from 1 to %d", fieldwork.MaxPreviewDays))
	}
	return c.withStore(ctx, func(s *store.Store) error {
		base, err := cmd.base(ctx, s)
		if err != nil {
			return err
		}
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		keys, err := keyring.Open(ctx, s, c.signingSource())
		if err != nil {
			return err
		}
		link, until := fieldwork.PreviewLink(base, found, keys.Ring(), s.Now(), cmd.Days)
		return c.print(row{{"link", link}, {"expiresAt", toSecond(until)}, {"status", found.Status}})
	})
}

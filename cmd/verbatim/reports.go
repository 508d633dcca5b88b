package main

import (
	"context"
	"errors"
	"fmt"

	"verbatim/internal/platform/store"
)

type studyReports struct {
	Link string `arg:"" help:"The study's link id, or its id."`
	ID   string `arg:"" optional:"" help:"The report to print, as Markdown or with --json as JSON. Without it, reports are listed."`
}

// Run lists the reports of a study that are or were made in the background, or prints one.
func (cmd *studyReports) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		if cmd.ID != "" {
			return cmd.show(ctx, c, s.View(), st.OrgID)
		}
		all, err := s.View().StudyReports(ctx, st.ID)
		if err != nil {
			return err
		}
		var rows []row
		for _, one := range all {
			rows = append(rows, reportRow(one))
		}
		return c.printAll(rows, "No report is made in the background. Ask for one with: verbatim study analyse "+st.LinkID+" --no-wait")
	})
}

func (cmd *studyReports) show(ctx context.Context, c *Common, view *store.View, orgID string) error {
	found, err := view.StudyReport(ctx, orgID, cmd.ID)
	switch {
	case errors.Is(err, store.ErrNoReport):
		return fmt.Errorf("there is no report %s: list them with: verbatim study reports %s", cmd.ID, cmd.Link)
	case err != nil:
		return err
	case found.Status != store.ReportComplete:
		return fmt.Errorf("the report is %s: %d %% done", found.Status, found.Percent)
	case c.JSON:
		return c.writeFile("-", []byte(found.Body))
	}
	return c.writeFile("-", []byte(found.Markdown))
}

func reportRow(r store.StudyReport) row {
	return row{
		{"id", r.ID},
		{"status", r.Status},
		{"percent", r.Percent},
		{"step", r.Step},
		{"requestedAt", toSecond(r.RequestedAt)},
		{"asOf", toSecond(r.AsOf)},
		{"completedAt", toSecond(r.CompletedAt)},
		{"options", r.Options},
	}
}

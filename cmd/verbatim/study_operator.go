package main

import (
	"context"
	"fmt"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/authoring"
)

type studyList struct {
	Org   string `help:"Only studies of this organization, by its id. Default: all." placeholder:"ID"`
	Limit int    `help:"Maximum number of studies to list, the newest first." default:"100" placeholder:"N"`
}

// Run lists studies of all organizations, newest first.
func (cmd *studyList) Run(ctx context.Context, c *Common) error {
	if cmd.Limit < 1 {
		return usageError("--limit must be at least 1")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		if cmd.Org != "" {
			if _, err := s.View().Org(ctx, cmd.Org); err != nil {
				return err
			}
		}
		all, err := s.View().OperatorStudies(ctx, cmd.Org, cmd.Limit)
		if err != nil {
			return err
		}
		var rows []row
		for _, st := range all {
			rows = append(rows, row{
				{"linkId", st.LinkID},
				{"status", st.Status},
				{"completed", st.CompletedCount},
				{"createdAt", toSecond(st.CreatedAt)},
				{"id", st.ID},
				{"organization", st.OrgName},
				{"title", st.Title},
			})
		}
		return c.printAll(rows, "There is no study yet. Create one with POST /api/public/v1/studies/create")
	})
}

type studyShow struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run prints the status, wallet and response counts of a study.
func (cmd *studyShow) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		view := s.View()
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		owner, err := view.Org(ctx, found.OrgID)
		if err != nil {
			return err
		}
		counts, err := view.ResponseCounts(ctx, found.ID)
		if err != nil {
			return err
		}
		return c.print(append(studyRow(found), append(row{{"organization", owner.Name}, {"orgId", owner.ID}}, countRow(counts)...)...))
	})
}

func studyRow(s study.Study) row {
	return row{
		{"id", s.ID},
		{"linkId", s.LinkID},
		{"title", s.Title},
		{"status", s.Status},
		{"revision", s.Revision},
		{"publishedRevision", s.PublishedRevision},
		{"walletId", s.WalletID},
		{"createdAt", toSecond(s.CreatedAt)},
		{"launchedAt", toSecond(s.LaunchedAt)},
	}
}

// countRow returns the response counts by progress. Hidden responses are included in the other counts.
func countRow(counts []store.ResponseCount) row {
	var inProgress, abandoned, complete, screened, hidden int
	for _, c := range counts {
		switch {
		case c.Progress == response.Complete:
			complete += c.Count
		case c.Progress == response.ScreenedOut:
			screened += c.Count
		case c.Abandoned:
			abandoned += c.Count
		default:
			inProgress += c.Count
		}
		if c.Hidden {
			hidden += c.Count
		}
	}
	return row{{"underWay", inProgress}, {"complete", complete}, {"screenedOut", screened}, {"abandoned", abandoned}, {"hidden", hidden}}
}

type studyClose struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run closes the study.
func (cmd *studyClose) Run(ctx context.Context, c *Common) error {
	return c.changeStudy(ctx, cmd.Link, (*authoring.Service).Close)
}

type studyPause struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run pauses the study.
func (cmd *studyPause) Run(ctx context.Context, c *Common) error {
	return c.changeStudy(ctx, cmd.Link, (*authoring.Service).Pause)
}

type studyReopen struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run reopens a closed or paused study.
func (cmd *studyReopen) Run(ctx context.Context, c *Common) error {
	return c.changeStudy(ctx, cmd.Link, (*authoring.Service).Reopen)
}

func (c *Common) changeStudy(ctx context.Context, link string, change func(*authoring.Service, context.Context, study.Study) (study.Study, error)) error {
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, link)
		if err != nil {
			return err
		}
		changed, err := change(&authoring.Service{Store: s}, ctx, found)
		if err != nil {
			return fmt.Errorf("study %s: %w", found.LinkID, err)
		}
		return c.print(studyRow(changed))
	})
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
)

type responseList struct {
	Link  string `arg:"" help:"The study's link id, or its id."`
	After int    `help:"Start after the response with this number." default:"0" placeholder:"N"`
	Limit int    `help:"Maximum number of responses to list." default:"100" placeholder:"N"`
}

// Run lists responses in the order of their numbers, hidden ones included.
func (cmd *responseList) Run(ctx context.Context, c *Common) error {
	if cmd.After < 0 || cmd.Limit < 1 {
		return usageError("--after must not be negative, and --limit must be at least 1")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		found, err := s.View().StudyResponses(ctx, st.ID, cmd.After, cmd.Limit+1)
		if err != nil {
			return err
		}
		more := len(found) > cmd.Limit
		if more {
			found = found[:cmd.Limit]
		}
		var rows []row
		for _, r := range found {
			progress := string(r.Progress)
			if r.Abandoned && r.Progress == response.InProgress {
				progress = "abandoned"
			}
			rows = append(rows, row{
				{"readableId", r.ReadableID},
				{"progress", progress},
				{"language", r.Language},
				{"startedAt", toSecond(r.CreatedAt)},
				{"endedAt", toSecond(r.EndedAt)},
				{"seconds", int(r.Duration.Round(time.Second).Seconds())},
				{"hidden", r.Hidden},
				{"id", r.ID},
			})
		}
		if err := c.printAll(rows, "No responses found."); err != nil {
			return err
		}
		if more {
			c.stderr.printf("There are more: add --after %d\n", found[len(found)-1].ReadableID)
		}
		return nil
	})
}

type responseDelete struct {
	Link     string `arg:"" help:"The study's link id, or its id."`
	Response string `arg:"" help:"The response's number within the study, or its id."`
	Yes      bool   `help:"Confirm the deletion. Without this flag the command only prints what it would delete."`
}

// Run requests the deletion, as the API does. A running server carries it out.
func (cmd *responseDelete) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		id, err := findResponse(ctx, s.View(), st, cmd.Response)
		if err != nil {
			return err
		}
		if !cmd.Yes {
			return usageError(fmt.Sprintf("response %s of study %s (%s) would be permanently deleted with its recordings: add --yes to confirm", cmd.Response, st.LinkID, id))
		}
		d, err := (&erasure.Service{Store: s}).Request(ctx, org.Caller{OrgID: st.OrgID}, st.ID, id)
		if err != nil {
			return err
		}
		return c.print(deletionRow(d))
	})
}

// findResponse returns the id of a response, given its number within the study or its id. The id may be that of a deleted response.
func findResponse(ctx context.Context, view *store.View, st study.Study, name string) (string, error) {
	if study.IsUUID(name) {
		return strings.ToLower(name), nil
	}
	number, err := strconv.Atoi(name)
	if err != nil {
		return "", usageError(fmt.Sprintf("%q is neither the number of a response nor its id", name))
	}
	all, err := view.StudyResponses(ctx, st.ID, number-1, 1)
	if err == nil && (len(all) == 0 || all[0].ReadableID != number) {
		err = noSuchResponse(st, number)
	}
	if err != nil {
		return "", err
	}
	return all[0].ID, nil
}

func noSuchResponse(st study.Study, number int) error {
	return fmt.Errorf("%w: study %s has no response %d; list them by: verbatim response list %s", response.ErrNotFound, st.LinkID, number, st.LinkID)
}

package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"verbatim/internal/domain/document"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

type rebuildCommand struct{}

// Run makes the documents, search entries and counts again.
func (rebuildCommand) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		progress := c.bar("rebuilding", responses)
		defer progress.end()
		done, err := maintenance.Rebuild(ctx, s, func(done, total int) { progress.draw(int64(done), int64(total)) })
		if err != nil {
			return err
		}
		err = c.print(row{
			{"responses", done.Responses},
			{"documentsRewritten", done.Documents},
			{"searchEntriesRewritten", done.Searches},
			{"straysRemoved", done.Strays},
			{"studiesRecounted", done.Studies},
		})
		if err == nil && len(done.Left) > 0 {
			const most = 10
			err = fmt.Errorf("%s could not be rebuilt, for their rows contradict each other; restore a backup for them: %s",
				counted(len(done.Left), "response"), strings.Join(done.Left[:min(most, len(done.Left))], "; "))
		}
		return err
	})
}

// warnOutdated says in the log that documents of another version are served, until they are rebuilt.
func warnOutdated(ctx context.Context, s *store.Store, log *slog.Logger) error {
	outdated, err := s.View().OutdatedItems(ctx, document.Version)
	if outdated {
		log.Warn("documents of another version are stored; run: verbatim rebuild", "version", document.Version)
	}
	return err
}

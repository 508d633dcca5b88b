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

// Run rebuilds the documents, search entries and counts.
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
			const maxListed = 10
			err = fmt.Errorf("%s could not be rebuilt, because their rows contradict each other; restore them from a backup: %s",
				counted(len(done.Left), "response"), strings.Join(done.Left[:min(maxListed, len(done.Left))], "; "))
		}
		return err
	})
}

// warnOutdated logs a warning if documents of another version are stored, until they are rebuilt.
func warnOutdated(ctx context.Context, s *store.Store, log *slog.Logger) error {
	outdated, err := s.View().OutdatedItems(ctx, document.Version)
	if outdated {
		log.Warn("documents of another version are stored; run: verbatim rebuild", "version", document.Version)
	}
	return err
}

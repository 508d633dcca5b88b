package authoring

import (
	"context"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// AddFolder makes a folder, which stays when no study is in it. One that is there already is left as it is.
func (s *Service) AddFolder(ctx context.Context, caller org.Caller, path []string) (err error) {
	defer operation.Wrap(&err, "authoring.AddFolder")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		added, err := tx.AddFolder(ctx, caller.OrgID, path)
		if err != nil || !added {
			return err
		}
		return audit(ctx, tx, caller, org.AuditFolderMade, strings.Join(path, "/"), nil)
	})
}

// RenameFolder gives a folder another path: its studies, those in the trash as well, are in that one from then on, which may have been there before. It
// returns how many were moved; study.ErrNoFolder.
func (s *Service) RenameFolder(ctx context.Context, caller org.Caller, from, to []string) (moved int64, err error) {
	defer operation.Wrap(&err, "authoring.RenameFolder")
	return s.moveFolder(ctx, caller, org.AuditFolderRenamed, from, to)
}

// RemoveFolder removes a folder. Its studies stay, in no folder. It returns how many there were; study.ErrNoFolder.
func (s *Service) RemoveFolder(ctx context.Context, caller org.Caller, path []string) (moved int64, err error) {
	defer operation.Wrap(&err, "authoring.RemoveFolder")
	return s.moveFolder(ctx, caller, org.AuditFolderRemoved, path, nil)
}

func (s *Service) moveFolder(ctx context.Context, caller org.Caller, action string, from, to []string) (moved int64, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if moved, err = tx.MoveFolder(ctx, caller.OrgID, from, to); err != nil {
			return err
		}
		detail := map[string]string{"studies": strconv.FormatInt(moved, 10)}
		if len(to) > 0 {
			detail["to"] = strings.Join(to, "/")
		}
		return audit(ctx, tx, caller, action, strings.Join(from, "/"), detail)
	})
	return moved, err
}

// How long a page that has a guide open counts without saying so again, and after how long it is forgotten.
const (
	presentFor  = 30 * time.Second
	forgetAfter = time.Hour
)

// Presence is a guide that somebody has open.
type Presence = store.Presence

// Present notes that somebody has the guide of a study open in a tab, at a card, or has not any more, and returns who else has.
func (s *Service) Present(ctx context.Context, of study.Study, who Presence, left bool) (others []Presence, err error) {
	defer operation.Wrap(&err, "authoring.Present")
	now := s.Store.Now()
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		if left {
			return tx.EndPresence(ctx, of.ID, who, now.Add(-forgetAfter))
		}
		return tx.SavePresence(ctx, of.ID, who)
	}); err != nil {
		return nil, err
	}
	return s.Store.View().PresentIn(ctx, of.ID, who, now.Add(-presentFor))
}

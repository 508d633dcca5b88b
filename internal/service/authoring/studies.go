package authoring

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// NewStudy describes a study that is to be created.
type NewStudy struct {
	Body   []byte // the working copy
	Title  string // in place of the copy's; empty: that one
	Folder []string
}

// untitled is the title of a study whose working copy has none.
const untitled = "Untitled study"

// CreateDraft creates a study with a working copy, which may have errors.
func (s *Service) CreateDraft(ctx context.Context, caller org.Caller, from NewStudy) (created study.Study, err error) {
	defer operation.Wrap(&err, "authoring.CreateDraft")
	if from.Title != "" {
		if from.Body, err = workingcopy.WithTitle(from.Body, from.Title); err != nil {
			return study.Study{}, err
		}
	}
	e := newEdit(from.Body, workingcopy.Created)
	title, first := workingcopy.Title(from.Body), e.guide
	if title == "" || utf8.RuneCountInString(title) > guide.MaxTitle {
		title = untitled
	}
	if first == nil {
		first = standIn(title)
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		created, err = tx.CreateStudy(ctx, study.Study{OrgID: caller.OrgID, CreatorID: caller.UserID, Title: title, FolderPath: from.Folder}, guide.Encode(first))
		if err != nil {
			return err
		}
		v := workingcopy.Version{
			StudyID: created.ID, Number: 1, Guide: from.Body, Valid: e.guide != nil, Revision: created.Revision, Origin: workingcopy.Created,
			UserID: caller.UserID, Began: tx.Now(), At: tx.Now(),
		}
		if err := tx.AddVersion(ctx, v); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditStudyCreated, created.LinkID, nil)
	})
	return created, err
}

// standIn returns the first revision of a study whose working copy has errors. Programs read it; nobody is interviewed with it, since the
// study is not launched while its working copy has errors.
func standIn(title string) *guide.Guide {
	return &guide.Guide{Title: title, Blocks: []guide.Block{{
		ID: "block", Type: guide.BlockFlat, Items: []guide.Item{{ID: "question", Type: guide.OpenEnded, Text: "Untitled question"}},
	}}}
}

// CopyOf returns the working copy of a study of the caller's organization, titled as a copy; study.ErrNotFound.
func (s *Service) CopyOf(ctx context.Context, caller org.Caller, ref string) (body []byte, err error) {
	defer operation.Wrap(&err, "authoring.CopyOf")
	view := s.Store.View()
	of, err := view.StudyByRef(ctx, caller.OrgID, ref)
	if err != nil {
		return nil, err
	}
	v, _, err := newest(ctx, view, of)
	if err != nil {
		return nil, err
	}
	title := "Copy of " + cmp.Or(workingcopy.Title(v.Guide), of.Title)
	if runes := []rune(title); len(runes) > guide.MaxTitle {
		title = string(runes[:guide.MaxTitle])
	}
	return workingcopy.WithTitle(v.Guide, title)
}

// StudyChange lists changes of a study besides those of its guide. Nil leaves a part as it is.
type StudyChange struct {
	Title  *string
	LinkID *string
	Folder []string
}

// ChangeStudy renames a study, gives it another link id, or moves it to a folder; ErrBadLinkID, study.ErrLinkTaken, study.ErrNotFound.
func (s *Service) ChangeStudy(ctx context.Context, caller org.Caller, studyID string, change StudyChange) (changed study.Study, err error) {
	defer operation.Wrap(&err, "authoring.ChangeStudy")
	if change.LinkID != nil && !study.ValidLinkID(*change.LinkID) {
		return study.Study{}, ErrBadLinkID
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		of, err := tx.Study(ctx, caller.OrgID, studyID)
		if err != nil {
			return err
		}
		detail := map[string]string{}
		if change.Title != nil {
			if err := s.rename(ctx, tx, caller, of, *change.Title); err != nil {
				return err
			}
			detail["title"] = *change.Title
		}
		if change.LinkID != nil && *change.LinkID != of.LinkID {
			if err := tx.RenameLink(ctx, of.OrgID, of.ID, *change.LinkID); err != nil {
				return err
			}
			detail["linkId"] = *change.LinkID
		}
		if change.Folder != nil {
			if err := tx.SaveFolder(ctx, of.ID, change.Folder); err != nil {
				return err
			}
			detail["folder"] = strings.Join(change.Folder, "/")
		}
		if len(detail) > 0 {
			if err := audit(ctx, tx, caller, org.AuditStudyChanged, of.LinkID, detail); err != nil {
				return err
			}
		}
		changed, err = tx.Study(ctx, of.OrgID, of.ID)
		return err
	})
	return changed, err
}

// rename saves the newest version of the working copy with another title.
func (s *Service) rename(ctx context.Context, tx *store.Tx, caller org.Caller, of study.Study, title string) error {
	v, _, err := newest(ctx, &tx.View, of)
	if err != nil {
		return err
	}
	body, err := workingcopy.WithTitle(v.Guide, title)
	if err != nil {
		return err
	}
	e := newEdit(body, workingcopy.Edited)
	_, err = s.saveIn(ctx, tx, caller, of, v.Number, &e)
	return err
}

// TrashStudy puts a study into the trash, and returns when it will be deleted for ever; study.ErrNotFound.
func (s *Service) TrashStudy(ctx context.Context, caller org.Caller, of study.Study) (deleted time.Time, err error) {
	defer operation.Wrap(&err, "authoring.TrashStudy")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		deleted = tx.Now().Add(study.TrashFor)
		if err := tx.Trash(ctx, of.ID, caller.UserID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditStudyTrashed, of.LinkID, nil)
	})
	return deleted, err
}

// UntrashStudy takes a study out of the trash; study.ErrNotFound if it is not there any more.
func (s *Service) UntrashStudy(ctx context.Context, caller org.Caller, of study.Study) (restored study.Study, err error) {
	defer operation.Wrap(&err, "authoring.UntrashStudy")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Untrash(ctx, of.ID, tx.Now().Add(-study.TrashFor)); err != nil {
			return err
		}
		if restored, err = tx.Study(ctx, caller.OrgID, of.ID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditStudyRestored, of.LinkID, nil)
	})
	return restored, err
}

// maxTrash limits the studies in a list of the trash.
const maxTrash = 100

// Trashed lists the trash of the caller's organization, the study that was put there last first.
func (s *Service) Trashed(ctx context.Context, caller org.Caller) (_ []store.TrashedStudy, err error) {
	defer operation.Wrap(&err, "authoring.Trashed")
	return s.Store.View().TrashedStudies(ctx, caller.OrgID, caller.UserID, s.Store.Now().Add(-study.TrashFor), maxTrash)
}

// Folders lists the folders of the caller's organization.
func (s *Service) Folders(ctx context.Context, caller org.Caller) (_ []store.Folder, err error) {
	defer operation.Wrap(&err, "authoring.Folders")
	return s.Store.View().Folders(ctx, caller.OrgID)
}

// Brand returns the brand of an organization, as participants see it.
func (s *Service) Brand(ctx context.Context, orgID string) (_ org.Brand, err error) {
	defer operation.Wrap(&err, "authoring.Brand")
	o, err := s.Store.View().Org(ctx, orgID)
	return o.Brand, err
}

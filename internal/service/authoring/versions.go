package authoring

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// How much of a guide's history is kept.
const (
	maxVersions      = 200
	maxVersionsSize  = 32 << 20 // characters of all versions together
	keptRevisions    = 20       // after the published one
	VersionsPageSize = 50
)

// Draft is the working copy of a study's guide with what is wrong with it.
type Draft struct {
	workingcopy.Version
	Problems    []workingcopy.Problem
	Unpublished bool // participants do not get this version
}

// VersionError means that an edit is based on an older version than the newest one.
type VersionError struct{ Newest Draft }

// Error implements error.
func (*VersionError) Error() string { return workingcopy.ErrConflict.Error() }

// Is reports whether target is workingcopy.ErrConflict.
func (*VersionError) Is(target error) bool { return target == workingcopy.ErrConflict }

// CurrentDraft returns the working copy of a study; study.ErrNotFound.
func (s *Service) CurrentDraft(ctx context.Context, orgID, studyID string) (_ Draft, err error) {
	defer operation.Wrap(&err, "authoring.CurrentDraft")
	view := s.Store.View()
	of, err := view.Study(ctx, orgID, studyID)
	if err != nil {
		return Draft{}, err
	}
	v, _, err := newest(ctx, view, of)
	if err != nil {
		return Draft{}, err
	}
	return draftOf(of, v), nil
}

func draftOf(of study.Study, v workingcopy.Version) Draft {
	_, problems := workingcopy.Check(v.Guide)
	return Draft{Version: v, Problems: problems, Unpublished: isUnpublished(of, v)}
}

func isUnpublished(of study.Study, v workingcopy.Version) bool {
	return !v.Valid || v.Revision != of.PublishedRevision
}

// newest returns the newest version of the working copy of a study. Where none is stored, or the guide was changed by another way since,
// that is the editable revision: stored reports whether there is a row of it.
func newest(ctx context.Context, view *store.View, of study.Study) (v workingcopy.Version, stored bool, err error) {
	v, err = view.NewestVersion(ctx, of.ID)
	if err == nil && v.Revision == of.Revision {
		return v, true, nil
	}
	if err != nil && !errors.Is(err, workingcopy.ErrNoVersion) {
		return v, false, err
	}
	next := workingcopy.Version{StudyID: of.ID, Number: v.Number + 1, Valid: true, Revision: of.Revision, Origin: workingcopy.ByProgram, Began: of.UpdatedAt, At: of.UpdatedAt}
	if v.Number == 0 {
		next.Origin, next.UserID, next.Began, next.At = workingcopy.Created, of.CreatorID, of.CreatedAt, of.CreatedAt
	}
	if next.Guide, err = view.StudyGuide(ctx, of.OrgID, of.ID, of.Revision); err != nil {
		return v, false, err
	}
	if v.Number > 0 {
		next.Summary = workingcopy.Summarize(workingcopy.Compare(v.Guide, next.Guide))
	}
	return next, false, nil
}

// edit is a new version of a working copy on its way in.
type edit struct {
	body     []byte
	guide    *guide.Guide // nil if the copy has errors
	problems []workingcopy.Problem
	origin   workingcopy.Origin
	restored int
	known    map[versionKey]difference // from versions that were read before the transaction, which other writers wait for
}

// versionKey identifies the content of a version.
type versionKey struct{ number, revision, size int }

// difference is how an edit differs from a version.
type difference struct {
	none    bool
	summary workingcopy.Summary
}

func (e *edit) differenceFrom(v *workingcopy.Version) difference {
	key := versionKey{v.Number, v.Revision, len(v.Guide)}
	d, known := e.known[key]
	if !known {
		if d.none = workingcopy.Same(v.Guide, e.body); !d.none {
			d.summary = workingcopy.Summarize(workingcopy.Compare(v.Guide, e.body))
		}
		if e.known == nil {
			e.known = map[versionKey]difference{}
		}
		e.known[key] = d
	}
	return d
}

// compare compares an edit with the newest version and the one before it, ahead of the transaction.
func (e *edit) compare(ctx context.Context, view *store.View, orgID, studyID string) error {
	of, err := view.Study(ctx, orgID, studyID)
	if err != nil {
		return err
	}
	now, _, err := newest(ctx, view, of)
	if err != nil {
		return err
	}
	e.differenceFrom(&now)
	before, err := versionBefore(ctx, view, &now)
	if err == nil && before != nil {
		e.differenceFrom(before)
	}
	return err
}

// versionBefore returns the stored version before another; nil if there is none.
func versionBefore(ctx context.Context, view *store.View, v *workingcopy.Version) (*workingcopy.Version, error) {
	earlier, err := view.Versions(ctx, v.StudyID, v.Number, 1)
	if err != nil || len(earlier) == 0 {
		return nil, err
	}
	before, err := view.Version(ctx, v.StudyID, earlier[0].Number)
	return &before, err
}

func newEdit(body []byte, origin workingcopy.Origin) edit {
	e := edit{body: body, origin: origin}
	e.guide, e.problems = workingcopy.Check(body)
	return e
}

// SaveDraft stores the next version of the working copy of a study, after the version base; a copy without errors becomes the editable
// revision. What is stored already is not stored again. *VersionError, study.ErrNotFound.
func (s *Service) SaveDraft(ctx context.Context, caller org.Caller, studyID string, base int, body []byte) (_ Draft, err error) {
	defer operation.Wrap(&err, "authoring.SaveDraft")
	return s.save(ctx, caller, studyID, base, newEdit(body, workingcopy.Edited))
}

// RestoreDraft makes an earlier version of the working copy the newest, by a new edit; workingcopy.ErrNoVersion, and the errors of SaveDraft.
func (s *Service) RestoreDraft(ctx context.Context, caller org.Caller, of study.Study, base, number int) (_ Draft, err error) {
	defer operation.Wrap(&err, "authoring.RestoreDraft")
	earlier, err := s.version(ctx, of, number)
	if err != nil {
		return Draft{}, err
	}
	e := newEdit(earlier.Guide, workingcopy.Restored)
	e.restored = number
	return s.save(ctx, caller, of.ID, base, e)
}

func (s *Service) save(ctx context.Context, caller org.Caller, studyID string, base int, e edit) (made Draft, err error) {
	if err := e.compare(ctx, s.Store.View(), caller.OrgID, studyID); err != nil {
		return Draft{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		of, err := tx.Study(ctx, caller.OrgID, studyID)
		if err != nil {
			return err
		}
		if made, err = s.saveIn(ctx, tx, caller, of, base, &e); err != nil || e.origin != workingcopy.Restored {
			return err
		}
		return audit(ctx, tx, caller, org.AuditGuideRestored, of.LinkID, map[string]string{"version": strconv.Itoa(e.restored)})
	})
	if errors.Is(err, outage.ErrBusy) {
		err = study.ErrBusy
	}
	return made, err
}

// saveIn stores an edit in a transaction that has locked the study. base 0 is the newest version, whichever it is.
func (s *Service) saveIn(ctx context.Context, tx *store.Tx, caller org.Caller, of study.Study, base int, e *edit) (Draft, error) {
	now, stored, err := newest(ctx, &tx.View, of)
	if err != nil {
		return Draft{}, err
	}
	if base != 0 && base != now.Number {
		return Draft{}, &VersionError{draftOf(of, now)}
	}
	if e.differenceFrom(&now).none {
		return Draft{Version: now, Problems: e.problems, Unpublished: isUnpublished(of, now)}, nil
	}
	if !stored {
		if err := tx.AddVersion(ctx, now); err != nil {
			return Draft{}, err
		}
	}
	next := workingcopy.Version{
		StudyID: of.ID, Number: now.Number + 1, Guide: e.body, Valid: e.guide != nil, Revision: of.Revision, Origin: e.origin, Restored: e.restored,
		UserID: caller.UserID, Began: tx.Now(), At: tx.Now(),
	}
	if next.Revision, err = s.reviseIn(ctx, tx, of, e); err != nil {
		return Draft{}, err
	}
	before, err := s.mergeWith(ctx, tx, of, &now, &next)
	if err != nil {
		return Draft{}, err
	}
	next.Summary = e.differenceFrom(before).summary
	if err := tx.AddVersion(ctx, next); err != nil {
		return Draft{}, err
	}
	if err := tx.PruneVersions(ctx, of.ID, maxVersions, maxVersionsSize); err != nil {
		return Draft{}, err
	}
	return Draft{Version: next, Problems: e.problems, Unpublished: isUnpublished(of, next)}, nil
}

// reviseIn makes an edit without errors the editable revision, and returns the newest revision.
func (s *Service) reviseIn(ctx context.Context, tx *store.Tx, of study.Study, e *edit) (revision int, err error) {
	if e.guide == nil {
		title := workingcopy.Title(e.body)
		if utf8.RuneCountInString(title) > guide.MaxTitle {
			title = ""
		}
		return of.Revision, tx.SetStudyTitle(ctx, of.ID, title)
	}
	encoded := guide.Encode(e.guide)
	current, err := tx.StudyGuide(ctx, of.OrgID, of.ID, of.Revision)
	if err != nil {
		return 0, err
	}
	if bytes.Equal(encoded, current) {
		return of.Revision, tx.SetStudyTitle(ctx, of.ID, e.guide.Title)
	}
	revised := of
	revised.Title = e.guide.Title
	if err := tx.ReviseStudy(ctx, revised, encoded); err != nil {
		return 0, err
	}
	return of.Revision + 1, tx.PruneRevisions(ctx, of.ID, keptRevisions)
}

// mergeWith makes next the same version as the newest one, if it goes on with it and participants do not get that one. It returns the
// version before.
func (s *Service) mergeWith(ctx context.Context, tx *store.Tx, of study.Study, now, next *workingcopy.Version) (*workingcopy.Version, error) {
	if next.Origin != workingcopy.Edited || !now.Continues(next.UserID, next.At) || !isUnpublished(of, *now) {
		return now, nil
	}
	before, err := versionBefore(ctx, &tx.View, now)
	if err != nil || before == nil {
		return now, err
	}
	next.Began = now.Began
	return before, tx.DropVersion(ctx, of.ID, now.Number)
}

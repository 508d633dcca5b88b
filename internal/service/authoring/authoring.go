package authoring

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/memo"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Errors of this package, beside those of studies, guides and wallets.
var (
	ErrConcurrent = errors.New("another change to the same data is in progress; try again")
	ErrBadLinkID  = errors.New("a link id has 3 to 64 letters, digits and hyphens and does not look like a UUID")
)

// maxListed limits the studies in a list.
const maxListed = 5000

// Service manages studies.
type Service struct {
	Store  *store.Store
	Price  wallet.Credits // of one completed response; a launch needs a wallet that can pay it
	Speech guide.Services // that the installation has, for the checks before a launch

	derived memo.Cache[derivedKey, any] // values derived from revisions, which never change

	// BeforePublish, if set, runs between the read and the publish of a launch, so that tests can make a change in between.
	BeforePublish func()
}

// Create stores a draft made from a payload and returns the result of render, which is saved for repeats of the same request;
// replayed reports whether this is such a repeat. It fails with the errors of guide.Decode, org.ErrKeyReused, or ErrConcurrent.
func (s *Service) Create(ctx context.Context, caller org.Caller, body []byte, key org.IdempotencyKey, render func(study.Study) []byte) (answer []byte, replayed bool, err error) {
	defer operation.Wrap(&err, "authoring.Create")
	g, err := guide.Decode(body, guide.Options{NewID: uuid.NewString})
	if err != nil {
		return nil, false, err
	}
	stored := guide.Encode(g)
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if answer, replayed, err = tx.IdempotentResult(ctx, key); err != nil || replayed {
			return err
		}
		created, err := tx.CreateStudy(ctx, study.Study{OrgID: caller.OrgID, CreatorID: caller.UserID, Title: g.Title}, stored)
		if err != nil {
			return err
		}
		answer = render(created)
		return tx.SaveIdempotentResult(ctx, key, answer)
	})
	if errors.Is(err, outage.ErrBusy) {
		return nil, false, ErrConcurrent
	}
	return answer, replayed, err
}

// List returns the newest studies of the caller's organization, newest first.
func (s *Service) List(ctx context.Context, caller org.Caller) (_ []study.Listed, err error) {
	defer operation.Wrap(&err, "authoring.List")
	return s.Store.View().Studies(ctx, caller.OrgID, maxListed)
}

// Find returns a study of the caller's organization by its id or any link id; study.ErrNotFound.
func (s *Service) Find(ctx context.Context, caller org.Caller, ref string) (_ study.Study, err error) {
	defer operation.Wrap(&err, "authoring.Find")
	return s.Store.View().StudyByRef(ctx, caller.OrgID, ref)
}

// EncodedGuide returns the latest editable guide of a study that Find returned, encoded by encode. A revision never changes, so the
// result is cached under the name of the form; the caller must not change its bytes.
func (s *Service) EncodedGuide(ctx context.Context, of study.Study, form string, encode func(*guide.Guide) []byte) (_ []byte, err error) {
	defer operation.Wrap(&err, "authoring.EncodedGuide")
	shown, err := s.derive(ctx, of, form, func(g *guide.Guide) (any, int) {
		b := encode(g)
		return b, len(b)
	})
	if err != nil {
		return nil, err
	}
	return shown.([]byte), nil
}

// maxDerivedBytes bounds the cache of values derived from guides.
const maxDerivedBytes = 32 << 20

// derivedKey identifies a value derived from a revision.
type derivedKey struct {
	studyID  string
	revision int
	form     string
}

// derive returns what fn derives from the latest guide of a study, with its size in bytes, or the cached value.
func (s *Service) derive(ctx context.Context, of study.Study, form string, fn func(*guide.Guide) (any, int)) (any, error) {
	return s.derived.Get(ctx, derivedKey{of.ID, of.Revision, form}, maxDerivedBytes, func(ctx context.Context) (any, int, error) {
		stored, err := s.Store.View().StudyGuide(ctx, of.OrgID, of.ID, of.Revision)
		if err != nil {
			return nil, 0, err
		}
		g, err := guide.Decode(stored, guide.Options{Stored: true})
		if err != nil {
			return nil, 0, err
		}
		value, size := fn(g)
		return value, size + derivedOverhead, nil
	})
}

// derivedOverhead is added for each cached value to its size, in bytes: its key and its entry.
const derivedOverhead = 512

// Revise stores an edited guide as the next revision after the one that the editor saw; study.ErrConflict if another edit came
// first, study.ErrNotFound, and the errors of guide.Decode. Participants of a live study still get the published revision.
func (s *Service) Revise(ctx context.Context, caller org.Caller, studyID string, revision int, body []byte) (err error) {
	defer operation.Wrap(&err, "authoring.Revise")
	g, err := guide.Decode(body, guide.Options{NewID: uuid.NewString, FileUpload: true})
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		edited, err := tx.StudyByRef(ctx, caller.OrgID, studyID)
		if err != nil {
			return err
		}
		edited.Revision, edited.Title = revision, g.Title
		return tx.ReviseStudy(ctx, edited, guide.Encode(g))
	})
}

// RenameLink gives a study a new link id; ErrBadLinkID, study.ErrLinkTaken, study.ErrNotFound. Old link ids keep working.
func (s *Service) RenameLink(ctx context.Context, caller org.Caller, studyID, linkID string) (err error) {
	defer operation.Wrap(&err, "authoring.RenameLink")
	if !study.ValidLinkID(linkID) {
		return ErrBadLinkID
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.RenameLink(ctx, caller.OrgID, studyID, linkID) })
}

// Hide hides or shows a response; response.ErrNotFound. Hidden responses are left out of lists, counts and searches.
func (s *Service) Hide(ctx context.Context, caller org.Caller, responseID string, hidden bool) (err error) {
	defer operation.Wrap(&err, "authoring.Hide")
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.HideResponse(ctx, caller.OrgID, responseID, hidden) })
}

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
	"verbatim/internal/platform/store"
)

// Errors that this work adds to those of studies, guides and wallets.
var (
	ErrConcurrent = errors.New("the database refused the change as a concurrent one")
	ErrBadLinkID  = errors.New("a link id has 3 to 64 letters, digits and hyphens and does not look like a UUID")
)

// newest is how many studies a list holds at most.
const maxListed = 5000

// Service does the work on studies.
type Service struct {
	Store *store.Store
	Price wallet.Credits // of one completed response: what a launch must be able to pay

	derived memo.Cache[derivedKey, any] // of revisions, which never change

	// BeforePublish, when set, runs between the read and the publish of a launch, so that tests can come in between.
	BeforePublish func()
}

// Create stores a draft made from a payload and returns what render says of it, which is kept for repeats of the same
// request; replayed reports whether this is such a repeat. It fails with the errors of guide.Decode, org.ErrKeyReused, or
// ErrConcurrent.
func (s *Service) Create(ctx context.Context, caller org.Caller, body []byte, idempotency org.IdempotencyKey, render func(study.Study) []byte) (answer []byte, replayed bool, err error) {
	g, err := guide.Decode(body, guide.Options{NewID: uuid.NewString})
	if err != nil {
		return nil, false, err
	}
	stored := guide.Encode(g)
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if answer, replayed, err = tx.IdempotentResult(ctx, idempotency); err != nil || replayed {
			return err
		}
		created, err := tx.CreateStudy(ctx, study.Study{OrgID: caller.OrgID, CreatorID: caller.UserID, Title: g.Title}, stored)
		if err != nil {
			return err
		}
		answer = render(created)
		return tx.SaveIdempotentResult(ctx, idempotency, answer)
	})
	if errors.Is(err, outage.ErrBusy) {
		return nil, false, ErrConcurrent
	}
	return answer, replayed, err
}

// List is the newest studies of the caller's organization, newest first.
func (s *Service) List(ctx context.Context, caller org.Caller) ([]study.Listed, error) {
	return s.Store.View().Studies(ctx, caller.OrgID, maxListed)
}

// Find returns a study of the caller's organization, named by its id or any link id; study.ErrNotFound.
func (s *Service) Find(ctx context.Context, caller org.Caller, ref string) (study.Study, error) {
	return s.Store.View().StudyByRef(ctx, caller.OrgID, ref)
}

// Shown returns how one form shows the latest editable guide of a study that Find returned, as encode makes it. A revision never
// changes, so what was made is kept for a while, on the form's name; nobody may change its bytes.
func (s *Service) Shown(ctx context.Context, of study.Study, form string, encode func(*guide.Guide) []byte) ([]byte, error) {
	shown, err := s.derive(ctx, of, form, func(g *guide.Guide) (any, int) {
		b := encode(g)
		return b, len(b)
	})
	if err != nil {
		return nil, err
	}
	return shown.([]byte), nil
}

// maxMade is how many bytes of what was made of guides are kept.
const maxDerivedBytes = 32 << 20

// madeOf names what was made of a revision.
type derivedKey struct {
	studyID  string
	revision int
	form     string
}

// make returns what fn makes of the latest guide of a study, with its size in bytes, or takes it from memory.
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

// perMade is what the smallest of them counts for, in bytes: its key and its place.
const derivedOverhead = 512

// Revise stores an edited guide over the revision that the editor saw; study.ErrConflict when another edit came first,
// study.ErrNotFound, and the errors of guide.Decode. Participants of a live study go on meeting the published revision.
func (s *Service) Revise(ctx context.Context, caller org.Caller, studyID string, revision int, body []byte) error {
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

// RenameLink gives a study another link id; ErrBadLinkID, study.ErrLinkTaken, study.ErrNotFound. Old ones keep working.
func (s *Service) RenameLink(ctx context.Context, caller org.Caller, studyID, linkID string) error {
	if !study.ValidLinkID(linkID) {
		return ErrBadLinkID
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.RenameLink(ctx, caller.OrgID, studyID, linkID) })
}

// Hide shows or hides a response; response.ErrNotFound. Hidden ones are left out of lists, counts and searches.
func (s *Service) Hide(ctx context.Context, caller org.Caller, responseID string, hidden bool) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.HideResponse(ctx, caller.OrgID, responseID, hidden) })
}

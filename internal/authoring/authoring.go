package authoring

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"verbatim/internal/guide"
	"verbatim/internal/org"
	"verbatim/internal/store"
	"verbatim/internal/study"
	"verbatim/internal/wallet"
)

// Errors that this work adds to those of studies, guides and wallets.
var (
	ErrConcurrent = errors.New("the database refused the change as a concurrent one")
	ErrBadLinkID  = errors.New("a link id has 3 to 64 letters, digits and hyphens and does not look like a UUID")
)

// newest is how many studies a list holds at most.
const newest = 5000

// Service does the work on studies.
type Service struct {
	Store *store.Store
	Price wallet.Credits // of one completed response: what a launch must be able to pay

	// BeforePublish, when set, runs between the read and the publish of a launch, so that tests can come in between.
	BeforePublish func()
}

// Create stores a draft made from a payload and returns what render says of it, which is kept for repeats of the same
// request; replayed reports whether this is such a repeat. It fails with the errors of guide.Decode, store.ErrKeyReused, or
// ErrConcurrent.
func (s *Service) Create(ctx context.Context, caller org.Caller, body []byte, once store.Once, render func(study.Study) []byte) (answer []byte, replayed bool, err error) {
	g, err := guide.Decode(body, guide.Options{NewID: uuid.NewString})
	if err != nil {
		return nil, false, err
	}
	stored := guide.Encode(g)
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if answer, replayed, err = tx.Recall(ctx, once); err != nil || replayed {
			return err
		}
		created, err := tx.CreateStudy(ctx, study.Study{OrgID: caller.OrgID, CreatorID: caller.UserID, Title: g.Title}, stored)
		if err != nil {
			return err
		}
		answer = render(created)
		return tx.Remember(ctx, once, answer)
	})
	if errors.Is(err, store.ErrBusy) {
		return nil, false, ErrConcurrent
	}
	return answer, replayed, err
}

// List is the newest studies of the caller's organization, newest first.
func (s *Service) List(ctx context.Context, caller org.Caller) ([]study.Listed, error) {
	return s.Store.View().Studies(ctx, caller.OrgID, newest)
}

// Questions is the latest editable guide of a study, named by its id or any link id; study.ErrNotFound.
func (s *Service) Questions(ctx context.Context, caller org.Caller, ref string) (*guide.Guide, error) {
	view := s.Store.View()
	found, err := view.StudyByRef(ctx, caller.OrgID, ref)
	if err != nil {
		return nil, err
	}
	stored, err := view.StudyGuide(ctx, caller.OrgID, found.ID, found.Revision)
	if err != nil {
		return nil, err
	}
	return guide.Decode(stored, guide.Options{Stored: true})
}

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

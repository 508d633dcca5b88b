package fieldwork

import (
	"context"
	"errors"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Processor is a service outside of this one that processes what participants say. The zero value is none.
type Processor struct {
	Host string
	Name string // as the operator wants participants to know it; may be empty
}

// String returns the name with the host, or the host alone.
func (p Processor) String() string {
	if p.Name != "" && p.Host != "" {
		return p.Name + " (" + p.Host + ")"
	}
	return p.Name + p.Host
}

// Processors are the services that this installation uses.
type Processors struct {
	Model, Speech, Storage Processor
}

// PublishedFor returns the study of an interview as it is published now, in the participant's language. Its consent may differ from the one that
// the participant gave.
func (s *Service) PublishedFor(ctx context.Context, of response.Response) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.PublishedFor")
	view := s.Store.View()
	found, err := view.Study(ctx, of.OrgID, of.StudyID)
	if err != nil {
		return Landing{}, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, view, of.OrgID, of.StudyID, max(found.PublishedRevision, of.Revision))
	if err != nil {
		return Landing{}, err
	}
	landing := s.landing(found, compiled)
	return s.Localize(ctx, landing, of.Language)
}

// Agree stores that a participant agrees to a new text of the consent. It does nothing once the interview has ended. Errors:
// response.ErrNotFound, response.ErrGone.
func (s *Service) Agree(ctx context.Context, token string, c response.Consent) (err error) {
	defer operation.Wrap(&err, "fieldwork.Agree")
	if IsPreview(token) {
		return nil
	}
	for {
		sess, err := s.read(ctx, token)
		if err != nil || sess.State.Next().Ended() || sess.Response.ConsentHash == c.Hash {
			return err
		}
		err = s.Store.Write(ctx, func(tx *store.Tx) error {
			if err := sess.Lock(ctx, tx); err != nil {
				return err
			}
			if err := tx.GiveConsent(ctx, sess.Response, c); err != nil {
				return err
			}
			_, err := sess.Save(ctx, tx, tx.Now(), nil) // a new update time: no server goes on with what it has in memory
			return err
		})
		if errors.Is(err, response.ErrMoved) {
			continue
		}
		s.recent.forget(sess.Response.ID)
		return err
	}
}

// newConsent returns the hash of the consent under which the participant's next turn is given, if no earlier turn of the log names it.
func (sess *session) newConsent() string {
	hash := sess.Response.ConsentHash
	for i := len(sess.Turns) - 1; i >= 0; i-- {
		if sess.Turns[i].Consent != "" {
			if sess.Turns[i].Consent == hash {
				return ""
			}
			break
		}
	}
	return hash
}

// give stores the consent of an interview that begins.
func (b *StartRequest) give(ctx context.Context, tx *store.Tx, r *response.Response) error {
	if b.Consent == nil {
		return nil
	}
	r.ConsentHash = b.Consent.Hash
	return tx.GiveConsent(ctx, *r, *b.Consent)
}

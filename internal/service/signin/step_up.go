package signin

import (
	"context"
	"errors"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// ErrConfirmFirst means that what was asked for needs a recent proof of who the person is.
var ErrConfirmFirst = errors.New("the person has to confirm who they are")

// CheckRecent returns ErrConfirmFirst if the person of a session did not prove a short while ago who they are.
func (s *Service) CheckRecent(session org.Session) error {
	if session.Recent(s.Store.Now()) {
		return nil
	}
	return ErrConfirmFirst
}

// Proofs says by what somebody can confirm who they are. Who has none signs in again with a link.
type Proofs struct {
	Password, Code, Passkey bool
}

// Proofs returns what a user can confirm with.
func (s *Service) Proofs(ctx context.Context, userID string) (p Proofs, err error) {
	defer operation.Wrap(&err, "signin.Proofs")
	view := s.Store.View()
	_, hash, err := view.CredentialOf(ctx, userID)
	if err != nil {
		return Proofs{}, err
	}
	step, err := view.TwoStep(ctx, userID)
	if err != nil {
		return Proofs{}, err
	}
	passkeys, err := view.Passkeys(ctx, userID)
	return Proofs{hash != "", step.On(), len(passkeys) > 0 && s.PasskeyProblem() == ""}, err
}

// Proof holds a password, a code or a passkey: one of the three.
type Proof struct {
	Password string
	Second
}

// Confirm notes that the person of a session proved who they are; ErrWrongPassword, ErrWrongCode, ErrPasskey, *WaitError, org.ErrTwoStepOff for a
// code of somebody who has no second step.
func (s *Service) Confirm(ctx context.Context, session org.Session, given Proof) (err error) {
	defer operation.Wrap(&err, "signin.Confirm")
	user, hash, err := s.Store.View().CredentialOf(ctx, session.UserID)
	if err != nil {
		return err
	}
	confirm := func(use func(*store.Tx) error, method string) error {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			if err := use(tx); err != nil {
				return err
			}
			if err := tx.ConfirmSession(ctx, session.ID); err != nil {
				return err
			}
			return auditOf(ctx, tx, user, user.ID, org.AuditConfirmed, by(method))
		})
	}
	switch {
	case given.Passkey != nil:
		found, err := s.assert(ctx, *given.Passkey)
		if err == nil && found.user.ID != user.ID {
			err = ErrPasskey
		}
		if err != nil {
			return err
		}
		return confirm(func(tx *store.Tx) error { return found.use(ctx, tx) }, "passkey")
	case given.Code != "":
		step, err := s.second(ctx, user, given.Second)
		if err == nil && step.service == nil {
			err = org.ErrTwoStepOff
		}
		if err != nil {
			return err
		}
		if err = confirm(func(tx *store.Tx) error { return step.use(ctx, tx) }, "code"); err == nil {
			step.succeeded()
		}
		return err
	}
	if err := s.prove(ctx, user.Email, given.Password, hash); err != nil {
		if errors.Is(err, ErrFailed) {
			s.noteFailure(ctx, user.Email, user, "confirmation")
			err = ErrWrongPassword
		}
		return err
	}
	return confirm(func(*store.Tx) error { return nil }, "password")
}

package signin

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Errors of the second step.
var (
	ErrCodeNeeded = errors.New("a code of the authenticator app is needed")
	ErrWrongCode  = errors.New("the code is wrong, or was used before")
)

// codeLimit bounds how often a code may be guessed by somebody who knows the password: some 30 times a day.
var codeLimit = slowLimit{free: 10, longest: time.Hour}

// Second holds a code or a passkey for the second step, or neither.
type Second struct {
	Code    string
	Passkey *Assertion
}

// second is the second step of one try to sign in.
type second struct {
	service *Service
	user    org.User
	code    string
	step    org.TwoStep
	passkey *asserted
}

// second checks that a code or a passkey is given where the user needs one, and that codes are not guessed too often; ErrCodeNeeded, ErrPasskey,
// *WaitError.
func (s *Service) second(ctx context.Context, user org.User, given Second) (second, error) {
	step, err := s.Store.View().TwoStep(ctx, user.ID)
	if err != nil || !step.On() {
		return second{}, err
	}
	if given.Passkey != nil {
		found, err := s.assert(ctx, *given.Passkey)
		if err == nil && found.user.ID != user.ID {
			err = ErrPasskey
		}
		return second{service: s, user: user, passkey: &found}, err
	}
	code := given.Code
	if code == "" {
		return second{}, ErrCodeNeeded
	}
	if wait := s.slow.begin(s.Store.Now(), codeName(user)); wait > 0 {
		return second{}, &WaitError{wait}
	}
	return second{service: s, user: user, code: code, step: step}, nil
}

// and returns what the second step was, for the audit log.
func (a second) and() string {
	switch {
	case a.service == nil:
		return ""
	case a.passkey != nil:
		return " and passkey"
	}
	return " and code"
}

// codeName returns the name under which codes of a user are counted.
func codeName(user org.User) limited { return limited{"code " + user.ID, codeLimit} }

// use uses up the code or the challenge; ErrWrongCode, ErrPasskey.
func (a second) use(ctx context.Context, tx *store.Tx) error {
	if a.service == nil {
		return nil
	}
	if a.passkey != nil {
		return a.passkey.use(ctx, tx)
	}
	if period, ok := a.step.Period(a.code, a.service.Store.Now()); ok {
		return usedOnce(tx.UsePeriod(ctx, a.user.ID, period))
	}
	return usedOnce(tx.TakeRecoveryCode(ctx, a.user.ID, org.HashRecoveryCode(a.code)))
}

func usedOnce(was bool, err error) error {
	if err == nil && !was {
		err = ErrWrongCode
	}
	return err
}

// succeeded forgets the wrong codes.
func (a second) succeeded() {
	if a.service != nil && a.passkey == nil {
		a.service.slow.succeeded(codeName(a.user))
	}
}

// TwoStep returns the second step of a user.
func (s *Service) TwoStep(ctx context.Context, userID string) (_ org.TwoStep, err error) {
	defer operation.Wrap(&err, "signin.TwoStep")
	return s.Store.View().TwoStep(ctx, userID)
}

// AppSecret holds the secret that an authenticator app has to know.
type AppSecret struct {
	Secret  string // to be typed
	Address string // otpauth://, for a QR code
}

// StartTwoStep makes a secret for the authenticator app. Nothing is asked at sign-in until ConfirmTwoStep. ErrWrongPassword, *WaitError,
// org.ErrTwoStepOn.
func (s *Service) StartTwoStep(ctx context.Context, userID, password string) (made AppSecret, err error) {
	defer operation.Wrap(&err, "signin.StartTwoStep")
	user, hash, err := s.Store.View().CredentialOf(ctx, userID)
	if err != nil {
		return AppSecret{}, err
	}
	if err := s.prove(ctx, user.Email, password, hash); err != nil {
		if errors.Is(err, ErrFailed) {
			err = ErrWrongPassword
		}
		return AppSecret{}, err
	}
	var random [20]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	if made.Secret, made.Address, err = org.NewTwoStepSecret(random, user.Email); err != nil {
		return AppSecret{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error { return tx.BeginTwoStep(ctx, userID, made.Secret) })
	return made, err
}

// ConfirmTwoStep turns the second step on with the first code of the app, and returns the recovery codes, which cannot be found out again;
// ErrWrongCode, *WaitError, org.ErrTwoStepOn, org.ErrTwoStepOff where there is no secret.
func (s *Service) ConfirmTwoStep(ctx context.Context, userID, code string) (codes []string, err error) {
	defer operation.Wrap(&err, "signin.ConfirmTwoStep")
	return s.withCode(ctx, userID, code, false, org.AuditTwoStepOn, func(tx *store.Tx) (codes []string, err error) {
		if err := tx.ConfirmTwoStep(ctx, userID); err != nil {
			return nil, err
		}
		return newRecoveryCodes(ctx, tx, userID)
	})
}

// ReplaceRecoveryCodes returns new recovery codes in place of those before; errors as of StopTwoStep.
func (s *Service) ReplaceRecoveryCodes(ctx context.Context, userID, code string) (codes []string, err error) {
	defer operation.Wrap(&err, "signin.ReplaceRecoveryCodes")
	return s.withCode(ctx, userID, code, true, org.AuditRecoveryCodes, func(tx *store.Tx) ([]string, error) {
		return newRecoveryCodes(ctx, tx, userID)
	})
}

// StopTwoStep turns the second step off; ErrWrongCode, *WaitError, org.ErrTwoStepOff.
func (s *Service) StopTwoStep(ctx context.Context, userID, code string) (err error) {
	defer operation.Wrap(&err, "signin.StopTwoStep")
	_, err = s.withCode(ctx, userID, code, true, org.AuditTwoStepOff, func(tx *store.Tx) ([]string, error) {
		_, err := tx.EndTwoStep(ctx, userID)
		return nil, err
	})
	return err
}

// withCode uses up a code and does something in the same transaction, where the second step is on or not as it has to be.
func (s *Service) withCode(ctx context.Context, userID, code string, on bool, action string, do func(*store.Tx) ([]string, error)) (codes []string, err error) {
	view := s.Store.View()
	user, _, err := view.CredentialOf(ctx, userID)
	if err != nil {
		return nil, err
	}
	step, err := view.TwoStep(ctx, userID)
	switch {
	case err != nil:
		return nil, err
	case step.On() && !on:
		return nil, org.ErrTwoStepOn
	case !step.On() && on || step.Secret == "":
		return nil, org.ErrTwoStepOff
	}
	if wait := s.slow.begin(s.Store.Now(), codeName(user)); wait > 0 {
		return nil, &WaitError{wait}
	}
	given := second{service: s, user: user, code: code, step: step}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := given.use(ctx, tx); err != nil {
			return err
		}
		if codes, err = do(tx); err != nil {
			return err
		}
		return auditEverywhere(ctx, tx, user, action)
	})
	if err != nil {
		return nil, err
	}
	given.succeeded()
	return codes, nil
}

func newRecoveryCodes(ctx context.Context, tx *store.Tx, userID string) (codes []string, err error) {
	var hashes []string
	for range org.RecoveryCodes {
		var random [10]byte
		_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
		code := org.FormatRecoveryCode(random)
		codes, hashes = append(codes, code), append(hashes, org.HashRecoveryCode(code))
	}
	return codes, tx.SaveRecoveryCodes(ctx, userID, hashes)
}

// RemoveTwoStep turns the second step of a member off, who lost app and recovery codes, revokes the member's passkeys, and ends the member's sessions; org.ErrNoUser,
// org.ErrTwoStepOff where there is neither, org.ErrSharedAccount as ResetLink. One's own takes a code (StopTwoStep): ErrCodeNeeded.
func (s *Service) RemoveTwoStep(ctx context.Context, caller org.Caller, userID string) (err error) {
	defer operation.Wrap(&err, "signin.RemoveTwoStep")
	if userID == caller.UserID {
		return ErrCodeNeeded
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		member, err := ownMember(ctx, tx, caller, userID)
		if err != nil {
			return err
		}
		if err := endTwoStep(ctx, tx, userID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditTwoStepRemoved, member.User.ID, nil)
	})
}

// RemoveTwoStepOf does the same for the operator; org.ErrNoUser, org.ErrTwoStepOff.
func (s *Service) RemoveTwoStepOf(ctx context.Context, userID string) (user org.User, err error) {
	defer operation.Wrap(&err, "signin.RemoveTwoStepOf")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if user, _, err = tx.CredentialOf(ctx, userID); err != nil {
			return err
		}
		if err := endTwoStep(ctx, tx, userID); err != nil {
			return err
		}
		memberships, err := tx.MembershipsOf(ctx, userID)
		if err != nil {
			return err
		}
		for _, m := range memberships {
			if err := tx.Audit(ctx, org.AuditEntry{OrgID: m.OrgID, Action: org.AuditTwoStepRemoved, Subject: user.ID}); err != nil {
				return err
			}
		}
		return nil
	})
	return user, err
}

func endTwoStep(ctx context.Context, tx *store.Tx, userID string) error {
	was, err := tx.EndTwoStep(ctx, userID)
	if err != nil {
		return err
	}
	passkeys, err := tx.RemovePasskeys(ctx, userID)
	if err == nil && !was && passkeys == 0 {
		err = org.ErrTwoStepOff
	}
	if err != nil {
		return err
	}
	return tx.EndSessions(ctx, userID)
}

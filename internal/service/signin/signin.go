package signin

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
	"verbatim/internal/service/mailing"
)

// Errors of signing in.
var (
	ErrFailed        = errors.New("mail address and password do not belong together")
	ErrWrongPassword = errors.New("the current password is wrong")
)

// Service signs people in. Share one value.
type Service struct {
	Store   *store.Store
	BaseURL string              // public address, for links; without a trailing slash
	Cost    org.PasswordCost    // of new passwords; zero: org.DefaultPasswordCost
	Mail    *mailing.Service    // nil, or without a sender: links are copied
	Ring    func() signing.Ring // seals the challenges of passkeys; nil: there are none
	Log     *slog.Logger        // may be nil

	notes sync.WaitGroup // failures that are being written into audit logs
	slow  slowdown
	hash  hashing
	decoy func() string
	once  sync.Once
}

// Browser describes from where somebody signs in.
type Browser struct {
	Agent string // User-Agent
}

// SignedIn is a session that has begun. Token is the value of its cookie, and cannot be found out again.
type SignedIn struct {
	Session org.Session
	User    org.User
	Token   string
}

// Limits of the hashing of passwords: each takes 19 MiB and some 20 ms of a processor.
const (
	maxHashing = 2  // at the same time
	maxWaiting = 32 // for their turn
	maxAgent   = 200
	touchEvery = 5 * time.Minute // how exactly the last use of a session is known
)

// hashing bounds how many passwords are hashed at once.
type hashing struct {
	once    sync.Once
	running *semaphore.Weighted
	waiting *semaphore.Weighted
}

// enter waits for a turn; outage.ErrBusy if too many wait already.
func (h *hashing) enter(ctx context.Context) (leave func(), err error) {
	h.once.Do(func() {
		h.running, h.waiting = semaphore.NewWeighted(maxHashing), semaphore.NewWeighted(maxHashing+maxWaiting)
	})
	if !h.waiting.TryAcquire(1) {
		return nil, outage.ErrBusy
	}
	if err := h.running.Acquire(ctx, 1); err != nil {
		h.waiting.Release(1)
		return nil, err
	}
	return func() { h.running.Release(1); h.waiting.Release(1) }, nil
}

func (s *Service) cost() org.PasswordCost {
	if s.Cost == (org.PasswordCost{}) {
		return org.DefaultPasswordCost
	}
	return s.Cost
}

// hashOf hashes a new password.
func (s *Service) hashOf(ctx context.Context, password string) (string, error) {
	leave, err := s.hash.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	var salt [org.SaltBytes]byte
	_, _ = rand.Read(salt[:]) // never fails: crypto/rand ends the program instead
	return org.HashPassword(password, salt, s.cost()), nil
}

// matches reports whether a password has a hash. With an empty hash it does the same work and reports false.
func (s *Service) matches(ctx context.Context, password, hash string) (bool, error) {
	s.once.Do(func() {
		s.decoy = sync.OnceValue(func() string { return org.HashPassword(rand.Text(), [org.SaltBytes]byte{}, s.cost()) })
	})
	leave, err := s.hash.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	compared := hash
	if hash == "" {
		compared = s.decoy()
	}
	same, err := org.CheckPasswordHash(password, compared)
	return same && hash != "", err
}

// SignIn begins a session; ErrFailed, *WaitError. The work is the same for an unknown address, one without a password, and a wrong
// password. Where the user has a second step, it is needed, too: ErrCodeNeeded, ErrWrongCode, ErrPasskey.
func (s *Service) SignIn(ctx context.Context, email, password string, given Second, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.SignIn")
	email = normalized(email)
	names := namesOf(ctx, email)
	if wait := s.slow.begin(s.Store.Now(), names...); wait > 0 {
		return SignedIn{}, &WaitError{wait}
	}
	user, hash, err := s.Store.View().Credential(ctx, email)
	if err != nil {
		return SignedIn{}, err
	}
	same, err := s.matches(ctx, password, hash)
	if err != nil {
		return SignedIn{}, err
	}
	if !same {
		s.noteFailure(ctx, email, user, "password")
		return SignedIn{}, ErrFailed
	}
	step, err := s.second(ctx, user, given)
	if err != nil {
		return SignedIn{}, err
	}
	made, err = s.begin(ctx, user, from, org.AuditSignedIn, by("password"+step.and()), func(tx *store.Tx) error { return step.use(ctx, tx) })
	if errors.Is(err, ErrWrongCode) || errors.Is(err, ErrPasskey) {
		s.noteFailure(ctx, email, user, "second step")
	}
	if err == nil {
		step.succeeded()
		s.slow.succeeded(names...)
	}
	return made, err
}

// namesOf returns the names under which a try for an address counts.
func namesOf(ctx context.Context, email string) []limited {
	network, hashed := access.NetworkOf(ctx), org.HashKey(email)
	return []limited{{"pair " + network + " " + hashed, pairLimit}, {"address " + hashed, addressLimit}, {"network " + network, networkLimit}}
}

// normalized returns a mail address as it is stored.
func normalized(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// by returns the detail of an audit entry that says how somebody proved who they are.
func by(method string) map[string]string { return map[string]string{"by": method} }

// noteFailure notes a failed sign-in: in the audit logs of a known account, and otherwise in the server's log, without the address. It does so in
// the background, so that the answer does not tell by its time which of the two it was.
func (s *Service) noteFailure(ctx context.Context, email string, user org.User, step string) {
	ctx, network := context.WithoutCancel(ctx), access.NetworkOf(ctx)
	s.notes.Go(func() {
		if user.ID == "" {
			if s.Log != nil {
				const shown = 16 // characters of the hash: enough to see that it is the same address again
				s.Log.Info("a sign-in failed", "address_hash", org.HashKey(email)[:shown], "network", network)
			}
			return
		}
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			return auditOf(ctx, tx, user, "", org.AuditSignInFailed, map[string]string{"at": step, "network": network})
		})
		if err != nil && s.Log != nil {
			s.Log.Error("a failed sign-in could not be noted", "error", err)
		}
	})
}

// Wait waits until what happened is in the audit logs.
func (s *Service) Wait() { s.notes.Wait() }

// begin starts a session of a user in one transaction with change, and says so in the audit log of the user's organizations.
func (s *Service) begin(ctx context.Context, user org.User, from Browser, action string, detail map[string]string, change func(*store.Tx) error) (made SignedIn, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		made, err = start(ctx, tx, user, from)
		if err != nil {
			return err
		}
		return auditOf(ctx, tx, user, user.ID, action, detail)
	})
	return made, err
}

// start starts a session of a user.
func start(ctx context.Context, tx *store.Tx, user org.User, from Browser) (SignedIn, error) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: crypto/rand ends the program instead
	token := org.FormatSession(secret)
	session, err := tx.StartSession(ctx, org.Session{
		UserID: user.ID, Browser: shortened(from.Agent), Network: access.NetworkOf(ctx),
	}, org.HashKey(token))
	return SignedIn{session, user, token}, err
}

// shortened returns a User-Agent as it is stored.
func shortened(agent string) string {
	agent = strings.ToValidUTF8(agent, "")
	if runes := []rune(agent); len(runes) > maxAgent {
		agent = string(runes[:maxAgent])
	}
	return agent
}

// auditEverywhere adds an entry of what a user did to the audit log of each organization of the user.
func auditEverywhere(ctx context.Context, tx *store.Tx, user org.User, action string) error {
	return auditOf(ctx, tx, user, user.ID, action, nil)
}

// auditOf adds an entry about a user to the audit log of each organization of the user. doer is empty where it is not known who did it.
func auditOf(ctx context.Context, tx *store.Tx, user org.User, doer, action string, detail map[string]string) error {
	memberships, err := tx.MembershipsOf(ctx, user.ID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if err := tx.Audit(ctx, org.AuditEntry{OrgID: m.OrgID, UserID: doer, Action: action, Subject: user.ID, Detail: detail}); err != nil {
			return err
		}
	}
	return nil
}

// Identify returns the session of a cookie; org.ErrNoSession.
func (s *Service) Identify(ctx context.Context, token string) (session org.Session, err error) {
	defer operation.Wrap(&err, "signin.Identify")
	const longest = 100 // bytes; a real one is shorter
	if token == "" || len(token) > longest {
		return org.Session{}, org.ErrNoSession
	}
	session, err = s.Store.View().SessionByToken(ctx, org.HashKey(token))
	if err != nil {
		return org.Session{}, err
	}
	now := s.Store.Now()
	if !session.Alive(now) {
		return org.Session{}, org.ErrNoSession
	}
	if now.Sub(session.UsedAt) > touchEvery {
		err = s.Store.Write(ctx, func(tx *store.Tx) error { return tx.UseSession(ctx, session.ID) })
	}
	return session, err
}

// Me is a user with the organizations that the user belongs to.
type Me struct {
	User        org.User
	Memberships []org.NamedMembership
	HasPassword bool
}

// Me returns who a session belongs to; org.ErrNoUser.
func (s *Service) Me(ctx context.Context, userID string) (me Me, err error) {
	defer operation.Wrap(&err, "signin.Me")
	view := s.Store.View()
	var hash string
	if me.User, hash, err = view.CredentialOf(ctx, userID); err != nil {
		return Me{}, err
	}
	me.HasPassword = hash != ""
	me.Memberships, err = view.MembershipsOf(ctx, userID)
	return me, err
}

// Member returns a user as a caller of an organization; org.ErrNotFound for somebody who does not belong to it.
func (s *Service) Member(ctx context.Context, userID, orgID string) (_ org.Caller, err error) {
	defer operation.Wrap(&err, "signin.Member")
	m, err := s.Store.View().Member(ctx, orgID, userID)
	if errors.Is(err, org.ErrNoUser) {
		err = org.ErrNotFound
	}
	return org.Caller{OrgID: orgID, UserID: userID, Role: m.Role}, err
}

// SignOut ends the session of a cookie. Without one it does nothing.
func (s *Service) SignOut(ctx context.Context, token string) (err error) {
	defer operation.Wrap(&err, "signin.SignOut")
	session, err := s.Identify(ctx, token)
	if errors.Is(err, org.ErrNoSession) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.end(ctx, session.UserID, session.ID, org.AuditSignedOut)
}

// Sessions returns a user's sessions that can be used, the last used first.
func (s *Service) Sessions(ctx context.Context, userID string) (alive []org.Session, err error) {
	defer operation.Wrap(&err, "signin.Sessions")
	all, err := s.Store.View().Sessions(ctx, userID)
	now := s.Store.Now()
	for _, session := range all {
		if session.Alive(now) {
			alive = append(alive, session)
		}
	}
	return alive, err
}

// EndSession ends a session of a user; org.ErrNoSession.
func (s *Service) EndSession(ctx context.Context, userID, id string) (err error) {
	defer operation.Wrap(&err, "signin.EndSession")
	return s.end(ctx, userID, id, org.AuditSessionEnded)
}

func (s *Service) end(ctx context.Context, userID, id, action string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		user, _, err := tx.CredentialOf(ctx, userID)
		if err != nil {
			return err
		}
		if err := tx.EndSession(ctx, userID, id); err != nil {
			return err
		}
		return auditEverywhere(ctx, tx, user, action)
	})
}

// ChangePassword sets a user's password, ends all sessions of the user, and begins a new one; ErrWrongPassword, *WaitError,
// org.ErrWeakPassword. Somebody without a password, who came by a link, cannot set one so.
func (s *Service) ChangePassword(ctx context.Context, userID, current, password string, from Browser) (_ SignedIn, err error) {
	defer operation.Wrap(&err, "signin.ChangePassword")
	user, hash, err := s.Store.View().CredentialOf(ctx, userID)
	if err != nil {
		return SignedIn{}, err
	}
	if err := org.CheckPassword(password, user.Email); err != nil {
		return SignedIn{}, err
	}
	names := namesOf(ctx, user.Email)
	if wait := s.slow.begin(s.Store.Now(), names...); wait > 0 {
		return SignedIn{}, &WaitError{wait}
	}
	same, err := s.matches(ctx, current, hash)
	if err != nil {
		return SignedIn{}, err
	}
	if !same {
		return SignedIn{}, ErrWrongPassword
	}
	s.slow.succeeded(names...)
	changed, err := s.hashOf(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	return s.begin(ctx, user, from, org.AuditPasswordChanged, nil, func(tx *store.Tx) error { return replacePassword(ctx, tx, user.ID, changed) })
}

// replacePassword sets the hash of a user's password, ends the user's sessions, and withdraws what else lets the user in.
func replacePassword(ctx context.Context, tx *store.Tx, userID, hash string) error {
	if err := tx.SaveCredential(ctx, userID, hash); err != nil {
		return err
	}
	for _, kind := range []org.TokenKind{org.ResetToken, org.SignInToken} {
		if err := tx.RemoveTokens(ctx, kind, userID); err != nil {
			return err
		}
	}
	return tx.EndSessions(ctx, userID)
}

// Sweep removes sessions and tokens that have expired.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "signin.Sweep")
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.RemoveExpiredSignIns(ctx) })
}

package signin

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
)

// Errors of passkeys.
var (
	ErrPasskey         = errors.New("the passkey is not known here, or its answer cannot be used")
	ErrNoPasskeys      = errors.New("browsers make no passkeys for this address")
	ErrTooManyPasskeys = errors.New("nobody has more than 20 passkeys")
)

// Why an installation has no passkeys, by its public address.
const (
	ProblemIPAddress = "ip_address" // browsers bind passkeys to names
	ProblemInsecure  = "insecure"   // browsers make them with TLS, or on the local machine
	ProblemName      = "name"       // it is no name that browsers accept
)

// challengeFor is how long a challenge of a passkey may be answered.
const challengeFor = 5 * time.Minute

// PasskeyProblem returns why there are no passkeys here; empty if there are.
func (s *Service) PasskeyProblem() string {
	_, problem := s.site()
	return problem
}

// site returns what checks the passkeys of the public address, or why there are none.
func (s *Service) site() (*webauthn.WebAuthn, string) {
	u, err := url.Parse(s.BaseURL)
	if err != nil || s.Ring == nil {
		return nil, ProblemName
	}
	host := u.Hostname()
	switch {
	case net.ParseIP(host) != nil:
		return nil, ProblemIPAddress
	case u.Scheme != "https" && host != "localhost" && !strings.HasSuffix(host, ".localhost"):
		return nil, ProblemInsecure
	case protocol.ValidateRPID(host) != nil:
		return nil, ProblemName
	}
	site, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Verbatim", RPOrigins: []string{u.Scheme + "://" + u.Host}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationPreferred},
	})
	if err != nil {
		return nil, ProblemName
	}
	return site, ""
}

// Challenge is a question for an authenticator. Handle is sealed, so that nothing is stored for a question that nobody answers.
type Challenge struct {
	Options any // of navigator.credentials, as JSON
	Handle  string
}

// Assertion is an authenticator's answer to a challenge.
type Assertion struct {
	Handle     string
	Credential string // PublicKeyCredential.toJSON, as JSON
}

// The purposes of challenges.
const (
	registering = "passkey registration"
	asserting   = "passkey assertion"
)

// sealedChallenge is the content of a handle.
type sealedChallenge struct {
	Session   webauthn.SessionData
	ExpiresAt time.Time
}

func (s *Service) challenge(purpose string, options any, session *webauthn.SessionData) (Challenge, error) {
	text, err := json.Marshal(sealedChallenge{*session, s.Store.Now().Add(challengeFor)})
	if err != nil {
		return Challenge{}, err
	}
	var nonce [signing.NonceBytes]byte
	_, _ = rand.Read(nonce[:]) // never fails: crypto/rand ends the program instead
	return Challenge{options, s.Ring().Seal(purpose, string(text), nonce, s.Store.Now())}, nil
}

// opened returns what a handle holds; ErrPasskey.
func (s *Service) opened(purpose, handle string) (c sealedChallenge, err error) {
	text, ok := s.Ring().Open(purpose, handle, s.Store.Now())
	if !ok || json.Unmarshal([]byte(text), &c) != nil || !s.Store.Now().Before(c.ExpiresAt) {
		return c, ErrPasskey
	}
	return c, nil
}

// use notes that a challenge was answered; ErrPasskey if it was before.
func (c sealedChallenge) use(ctx context.Context, tx *store.Tx) error {
	first, err := tx.UseChallenge(ctx, org.HashKey(c.Session.Challenge), c.ExpiresAt)
	if err == nil && !first {
		err = ErrPasskey
	}
	return err
}

// account is a user as the library sees one.
type account struct {
	user        org.User
	credentials []webauthn.Credential
}

func (h account) WebAuthnID() []byte                         { return []byte(h.user.ID) }
func (h account) WebAuthnName() string                       { return h.user.Email }
func (h account) WebAuthnDisplayName() string                { return cmp.Or(h.user.Name, h.user.Email) }
func (h account) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// accountOf returns a user with the passkeys.
func accountOf(user org.User, passkeys []org.Passkey) (h account, err error) {
	h.user = user
	for _, p := range passkeys {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(p.Data), &c); err != nil {
			return account{}, err
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// Passkeys lists a user's passkeys, oldest first.
func (s *Service) Passkeys(ctx context.Context, userID string) (_ []org.Passkey, err error) {
	defer operation.Wrap(&err, "signin.Passkeys")
	return s.Store.View().Passkeys(ctx, userID)
}

// StartPasskey returns a challenge by which an authenticator makes a passkey; ErrNoPasskeys, ErrTooManyPasskeys.
func (s *Service) StartPasskey(ctx context.Context, userID string) (_ Challenge, err error) {
	defer operation.Wrap(&err, "signin.StartPasskey")
	site, problem := s.site()
	if problem != "" {
		return Challenge{}, ErrNoPasskeys
	}
	view := s.Store.View()
	user, _, err := view.CredentialOf(ctx, userID)
	if err != nil {
		return Challenge{}, err
	}
	passkeys, err := view.Passkeys(ctx, userID)
	if err != nil {
		return Challenge{}, err
	}
	if len(passkeys) >= org.MaxPasskeys {
		return Challenge{}, ErrTooManyPasskeys
	}
	h, err := accountOf(user, passkeys)
	if err != nil {
		return Challenge{}, err
	}
	var known []protocol.CredentialDescriptor
	for _, c := range h.credentials {
		known = append(known, c.Descriptor())
	}
	options, session, err := site.BeginRegistration(h, webauthn.WithExclusions(known))
	if err != nil {
		return Challenge{}, err
	}
	return s.challenge(registering, options, session)
}

// AddPasskey stores the passkey that an authenticator made; ErrPasskey, ErrTooManyPasskeys, org.ErrPasskeyKnown.
func (s *Service) AddPasskey(ctx context.Context, userID, name string, answer Assertion) (made org.Passkey, err error) {
	defer operation.Wrap(&err, "signin.AddPasskey")
	site, problem := s.site()
	if problem != "" {
		return org.Passkey{}, ErrNoPasskeys
	}
	c, err := s.opened(registering, answer.Handle)
	if err != nil || string(c.Session.UserID) != userID {
		return org.Passkey{}, ErrPasskey
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer.Credential))
	if err != nil {
		return org.Passkey{}, ErrPasskey
	}
	user, _, err := s.Store.View().CredentialOf(ctx, userID)
	if err != nil {
		return org.Passkey{}, err
	}
	credential, err := site.CreateCredential(account{user: user}, c.Session, parsed)
	if err != nil {
		return org.Passkey{}, ErrPasskey
	}
	data, err := json.Marshal(credential)
	if err != nil {
		return org.Passkey{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := c.use(ctx, tx); err != nil {
			return err
		}
		all, err := tx.Passkeys(ctx, userID)
		if err == nil && len(all) >= org.MaxPasskeys {
			err = ErrTooManyPasskeys
		}
		if err != nil {
			return err
		}
		made, err = tx.AddPasskey(ctx, org.Passkey{UserID: userID, CredentialID: credentialID(credential.ID), Name: name, Data: string(data)})
		if err != nil {
			return err
		}
		return auditOf(ctx, tx, user, user.ID, org.AuditPasskeyAdded, map[string]string{"name": name})
	})
	return made, err
}

func credentialID(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// RenamePasskey gives a passkey another name; org.ErrNoPasskey.
func (s *Service) RenamePasskey(ctx context.Context, userID, id, name string) (err error) {
	defer operation.Wrap(&err, "signin.RenamePasskey")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		user, _, err := tx.CredentialOf(ctx, userID)
		if err != nil {
			return err
		}
		if err := tx.RenamePasskey(ctx, userID, id, name); err != nil {
			return err
		}
		return auditOf(ctx, tx, user, user.ID, org.AuditPasskeyRenamed, map[string]string{"name": name})
	})
}

// RevokePasskey forgets a passkey; org.ErrNoPasskey.
func (s *Service) RevokePasskey(ctx context.Context, userID, id string) (err error) {
	defer operation.Wrap(&err, "signin.RevokePasskey")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		user, _, err := tx.CredentialOf(ctx, userID)
		if err != nil {
			return err
		}
		p, err := tx.RemovePasskey(ctx, userID, id)
		if err != nil {
			return err
		}
		return auditOf(ctx, tx, user, user.ID, org.AuditPasskeyRevoked, map[string]string{"name": p.Name})
	})
}

// AskPasskey returns a challenge for any passkey that the browser knows for this address; ErrNoPasskeys. It tells nothing of who has one.
func (s *Service) AskPasskey(ctx context.Context) (_ Challenge, err error) {
	defer operation.Wrap(&err, "signin.AskPasskey")
	site, problem := s.site()
	if problem != "" {
		return Challenge{}, ErrNoPasskeys
	}
	options, session, err := site.BeginDiscoverableLogin()
	if err != nil {
		return Challenge{}, err
	}
	return s.challenge(asserting, options, session)
}

// asserted is an answer that is right, before it is used up.
type asserted struct {
	user      org.User
	passkey   org.Passkey
	data      string // of the passkey from then on
	verified  bool   // the authenticator knows who used it, by a finger, a face or a PIN
	challenge sealedChallenge
}

// assert checks an answer; ErrPasskey, ErrNoPasskeys.
func (s *Service) assert(ctx context.Context, answer Assertion) (found asserted, err error) {
	site, problem := s.site()
	if problem != "" {
		return asserted{}, ErrNoPasskeys
	}
	if found.challenge, err = s.opened(asserting, answer.Handle); err != nil {
		return asserted{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer.Credential))
	if err != nil {
		return asserted{}, ErrPasskey
	}
	view := s.Store.View()
	found.passkey, err = view.PasskeyByCredential(ctx, credentialID(parsed.RawID))
	if errors.Is(err, org.ErrNoPasskey) {
		err = ErrPasskey
	}
	if err != nil {
		return asserted{}, err
	}
	if found.user, _, err = view.CredentialOf(ctx, found.passkey.UserID); err != nil {
		return asserted{}, err
	}
	h, err := accountOf(found.user, []org.Passkey{found.passkey})
	if err != nil {
		return asserted{}, err
	}
	_, credential, err := site.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return h, nil }, found.challenge.Session, parsed)
	if err != nil || credential.Authenticator.CloneWarning { // the counter went back: a copy of the key was used
		return asserted{}, ErrPasskey
	}
	data, err := json.Marshal(credential)
	found.data, found.verified = string(data), parsed.Response.AuthenticatorData.Flags.HasUserVerified()
	return found, err
}

// use uses up the challenge and keeps the passkey's counter; ErrPasskey.
func (a *asserted) use(ctx context.Context, tx *store.Tx) error {
	if err := a.challenge.use(ctx, tx); err != nil {
		return err
	}
	err := tx.UsePasskey(ctx, a.passkey.ID, a.data)
	if errors.Is(err, org.ErrNoPasskey) {
		err = ErrPasskey
	}
	return err
}

// passkeyLimit bounds how often a network gives passkeys that are refused.
var passkeyLimit = slowLimit{free: 20, longest: 15 * time.Minute}

// SignInByPasskey begins a session; ErrPasskey, ErrNoPasskeys, *WaitError. A passkey that knows who used it counts as two steps; with another one,
// who has a second step needs a code as well: ErrCodeNeeded, ErrWrongCode.
func (s *Service) SignInByPasskey(ctx context.Context, answer Assertion, code string, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.SignInByPasskey")
	name := limited{"passkey " + access.NetworkOf(ctx), passkeyLimit}
	if wait := s.slow.begin(s.Store.Now(), name); wait > 0 {
		return SignedIn{}, &WaitError{wait}
	}
	found, err := s.assert(ctx, answer)
	if err != nil {
		return SignedIn{}, err
	}
	var step second
	if !found.verified {
		if step, err = s.second(ctx, found.user, Second{Code: code}); err != nil {
			return SignedIn{}, err
		}
	}
	made, err = s.begin(ctx, found.user, from, org.AuditSignedIn, by("passkey"+step.and()), func(tx *store.Tx) error {
		if err := found.use(ctx, tx); err != nil {
			return err
		}
		return step.use(ctx, tx)
	})
	if err == nil {
		step.succeeded()
		s.slow.succeeded(name)
	}
	return made, err
}

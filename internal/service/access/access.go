package access

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
)

// Errors of authentication.
var (
	ErrMissingKey = errors.New("no API key was sent")
	ErrInvalidKey = errors.New("the API key is not valid")
	ErrNotMember  = errors.New("the key's user is not a member of the key's organization")
	ErrReadOnly   = errors.New("the API key may only read")
)

// Service authenticates callers and manages organizations, users and keys.
type Service struct {
	Store *store.Store
	Now   func() time.Time // nil: time.Now

	uses keyUses
}

// Authenticate returns the caller for the values of the header x-api-key; ErrMissingKey, ErrInvalidKey, ErrNotMember. An empty
// header counts as missing, and two different keys as invalid. A value that cannot be a key is refused without a database read.
// Revoked and expired keys are refused like unknown ones.
func (s *Service) Authenticate(ctx context.Context, headerValues []string) (org.Caller, error) {
	var key string
	for _, value := range headerValues {
		value = strings.TrimSpace(value)
		if value != "" && key != "" && value != key {
			return org.Caller{}, ErrInvalidKey
		}
		if value != "" {
			key = value
		}
	}
	if key == "" {
		return org.Caller{}, ErrMissingKey
	}
	if org.CheckKey(key) != nil {
		return org.Caller{}, ErrInvalidKey
	}
	caller, err := s.Store.View().CallerByKey(ctx, org.HashKey(key))
	if errors.Is(err, org.ErrNoKey) {
		return org.Caller{}, ErrInvalidKey
	}
	if err != nil {
		return org.Caller{}, err
	}
	if !caller.IsMember() {
		return org.Caller{}, ErrNotMember
	}
	s.uses.add(caller.KeyID, s.now())
	return caller, nil
}

// Used notes the use of a key whose caller is proven later.
func (s *Service) Used(keyID string) { s.uses.add(keyID, s.now()) }

// CheckMethod returns ErrReadOnly if the caller's key may only read and the method is neither GET nor HEAD.
func CheckMethod(caller org.Caller, method string) error {
	if caller.ReadOnly && method != http.MethodGet && method != http.MethodHead {
		return ErrReadOnly
	}
	return nil
}

type callerKey struct{}

// WithCaller returns a context that carries the caller to the handlers of a request.
func WithCaller(ctx context.Context, c org.Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller of the request that ctx belongs to, or the zero caller, who belongs to no organization.
func CallerOf(ctx context.Context) org.Caller {
	caller, _ := ctx.Value(callerKey{}).(org.Caller)
	return caller
}

package instance

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim/internal/platform/operation"
)

// Errors of a try.
var (
	ErrNoPart = errors.New("the installation has no such part, or it cannot be tried")
	ErrBusy   = errors.New("the part is being tried already")
)

// tryTimeout is how long a try may take.
const tryTimeout = 30 * time.Second

// Fact is something that is known of a part without trying it. The page knows the names.
type Fact struct{ Name, Value string }

// Part is a part of the installation.
type Part struct {
	Name       string
	Configured bool
	Facts      func(context.Context) ([]Fact, error) // nil: none
	// Try uses the part once for real, and returns what is worth saying about it. nil: it cannot be tried.
	Try func(context.Context) (note string, err error)
}

// Service knows the parts of an installation. Share one value.
type Service struct {
	Version string
	Parts   []Part
	Secrets []string // must be in no text that is shown

	mu   sync.Mutex
	busy map[string]bool // parts that are being tried
}

// Seen is a part with its facts.
type Seen struct {
	Name       string
	Configured bool
	CanTry     bool
	Facts      []Fact
	Problem    string // why the facts are not known; empty: they are
}

// Overview returns every part with its facts.
func (s *Service) Overview(ctx context.Context) (_ []Seen, err error) {
	defer operation.Wrap(&err, "instance.Overview")
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	all := make([]Seen, 0, len(s.Parts))
	for _, p := range s.Parts {
		one := Seen{Name: p.Name, Configured: p.Configured, CanTry: p.Try != nil}
		if p.Facts != nil {
			facts, err := p.Facts(ctx)
			if err != nil {
				one.Problem = s.shown(err)
			}
			for _, f := range facts {
				one.Facts = append(one.Facts, Fact{f.Name, s.redacted(f.Value)})
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// Result describes a try.
type Result struct {
	Took    time.Duration
	Note    string
	Problem string // empty: it works
}

// Try uses a part once for real; ErrNoPart, ErrBusy. It takes half a minute at most.
func (s *Service) Try(ctx context.Context, name string) (r Result, err error) {
	defer operation.Wrap(&err, "instance.Try")
	i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Name == name && p.Try != nil })
	if i < 0 {
		return Result{}, ErrNoPart
	}
	if !s.begin(name) {
		return Result{}, ErrBusy
	}
	defer s.end(name)
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	began := time.Now()
	note, err := s.Parts[i].Try(ctx)
	r.Took = time.Since(began)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %v", tryTimeout)
		}
		r.Problem = s.shown(err)
		return r, nil
	}
	r.Note = s.redacted(note)
	return r, nil
}

func (s *Service) begin(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[name] {
		return false
	}
	if s.busy == nil {
		s.busy = map[string]bool{}
	}
	s.busy[name] = true
	return true
}

func (s *Service) end(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, name)
}

// maxShown limits the text of an error that is shown.
const maxShown = 2000

func (s *Service) shown(err error) string {
	text := s.redacted(strings.ToValidUTF8(err.Error(), "\ufffd"))
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	return text
}

// userInfo is the name and the password in an address.
var userInfo = regexp.MustCompile(`://[^/\s"'?#]*@`)

// minSecret is the length from which a secret is looked for in texts: a shorter one would be found in words.
const minSecret = 4

// redacted returns a text without secrets and without names and passwords in addresses.
func (s *Service) redacted(text string) string {
	for _, secret := range s.Secrets {
		if len(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return userInfo.ReplaceAllString(text, "://…@")
}

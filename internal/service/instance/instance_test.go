package instance_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/service/instance"
)

// TestTry: a try shows what went wrong, without the secrets; a part that is being tried is not tried again meanwhile.
func TestTry(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	s := &instance.Service{Secrets: []string{"sk-hidden", "", "ab"}, Parts: []instance.Part{
		{Name: "works", Try: func(context.Context) (string, error) { return "4 words by sk-hidden", nil }},
		{Name: "fails", Try: func(context.Context) (string, error) {
			return "", fmt.Errorf("about postgres://ada:pw@db/x: key sk-hidden is wrong: %s", strings.Repeat("é", 5000))
		}},
		{Name: "slow", Try: func(context.Context) (string, error) { close(entered); <-leave; return "", nil }},
		{Name: "late", Try: func(context.Context) (string, error) { return "", context.DeadlineExceeded }},
		{Name: "shown", Configured: true, Facts: func(context.Context) ([]instance.Fact, error) {
			return []instance.Fact{{"address", "https://k:v@host"}}, errors.New("half")
		}},
	}}
	ctx := t.Context()
	if r, err := s.Try(ctx, "works"); err != nil || r.Problem != "" || r.Note != "4 words by …" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := s.Try(ctx, "fails")
	if err != nil || strings.Contains(r.Problem, "hidden") || strings.Contains(r.Problem, "pw") || len([]rune(r.Problem)) > 2001 || !strings.HasPrefix(r.Problem, "about postgres://…@db/x: key … is wrong") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := s.Try(ctx, "late"); err != nil || !strings.Contains(r.Problem, "no answer within") {
		t.Errorf("%+v, %v", r, err)
	}
	for _, name := range []string{"", "nothing", "shown"} {
		if _, err := s.Try(ctx, name); !errors.Is(err, instance.ErrNoPart) {
			t.Errorf("%q: %v", name, err)
		}
	}
	ended := make(chan error)
	go func() { _, err := s.Try(ctx, "slow"); ended <- err }()
	<-entered
	if _, err := s.Try(ctx, "slow"); !errors.Is(err, instance.ErrBusy) {
		t.Errorf("at the same time: %v", err)
	}
	close(leave)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	seen, err := s.Overview(ctx)
	if last := seen[len(seen)-1]; err != nil || last.Facts[0].Value != "https://…@host" || last.Problem != "half" || last.CanTry {
		t.Errorf("%+v, %v", seen, err)
	}
}

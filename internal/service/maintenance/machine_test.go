package maintenance_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/speech"
	"verbatim/internal/service/maintenance"
)

func TestDiskFinding(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for _, tt := range []struct {
		free, size uint64
		wrong      bool
	}{{gib / 2, 100 * gib, true}, {gib / 2, 2 * gib, false}, {2 * gib, 1000 * gib, false}, {0, gib, true}} {
		if got := maintenance.DiskFinding(tt.free, tt.size); got.Wrong() != tt.wrong {
			t.Errorf("%d of %d free: %+v", tt.free, tt.size, got)
		}
	}
}

func TestFFmpegFinding(t *testing.T) {
	t.Parallel()
	if f := maintenance.FFmpegFinding(nil); len(f.Violations) > 0 {
		t.Errorf("with ffmpeg: %+v", f)
	}
	missing := fmt.Errorf("%w: ffmpeg is not in PATH", ffmpeg.ErrMissing)
	if f := maintenance.FFmpegFinding(missing); f.Wrong() || len(f.Violations) != 1 || !strings.HasPrefix(f.Violations[0], missing.Error()) || f.Remedy == "" {
		t.Errorf("without ffmpeg: %+v", f)
	}
}

// TestSandboxFinding checks that doctor lists missing sandbox measures as advice.
func TestSandboxFinding(t *testing.T) {
	if f := maintenance.SandboxFinding(&ffmpeg.Tool{Confinement: ffmpeg.Confinement{InForce: []string{"all"}}}); len(f.Violations) > 0 {
		t.Errorf("with every measure: %+v", f)
	}
	f := maintenance.SandboxFinding(&ffmpeg.Tool{Confinement: ffmpeg.Confinement{Missing: []string{"Landlock: this kernel has none"}}})
	if f.Wrong() || len(f.Violations) != 1 || !strings.Contains(f.Violations[0], "Landlock") || f.Remedy == "" {
		t.Errorf("without Landlock: %+v", f)
	}
	if f := maintenance.SandboxFinding(nil); len(f.Violations) > 0 {
		t.Errorf("without ffmpeg there is nothing to keep apart: %+v", f)
	}
}

// TestServiceFindings: a service that cannot be reached, or takes too long, is only advice, and one that is not configured is none.
func TestServiceFindings(t *testing.T) {
	t.Parallel()
	broken := errors.New("the key is refused")
	for name, tt := range map[string]struct {
		reach func(context.Context) error
		err   error
		says  string
	}{
		"none configured":     {nil, nil, ""},
		"reached":             {func(context.Context) error { return nil }, nil, ""},
		"refused":             {func(context.Context) error { return broken }, nil, "the key is refused"},
		"too late":            {func(context.Context) error { return context.DeadlineExceeded }, nil, llm.ErrUnavailable.Error()},
		"wrong configuration": {func(context.Context) error { return nil }, broken, "the key is refused"},
	} {
		found := maintenance.ModelFinding(t.Context(), tt.reach, tt.err)
		if said := strings.Join(found.Violations, ""); found.Wrong() || (said == "") != (tt.says == "") || !strings.HasPrefix(said, tt.says) {
			t.Errorf("%s: %+v, want %q", name, found, tt.says)
		}
	}
	late := maintenance.SpeechFinding(t.Context(), func(context.Context) error { return context.DeadlineExceeded }, nil)
	if late.Check != "speech" || !strings.HasPrefix(late.Violations[0], speech.ErrBusy.Error()) {
		t.Errorf("of speech: %+v", late)
	}
}

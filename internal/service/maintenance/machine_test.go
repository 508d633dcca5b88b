package maintenance_test

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/platform/ffmpeg"
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

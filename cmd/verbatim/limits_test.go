package main

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/store/storetest"
)

// TestUploadLimits checks that flags and variables set the limits of uploads, and that recording.Defaults apply without them.
func TestUploadLimits(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	parse := func(args ...string) (recording.Limits, error) {
		t.Helper()
		var c cli
		parser, err := kong.New(&c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil {
			return recording.Limits{}, err
		}
		return c.Serve.uploadFlags.limits()
	}
	if l, err := parse(); err != nil || l != recording.Defaults {
		t.Errorf("without flags: %s, %v", cmp.Diff(recording.Defaults, l), err)
	}
	want := recording.Defaults
	want.Audio, want.Video, want.ScreenVideo, want.File = 5<<20, 3<<30, 3<<30, 7<<20
	want.Bytes, want.Uploads, want.Lifetime = 4<<30, 9, 2*time.Hour
	want.Study, want.Installation, want.Open = 5<<30, 1<<40, 7
	t.Setenv("VERBATIM_MAX_AUDIO", "5MiB")
	l, err := parse("--max-video=3GiB", "--max-file=7MiB", "--max-interview=4GiB", "--max-uploads=9", "--upload-lifetime=2h",
		"--max-study=5GiB", "--max-installation=1TiB", "--max-open-uploads=7")
	if diff := cmp.Diff(want, l); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, wrong := range []string{
		"--max-file=100", "--max-file=100MB", "--max-file=MiB", "--max-file=-1MiB", "--max-file=0GiB", "--max-video=1.5GiB", "--max-audio=99999999GiB",
		"--max-interview=2047MiB", "--max-uploads=0", "--max-uploads=many", "--max-study=1GiB", "--max-installation=1GiB", "--max-open-uploads=0", "--least-free=none", "--upload-lifetime=59m", "--upload-lifetime=1",
	} {
		flag, _, _ := strings.Cut(wrong, "=")
		_, stderr := command(t, exitUsage, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), wrong)
		if !strings.Contains(stderr, flag) {
			t.Errorf("%s: stderr %q", wrong, stderr)
		}
	}
}

package ffmpeg_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"verbatim/internal/platform/ffmpeg"
)

// TestWorkFolder checks that folders of dead processes are removed, and that those of living ones and of others stay.
func TestWorkFolder(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	abandoned, young, foreign := filepath.Join(parent, "verbatim-recording-"+"dead"), filepath.Join(parent, "verbatim-recording-"+"young"), filepath.Join(parent, "other")
	for _, folder := range []string{filepath.Join(abandoned, "out", "hls"), young, foreign} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{abandoned, foreign} {
		if err := os.WriteFile(filepath.Join(folder, "lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alive, leave, err := ffmpeg.WorkFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	second, leaveSecond, err := ffmpeg.WorkFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	for folder, there := range map[string]bool{abandoned: false, young: true, foreign: true, alive: true, second: true} {
		if _, err := os.Stat(folder); (err == nil) != there {
			t.Errorf("%s: %v", folder, err)
		}
	}
	leave()
	leaveSecond()
	if left, err := os.ReadDir(parent); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// Many start at once: none removes what another has just made.
func TestWorkFoldersAtOnce(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				name, leave, err := ffmpeg.WorkFolder(parent)
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(name, "film"), nil, 0o600); err != nil {
					t.Error(err)
				}
				leave()
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

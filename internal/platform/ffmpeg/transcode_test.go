package ffmpeg_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/ffmpeg"
)

func find(t *testing.T) *ffmpeg.Tool {
	t.Helper()
	tool, err := ffmpeg.Finder("")(t.Context())
	if err != nil {
		t.Fatalf("the tests need ffmpeg, which scripts/setup.sh installs: %v", err)
	}
	return tool
}

// record makes a file as a recorder would, from inputs and an encoding given as ffmpeg arguments.
func record(t *testing.T, dir, name, words string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	args := append([]string{"-nostdin", "-v", "error", "-y"}, strings.Fields(words)...)
	if out, err := exec.CommandContext(t.Context(), "ffmpeg", append(args, path)...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %s: %v: %s", words, err, out)
	}
	return path
}

const (
	picture = "-f lavfi -i testsrc=s=320x180:r=15:d="
	tone    = "-f lavfi -i sine=f=440:r=48000:d="
	vp8     = " -c:v libvpx -deadline realtime -cpu-used 8 -b:v 300k"
	h264    = " -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 30"
	opus    = " -c:a libopus -ar 48000"
	live    = " -f webm -live 1" // without a duration, as recorders write it
)

// ask reads a file with ffprobe directly, without this package.
func ask(t *testing.T, path, entries string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-of", "default=nokey=1:noprint_wrappers=1", "-show_entries", entries, path).Output()
	if err != nil {
		t.Fatalf("ffprobe %s: %v", path, err)
	}
	return strings.Join(strings.Fields(strings.TrimSpace(string(out))), " ")
}

// near compares two durations, with a tolerance for what encoders add.
func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if math.Abs((got - want).Seconds()) > 0.25 {
		t.Errorf("%s lasts %s, want %s", what, got, want)
	}
}

func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestProbe(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	if !strings.HasPrefix(tool.Version, "ffmpeg version ") {
		t.Errorf("Version = %q", tool.Version)
	}
	for _, tt := range []struct {
		name, words  string
		video, audio string
		seconds      time.Duration
	}{
		{"camera.webm", picture + "2 " + tone + "2" + vp8 + opus + live, "vp8", "opus", 0},
		{"camera.mkv", picture + "2 " + tone + "2" + h264 + opus, "h264", "opus", 2 * time.Second},
		{"camera.mp4", picture + "2 " + tone + "2" + h264 + " -c:a aac -movflags frag_keyframe+empty_moov", "h264", "aac", 2 * time.Second},
		{"voice.webm", tone + "2" + opus + live, "", "opus", 0},
		{"voice.mp4", tone + "2 -c:a aac", "", "aac", 2 * time.Second},
		{"voice.ogg", tone + "2" + opus, "", "opus", 2 * time.Second},
		{"voice.wav", tone + "2", "", "pcm_s16le", 2 * time.Second},
		{"screen.webm", picture + "2" + vp8, "vp8", "", 2 * time.Second},
	} {
		info, err := tool.Probe(t.Context(), record(t, dir, tt.name, tt.words))
		if err != nil || info.VideoCodec != tt.video || info.AudioCodec != tt.audio {
			t.Errorf("%s: Probe = %+v, %v", tt.name, info, err)
		}
		if (info.Width == 320 && info.Height == 180) != (tt.video != "") {
			t.Errorf("%s: %d x %d", tt.name, info.Width, info.Height)
		}
		near(t, tt.name, info.Duration, tt.seconds)
	}
}

// A file that is not a recording is refused by every call, whatever its name and whatever else ffmpeg could read it as.
func TestUntrustedFiles(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	secret := write(t, dir, "secret.txt", []byte("the secret of another file"))
	wave := record(t, dir, "good.wav", tone+"1") // playable, and the target of the traps below
	film := record(t, dir, "film.avi", picture+"1")
	for name, content := range map[string]string{
		"empty.webm":    "",
		"text.webm":     "I only say that I am a recording.",
		"garbage.webm":  string(bytes.Repeat([]byte{0x1a, 0x45, 0xdf, 0xa3, 7, 0x99}, 5000)),
		"playlist.webm": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" + wave + "\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
		"concat.webm":   "ffconcat version 1.0\nfile good.wav\nfile secret.txt\n",
		"remote.webm":   "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:1/secret\n",
		"drawing.webm":  `<svg xmlns="http://www.w3.org/2000/svg"><image href="` + secret + `"/></svg>`,
		"film.webm":     string(read(t, film)), // not a format of browsers
	} {
		in, out := write(t, dir, name, []byte(content)), t.TempDir()
		if err := os.Mkdir(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
			t.Fatal(err)
		}
		var pcm bytes.Buffer
		for call, run := range map[string]func() error{
			"Probe":    func() error { _, err := tool.Probe(t.Context(), in); return err },
			"Join":     func() error { _, err := tool.Join(t.Context(), []string{in}, filepath.Join(out, "joined")); return err },
			"Video":    func() error { _, err := tool.Video(t.Context(), in, out); return err },
			"Audio":    func() error { _, err := tool.Audio(t.Context(), in, filepath.Join(out, "a")); return err },
			"PCM":      func() error { return tool.PCM(t.Context(), in, &pcm) },
			"Waveform": func() error { _, err := tool.Waveform(t.Context(), in); return err },
		} {
			if err := run(); !errors.Is(err, ffmpeg.ErrUnreadable) || len(err.Error()) > 6<<10 {
				t.Errorf("%s of %s = %v, want ErrUnreadable", call, name, err)
			}
		}
		if pcm.Len() > 0 {
			t.Errorf("%s gave %d bytes of sound", name, pcm.Len())
		}
	}
}

func TestNamesAreNoOptions(t *testing.T) {
	t.Parallel()
	tool := find(t)
	odd := filepath.Join(t.TempDir(), "-y http:%d,'x")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	in := record(t, t.TempDir(), "v.webm", tone+"1"+opus+live)
	moved := filepath.Join(odd, "-i.webm")
	if err := os.Rename(in, moved); err != nil {
		t.Fatal(err)
	}
	joined := filepath.Join(odd, "%03d")
	if _, err := tool.Join(t.Context(), []string{moved, moved}, joined); err != nil {
		t.Error(err)
	}
	if info, err := tool.Audio(t.Context(), joined, filepath.Join(odd, "out:%d")); err != nil {
		t.Error(err)
	} else {
		near(t, "the sound", info.Duration, 2*time.Second)
	}
}

func TestTimeIsLimited(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	in := record(t, dir, "v.webm", tone+"1"+opus+live)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Audio(ctx, in, filepath.Join(dir, "a")); !errors.Is(err, context.Canceled) {
		t.Errorf("Audio = %v, want the context's error", err)
	}
	enough := errors.New("enough")
	stopped, stop := context.WithCancelCause(t.Context())
	long := record(t, dir, "long.webm", tone+"120"+opus+live)
	err := tool.PCM(stopped, long, writer(func(p []byte) (int, error) { stop(enough); return len(p), nil }))
	if !errors.Is(err, enough) {
		t.Errorf("PCM = %v, want the cause of the end", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func TestMissing(t *testing.T) {
	for _, tt := range []struct{ name, ffmpeg, word string }{
		{"nothing", "", "ffmpeg is not in PATH"},
		{"broken", "exit 1", "does not run"},
		{"poor", "echo ' A....D aac  AAC'", "libx264"},
	} {
		dir := t.TempDir()
		t.Setenv("PATH", dir)
		if tt.ffmpeg != "" {
			for name, body := range map[string]string{"ffmpeg": tt.ffmpeg, "ffprobe": "exit 0"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := ffmpeg.Finder("")(t.Context()); !errors.Is(err, ffmpeg.ErrMissing) || !strings.Contains(err.Error(), tt.word) {
			t.Errorf("%s: the finder returns %v, want ErrMissing and %q", tt.name, err, tt.word)
		}
	}
}

// The programs must not see the keys of the service.
func TestEnvironmentIsKept(t *testing.T) {
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	fake := "#!/bin/sh\n/usr/bin/env >>'" + seen + "'\necho libx264 aac\n"
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fake), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("VERBATIM_S3_SECRET_KEY", "hush")
	if _, err := ffmpeg.Finder("")(t.Context()); err != nil {
		t.Fatal(err)
	}
	if env := string(read(t, seen)); !strings.Contains(env, "PATH="+dir) || strings.Contains(env, "hush") {
		t.Errorf("the programs see %q", env)
	}
}

func TestSound(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	in := record(t, dir, "v.webm", tone+"2 -af volume=volume=0:enable='lt(t,1)'"+opus+live)
	out := filepath.Join(dir, "audio.m4a")
	info, err := tool.Audio(t.Context(), in, out)
	if err != nil || info.AudioCodec != "aac" || info.VideoCodec != "" {
		t.Fatalf("Audio = %+v, %v", info, err)
	}
	near(t, "the m4a", info.Duration, 2*time.Second)
	if got := ask(t, out, "stream=codec_name,channels:format=format_name"); got != "aac 1 mov,mp4,m4a,3gp,3g2,mj2" {
		t.Errorf("the m4a is %q", got)
	}

	var pcm bytes.Buffer
	if err := tool.PCM(t.Context(), in, &pcm); err != nil {
		t.Fatal(err)
	}
	near(t, "the samples", time.Duration(pcm.Len()/2)*time.Second/16000, 2*time.Second)

	data, err := tool.Waveform(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var wave struct {
		Seconds float64
		Peaks   []float64
	}
	if err := json.Unmarshal(data, &wave); err != nil {
		t.Fatal(err)
	}
	near(t, "the waveform", time.Duration(wave.Seconds*float64(time.Second)), 2*time.Second)
	if n := len(wave.Peaks); n < 95 || n > 105 {
		t.Fatalf("%d peaks for 2 s, want one for each 20 ms", n)
	}
	quiet, loud := wave.Peaks[len(wave.Peaks)/4], wave.Peaks[len(wave.Peaks)*3/4]
	if quiet > 0.01 || loud < 0.1 || loud > 0.2 { // a sine of ffmpeg is an eighth of full scale
		t.Errorf("the silent half peaks at %v, the loud one at %v", quiet, loud)
	}

	long, err := tool.Waveform(t.Context(), record(t, dir, "long.webm", tone+"30"+opus+live))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(long, &wave); err != nil || len(wave.Peaks) != 800 {
		t.Errorf("%d peaks, %v; want 800", len(wave.Peaks), err)
	}
	if _, err := tool.Audio(t.Context(), record(t, dir, "mute.webm", picture+"1"+vp8), out); !errors.Is(err, ffmpeg.ErrUnreadable) {
		t.Errorf("Audio of a silent film = %v, want ErrUnreadable", err)
	}
}

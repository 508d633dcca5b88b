package ffmpeg_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/ffmpeg"
)

// TestMain makes this program the sandbox process, as verbatim is, and the program that tries what it can access.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ffmpeg.SandboxCommand {
		os.Exit(ffmpeg.Sandbox(os.Args[2:]))
	}
	if filepath.Base(os.Args[0]) == "ffprobe" {
		if address, asked := strings.CutPrefix(os.Getenv("TMPDIR"), "reach "); asked {
			reach(strings.Fields(address))
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// reach prints what a program in the sandbox could access, in the form of an answer of ffprobe.
func reach(args []string) {
	result := "nothing"
	if conn, err := net.Dial("tcp", args[0]); err == nil {
		_ = conn.Close()
		result = "network"
	}
	if _, err := os.ReadFile(args[1]); err == nil {
		result += " file"
	}
	if err := os.WriteFile(args[1]+".made", nil, 0o600); err == nil {
		result += " made"
	}
	if _, err := os.ReadFile("film"); err == nil {
		result += " film"
	}
	_, _ = os.Stdout.WriteString(`{"streams":[{"codec_type":"audio","codec_name":"` + result + `"}],"format":{}}`)
}

func confined(t *testing.T) *ffmpeg.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tool, err := ffmpeg.Finder(self)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// TestSandbox makes a program try to reach a listener of this machine and a file outside its folder. If it reaches one, the
// tool must say that the measure is not in force.
func TestSandbox(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []string{dir, filepath.Dir(dir)} { // the sandbox's user must find the programs there
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ffprobe"), body, 0o755); err != nil {
		t.Fatal(err)
	}
	real, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(dir, "ffmpeg")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	secret, work := write(t, t.TempDir(), "secret", []byte("secret")), t.TempDir()
	if err := os.Chmod(secret, 0o644); err != nil {
		t.Fatal(err)
	}
	film := write(t, work, "film", []byte("film"))
	tool := confined(t)
	t.Setenv("TMPDIR", "reach "+listener.Addr().String()+" "+secret)
	info, err := tool.Probe(t.Context(), film)
	if err != nil {
		t.Fatal(err)
	}
	has := func(measure string) bool { return slices.Contains(tool.Confinement.InForce, measure) }
	got := strings.Fields(info.AudioCodec)
	if slices.Contains(got, "network") && (has("network namespace") || has("seccomp") || has("Landlock")) {
		t.Errorf("it reaches the network under %q", tool.Confinement.InForce)
	}
	if (slices.Contains(got, "file") || slices.Contains(got, "made")) && has("Landlock") {
		t.Errorf("it reaches %q under %q", got, tool.Confinement.InForce)
	}
	if !slices.Contains(got, "film") {
		t.Errorf("it cannot read its own film: %q under %q", got, tool.Confinement.InForce)
	}
	if all := len(tool.Confinement.InForce) + len(tool.Confinement.Missing); all != 6 {
		t.Errorf("of 6 measures %d are told: %+v", all, tool.Confinement)
	}
	t.Logf("in force: %q; missing: %q; reached: %q", tool.Confinement.InForce, tool.Confinement.Missing, got)
}

// TestWorkInTheSandbox does everything that is done with a recording, in the sandbox.
func TestWorkInTheSandbox(t *testing.T) {
	t.Parallel()
	tool := confined(t)
	work, leave, err := ffmpeg.WorkFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(leave)
	first := record(t, work, "session0", picture+"2 "+tone+"2"+vp8+opus+live)
	second := record(t, work, "session1", tone+"2"+opus+live)
	film, out := filepath.Join(work, "joined"), filepath.Join(work, "out")
	if err := os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Join(t.Context(), []string{first, second}, film); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Video(t.Context(), film, out); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Audio(t.Context(), film, filepath.Join(out, "a.m4a")); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Waveform(t.Context(), film); err != nil {
		t.Fatal(err)
	}
	t.Logf("in force: %q; missing: %q", tool.Confinement.InForce, tool.Confinement.Missing)
	nonsense := write(t, work, "nonsense", []byte("nonsense"))
	if _, err := tool.Probe(t.Context(), nonsense); !errors.Is(err, ffmpeg.ErrUnreadable) {
		t.Errorf("nonsense gives %v", err)
	}
}

// TestPicturesHoursApart checks that two pictures with a gap of six hours between them stay two pictures.
func TestPicturesHoursApart(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	in := record(t, dir, "apart.webm", "-f lavfi -i testsrc=s=320x180:r=1:d=2 -vf setpts=PTS*21000 -fps_mode passthrough"+vp8+live)
	joined, out := filepath.Join(dir, "joined"), filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Join(t.Context(), []string{in}, joined); err != nil {
		t.Fatal(err)
	}
	info, err := tool.Video(t.Context(), joined, out)
	if err != nil || info.Duration.Hours() < 5 {
		t.Errorf("%s came out, %v", info.Duration, err)
	}
	frames, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-of", "default=nokey=1:noprint_wrappers=1",
		"-show_entries", "stream=nb_read_packets", filepath.Join(out, ffmpeg.MP4)).Output()
	if got := strings.TrimSpace(string(frames)); got != "2" || err != nil {
		t.Errorf("%s pictures came out, %v; want 2", got, err)
	}
}

// TestMorePixelsThanARecorderMakes refuses a film by the number and size of its pictures, before any is decoded.
func TestMorePixelsThanARecorderMakes(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	in := record(t, dir, "dense.mkv", "-f lavfi -i color=s=1280x720:r=1000:d=1 -c:v libx264 -preset ultrafast -f matroska")
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Video(t.Context(), in, out); !errors.Is(err, ffmpeg.ErrExcess) {
		t.Errorf("%v, want ErrExcess", err)
	}
}

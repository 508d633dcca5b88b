package ffmpeg_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"verbatim/internal/platform/ffmpeg"
)

// fake puts programs into PATH that answer as Find requires, and otherwise do what a script says.
func fake(t *testing.T, script string) *ffmpeg.Tool {
	t.Helper()
	dir := t.TempDir()
	body := "#!/bin/sh\ncase \"$*\" in *-version*|*-encoders*) echo libx264 aac; exit;; esac\n" + script + "\n"
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return find(t)
}

// pipe returns a named pipe: its reader sees the end when the last writer is gone.
func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// waitUp waits until a program has written its first line to a pipe, and returns the pipe for reading the rest.
func waitUp(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := io.ReadFull(file, make([]byte, len("up\n"))); err != nil {
		t.Fatal(err)
	}
	return file
}

// A program that hangs ends with its context, and so do the processes that it started.
func TestHangingProgram(t *testing.T) {
	name := pipe(t)
	tool := fake(t, "exec 9>'"+name+"'\nsleep 1000 &\necho up >&9\nwait")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := tool.Probe(ctx, "film")
		ended <- err
	}()
	up := waitUp(t, name)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Probe = %v, want the context's error", err)
	}
	if _, err := io.ReadAll(up); err != nil { // ends when no process holds the pipe
		t.Error(err)
	}
}

const pipeOf = "VERBATIM_TEST_PIPE"

// A service that is killed leaves no program running. The test runs itself again, as the service.
func TestKilledService(t *testing.T) {
	if name := os.Getenv(pipeOf); name != "" {
		_, err := fake(t, "exec 9>'"+name+"'\necho up >&9\nexec sleep 1000").Probe(t.Context(), "film")
		t.Fatal("the program ended: ", err)
	}
	name := pipe(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledService$")
	cmd.Env = append(os.Environ(), pipeOf+"="+name, "TMPDIR="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	up := waitUp(t, name)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if _, err := io.ReadAll(up); err != nil {
		t.Error(err)
	}
}

// Programs run with low priority and few threads for reading and writing, to leave the machine to requests.
func TestLowPriority(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	tool := fake(t, `case "$*" in *json*) echo '{"streams":[{"codec_type":"video","codec_name":"vp8","width":2,"height":2},{"codec_type":"audio","codec_name":"opus"}],"format":{"duration":"1"}}';;
		*) echo "$(nice) $*" >>'`+log+`';; esac`)
	out := t.TempDir()
	if err := os.Mkdir(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _ = tool.Video(t.Context(), "film", out) // fails because there is no playlist
	if err := tool.PCM(t.Context(), "film", io.Discard); err != nil {
		t.Fatal(err)
	}
	runs := strings.Split(strings.TrimSpace(string(read(t, log))), "\n")
	if len(runs) != 3 {
		t.Errorf("the runs are %q", runs)
	}
	for _, run := range runs {
		before, behind, _ := strings.Cut(run, " -i ")
		priority, _, _ := strings.Cut(run, " ")
		if n, err := strconv.Atoi(priority); err != nil || n < 10 || !strings.Contains(before, "-nostdin") || !strings.Contains(before, "-threads 2") || !strings.Contains(behind, "-threads 2") {
			t.Errorf("%s", run)
		}
	}
}

// A program reports its lack of resources at the end, after any number of messages about its input, and it is not the
// input's fault.
func TestShortages(t *testing.T) {
	for _, lacks := range []string{"No space left on device", "Input/output error"} {
		tool := fake(t, "i=0; while [ $i -lt 300 ]; do echo 'error while decoding MB 3 4, bytestream -7' >&2; i=$((i+1)); done\necho 'av_write_frame(): "+lacks+"' >&2\nexit 1")
		_, err := tool.Probe(t.Context(), "film")
		if err == nil || errors.Is(err, ffmpeg.ErrUnreadable) || !strings.Contains(err.Error(), lacks) || len(err.Error()) > 3<<10 {
			t.Errorf("%s: %v", lacks, err)
		}
	}
	tool := fake(t, "echo 'Invalid data found when processing input' >&2\nexit 1")
	if _, err := tool.Probe(t.Context(), "film"); !errors.Is(err, ffmpeg.ErrUnreadable) || !strings.Contains(err.Error(), "Invalid data") {
		t.Errorf("%v, want ErrUnreadable and its words", err)
	}
	tool = fake(t, "echo 'Cannot allocate memory' >&2\nexit 1")
	if _, err := tool.Probe(t.Context(), "film"); !errors.Is(err, ffmpeg.ErrExcess) || errors.Is(err, ffmpeg.ErrUnreadable) {
		t.Errorf("beyond its memory: %v, want ErrExcess", err)
	}
	tool = fake(t, "kill -9 $$")
	if _, err := tool.Probe(t.Context(), "film"); err == nil || errors.Is(err, ffmpeg.ErrUnreadable) {
		t.Errorf("killed: %v, want another error", err)
	}
}

// A full disk, in ffmpeg's own words.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	in := record(t, dir, "v.webm", tone+"1"+opus+live)
	if _, err := tool.Audio(t.Context(), in, "/dev/full"); err == nil || errors.Is(err, ffmpeg.ErrUnreadable) || !strings.Contains(err.Error(), "No space left") {
		t.Errorf("%v, want that there is no space left", err)
	}
}

// Irregular pictures, and clocks that jump, end where they should.
func TestIrregularTimestamps(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	for name, words := range map[string]string{
		"now and then.webm": "-f lavfi -i testsrc=s=160x90:r=30:d=4 -vf select='not(mod(n\\,7))+lt(n\\,20)' -fps_mode vfr" + vp8 + live,
		"a late start.webm": "-f lavfi -i testsrc=s=160x90:r=10:d=4 -vf setpts=PTS+3600/TB" + vp8 + live,
		"a jump.webm":       "-f lavfi -i testsrc=s=160x90:r=10:d=2 -vf setpts='if(lt(T\\,1)\\,PTS\\,PTS+2/TB)' -fps_mode passthrough" + vp8 + live,
	} {
		in := record(t, dir, name, words)
		joined, out := filepath.Join(t.TempDir(), "joined"), t.TempDir()
		if err := os.Mkdir(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := tool.Join(t.Context(), []string{in}, joined); err != nil {
			t.Errorf("%s: Join = %v", name, err)
			continue
		}
		info, err := tool.Video(t.Context(), joined, out)
		if seconds := info.Duration.Seconds(); err != nil || seconds < 3.7 || seconds > 4.3 {
			t.Errorf("%s: %v of 4 s, %v", name, info.Duration, err)
		}
	}
}

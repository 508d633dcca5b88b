package ffmpeg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Errors of every call, besides those of the context and of the file system. ErrUnreadable is certainly caused by the input
// and permanent, and ErrExcess most likely; other errors may not occur in the next attempt.
var (
	ErrMissing    = errors.New("ffmpeg is not usable on this machine")
	ErrUnreadable = errors.New("the recording cannot be decoded")
	ErrExcess     = errors.New("the recording needs more resources than allowed") // of memory, time, disk or pixels
)

// Tool runs ffmpeg and ffprobe. It may be used concurrently.
type Tool struct {
	Version     string      // the first line of ffmpeg -version
	Confinement Confinement // how its programs are isolated from the rest of the machine

	ffmpeg, ffprobe, nice string   // nice may be empty
	sandbox               *sandbox // nil: the programs run with the rights of the service
	frames                []string // the options that preserve the times of pictures
}

// encoders lists those that the renditions need.
var encoders = []string{"libx264", "aac"}

// find finds the programs in PATH, checks what they support, and isolates them as Finder says. ErrMissing says what is missing.
func find(ctx context.Context, program string) (*Tool, error) {
	var t Tool
	for _, program := range []struct {
		name string
		path *string
	}{{"ffmpeg", &t.ffmpeg}, {"ffprobe", &t.ffprobe}} {
		path, err := exec.LookPath(program.name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s is not in PATH", ErrMissing, program.name)
		}
		*program.path = path
	}
	t.nice, _ = exec.LookPath("nice")
	var version, known limitedBuffer
	version.limit, known.limit = 4<<10, 1<<20
	if err := t.run(ctx, job{program: t.ffprobe, args: []string{"-version"}, stdout: io.Discard}); err != nil {
		return nil, fmt.Errorf("%w: ffprobe does not run: %w", ErrMissing, err)
	}
	if err := t.run(ctx, job{program: t.ffmpeg, args: []string{"-version"}, stdout: &version}); err != nil {
		return nil, fmt.Errorf("%w: ffmpeg does not run: %w", ErrMissing, err)
	}
	if err := t.run(ctx, job{program: t.ffmpeg, args: []string{"-v", "error", "-encoders"}, stdout: &known}); err != nil {
		return nil, fmt.Errorf("%w: ffmpeg does not run: %w", ErrMissing, err)
	}
	words := strings.Fields(known.String())
	for _, encoder := range encoders {
		if !slices.Contains(words, encoder) {
			return nil, fmt.Errorf("%w: it was built without the encoder %s", ErrMissing, encoder)
		}
	}
	t.Version, _, _ = strings.Cut(version.String(), "\n")
	t.frames = []string{"-fps_mode", "vfr"}
	if oldVersion.MatchString(t.Version) {
		t.frames[0] = "-vsync"
	}
	return &t, t.confineTool(ctx, program)
}

// oldVersion matches the versions that have another name for -fps_mode.
var oldVersion = regexp.MustCompile(`^ffmpeg version n?([0-4]\.|5\.0)`)

const (
	// formats and decoders are those of browsers' recorders, and of the files that this package makes itself. Without the
	// restriction a playlist disguised as a recording could make ffmpeg read any file of the machine.
	formats  = "matroska,webm,mov,mp4,ogg,wav,mp3,aac"
	decoders = "vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h264,hevc,opus,libopus,vorbis,libvorbis,aac,mp3float,mp3,flac,pcm_s16le,pcm_f32le"

	threads     = "2"
	maxPixels   = "35389440"  // per picture: 8K
	maxAlloc    = "536870912" // bytes of one allocation
	maxDuration = "21600"     // maximum duration of a recording in seconds; what its time stamps claim beyond is left out
)

// inputOptions returns the options and the input for a file from an untrusted client.
func inputOptions(in string) []string {
	return []string{
		"-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-codec_whitelist", decoders, "-max_pixels", maxPixels, "-threads", threads,
		"-i", "file:" + in,
	}
}

// outputOptions are the output options that keep nothing of a file except its pictures and audio: phones write their location into
// files.
var outputOptions = []string{"-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-t", maxDuration, "-threads", threads}

// encode runs ffmpeg in a folder, on inputs that come with their own guards.
func (t *Tool) encode(ctx context.Context, dir string, stdout io.Writer, args ...string) error {
	head := []string{"-nostdin", "-v", "error", "-y", "-max_alloc", maxAlloc, "-filter_threads", "1"}
	return t.run(ctx, job{program: t.ffmpeg, args: append(head, args...), dir: dir, stdout: stdout})
}

// job is one run of a program.
type job struct {
	program string
	args    []string
	dir     string // empty: the current folder of the service
	stdout  io.Writer
}

// run waits for the program. It fails with ErrUnreadable if the program refused its input.
func (t *Tool) run(ctx context.Context, j job) error {
	var err error
	switch {
	case t.sandbox != nil: // it also lowers the priority
		if j, err = t.sandbox.wrap(ctx, j); err != nil {
			return err
		}
	case t.nice != "":
		j.program, j.args = t.nice, append([]string{"-n", "10", j.program}, j.args...)
	}
	cmd := command(ctx, j.program, j.args)
	stderr := &stderrTail{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = j.dir, j.stdout, stderr
	release := tether(cmd)
	if t.sandbox != nil {
		t.sandbox.setNamespaces(cmd.SysProcAttr)
	}
	err = cmd.Run()
	release()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err // may be nil
	}
	words := strings.TrimSpace(stderr.String())
	if slices.ContainsFunc(limitMessages, func(s string) bool { return strings.Contains(words, s) || strings.Contains(exit.String(), s) }) {
		return fmt.Errorf("%w: %w: %s", ErrExcess, err, words)
	}
	if t.sandbox != nil && exit.ExitCode() == sandboxFailed {
		return fmt.Errorf("%w: %s", err, words)
	}
	if exit.ExitCode() < 0 || slices.ContainsFunc(resourceMessages, func(s string) bool { return strings.Contains(words, s) }) {
		return fmt.Errorf("%w: %s", err, words) // killed, or lacking resources: not the input's fault
	}
	return fmt.Errorf("%w: %w: %s", ErrUnreadable, err, words)
}

// limitMessages lists the ways in which a program ends, or its messages, if it met a limit of the sandbox.
var limitMessages = []string{"CPU time limit exceeded", "file size limit exceeded", "File too large", "Cannot allocate memory", "out of memory"}

// command prepares a program without the service's secrets in its environment.
func command(ctx context.Context, program string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = environment()
	cmd.WaitDelay = 5 * time.Second // if another process holds a pipe open after the program has ended
	return cmd
}

// resourceMessages lists the messages of a program that lacks resources, which is not the fault of its input.
var resourceMessages = []string{"No space left", "Disk quota exceeded", "Input/output error", "Read-only file system"}

// environment returns the variables that a program needs to start, without the service's secrets.
func environment() (kept []string) {
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT"} {
		if value, ok := os.LookupEnv(name); ok {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}

// stderrTail keeps the end of a program's messages, where it states its reason; for a damaged film it writes a message per
// picture.
type stderrTail struct{ last []byte }

const maxStderr = 2 << 10 // bytes

// Write implements io.Writer.
func (c *stderrTail) Write(p []byte) (int, error) {
	c.last = append(c.last, p...)
	c.last = append(c.last[:0], c.last[max(0, len(c.last)-maxStderr):]...)
	return len(p), nil
}

// String returns the messages that were kept.
func (c *stderrTail) String() string { return strings.ToValidUTF8(string(c.last), "") }

// limitedBuffer keeps the first limit bytes that are written to it.
type limitedBuffer struct {
	bytes.Buffer
	limit int
}

// Write implements io.Writer. It never fails, so that a program that writes too much is not interrupted.
func (c *limitedBuffer) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), c.limit-c.Len())])
	return len(p), nil
}

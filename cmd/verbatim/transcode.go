package main

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"verbatim/internal/platform/ffmpeg"
)

// transcodeFlags configure the transcoding of recordings.
type transcodeFlags struct {
	TranscodeWorkers int `help:"Number of recordings that are transcoded at once, each with up to two low-priority threads." default:"2" env:"VERBATIM_TRANSCODE_WORKERS" placeholder:"N"`
}

// defaultTranscodeWorkers is 2, so that one long recording does not block the others.
const defaultTranscodeWorkers = 2

// workers returns the flag, or its default if no flags were parsed.
func (f transcodeFlags) workers() int {
	if f.TranscodeWorkers == 0 {
		return defaultTranscodeWorkers
	}
	return f.TranscodeWorkers
}

// sandboxProgram is the path of this executable, which is started again to run ffmpeg in a sandbox. main sets it; in tests it is empty.
var sandboxProgram string

// runIfSandbox runs the sandboxed program and exits if this process was started for that.
func runIfSandbox() {
	if len(os.Args) > 1 && os.Args[1] == ffmpeg.SandboxCommand {
		os.Exit(ffmpeg.Sandbox(os.Args[2:]))
	}
	sandboxProgram, _ = os.Executable()
}

// foundFFmpeg caches the result of findFFmpeg, because testing the sandbox takes as long as transcoding a short recording.
var foundFFmpeg atomic.Pointer[ffmpeg.Tool]

// findFFmpeg returns the programs that transcode recordings. It searches only once.
func findFFmpeg(ctx context.Context) (*ffmpeg.Tool, error) {
	if tool := foundFFmpeg.Load(); tool != nil {
		return tool, nil
	}
	tool, err := ffmpeg.Finder(sandboxProgram)(ctx)
	if err == nil && sandboxProgram != "" {
		foundFFmpeg.Store(tool)
	}
	return tool, err
}

// logConfinement logs in one line which sandbox measures for ffmpeg are in force.
func logConfinement(log *slog.Logger, c ffmpeg.Confinement) {
	level := slog.LevelInfo
	if len(c.Missing) > 0 {
		level = slog.LevelWarn
	}
	log.Log(context.Background(), level, "ffmpeg runs in a sandbox", "in_force", strings.Join(c.InForce, ", "), "missing", strings.Join(c.Missing, "; "))
}

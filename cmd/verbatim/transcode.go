package main

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"verbatim/internal/platform/ffmpeg"
)

// transcodeFlags say how recordings are made playable.
type transcodeFlags struct {
	TranscodeWorkers int `help:"How many recordings are made playable at once, each with up to two threads of low priority." default:"2" env:"VERBATIM_TRANSCODE_WORKERS" placeholder:"N"`
}

// twoFilms lets one long recording not stop the others.
const defaultTranscodeWorkers = 2

// workers is the flag, or its default where nobody filled it in.
func (f transcodeFlags) workers() int {
	if f.TranscodeWorkers == 0 {
		return defaultTranscodeWorkers
	}
	return f.TranscodeWorkers
}

// sandboxProgram is this program where it runs as itself, so that it can run ffmpeg in a sandbox; empty within tests. main sets it.
var sandboxProgram string

// inSandbox becomes the program in the sandbox when this process was started for that.
func runIfSandbox() {
	if len(os.Args) > 1 && os.Args[1] == ffmpeg.SandboxCommand {
		os.Exit(ffmpeg.Sandbox(os.Args[2:]))
	}
	sandboxProgram, _ = os.Executable()
}

// foundFFmpeg is what findFFmpeg found: to ask what it runs under takes as long as a short recording.
var foundFFmpeg atomic.Pointer[ffmpeg.Tool]

// findFFmpeg finds the programs that recordings are made playable with, once.
func findFFmpeg(ctx context.Context) (*ffmpeg.Tool, error) {
	if tool := foundFFmpeg.Load(); tool != nil {
		return tool, nil
	}
	tool, err := ffmpeg.Confined(sandboxProgram)(ctx)
	if err == nil && sandboxProgram != "" {
		foundFFmpeg.Store(tool)
	}
	return tool, err
}

// sayConfinement logs in one line how ffmpeg is kept from the rest of the machine.
func logConfinement(log *slog.Logger, c ffmpeg.Confinement) {
	level := slog.LevelInfo
	if len(c.Missing) > 0 {
		level = slog.LevelWarn
	}
	log.Log(context.Background(), level, "ffmpeg runs in a sandbox", "in_force", strings.Join(c.InForce, ", "), "missing", strings.Join(c.Missing, "; "))
}

package maintenance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/speech"
)

// A disk is nearly full if its free space is below both of these: a twentieth of a large disk is still a lot.
const (
	MinFreeBytes = 1 << 30 // bytes
	minFreeShare = 20      // the divisor of the disk's size
)

// FolderFinding checks whether the disk that holds a folder is nearly full. Where the system does not say, it finds nothing.
func FolderFinding(folder string) Finding {
	free, size, err := DiskSpace(folder)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return DiskFinding(size, size)
	case err != nil:
		return Unchecked("disk", fmt.Errorf("reading the free space of the disk: %w", err))
	}
	return DiskFinding(free, size)
}

// DiskFinding checks whether a disk with so many free bytes of its size is nearly full.
func DiskFinding(free, size uint64) Finding {
	f := Finding{Check: "disk", Remedy: "free some space, or move the data to a larger disk"}
	if free < MinFreeBytes && free < size/minFreeShare {
		f.Violations = []string{fmt.Sprintf("%.1f GiB of %.1f GiB are free", float64(free)/(1<<30), float64(size)/(1<<30))}
	}
	return f
}

// FFmpegFinding returns the finding for the error of the search for ffmpeg, which transcodes recordings. Without it the service works, with
// fewer features, so the finding is only advice.
func FFmpegFinding(err error) Finding {
	f := Finding{Check: "ffmpeg", Advice: true, Remedy: "install ffmpeg where verbatim serve runs, with libx264"}
	if err != nil {
		f.Violations = []string{err.Error() + ": recordings are served as the browser made them, without HLS, poster and waveform; those made in several sessions cannot be joined"}
	}
	return f
}

// reachTimeout is how long a service may take to answer a check.
const reachTimeout = 5 * time.Second

// ModelFinding checks whether the language model can be reached and accepts the key. reach is nil if none is configured; err is what is wrong
// with the configuration. Without the model the service works, with fewer features, so the finding is only advice.
func ModelFinding(ctx context.Context, reach func(context.Context) error, err error) Finding {
	f := Finding{Check: "model", Advice: true, Remedy: "see docs/providers.md, and run verbatim llm check"}
	if err = reached(ctx, reach, err, llm.ErrUnavailable); err != nil {
		f.Violations = []string{err.Error() + ": the built-in moderator and analyst are used instead"}
	}
	return f
}

// SpeechFinding does the same for the speech-to-text provider.
func SpeechFinding(ctx context.Context, reach func(context.Context) error, err error) Finding {
	f := Finding{Check: "speech", Advice: true, Remedy: "see docs/providers.md"}
	if err = reached(ctx, reach, err, speech.ErrBusy); err != nil {
		f.Violations = []string{err.Error() + ": participants are asked to type, and spoken answers are transcribed later"}
	}
	return f
}

// VoiceFinding does the same for the service that reads questions aloud.
func VoiceFinding(ctx context.Context, reach func(context.Context) error, err error) Finding {
	f := Finding{Check: "voice", Advice: true, Remedy: "see docs/providers.md"}
	if err = reached(ctx, reach, err, speech.ErrBusy); err != nil {
		f.Violations = []string{err.Error() + ": hands-free interviews use the voices of participants' browsers"}
	}
	return f
}

// reached calls reach, unless it is nil or there is an error already. It returns late if reach takes too long.
func reached(ctx context.Context, reach func(context.Context) error, err, late error) error {
	if err != nil || reach == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err = reach(ctx); errors.Is(err, context.DeadlineExceeded) {
		err = late
	}
	return err
}

// SandboxFinding lists the sandbox measures for ffmpeg that are not in force.
func SandboxFinding(tool *ffmpeg.Tool) Finding {
	f := Finding{
		Check: "sandbox", Advice: true,
		Remedy: "run verbatim on Linux 5.13 or newer, as root or where users may create namespaces; see \"Recordings of strangers\" in docs/self-hosting.md",
	}
	if tool != nil {
		for _, missing := range tool.Confinement.Missing {
			f.Violations = append(f.Violations, "ffmpeg runs without "+missing)
		}
	}
	return f
}

package maintenance

import (
	"fmt"

	"verbatim/internal/platform/ffmpeg"
)

// A disk is nearly full if its free space is below both of these: a twentieth of a large disk is still a lot.
const (
	MinFreeBytes = 1 << 30 // bytes
	minFreeShare = 20      // the divisor of the disk's size
)

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

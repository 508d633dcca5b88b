package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/service/maintenance"
)

// startFlags limit how many interviews a network may start.
type startFlags struct {
	UnansweredAfter time.Duration `help:"Time without activity after which an interview without any answer counts as abandoned; at least 1m." default:"10m" env:"VERBATIM_UNANSWERED_AFTER" placeholder:"DURATION"`
	StartsAtOnce    int           `help:"Maximum number of interviews of one study that one network (an IPv4 address or an IPv6 prefix) may start in a burst." default:"60" env:"VERBATIM_STARTS_AT_ONCE" placeholder:"N"`
	StartsPerHour   int           `help:"Maximum number of interviews of the study that the network may start per hour after that, on all nodes together. 0 turns off both limits." default:"120" env:"VERBATIM_STARTS_PER_HOUR" placeholder:"N"`
}

func (f startFlags) check() error {
	switch {
	case f.UnansweredAfter != 0 && f.UnansweredAfter < time.Minute:
		return usageError("--unanswered-after must be at least a minute")
	case f.StartsAtOnce < 0 || f.StartsPerHour < 0:
		return usageError("--starts-at-once and --starts-per-hour must not be negative")
	case f.StartsPerHour > 3_600_000:
		return usageError("--starts-per-hour must be at most 3600000; 0 turns off the limit")
	}
	return nil
}

// uploadFlags limit the recordings and files that participants send.
type uploadFlags struct {
	MaxAudio        size          `help:"Maximum size of one audio recording." default:"256MiB" env:"VERBATIM_MAX_AUDIO" placeholder:"SIZE"`
	MaxVideo        size          `help:"Maximum size of one camera or screen recording." default:"2GiB" env:"VERBATIM_MAX_VIDEO" placeholder:"SIZE"`
	MaxFile         size          `help:"Maximum size of one uploaded file." default:"100MiB" env:"VERBATIM_MAX_FILE" placeholder:"SIZE"`
	MaxInterview    size          `help:"Maximum size of all recordings and files of one interview together." default:"8GiB" env:"VERBATIM_MAX_INTERVIEW" placeholder:"SIZE"`
	MaxUploads      int           `help:"Maximum number of recordings and files of one interview. What a recorder sends after an interruption counts as another one." default:"500" env:"VERBATIM_MAX_UPLOADS" placeholder:"N"`
	MaxStudy        size          `help:"Maximum size of all recordings and files of one study together." default:"256GiB" env:"VERBATIM_MAX_STUDY" placeholder:"SIZE"`
	MaxInstallation size          `help:"Maximum size of all recordings and files together, as they were sent." default:"1024GiB" env:"VERBATIM_MAX_INSTALLATION" placeholder:"SIZE"`
	MaxOpenUploads  int           `help:"Maximum number of simultaneous uploads of one interview." default:"200" env:"VERBATIM_MAX_OPEN_UPLOADS" placeholder:"N"`
	LeastFree       size          `help:"Refuse recordings and files if the disk of their folder has less free space than this or a twentieth of the disk, whichever is smaller." default:"1GiB" env:"VERBATIM_LEAST_FREE" placeholder:"SIZE"`
	UploadLifetime  time.Duration `help:"How long an upload that no answer uses is kept after its last byte; at least 1h." default:"24h" env:"VERBATIM_UPLOAD_LIFETIME" placeholder:"DURATION"`
}

// limits returns the limits that the flags set, or recording.Defaults if no flags were parsed.
func (f uploadFlags) limits() (recording.Limits, error) {
	if f == (uploadFlags{}) {
		return recording.Defaults, nil
	}
	l := recording.Defaults
	l.Audio, l.Video, l.ScreenVideo, l.File = int64(f.MaxAudio), int64(f.MaxVideo), int64(f.MaxVideo), int64(f.MaxFile)
	l.Bytes, l.Study, l.Installation = int64(f.MaxInterview), int64(f.MaxStudy), int64(f.MaxInstallation)
	l.Uploads, l.Open, l.Lifetime = f.MaxUploads, f.MaxOpenUploads, f.UploadLifetime
	switch {
	case l.Bytes < l.Largest():
		return l, usageError("--max-interview must not be less than the maximum size of one recording or file")
	case l.Study < l.Bytes:
		return l, usageError("--max-study must not be less than --max-interview")
	case l.Installation < l.Study:
		return l, usageError("--max-installation must not be less than --max-study")
	case l.Open < 1:
		return l, usageError("--max-open-uploads must be at least 1")
	case l.Uploads < 1:
		return l, usageError("--max-uploads must be at least 1")
	case l.Lifetime < time.Hour:
		return l, usageError("--upload-lifetime must be at least an hour, so that participants who pause can continue")
	}
	return l, nil
}

// size is a number of bytes, given as a whole number of MiB, GiB or TiB.
type size int64

// UnmarshalText implements encoding.TextUnmarshaler, which the flag parser uses.
func (s *size) UnmarshalText(text []byte) error {
	for unit, bytes := range map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40} {
		number, is := strings.CutSuffix(string(text), unit)
		if !is {
			continue
		}
		if n, err := strconv.ParseUint(number, 10, 20); err == nil && n > 0 {
			*s = size(int64(n) * bytes)
			return nil
		}
	}
	return fmt.Errorf("%q is no size such as 100MiB, 2GiB or 1TiB", text)
}

// String implements fmt.Stringer. It uses the largest unit that gives a whole number.
func (s size) String() string {
	switch {
	case s%(1<<40) == 0:
		return fmt.Sprintf("%dTiB", s>>40)
	case s%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", s>>30)
	}
	return fmt.Sprintf("%dMiB", s>>20)
}

// diskSpaceOf returns a function that reads the free space and the size of the disk that holds the objects. It returns nil if they are not
// stored in a folder, or if this system does not support it.
func diskSpaceOf(blobs string) func() (free, size uint64, err error) {
	folder, is := strings.CutPrefix(blobs, "file:")
	if !is {
		return nil
	}
	if _, _, err := maintenance.DiskSpace(folder); errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return func() (uint64, uint64, error) { return maintenance.DiskSpace(folder) }
}

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/recording"
)

// uploadFlags bound what participants may send beside words.
type uploadFlags struct {
	MaxAudio       size          `help:"Most that one recording of sound may have." default:"256MiB" env:"VERBATIM_MAX_AUDIO" placeholder:"SIZE"`
	MaxVideo       size          `help:"Most that one recording of a camera or a screen may have." default:"2GiB" env:"VERBATIM_MAX_VIDEO" placeholder:"SIZE"`
	MaxFile        size          `help:"Most that one file may have." default:"100MiB" env:"VERBATIM_MAX_FILE" placeholder:"SIZE"`
	MaxInterview   size          `help:"Most that all recordings and files of one interview may have together." default:"8GiB" env:"VERBATIM_MAX_INTERVIEW" placeholder:"SIZE"`
	MaxUploads     int           `help:"Most recordings and files of one interview; what a recorder sends after a break counts anew." default:"500" env:"VERBATIM_MAX_UPLOADS" placeholder:"N"`
	UploadLifetime time.Duration `help:"How long what no answer names stays after its last byte." default:"24h" env:"VERBATIM_UPLOAD_LIFETIME" placeholder:"DURATION"`
}

// limits are those of the flags; of flags that nobody filled in, recording.Defaults.
func (f uploadFlags) limits() (recording.Limits, error) {
	if f == (uploadFlags{}) {
		return recording.Defaults, nil
	}
	l := recording.Defaults
	l.Audio, l.Video, l.ScreenVideo, l.File = int64(f.MaxAudio), int64(f.MaxVideo), int64(f.MaxVideo), int64(f.MaxFile)
	l.Bytes, l.Uploads, l.Lifetime = int64(f.MaxInterview), f.MaxUploads, f.UploadLifetime
	switch {
	case l.Bytes < l.Largest():
		return l, usageError("--max-interview must not be less than one recording or file may have")
	case l.Uploads < 1:
		return l, usageError("--max-uploads must be at least 1")
	case l.Lifetime < time.Hour:
		return l, usageError("--upload-lifetime must be at least an hour: who pauses comes back to what was sent")
	}
	return l, nil
}

// size is a number of bytes, written in whole MiB or GiB.
type size int64

// UnmarshalText implements encoding.TextUnmarshaler, which the parser of flags asks.
func (s *size) UnmarshalText(text []byte) error {
	for unit, bytes := range map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30} {
		number, is := strings.CutSuffix(string(text), unit)
		if !is {
			continue
		}
		if n, err := strconv.ParseUint(number, 10, 20); err == nil && n > 0 {
			*s = size(int64(n) * bytes)
			return nil
		}
	}
	return fmt.Errorf("%q is no size such as 100MiB or 2GiB", text)
}

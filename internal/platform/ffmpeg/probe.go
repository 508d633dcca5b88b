package ffmpeg

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Info is the metadata that a file contains.
type Info struct {
	Duration   time.Duration // 0 if the file has none: a recorder writes the beginning before it knows the end
	VideoCodec string        // as ffmpeg names it; empty: no video
	AudioCodec string        // empty: no audio
	Width      int           // pixels; 0: no video
	Height     int

	pixels string // the pixel format
}

// Probe reads the metadata of a file. It fails with ErrUnreadable if the file is not one that a browser records, or contains
// nothing.
func (t *Tool) Probe(ctx context.Context, path string) (Info, error) {
	var answer struct {
		Streams []struct {
			Type   string `json:"codec_type"`
			Codec  string `json:"codec_name"`
			Width  int    `json:"width"`
			Height int    `json:"height"`
			Pixels string `json:"pix_fmt"`
		} `json:"streams"`
		Format struct {
			Duration string `json:"duration"`
		} `json:"format"`
	}
	out := limitedBuffer{limit: 1 << 20}
	args := append([]string{
		"-v", "error", "-max_alloc", maxAlloc, "-of", "json", "-show_entries",
		"format=duration:stream=codec_type,codec_name,width,height,pix_fmt",
	}, inputOptions(path)...)
	if err := t.run(ctx, job{program: t.ffprobe, args: args, stdout: &out}); err != nil {
		return Info{}, err
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return Info{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	var info Info
	for _, s := range answer.Streams { // the first of each kind, as ffmpeg selects them
		switch {
		case s.Type == "video" && info.VideoCodec == "":
			info.VideoCodec, info.Width, info.Height, info.pixels = s.Codec, s.Width, s.Height, s.Pixels
		case s.Type == "audio" && info.AudioCodec == "":
			info.AudioCodec = s.Codec
		}
	}
	if info.VideoCodec == "" && info.AudioCodec == "" {
		return Info{}, fmt.Errorf("%w: it has neither video nor audio", ErrUnreadable)
	}
	if seconds, err := strconv.ParseFloat(answer.Format.Duration, 64); err == nil && seconds > 0 && seconds < 1e9 {
		info.Duration = time.Duration(seconds * float64(time.Second))
	}
	return info, nil
}

// check compares the duration of the output with that of the input.
func (t *Tool) check(ctx context.Context, path string, want time.Duration) (Info, error) {
	info, err := t.Probe(ctx, path)
	if err != nil {
		return Info{}, err
	}
	const slack = time.Second // streams end at different times
	if least := min(want*9/10, want-slack); info.Duration <= 0 || info.Duration < least {
		return Info{}, fmt.Errorf("%w: the result lasts %s instead of %s", ErrUnreadable, info.Duration, want)
	}
	return info, nil
}

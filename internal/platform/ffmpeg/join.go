package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Joined is the result of joining the sessions of a recorder.
type Joined struct {
	Info     Info // of the output file; its duration is known
	Unusable int  // number of sessions without anything playable, which were left out
}

// Join makes one Matroska file of a recorder's sessions, in their order, without encoding anything if they have the same
// format. Of a session that breaks off the readable part is used. It fails with ErrUnreadable if none can be used.
func (t *Tool) Join(ctx context.Context, sessions []string, out string) (Joined, error) {
	work, err := os.MkdirTemp(filepath.Dir(out), "join-")
	if err != nil {
		return Joined{}, err
	}
	defer os.RemoveAll(work)
	var joined Joined
	var parts []part
	var total time.Duration
	for i, session := range sessions {
		p := part{name: strconv.Itoa(i) + ".mkv"}
		p.info, err = t.remux(ctx, session, filepath.Join(work, p.name))
		switch {
		case errors.Is(err, ErrUnreadable):
			joined.Unusable++
			continue
		case err != nil:
			return Joined{}, err
		}
		parts, total = append(parts, p), total+p.info.Duration
	}
	switch {
	case len(parts) == 0:
		if err == nil {
			err = ErrUnreadable // because there is no session at all
		}
		return Joined{}, err
	case len(parts) == 1:
		joined.Info = parts[0].info
		return joined, os.Rename(filepath.Join(work, parts[0].name), out)
	}
	if err := t.sameFormat(ctx, work, parts); err != nil {
		return Joined{}, err
	}
	var list strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&list, "file %s\n", p.name)
	}
	if err := os.WriteFile(filepath.Join(work, "list"), []byte(list.String()), 0o600); err != nil {
		return Joined{}, err
	}
	args := append([]string{
		"-protocol_whitelist", "file,pipe", "-format_whitelist", "concat," + formats, "-f", "concat", "-i", "list",
		"-map", "0:v:0?", "-map", "0:a:0?", "-c", "copy",
	}, outputOptions...)
	if err := t.encode(ctx, work, nil, append(args, "-f", "matroska", "joined")...); err != nil {
		return Joined{}, err
	}
	if joined.Info, err = t.check(ctx, filepath.Join(work, "joined"), total); err != nil {
		return Joined{}, err
	}
	return joined, os.Rename(filepath.Join(work, "joined"), out)
}

// part is a usable session.
type part struct {
	name string // within the work folder
	info Info
}

// remux adds a duration to a session and makes it seekable.
func (t *Tool) remux(ctx context.Context, in, out string) (Info, error) {
	args := append([]string{"-fflags", "+genpts"}, inputOptions(in)...)
	args = append(args, "-map", "0:v:0?", "-map", "0:a:0?", "-c", "copy", "-avoid_negative_ts", "make_zero")
	args = append(append(args, outputOptions...), "-f", "matroska", "file:"+out)
	if err := t.encode(ctx, "", nil, args...); err != nil {
		return Info{}, err
	}
	info, err := t.Probe(ctx, out)
	if err == nil && info.Duration <= 0 {
		err = fmt.Errorf("%w: it has no duration", ErrUnreadable)
	}
	return info, err
}

// longestSide is the maximum width and height of what is encoded, in pixels.
const longestSide = 1920

// sameFormat encodes all parts in one format if they differ: after switching to another device or losing a microphone, a
// participant continues in another format.
func (t *Tool) sameFormat(ctx context.Context, work string, parts []part) error {
	alike, video, audio := true, false, false
	var width, height int // of the first part with pictures
	for _, p := range parts {
		same := p.info
		same.Duration = parts[0].info.Duration
		alike = alike && same == parts[0].info
		audio = audio || p.info.AudioCodec != ""
		if p.info.VideoCodec != "" && !video {
			video, width, height = true, min(p.info.Width, longestSide), min(p.info.Height, longestSide)
		}
	}
	if alike {
		return nil
	}
	for i := range parts {
		p := &parts[i]
		if p.info.VideoCodec != "" {
			if err := t.checkPixelRate(ctx, filepath.Join(work, p.name), p.info); err != nil {
				return err
			}
		}
		seconds := strconv.FormatFloat(p.info.Duration.Seconds(), 'f', 3, 64)
		in := inputOptions(filepath.Join(work, p.name))
		var maps []string
		inputs := 1
		// stream uses the part's own stream, or a blank one in its place.
		stream := func(own, codec, blank string) {
			if codec != "" {
				maps = append(maps, "-map", "0:"+own+":0")
				return
			}
			in = append(in, "-f", "lavfi", "-t", seconds, "-i", blank)
			maps = append(maps, "-map", strconv.Itoa(inputs))
			inputs++
		}
		size := func(sep string) string { return strconv.Itoa(width&^1) + sep + strconv.Itoa(height&^1) }
		if video {
			stream("v", p.info.VideoCodec, "color=black:r=1:s="+size("x"))
			maps = append(maps, "-vf", limitFrameRate+",scale="+size(":")+":force_original_aspect_ratio=decrease,pad="+size(":")+":(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p")
			maps = append(append(maps, t.frames...), x264...)
		}
		if audio {
			stream("a", p.info.AudioCodec, "anullsrc=r=48000:cl=mono")
			maps = append(append(maps, "-ar", "48000"), aac...)
		}
		args := append(append(in, maps...), outputOptions...)
		name := "even-" + p.name
		if err := t.encode(ctx, work, nil, append(args, "-f", "matroska", name)...); err != nil {
			return err
		}
		if _, err := t.check(ctx, filepath.Join(work, name), p.info.Duration); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(work, p.name)); err != nil {
			return err
		}
		p.name = name
	}
	return nil
}

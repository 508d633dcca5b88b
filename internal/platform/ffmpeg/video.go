package ffmpeg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Names of the files that Video makes in its folder. The segments and the initialization segment that the playlist refers to
// are beside it.
const (
	MP4      = "video.mp4"
	Poster   = "poster.jpg"
	HLS      = "hls" // the folder of the playlist
	Playlist = "index.m3u8"
)

var (
	// x264 was measured to take about 0.3 s of processor time per second of a hard 720p30 film. There are no B-frames
	// (pictures stored in another order than shown), because the playlist would then guess their durations, which differ.
	x264 = []string{"-c:v", "libx264", "-preset", "superfast", "-crf", "26", "-bf", "0", "-force_key_frames", "expr:gte(t,n_forced*4)"}
	aac  = []string{"-c:a", "aac", "-b:a", "96k", "-ac", "1"}
)

// limitFrameRate drops pictures that follow another within 30 ms, so that at most 33 per second are left, before anything else is
// done with them. It adds none: two pictures that are hours apart stay two.
const limitFrameRate = "select='isnan(prev_selected_t)+gt(t-prev_selected_t,0.03)'"

// maxPixelRate is the maximum number of pixels per second of a recording: 4K with 60 pictures per second, more than any
// browser records.
const maxPixelRate = 3840 * 2160 * 60

// checkPixelRate fails with ErrExcess if a film has more pictures than a recorder makes. It counts them without decoding any.
func (t *Tool) checkPixelRate(ctx context.Context, in string, info Info) error {
	out := limitedBuffer{limit: 1 << 10}
	args := append([]string{
		"-v", "error", "-max_alloc", maxAlloc, "-select_streams", "v:0", "-count_packets", "-of", "json", "-show_entries", "stream=nb_read_packets",
	}, inputOptions(in)...)
	if err := t.run(ctx, job{program: t.ffprobe, args: args, stdout: &out}); err != nil {
		return err
	}
	var answer struct {
		Streams []struct {
			Packets string `json:"nb_read_packets"`
		} `json:"streams"`
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || len(answer.Streams) == 0 {
		return fmt.Errorf("%w: its pictures cannot be counted", ErrUnreadable)
	}
	frames, _ := strconv.ParseInt(answer.Streams[0].Packets, 10, 64) // none in a film whose pictures are missing
	if pixels := float64(frames) * float64(info.Width) * float64(info.Height); pixels > maxPixelRate*max(1, info.Duration.Seconds()) {
		return fmt.Errorf("%w: %d pictures of %d x %d in %s", ErrExcess, frames, info.Width, info.Height, info.Duration)
	}
	return nil
}

// Video makes MP4, Poster and HLS/Playlist with its segments in a folder that contains an empty folder HLS. Pictures that
// every player supports are copied, others are encoded, with sides of at most 1920 pixels and at most 33 per second. It
// fails with ErrUnreadable, also if there is no video, or with ErrExcess.
func (t *Tool) Video(ctx context.Context, in, outDir string) (Info, error) {
	src, err := t.Probe(ctx, in)
	if err != nil {
		return Info{}, err
	}
	if src.VideoCodec == "" {
		return Info{}, fmt.Errorf("%w: it has no video", ErrUnreadable)
	}
	if err := t.checkPixelRate(ctx, in, src); err != nil {
		return Info{}, err
	}
	args := append(inputOptions(in), "-map", "0:v:0", "-map", "0:a:0?")
	if src.VideoCodec == "h264" && (src.pixels == "yuv420p" || src.pixels == "yuvj420p") {
		args = append(args, "-c:v", "copy")
	} else {
		args = append(args, "-vf", limitFrameRate+",scale=w='min(1920,iw)':h='min(1920,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,format=yuv420p")
		args = append(append(args, t.frames...), x264...)
	}
	if src.AudioCodec == "aac" {
		args = append(args, "-c:a", "copy")
	} else {
		args = append(args, aac...)
	}
	args = append(append(args, outputOptions...), "-movflags", "+faststart", "-f", "mp4", MP4)
	if err := t.encode(ctx, outDir, nil, args...); err != nil {
		return Info{}, err
	}
	made, err := t.check(ctx, filepath.Join(outDir, MP4), src.Duration)
	if err != nil {
		return Info{}, err
	}
	if err := t.segments(ctx, outDir, made.Duration); err != nil {
		return Info{}, err
	}
	return made, t.poster(ctx, outDir, made.Duration)
}

// segments splits the mp4 into HLS segments, as fragments of mp4.
func (t *Tool) segments(ctx context.Context, dir string, want time.Duration) error {
	hls := filepath.Join(dir, HLS)
	args := append(inputOptions(filepath.Join(dir, MP4)), "-map", "0", "-c", "copy")
	args = append(append(args, outputOptions...), "-f", "hls", "-hls_time", "4", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
		"-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", "s%03d.m4s", Playlist)
	if err := t.encode(ctx, hls, nil, args...); err != nil {
		return err
	}
	return checkPlaylist(filepath.Join(hls, Playlist), want)
}

// poster saves a picture from the first second as the poster: the very first ones are often black. If there are no later
// ones, it saves the first.
func (t *Tool) poster(ctx context.Context, dir string, duration time.Duration) error {
	at := strconv.FormatFloat(min(time.Second, duration/2).Seconds(), 'f', 3, 64)
	for _, from := range []string{at, "0"} {
		args := append([]string{"-ss", from}, inputOptions(filepath.Join(dir, MP4))...)
		args = append(args, "-an", "-frames:v", "1", "-vf", "scale='min(640,iw)':-2", "-q:v", "4", "-map_metadata", "-1", "-f", "image2", "-update", "1", Poster)
		if err := t.encode(ctx, dir, nil, args...); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, Poster)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%w: it has no picture to show", ErrUnreadable)
}

// checkPlaylist compares the sum of the segments' durations with the expected one.
func checkPlaylist(path string, want time.Duration) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var total float64
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "#EXTINF:"); ok {
			seconds, _, _ := strings.Cut(rest, ",")
			n, err := strconv.ParseFloat(seconds, 64)
			if err != nil {
				return fmt.Errorf("the playlist: %w", err)
			}
			total += n
		}
	}
	if least := min(want*9/10, want-time.Second); total < least.Seconds() || total <= 0 {
		return fmt.Errorf("the playlist lasts %.1f s instead of %s", total, want)
	}
	return nil
}

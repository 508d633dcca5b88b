package ffmpeg_test

import (
	"bytes"
	"errors"
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/ffmpeg"
)

func TestVideo(t *testing.T) {
	t.Parallel()
	tool := find(t)
	for _, tt := range []struct {
		name, words, streams string
		seconds              time.Duration
	}{
		{"vp8.webm", picture + "6 " + tone + "6" + vp8 + opus + live, "h264 aac", 6},
		{"copied.mkv", picture + "6 " + tone + "6" + h264 + opus + " -f matroska -live 1", "h264 aac", 6},
		{"mute.webm", picture + "3" + vp8, "h264", 3},
		{"odd.webm", "-f lavfi -i testsrc=s=321x181:r=15:d=2" + vp8 + live, "h264", 2},
		{"large.webm", "-f lavfi -i testsrc=s=2560x1440:r=5:d=1" + vp8 + live, "h264", 1},
		{"tall.mp4", "-f lavfi -i testsrc=s=180x320:r=15:d=2 " + tone + "2" + h264 + " -c:a aac -movflags frag_keyframe+empty_moov", "h264 aac", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			if err := os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
				t.Fatal(err)
			}
			in := record(t, dir, tt.name, tt.words+" -metadata location=+52.5+013.4/")
			info, err := tool.Video(t.Context(), in, out)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "the duration from Video", info.Duration, tt.seconds*time.Second)
			if info.Width%2 != 0 || info.Height%2 != 0 || max(info.Width, info.Height) > 1920 {
				t.Errorf("the picture is %d x %d", info.Width, info.Height)
			}
			film := filepath.Join(out, ffmpeg.MP4)
			for _, path := range []string{film, filepath.Join(out, ffmpeg.HLS, ffmpeg.Playlist)} {
				if got := ask(t, path, "stream=codec_name"); got != tt.streams && got != tt.streams+" "+tt.streams { // a playlist lists them twice: as a programme, too
					t.Errorf("%s holds %q, want %q", filepath.Base(path), got, tt.streams)
				}
			}
			mp4 := read(t, film)
			if moov, mdat := bytes.Index(mp4, []byte("moov")), bytes.Index(mp4, []byte("mdat")); moov < 0 || moov > mdat {
				t.Errorf("the table of contents is at %d, behind the content at %d", moov, mdat)
			}
			if bytes.Contains(mp4, []byte("+52.5")) {
				t.Error("the place where it was recorded is still there")
			}
			checkHLS(t, filepath.Join(out, ffmpeg.HLS), int(tt.seconds+3)/4)
			if _, err := jpeg.Decode(bytes.NewReader(read(t, filepath.Join(out, ffmpeg.Poster)))); err != nil {
				t.Errorf("the poster: %v", err)
			}
		})
	}
}

// checkHLS checks the playlist: complete, relative, nothing missing, nothing superfluous.
func checkHLS(t *testing.T, dir string, segments int) {
	t.Helper()
	playlist := string(read(t, filepath.Join(dir, ffmpeg.Playlist)))
	named := map[string]bool{ffmpeg.Playlist: true}
	for _, m := range regexp.MustCompile(`(?m)^(?:#EXT-X-MAP:URI="([^"]+)"|([^#\s].*))$`).FindAllStringSubmatch(playlist, -1) {
		named[m[1]+m[2]] = true
	}
	if !named["init.mp4"] || !named["s000.m4s"] || !strings.Contains(playlist, "#EXT-X-ENDLIST") || len(named) < 2+segments {
		t.Errorf("the playlist:\n%s", playlist)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !named[e.Name()] {
			t.Errorf("%s is made, but not named", e.Name())
		}
		delete(named, e.Name())
	}
	for name := range named {
		t.Errorf("%s is named, but not made", name)
	}
}

func TestVideoOfSound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := find(t).Video(t.Context(), record(t, dir, "v.webm", tone+"1"+opus), dir); !errors.Is(err, ffmpeg.ErrUnreadable) {
		t.Errorf("Video = %v, want ErrUnreadable", err)
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	tool, dir := find(t), t.TempDir()
	first := record(t, dir, "first.webm", picture+"3 "+tone+"3"+vp8+opus+live)
	second := record(t, dir, "second.webm", picture+"2 "+tone+"2"+vp8+opus+live)
	copied := record(t, dir, "copied.mkv", "-f lavfi -i testsrc=s=640x360:r=15:d=2 "+tone+"2"+h264+opus+" -live 1")
	mute := record(t, dir, "mute.webm", picture+"2"+vp8+live)
	voice := record(t, dir, "voice.webm", tone+"2"+opus+live)
	phone := record(t, dir, "phone.mp4", tone+"1 -c:a aac -ar 44100 -movflags frag_keyframe+empty_moov")
	data := read(t, first)
	cut := write(t, dir, "cut.webm", data[:len(data)*2/3])
	garbage := write(t, dir, "garbage.webm", bytes.Repeat([]byte("no recording "), 1000))
	for _, tt := range []struct {
		name              string
		sessions          []string
		shortest, longest time.Duration
		video             string
		audio             string
		unusable          int
	}{
		{"one", []string{first}, 2900, 3100, "vp8", "opus", 0},
		{"two alike", []string{first, second}, 4900, 5150, "vp8", "opus", 0},
		{"another device", []string{first, copied}, 4900, 5200, "h264", "aac", 0},
		{"the microphone lost", []string{first, mute}, 4900, 5200, "h264", "aac", 0},
		{"the camera lost", []string{voice, first}, 4900, 5200, "h264", "aac", 0},
		{"sound of two browsers", []string{voice, phone}, 2900, 3200, "", "aac", 0},
		{"the tail lost", []string{cut}, 500, 2800, "vp8", "opus", 0},
		{"the tail lost, then anew", []string{cut, second}, 2500, 4800, "vp8", "opus", 0},
		{"a session of nothing", []string{garbage, first, garbage}, 2900, 3100, "vp8", "opus", 2},
	} {
		out := filepath.Join(t.TempDir(), "joined")
		joined, err := tool.Join(t.Context(), tt.sessions, out)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		info := joined.Info
		if joined.Unusable != tt.unusable || info.VideoCodec != tt.video || info.AudioCodec != tt.audio ||
			info.Duration < tt.shortest*time.Millisecond || info.Duration > tt.longest*time.Millisecond {
			t.Errorf("%s: %+v", tt.name, joined)
		}
		if again, err := tool.Probe(t.Context(), out); err != nil || again != info {
			t.Errorf("%s: the file is %+v, %v; told was %+v", tt.name, again, err, info)
		}
		if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 1 {
			t.Errorf("%s: left beside the file: %v, %v", tt.name, left, err)
		}
	}
	for _, none := range [][]string{nil, {garbage}, {garbage, garbage}} {
		if _, err := tool.Join(t.Context(), none, filepath.Join(dir, "none")); !errors.Is(err, ffmpeg.ErrUnreadable) {
			t.Errorf("Join of %d that hold nothing = %v, want ErrUnreadable", len(none), err)
		}
	}
}

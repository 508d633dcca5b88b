package recording_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
)

func TestMediaType(t *testing.T) {
	t.Parallel()
	const (
		webm     = "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm\x42\x87\x81\x04"
		matroska = "\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska"
		mp4      = "\x00\x00\x00\x20ftypiso5\x00\x00\x02\x00"
	)
	for _, tt := range []struct {
		name    string
		kind    recording.Kind
		content string
		want    string // empty: refused
	}{
		{"a recorder's sound", recording.Audio, webm, "audio/webm"},
		{"a recorder's sound as mp4", recording.Audio, mp4, "audio/mp4"},
		{"a camera", recording.Video, webm, "video/webm"},
		{"a camera with h264", recording.Video, matroska, "video/x-matroska"},
		{"a sound with h264's container", recording.Audio, matroska, "video/x-matroska"},
		{"a screen", recording.ScreenVideo, mp4, "video/mp4"},
		{"a film of a phone", recording.File, "\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00", "video/quicktime"},
		{"a wav", recording.Audio, "RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav"},
		{"an mp3", recording.Audio, "ID3\x04", "audio/mpeg"},
		{"an mp3 without tags", recording.Audio, "\xff\xfb\x90\x64", "audio/mpeg"},
		{"an aac", recording.Audio, "\xff\xf1\x50\x80", "audio/aac"},
		{"an ogg", recording.Audio, "OggS\x00\x02", "audio/ogg"},
		{"a photo", recording.File, "\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"},
		{"a photo of a phone", recording.File, "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "image/heic"},
		{"a picture", recording.File, "\x89PNG\r\n\x1a\n", "image/png"},
		{"a webp", recording.File, "RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"},
		{"a document", recording.File, "%PDF-1.7", "application/pdf"},
		{"an office document", recording.File, zipped("[Content_Types].xml"), "application/zip"},
		{"one of OpenDocument", recording.File, zipped("mimetype"), "application/zip"},
		{"one of a web service", recording.File, zipped("word/numbering.xml"), "application/zip"},
		{"a text", recording.File, "\xef\xbb\xbfÄpfel,3\r\nBirnen,4\r\n", "text/plain"},
		{"a text whose last character is cut", recording.File, strings.Repeat("ä", 255) + "b" + "ä", "text/plain"},

		{"a photo for a recording", recording.Audio, "\xff\xd8\xff\xe0", ""},
		{"a sound for a camera", recording.Video, "ID3\x04", ""},
		{"a wav for a screen", recording.ScreenVideo, "RIFF\x00\x00\x00\x00WAVEfmt ", ""},
		{"a page", recording.File, "  <!DOCTYPE html><script>alert(1)</script>", ""},
		{"a picture that can run", recording.File, `<svg xmlns="http://www.w3.org/2000/svg">`, ""},
		{"xml", recording.File, "\xef\xbb\xbf<?xml version=\"1.0\"?>", ""},
		{"a script", recording.File, "#!/bin/sh\nrm", ""},
		{"a program", recording.File, "\x7fELF\x02\x01", ""},
		{"a program of another system", recording.File, "MZ\x90\x00\x03", ""},
		{"a program of Java", recording.File, zipped("META-INF/MANIFEST.MF"), ""},
		{"a program of Android", recording.File, zipped("AndroidManifest.xml"), ""},
		{"an archive", recording.File, zipped("setup.exe"), ""},
		{"the beginning of an archive", recording.File, zipped("")[:20], ""},
		{"an empty archive", recording.File, "PK\x05\x06" + strings.Repeat("\x00", 18), ""},
		{"an avi", recording.File, "RIFF\x00\x00\x00\x00AVI LIST", ""},
		{"a header of no container that is known", recording.Video, "\x1a\x45\xdf\xa3\x42\x82\x84film", ""},
		{"nothing", recording.File, "", ""},
		{"no kind", recording.Kind("other"), webm, ""},
	} {
		got, err := recording.MediaType(tt.kind, []byte(tt.content))
		if got != tt.want || (tt.want == "") != errors.Is(err, recording.ErrType) {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// zipped returns the beginning of an archive whose first file has a name.
func zipped(name string) string {
	return "PK\x03\x04\x14\x00" + strings.Repeat("\x00", 20) + string([]byte{byte(len(name)), 0}) + "\x00\x00" + name + "content"
}

func TestCleanName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 300)
	for given, want := range map[string]string{
		"cat.png": "cat.png", "C:\\Users\\me\\cat.png": "cat.png", "../../etc/passwd": "passwd", "a\x00b\r\n c.txt": "ab c.txt",
		"": "file", "..": "file", "/": "file", "\xff\xfe": "file", "Größe 😀.pdf": "Größe 😀.pdf", "\u202egnp.exe": "gnp.exe",
		long + ".jpeg": strings.Repeat("ä", 115) + ".jpeg", long: strings.Repeat("ä", 120),
	} {
		if got := recording.CleanName(given); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestAnyNameIsFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		name := recording.CleanName(string(rapid.SliceOf(rapid.Byte()).Draw(r, "name")))
		if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > 120 || strings.ContainsAny(name, "/\\\x00\n\r") {
			r.Fatalf("%q", name)
		}
	})
}

func TestObjectsAreInTheResponsesFolder(t *testing.T) {
	t.Parallel()
	u := recording.Upload{ID: "u1", ResponseID: "r1"}
	if got := u.Object("p1"); got != "responses/r1/uploads/u1/p1" || blob.CheckName(got) != nil {
		t.Errorf("the object is %s", got)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	l := recording.Limits{Audio: 1, Video: 2, ScreenVideo: 4, File: 3}
	for kind, want := range map[recording.Kind]int64{
		recording.Audio: 1, recording.Video: 2, recording.ScreenVideo: 4, recording.File: 3, recording.Kind("x"): 0,
	} {
		if l.Of(kind) != want || kind.Valid() != (want > 0) {
			t.Errorf("%s: %d, valid %t", kind, l.Of(kind), kind.Valid())
		}
	}
	if l.Largest() != 4 {
		t.Errorf("Largest = %d", l.Largest())
	}
}

// TestTinyPartsAreCounted checks an upload of parts that take more space on a disk than their bytes.
func TestTinyPartsAreCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		u    recording.Upload
		want int64
	}{
		{recording.Upload{Size: 1000, Received: 10, Parts: 10}, 10},
		{recording.Upload{Size: recording.Unknown, Received: 10, Parts: 64}, 10},
		{recording.Upload{Size: recording.Unknown, Received: 65, Parts: 65}, 65 + 4096},
		{recording.Upload{Size: recording.Unknown, Received: 4096 * 1000, Parts: 1064}, 4096 * 1000},
		{recording.Upload{Size: 1000, Received: 1000, Parts: 1000, State: recording.Ended}, 0},
	} {
		if got := tt.u.Charge(); got != tt.want {
			t.Errorf("%+v counts for %d bytes, want %d", tt.u, got, tt.want)
		}
	}
}

package guidemedia_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"verbatim/internal/domain/guidemedia"
)

// halves returns an image that is red on its left and blue on its right.
func halves(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.RGBA{R: 255, A: 255})
			if x >= w/2 {
				img.Set(x, y, color.RGBA{B: 255, A: 255})
			}
		}
	}
	return img
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// photograph returns a JPEG file that was taken with the camera turned, and that says where.
func photograph(t *testing.T) []byte {
	t.Helper()
	plain := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, halves(64, 32), nil) })
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"), "GPS 48.137 N 11.575 E"...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(append(bytes.Clone(plain[:2]), segment...), exif...), plain[2:]...)
}

// resized returns a PNG file whose header claims another size.
func resized(t *testing.T, w, h int) []byte {
	t.Helper()
	file := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, halves(2, 2)) })
	binary.BigEndian.PutUint32(file[16:], uint32(w))
	binary.BigEndian.PutUint32(file[20:], uint32(h))
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func animation(t *testing.T, frames int) []byte {
	t.Helper()
	all := &gif.GIF{}
	for i := range frames {
		frame := image.NewPaletted(image.Rect(0, 0, 20, 10), color.Palette{color.Black, color.White})
		frame.SetColorIndex(i, 0, 1)
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 10)
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, all) })
}

// TestPicture: what is stored has the pixels of the file and nothing else, turned as it was taken, and no larger than pages need.
func TestPicture(t *testing.T) {
	t.Parallel()
	clear := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for _, tt := range []struct {
		name    string
		content []byte
		file    string
		w, h    int
	}{
		{"a photograph that was turned", photograph(t), guidemedia.JPEG, 32, 64},
		{"a wide drawing", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, halves(4000, 100)) }), guidemedia.PNG, 1920, 48},
		{"a drawing with holes", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, clear) }), guidemedia.PNG, 30, 20},
		{"a drawing with a page behind it", append(encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, halves(9, 9)) }), "<script>GPS</script>"...), guidemedia.PNG, 9, 9},
		{"an animation", animation(t, 3), guidemedia.GIF, 20, 10},
		{"an animation of one picture", animation(t, 1), guidemedia.PNG, 20, 10},
	} {
		made, err := guidemedia.PreparePicture(tt.content)
		if err != nil || made.File != tt.file || made.Width != tt.w || made.Height != tt.h {
			t.Errorf("%s becomes %s of %d x %d, %v", tt.name, made.File, made.Width, made.Height, err)
			continue
		}
		if bytes.Contains(made.Content, []byte("Exif")) || bytes.Contains(made.Content, []byte("GPS")) {
			t.Errorf("%s keeps more than its pixels", tt.name)
		}
		got, _, err := image.Decode(bytes.NewReader(made.Content))
		if err != nil || got.Bounds().Dx() != tt.w || got.Bounds().Dy() != tt.h {
			t.Errorf("%s cannot be read: %v", tt.name, err)
		}
	}
	turned, err := guidemedia.PreparePicture(photograph(t))
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(turned.Content))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, b, _ := img.At(16, 8).RGBA(); r < b { // what was on its left is at its top
		t.Error("the photograph is not turned as its EXIF says")
	}
}

// TestPictureRefused: an image that would take much memory is refused by its header.
func TestPictureRefused(t *testing.T) {
	t.Parallel()
	complete := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, halves(40, 40)) })
	for name, content := range map[string][]byte{
		"100 megapixels": resized(t, 10_000, 10_000), "no pixels": resized(t, 0, 5), "the end is missing": complete[:len(complete)-20], "a header alone": []byte("\x89PNG\r\n\x1a\n"),
		"a GIF without pictures": []byte("GIF89a"), "a JPEG without pictures": {0xff, 0xd8, 0xff, 0xe0}, "a broken WebP": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "),
	} {
		_, err := guidemedia.PreparePicture(content)
		if _, is := errors.AsType[guidemedia.Problem](err); !is {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := guidemedia.PreparePicture(resized(t, 10_000, 10_000))
	if err == nil || !strings.Contains(err.Error(), "100 megapixels") {
		t.Errorf("the reason is %v", err)
	}
}

// TestKindOf: a file is what it contains, whatever it is called.
func TestKindOf(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]guidemedia.Kind{
		"\xff\xd8\xff\xe0": guidemedia.Image, "\x89PNG\r\n\x1a\nx": guidemedia.Image, "GIF89a": guidemedia.Image, "RIFF....WEBPVP8 ": guidemedia.Image,
		"....ftypisom": guidemedia.Film, "....ftypqt  ": guidemedia.Film, "\x1a\x45\xdf\xa3": guidemedia.Film, "\xef\xbb\xbfWEBVTT\n": guidemedia.Captions,
		`<svg xmlns="http://www.w3.org/2000/svg"><script>`: "", "<!doctype html><script>": "", "....ftypheic": "", "%PDF-1.7": "", "MZ": "", "": "", "PK\x03\x04": "",
		"#EXTM3U\nfile:///etc/passwd": "",
	} {
		got, err := guidemedia.KindOf([]byte(content), 100)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", content, got, err)
		}
	}
	if _, err := guidemedia.KindOf([]byte("GIF89a"), guidemedia.MaxImage+1); err == nil {
		t.Error("a very large image is taken")
	}
}

func TestCaptions(t *testing.T) {
	t.Parallel()
	const good = "WEBVTT - Notes\n\n00:01.000 --> 00:04.000\nHello\n"
	if got, err := guidemedia.CheckCaptions([]byte("\xef\xbb\xbf" + good)); err != nil || string(got) != good {
		t.Errorf("captions become %q, %v", got, err)
	}
	for _, wrong := range []string{"WEBVTTX\n\n00:01 --> 00:02", "WEBVTT\n\nno times", "WEBVTT\n\n00:01.000 --> 00:02.000\n\xff", "<script>-->"} {
		if _, err := guidemedia.CheckCaptions([]byte(wrong)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// TestAddresses: only the files of this program have an address, and guides are searched for them.
func TestAddresses(t *testing.T) {
	t.Parallel()
	const org, id = "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3", "0123456789abcdef0123456789abcdef"
	m := guidemedia.Media{ID: id, OrgID: org, File: guidemedia.PNG}
	address := m.Address("https://example.com")
	if got := guidemedia.IDsIn(`{"url":"` + address + `","again":"` + address + `"}`); len(got) != 1 || got[0] != id {
		t.Errorf("the guide names %v", got)
	}
	if got := guidemedia.ObjectOf(org, id, guidemedia.PNG); got != m.Folder()+guidemedia.PNG {
		t.Errorf("the object is %s", got)
	}
	for _, parts := range [][3]string{{org, id, "page.html"}, {org, id, "parts"}, {"..", id, guidemedia.PNG}, {org, "../" + id, guidemedia.PNG}, {org, strings.ToUpper(id), guidemedia.PNG}} {
		if got := guidemedia.ObjectOf(parts[0], parts[1], parts[2]); got != "" {
			t.Errorf("%v is %s", parts, got)
		}
	}
}

func FuzzPicture(f *testing.F) {
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x80"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		_, _ = guidemedia.PreparePicture(content) // must not panic
	})
}

package org_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"verbatim/internal/domain/org"
)

func picture(t *testing.T, width, height int, asJPEG bool) []byte {
	t.Helper()
	var b bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, width, height))
	err := png.Encode(&b, img)
	if asJPEG {
		b.Reset()
		err = jpeg.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webp returns the header, which is all that is read, of a lossless picture of 16 by 9 pixels, a lossy one of 60 by 20, or
// one of 300 by 200 in the extended format.
func webp(format string) []byte {
	body := map[string]string{
		"VP8L": "\x2f\x0f\x00\x02\x00", "VP8 ": "\x10\x00\x00\x9d\x01\x2a\x3c\x00\x14\x00", "VP8X": "\x00\x00\x00\x00\x2b\x01\x00\xc7\x00\x00",
	}[format]
	return []byte("RIFF\x16\x00\x00\x00WEBP" + format + "\x0a\x00\x00\x00" + body + strings.Repeat("\x00", 10-len(body)))
}

func TestReadLogo(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for name, tt := range map[string]struct {
		content       []byte
		width, height int
		kind          string
	}{
		"png":           {picture(t, 120, 40, false), 120, 40, "image/png"},
		"jpeg":          {picture(t, 33, 44, true), 33, 44, "image/jpeg"},
		"webp":          {webp("VP8L"), 16, 9, "image/webp"},
		"lossy webp":    {webp("VP8 "), 60, 20, "image/webp"},
		"extended webp": {webp("VP8X"), 300, 200, "image/webp"},
	} {
		logo, err := org.ReadLogo(tt.content)
		if err != nil || names[logo.File] || logo.Width != tt.width || logo.Height != tt.height || org.LogoType(logo.File) != tt.kind {
			t.Errorf("%s: %+v, %v", name, logo, err)
		}
		names[logo.File] = true
	}
}

func TestReadLogoRefuses(t *testing.T) {
	t.Parallel()
	complete := picture(t, 120, 40, false)
	for name, tt := range map[string]struct {
		content []byte
		want    error
	}{
		"nothing":           {nil, org.ErrLogoType},
		"text":              {[]byte("a logo"), org.ErrLogoType},
		"a gif":             {[]byte("GIF89a\x01\x00\x01\x00"), org.ErrLogoType},
		"an svg":            {[]byte(`<?xml version="1.0"?><SVG xmlns="http://www.w3.org/2000/svg"></SVG>`), org.ErrLogoSVG},
		"too many bytes":    {append(bytes.Clone(complete), make([]byte, org.MaxLogoBytes)...), org.ErrLogoLarge},
		"too many pixels":   {picture(t, 2001, 10, false), org.ErrLogoPixels},
		"too few pixels":    {picture(t, 1, 1, false), org.ErrLogoPixels},
		"half a png":        {complete[:len(complete)/2], org.ErrLogoBroken},
		"a png's name":      {complete[:8], org.ErrLogoBroken},
		"half a jpeg":       {picture(t, 200, 200, true)[:500], org.ErrLogoBroken},
		"half a webp":       {webp("VP8X")[:29], org.ErrLogoBroken},
		"a webp too long":   {append(webp("VP8X"), 0), org.ErrLogoBroken},
		"a webp of no sort": {webp("VP8Z"), org.ErrLogoBroken},
	} {
		if logo, err := org.ReadLogo(tt.content); !errors.Is(err, tt.want) || logo != (org.Logo{}) {
			t.Errorf("%s: %+v, %v, want %v", name, logo, err, tt.want)
		}
	}
	for _, file := range []string{"", "x.png", "../0123456789abcdef0123456789abcdef.png", "0123456789abcdef0123456789abcdef.svg", "0123456789abcdef0123456789abcdef.png/x"} {
		if got := org.LogoType(file); got != "" {
			t.Errorf("LogoType(%q) = %q", file, got)
		}
	}
}

func FuzzReadLogo(f *testing.F) {
	f.Add([]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x2b\x01\x00\xc7\x00\x00"))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		logo, err := org.ReadLogo(content)
		if (err == nil) != (org.LogoType(logo.File) != "") || logo.Width > org.MaxLogoPixels || logo.Height > org.MaxLogoPixels {
			t.Fatalf("%+v, %v", logo, err)
		}
	})
}

package org

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/jpeg"
	"image/png"
	"regexp"
	"strings"
)

// logoTypes holds the media types of logos, by file extension.
var logoTypes = map[string]string{"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}

var logoFile = regexp.MustCompile(`^[0-9a-f]{32}\.(png|jpg|webp)$`)

// LogoType returns the media type of a logo's file, or "" if the name is not a logo's.
func LogoType(file string) string {
	if !logoFile.MatchString(file) {
		return ""
	}
	_, extension, _ := strings.Cut(file, ".")
	return logoTypes[extension]
}

// minLogoPixels is the minimum width and height: a smaller picture is a tracking pixel, not a logo.
const minLogoPixels = 8

// ReadLogo checks the bytes of a picture, whatever its file was called. Its errors are those whose names begin with ErrLogo.
func ReadLogo(content []byte) (Logo, error) {
	if len(content) > MaxLogoBytes {
		return Logo{}, ErrLogoLarge
	}
	extension, size, complete, err := sniff(content)
	if err != nil {
		return Logo{}, err
	}
	for _, side := range []int{size.X, size.Y} {
		if side < minLogoPixels || side > MaxLogoPixels {
			return Logo{}, ErrLogoPixels // before anything of that size is decoded
		}
	}
	if !complete() {
		return Logo{}, ErrLogoBroken
	}
	sum := sha256.Sum256(content)
	return Logo{File: hex.EncodeToString(sum[:16]) + "." + extension, Width: size.X, Height: size.Y}, nil
}

// sniff returns the extension that matches a picture's content, its size, and a function that reports whether the picture is
// complete.
func sniff(content []byte) (extension string, size image.Point, complete func() bool, err error) {
	var header image.Config
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		extension = "png"
		header, err = png.DecodeConfig(bytes.NewReader(content))
		complete = func() bool { _, err := png.Decode(bytes.NewReader(content)); return err == nil }
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		extension = "jpg"
		header, err = jpeg.DecodeConfig(bytes.NewReader(content))
		complete = func() bool { _, err := jpeg.Decode(bytes.NewReader(content)); return err == nil }
	case len(content) >= 12 && string(content[:4]) == "RIFF" && string(content[8:12]) == "WEBP":
		extension = "webp"
		size, found := webpSize(content)
		if !found {
			err = ErrLogoBroken
		}
		header.Width, header.Height = size.X, size.Y
		complete = func() bool { return int64(binary.LittleEndian.Uint32(content[4:]))+8 == int64(len(content)) }
	case bytes.Contains(bytes.ToLower(content[:min(len(content), 1024)]), []byte("<svg")):
		return "", size, nil, ErrLogoSVG
	default:
		return "", size, nil, ErrLogoType
	}
	if err != nil {
		return "", size, nil, ErrLogoBroken
	}
	return extension, image.Pt(header.Width, header.Height), complete, nil
}

// webpSize reads the size from the first chunk of a WebP file: RFC 9649, sections 2.5 to 2.7. The standard library has no
// decoder for it.
func webpSize(content []byte) (size image.Point, found bool) {
	if len(content) < 30 {
		return size, false
	}
	body := content[20:] // after RIFF, its size, WEBP, and the chunk's name and size
	switch string(content[12:16]) {
	case "VP8 ": // a key frame: three bytes of tag, three of start code, two sides of 14 bits
		if body[0]&1 != 0 || string(body[3:6]) != "\x9d\x01\x2a" {
			return size, false
		}
		return image.Pt(int(binary.LittleEndian.Uint16(body[6:]))&0x3fff, int(binary.LittleEndian.Uint16(body[8:]))&0x3fff), true
	case "VP8L": // one byte of signature, two sides of 14 bits, minus one
		if body[0] != 0x2f {
			return size, false
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		return image.Pt(int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1), true
	case "VP8X": // four bytes of flags, two sides of 24 bits, minus one
		side := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return image.Pt(side(body[4:])+1, side(body[7:])+1), true
	}
	return size, false
}

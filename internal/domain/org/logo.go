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

	"golang.org/x/image/webp"
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
		header, err = webp.DecodeConfig(bytes.NewReader(content))
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

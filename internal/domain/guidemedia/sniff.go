package guidemedia

import (
	"bytes"
	"unicode/utf8"
)

// SniffBytes is the number of leading bytes by which the kind of a file is known.
const SniffBytes = 512

// Problem says to whoever uploads a file why it is not taken.
type Problem string

// Error implements error.
func (p Problem) Error() string { return string(p) }

const (
	noSVG    Problem = "SVG images can contain programs. Save it as PNG."
	noHEIC   Problem = "Many browsers do not show HEIC and AVIF images. Save it as JPEG or PNG."
	noOther  Problem = "This is not a file that can be shown. Images are JPEG, PNG, GIF or WebP, films MP4, MOV or WebM, and captions WebVTT (.vtt)."
	bigImage Problem = "An image has at most 30 MB."
	bigWords Problem = "A file of captions has at most 1 MB."
)

// KindOf returns the kind of a file of so many bytes by its first bytes, whatever it is called. The error is a Problem.
func KindOf(first []byte, size int64) (Kind, error) {
	first = first[:min(len(first), SniffBytes)]
	kind := kindOf(first)
	switch {
	case kind == "" && isHEIC(first):
		return "", noHEIC
	case kind == "" && bytes.Contains(bytes.ToLower(first), []byte("<svg")):
		return "", noSVG
	case kind == "":
		return "", noOther
	case kind == Image && size > MaxImage:
		return "", bigImage
	case kind == Captions && size > MaxCaptions:
		return "", bigWords
	}
	return kind, nil
}

func kindOf(first []byte) Kind {
	begins := func(with string) bool { return bytes.HasPrefix(first, []byte(with)) }
	switch {
	case begins("\xff\xd8\xff"), begins("\x89PNG\r\n\x1a\n"), begins("GIF87a"), begins("GIF89a"), isWebP(first):
		return Image
	case begins("\x1a\x45\xdf\xa3"), len(first) >= 12 && string(first[4:8]) == "ftyp" && !isHEIC(first):
		return Film
	case bytes.HasPrefix(withoutMark(first), []byte("WEBVTT")):
		return Captions
	}
	return ""
}

func isWebP(first []byte) bool {
	return len(first) >= 12 && string(first[:4]) == "RIFF" && string(first[8:12]) == "WEBP"
}

func isHEIC(first []byte) bool {
	if len(first) < 12 || string(first[4:8]) != "ftyp" {
		return false
	}
	switch string(first[8:12]) {
	case "heic", "heix", "mif1", "msf1", "avif", "avis":
		return true
	}
	return false
}

func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// CheckCaptions returns a WebVTT file as it is stored. The error is a Problem.
func CheckCaptions(content []byte) ([]byte, error) {
	content = withoutMark(content)
	line, _, _ := bytes.Cut(content, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	switch {
	case !utf8.Valid(content):
		return nil, Problem("The captions are not UTF-8. Save the file in that encoding.")
	case bytes.IndexByte(content, 0) >= 0 || !bytes.HasPrefix(line, []byte("WEBVTT")) || len(line) > 6 && line[6] != ' ' && line[6] != '\t':
		return nil, Problem("This is not a WebVTT file: its first line is WEBVTT.")
	case !bytes.Contains(content, []byte("-->")):
		return nil, Problem("The file has no captions: each begins with a line such as 00:01.000 --> 00:04.000.")
	}
	return content, nil
}

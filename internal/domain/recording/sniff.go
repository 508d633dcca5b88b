package recording

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// SniffBytes is the number of leading bytes that Sniff looks at.
const SniffBytes = 512

// signature describes how content of a type begins.
type signature struct {
	at        int
	magic     string
	mediaType string
}

// signatures are tried in order. Containers have their video type: their beginning does not show whether they contain video.
var signatures = []signature{
	{0, "\xff\xd8\xff", "image/jpeg"},
	{0, "\x89PNG\r\n\x1a\n", "image/png"},
	{0, "GIF87a", "image/gif"},
	{0, "GIF89a", "image/gif"},
	{0, "%PDF-", "application/pdf"},
	{0, "OggS", "video/ogg"},
	{0, "ID3", "audio/mpeg"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"},
	{0, "{\\rtf", "application/rtf"},
}

// brands maps the brands of ISO base media files to types other than plain video/mp4.
var brands = map[string]string{
	"qt  ": "video/quicktime", "heic": "image/heic", "heix": "image/heic", "mif1": "image/heif", "msf1": "image/heif", "avif": "image/avif",
	"M4A ": "audio/mp4", "M4B ": "audio/mp4",
}

// Sniff returns the type of content by its first bytes, or "" if participants may not send it. Pages, programs and archives
// have no type. What follows the first bytes is not examined: a text may be a script by its name, and a document may contain
// macros.
func Sniff(first []byte) string {
	first = first[:min(len(first), SniffBytes)]
	for _, s := range signatures {
		if len(first) >= s.at && bytes.HasPrefix(first[s.at:], []byte(s.magic)) {
			return s.mediaType
		}
	}
	switch {
	case bytes.HasPrefix(first, []byte(zipMark)):
		return officeType(first)
	case bytes.HasPrefix(first, []byte("\x1a\x45\xdf\xa3")):
		return matroskaType(first)
	case len(first) >= 12 && string(first[4:8]) == "ftyp":
		if mediaType, known := brands[string(first[8:12])]; known {
			return mediaType
		}
		return "video/mp4"
	case len(first) >= 12 && string(first[:4]) == "RIFF":
		switch string(first[8:12]) {
		case "WAVE":
			return "audio/wav"
		case "WEBP":
			return "image/webp"
		}
		return ""
	case len(first) >= 2 && first[0] == 0xff && first[1]&0xf6 == 0xf0:
		return "audio/aac"
	case len(first) >= 2 && first[0] == 0xff && first[1]&0xe6 == 0xe2:
		return "audio/mpeg"
	}
	return textType(first)
}

// zipMark begins the header of a file within a ZIP archive (APPNOTE.TXT, 4.3.7).
const zipMark = "PK\x03\x04"

// officeParts lists prefixes of the name of the first file in an office document: of OOXML, of OpenDocument and EPUB, and of
// Apple's formats.
var officeParts = []string{
	"[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "customXml/", "mimetype", "Index/", "Data/", "Metadata/", "preview",
}

// officeType returns application/zip for an office document, and "" for other archives, such as Java and Android programs.
func officeType(first []byte) string {
	const lengthAt, nameAt = 26, 30
	if len(first) < nameAt {
		return ""
	}
	name := first[nameAt:]
	name = name[:min(len(name), int(binary.LittleEndian.Uint16(first[lengthAt:])))]
	if slices.ContainsFunc(officeParts, func(part string) bool { return bytes.HasPrefix(name, []byte(part)) }) {
		return "application/zip"
	}
	return ""
}

// matroskaType distinguishes WebM from Matroska, the format it is derived from, by the name in the header.
func matroskaType(first []byte) string {
	switch {
	case bytes.Contains(first, []byte("\x42\x82\x84webm")):
		return "video/webm"
	case bytes.Contains(first, []byte("\x42\x82\x88matroska")):
		return "video/x-matroska"
	}
	return ""
}

// textType returns text/plain for UTF-8 that is neither markup nor a script.
func textType(first []byte) string {
	first = bytes.TrimPrefix(first, []byte("\xef\xbb\xbf"))
	for range utf8.UTFMax - 1 { // the last character may be truncated
		if last, size := utf8.DecodeLastRune(first); last == utf8.RuneError && size == 1 {
			first = first[:len(first)-1]
		}
	}
	start := bytes.TrimSpace(first)
	unseen := func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' || r == 0x7f }
	if len(start) == 0 || start[0] == '<' || bytes.HasPrefix(start, []byte("#!")) || !utf8.Valid(first) || bytes.ContainsFunc(first, unseen) {
		return ""
	}
	return "text/plain"
}

// allowed lists the sniffed types that each kind may have.
var allowed = map[Kind][]string{
	Audio: {"video/webm", "video/x-matroska", "video/mp4", "video/ogg", "audio/mp4", "audio/mpeg", "audio/wav", "audio/aac"},
	Video: {"video/webm", "video/x-matroska", "video/mp4", "video/quicktime"},
	File: {
		"image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/heif", "image/avif",
		"application/pdf", "application/zip", "application/x-ole-storage", "application/rtf", "text/plain",
		"video/webm", "video/x-matroska", "video/mp4", "video/quicktime", "video/ogg",
		"audio/mp4", "audio/mpeg", "audio/wav", "audio/aac",
	},
}

// MediaType returns the type of an upload of the given kind by its first bytes. It fails with ErrType if the kind may not
// have that type.
func MediaType(kind Kind, first []byte) (string, error) {
	sniffed := Sniff(first)
	of := kind
	if kind == ScreenVideo {
		of = Video
	}
	if !slices.Contains(allowed[of], sniffed) {
		return "", ErrType
	}
	if name, is := strings.CutPrefix(sniffed, "video/"); is && kind == Audio && name != "x-matroska" {
		return "audio/" + name, nil
	}
	return sniffed, nil
}

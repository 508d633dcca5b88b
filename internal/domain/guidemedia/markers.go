package guidemedia

import (
	"bytes"
	"encoding/binary"
)

// jpegFacts holds facts from the segments of a JPEG file.
type jpegFacts struct {
	orientation int // of EXIF, from 1 to 8; 1 where there is none
	progressive bool
}

// readJPEG reads the segments before the image's data.
func readJPEG(content []byte) jpegFacts {
	facts := jpegFacts{orientation: 1}
	for at := 2; at+4 <= len(content) && content[at] == 0xff; {
		marker, length := content[at+1], int(binary.BigEndian.Uint16(content[at+2:]))
		if marker == 0xff { // padding
			at++
			continue
		}
		end := at + 2 + length
		if length < 2 || end > len(content) {
			return facts
		}
		switch marker {
		case 0xc2, 0xc6, 0xca, 0xce:
			facts.progressive = true
		case 0xe1:
			if exif, found := bytes.CutPrefix(content[at+4:end], []byte("Exif\x00\x00")); found {
				facts.orientation = orientationOf(exif)
			}
		case 0xda:
			return facts
		}
		at = end
	}
	return facts
}

// orientationOf returns the orientation in a TIFF structure.
func orientationOf(tiff []byte) int {
	const header, entry, orientationTag = 8, 12, 0x0112
	if len(tiff) < header {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at < header || at+2 > int64(len(tiff)) {
		return 1
	}
	count := int(order.Uint16(tiff[at:]))
	for i := range count {
		from := at + 2 + int64(i)*entry
		if from+entry > int64(len(tiff)) {
			return 1
		}
		if order.Uint16(tiff[from:]) == orientationTag {
			if value := int(order.Uint16(tiff[from+8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
	}
	return 1
}

// countGIF returns how many frames a GIF file has, and how many pixels all of them together, without decoding any. It stops where the file does.
func countGIF(content []byte) (frames int, pixels int64) {
	const header = 13
	if len(content) < header {
		return 0, 0
	}
	at := header + tableSize(content[10])
	for at < len(content) {
		switch content[at] {
		case 0x21: // an extension
			at = skipBlocks(content, at+2)
		case 0x2c:
			if at+10 > len(content) {
				return frames, pixels
			}
			frames++
			pixels += int64(binary.LittleEndian.Uint16(content[at+5:])) * int64(binary.LittleEndian.Uint16(content[at+7:]))
			at = skipBlocks(content, at+10+tableSize(content[at+9])+1)
		default:
			return frames, pixels
		}
	}
	return frames, pixels
}

// tableSize returns the bytes of the colour table that follows packed flags.
func tableSize(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// skipBlocks returns the place after sub-blocks, each of which begins with its length.
func skipBlocks(content []byte, at int) int {
	for at < len(content) && content[at] != 0 {
		at += int(content[at]) + 1
	}
	return at + 1
}

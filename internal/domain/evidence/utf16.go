package evidence

import "unicode/utf8"

// UTF16 returns where a span of a text stands in UTF-16 code units, by which browsers count. Offsets beyond the text are its end, and
// those within a character are its beginning.
func (s Span) UTF16(text string) (from, to int) {
	return UTF16Offset(text, s.Start), UTF16Offset(text, s.End)
}

// UTF16Offset returns how many UTF-16 code units come before a byte offset of a text.
func UTF16Offset(text string, offset int) (units int) {
	for i, r := range text {
		if i+utf8.RuneLen(r) > offset && r != utf8.RuneError || i >= offset {
			break
		}
		units++
		if r > 0xffff {
			units++
		}
	}
	return units
}

// ByteOffset returns the byte offset of a place in a text that is given in UTF-16 code units. ok is false for a place outside of the text, or
// within a character.
func ByteOffset(text string, units int) (offset int, ok bool) {
	if units < 0 {
		return 0, false
	}
	for i, r := range text {
		if units == 0 {
			return i, true
		}
		if units--; r > 0xffff {
			units--
		}
		if units < 0 {
			return 0, false
		}
	}
	return len(text), units == 0
}

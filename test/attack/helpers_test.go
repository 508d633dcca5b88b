package attack

import "unicode/utf16"

// utf16Of returns a text in the units that JSON escapes.
func utf16Of(text string) []uint16 { return utf16.Encode([]rune(text)) }

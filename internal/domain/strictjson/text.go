package strictjson

import (
	"strings"
	"unicode/utf8"
)

// CleanText returns a text that every database can store: bytes that are not UTF-8 and U+0000 become U+FFFD. Everything that
// arrives outside JSON is cleaned once, so that what is looked up is cleaned as it was when it was stored.
func CleanText(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with everything that a terminal would act on escaped as in JSON, \u001b for ESC: control characters (C0,
// DEL, C1), marks of text direction, line and paragraph separators, and other invisible formatting. Line feeds and tabs
// stay, CR LF becomes LF, and bytes that are not UTF-8 become U+FFFD. Of the invisible characters only those that scripts
// and emoji need stay: the joiners U+200C and U+200D, and Mongolian's U+180E.
//
// Applied to a JSON document, Text returns one with the same values, because such characters occur only inside its strings.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s { // a byte that is not UTF-8 is read as U+FFFD
		switch {
		case r == '\n' || r == '\t' || !IsUnsafe(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// Line returns s as Text does, on one line: each line feed, tab or other control character that is white space becomes a
// space.
func Line(s string) string {
	if isPlain(s) && !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return Text(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\v', '\f', '\r', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n")))
}

// IsUnsafe reports whether a terminal or a viewer acts on the character instead of showing it, see Text. Line feeds and tabs
// count, too.
func IsUnsafe(r rune) bool {
	switch r {
	case '\u200c', '\u200d', '\u180e':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// SpreadsheetCell returns s for a cell of a CSV file: as Text does, with a space for each tab, and with an apostrophe before
// what a spreadsheet would read as a formula, at the beginning and after each character at which a spreadsheet may split
// cells (see dividers). The signs that begin formulas are recognized in full width and small forms, too, and after white
// space and invisible characters, which importers remove or skip.
func SpreadsheetCell(s string) string {
	var b strings.Builder
	if strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r") || isFormula(s, skipped) {
		b.WriteByte('\'')
	}
	behind := func(r rune) bool { return !strings.ContainsRune(dividers, r) && (skipped(r) || r == '"') }
	for rest := Text(s); ; {
		end := strings.IndexAny(rest, dividers)
		if end < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:end+1])
		rest = rest[end+1:]
		if isFormula(rest, behind) {
			b.WriteByte('\'')
		}
	}
	return strings.ReplaceAll(b.String(), "\t", " ")
}

// isFormula reports whether the first character that is not skipped begins a formula.
func isFormula(s string, skipped func(rune) bool) bool {
	first := strings.TrimLeftFunc(s, skipped)
	sign, _ := utf8.DecodeRuneInString(first)
	return first != "" && strings.ContainsRune(formulaSigns, sign)
}

// dividers end a cell if a spreadsheet uses another separator than the comma, or reads a line break within quotation marks
// as the end of a row. The comma itself is harmless, because the file quotes a cell that contains one.
const dividers = ";\t|\n"

// skipped reports whether a spreadsheet may skip the character at the beginning of a cell.
func skipped(r rune) bool {
	return unicode.IsSpace(r) || IsUnsafe(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		r == '\u200c' || r == '\u200d' || r == '\u180e'
}

// formulaSigns begin a formula: = + - @ in ASCII, full width and small forms, and the minus sign.
const formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// escaped returns the character's escape in JSON.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return escaped(high) + escaped(low)
	}
	const digits = "0123456789abcdef"
	return `\u` + string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

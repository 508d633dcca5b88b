package lang

import "unicode"

// Words counts the words of a text in any script. In scripts without spaces between words, two characters count as a word.
func Words(text string) int {
	words, dense, inWord := 0, 0, false
	for _, r := range text {
		switch {
		case Unspaced(r):
			dense++
			inWord = false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !inWord {
				words++
			}
			inWord = true
		case r != '\'' && r != '’' && r != '-' && !unicode.IsMark(r):
			inWord = false
		}
	}
	return words + (dense+1)/2
}

// firstDense is the first character of Thai: most letters are below it and need no lookup in tables.
const firstDense = 0x0e00

// Unspaced reports whether r belongs to a script that is written without spaces.
func Unspaced(r rune) bool {
	return r >= firstDense && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

package evidence

import "unicode"

// Digit returns a decimal digit of any script in ASCII, and any other character unchanged.
func Digit(r rune) rune {
	if r < 0x80 || !unicode.IsDigit(r) {
		return r
	}
	for _, block := range unicode.Nd.R16 { // digits stand in tens, from zero up
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + (r-rune(block.Lo))%10
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + (r-rune(block.Lo))%10
		}
	}
	return r
}

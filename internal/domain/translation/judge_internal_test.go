package translation

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// TestDigitOf checks the digits of all scripts: their values cycle from zero to nine, and those that are forms of ASCII digits, such as
// the mathematical ones, have the values of these.
func TestDigitOf(t *testing.T) {
	t.Parallel()
	count := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			if count%10 != 0 {
				t.Errorf("%d digits end before %U", count, r)
			}
			count = 0
			continue
		}
		if got := digitOf(r); int(got) != count%10 {
			t.Errorf("%U has the value %d, want %d", r, got, count%10)
		}
		if ascii := norm.NFKC.String(string(r)); len(ascii) == 1 && digitOf(r) != ascii[0]-'0' {
			t.Errorf("%U has the value %d, want %s", r, digitOf(r), ascii)
		}
		count++
	}
}

func TestNumbersInMathematicalDigits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2026", "𝟐𝟎𝟐𝟔", "𝟚𝟘𝟚𝟞", "𝟤𝟢𝟤𝟨", "𝟮𝟬𝟮𝟲", "𝟸𝟶𝟸𝟼", "２０２６", "٢٠٢٦", "२०२६"} {
		if violation := numbersViolation("2026", text); violation != "" {
			t.Errorf("%s: %s", text, violation)
		}
	}
}

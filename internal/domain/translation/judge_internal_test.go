package translation

import (
	"strings"
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

// TestOtherLanguages has texts in listed languages, and texts in languages without a list, some of whose words are also words of a
// listed language.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, to, want string }{
		{"Čo si myslíte o tomto nápade a prečo?", "sk", ""},
		{"Konbyen fwa ou itilize pwodwi sa a lakay ou?", "ht", ""},
		{"Me kuke tunani game da wannan ra'ayi kuma me ya sa?", "ha", ""},
		{"He aha ou whakaaro mo tenei whakaaro, a he aha ai?", "mi", ""},
		{"E hia nga wa ka whakamahi koe i tenei i te kainga?", "mi", ""},
		{"Ona su obdarena razumom i treba da jedno prema drugome postupaju u duhu bratstva.", "bs", ""},
		{"Che cosa pensa di questa idea e perché?", "eu", "it"},
		{"Tell me more about the last time that this happened to you.", "sw", "en"},
		{"How don’t you like it when it’s about that?", "vi", "en"},
		{"Was denken Sie über diese Idee und warum?", "lt", "de"},
		{"Vad tycker du om den här idén och varför?", "lv", "sv"},
	} {
		if got := otherLanguage(wordsOf(tt.text), tt.to); got != tt.want {
			t.Errorf("%s: %q reads as %q, want %q", tt.to, tt.text, got, tt.want)
		}
	}
	repeated := strings.Repeat("Bata na kati na ", 5)
	if got := otherLanguage(wordsOf(repeated), "ln"); got != "" {
		t.Errorf("a word that is repeated makes a text %s", got)
	}
}

package plaintext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/plaintext"
)

func TestText(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                        "",
		"plain\ttext\n":           "plain\ttext\n",
		"ä 漢字 😀":                  "ä 漢字 😀",
		"\x1b[31mred":             `\u001b[31mred`,
		"\x1b]52;c;aGk=\a":        `\u001b]52;c;aGk=\u0007`,
		"a\x00b\x7fc\u009bd":      `a\u0000b\u007fc\u009bd`,
		"over\rwritten\b":         `over\u000dwritten\u0008`,
		"two\r\nlines":            "two\nlines",
		"\u202etxt.exe\u2066":     `\u202etxt.exe\u2066`,
		"\u200e\u200f\u061c":      `\u200e\u200f\u061c`,
		"a\u2028b\u2029c":         `a\u2028b\u2029c`,
		"\ufeffa\u00adb\u2060":    `\ufeffa\u00adb\u2060`,
		"\U000e0041":              `\udb40\udc41`, // a tag
		"bad \xff\x9b bytes":      "bad \ufffd\ufffd bytes",
		"می\u200cروم 👩\u200d🌾":    "می\u200cروم 👩\u200d🌾", // Persian and an emoji need the joiners
		"\u0600\u06dd numbers":    "\u0600\u06dd numbers",
		"e\u0301 and ❤\ufe0f end": "e\u0301 and ❤\ufe0f end",
	} {
		if got := plaintext.Text(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	if got := plaintext.Line(" a\r\nb\tc\u2028d\x1b "); got != ` a b c d\u001b ` {
		t.Errorf("one line: %q", got)
	}
}

// TestTextOfJSON checks that a filtered document has the same values.
func TestTextOfJSON(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && r != utf8.RuneError && (r < 0x3100 || plaintext.IsUnsafe(r)) {
			all.WriteRune(r)
		}
	}
	document, err := json.Marshal(map[string]string{"a": `\` + all.String()})
	if err != nil {
		t.Fatal(err)
	}
	filtered := plaintext.Text(string(document))
	if i := strings.IndexFunc(filtered, plaintext.IsUnsafe); i >= 0 {
		t.Errorf("%q is in the document", filtered[i:i+4])
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(filtered), &back); err != nil || back["a"] != `\`+all.String() {
		t.Errorf("the document changed (%v)", err)
	}
}

func TestSpreadsheetCell(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", " ", "\t", "\r", "\n", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufeff", "\u202e", "\u2066", "\u00ad", "\u034f", "\ufe0f", "\u115f", "\u3164", "\u180e", "\x00", "\U000e0020", "\u200b \ufeff"} {
		for _, sign := range "=+-@＝＋－＠﹦﹢﹣﹫−" {
			cell := plaintext.SpreadsheetCell(prefix + string(sign) + "HYPERLINK(1)")
			if !strings.HasPrefix(cell, "'") {
				t.Errorf("%+q and %c stay a formula: %+q", prefix, sign, cell)
			}
		}
	}
	for _, harmless := range []string{"", " ", "plain", "1=1", "a-b", "\u200dx", "漢", "'=1"} {
		if got := plaintext.SpreadsheetCell(harmless); got != harmless {
			t.Errorf("%q became %q", harmless, got)
		}
	}
	for cell, want := range map[string]string{
		"nice;=cmd|'/c calc'!A1":   "nice;'=cmd|'/c calc'!A1",
		"nice; \u034f＝cmd;b":       "nice;' \u034f＝cmd;b",
		"tab\t=cmd\tb":             "tab '=cmd b",
		"a|@SUM(1)|-2":             "a|'@SUM(1)|'-2",
		"a\n=1\r\n+2":              "a\n'=1\n'+2",
		"a;\"=1":                   "a;'\"=1",
		"=1;=2":                    "'=1;'=2",
		"\tx":                      "' x",
		"\t=x":                     "' '=x",
		"a; b | c = d - e + f@g.h": "a; b | c = d - e + f@g.h",
	} {
		if got := plaintext.SpreadsheetCell(cell); got != want {
			t.Errorf("%q became %q, want %q", cell, got, want)
		}
	}
	if got := plaintext.SpreadsheetCell("a\x1bb\nc"); got != `a\u001bb`+"\nc" {
		t.Errorf("control characters: %q", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b\xc2")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsFunc(plaintext.Text(s), func(r rune) bool { return r != '\n' && r != '\t' && plaintext.IsUnsafe(r) }) {
			t.Errorf("%q", s)
		}
		if once := plaintext.Text(s); plaintext.Text(once) != once || !utf8.ValidString(once) {
			t.Errorf("%q is filtered to %q, and that again", s, once)
		}
	})
}

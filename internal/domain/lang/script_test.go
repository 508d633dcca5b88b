package lang_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/lang"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]*unicode.RangeTable{
		"en": unicode.Latin, "de-CH": unicode.Latin, "": unicode.Latin, "zh-TW": unicode.Han, "ja": unicode.Katakana, "ar": unicode.Arabic, "ru": unicode.Cyrillic,
	} {
		if !slices.Contains(lang.Scripts(code), want) {
			t.Errorf("%q is written in other scripts", code)
		}
	}
	for _, code := range guide.Languages {
		if len(lang.Scripts(code)) == 0 {
			t.Errorf("%q has no script", code)
		}
	}
}

// TestChineseScripts checks that the two lists correspond, and that they share no character.
func TestChineseScripts(t *testing.T) {
	t.Parallel()
	if utf8.RuneCountInString(lang.Simplified) != utf8.RuneCountInString(lang.Traditional) {
		t.Error("the lists are of different lengths")
	}
	if i := strings.IndexAny(lang.Simplified, lang.Traditional); i >= 0 {
		t.Errorf("%q is in both", lang.Simplified[i:i+3])
	}
}

package lang_test

import (
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/lang"
)

func TestFunctionWords(t *testing.T) {
	t.Parallel()
	for _, code := range lang.WithFunctionWords {
		if !slices.Contains(guide.Languages, code) {
			t.Errorf("%s is no language of guides", code)
		}
		words := lang.FunctionWords(code)
		if len(words) < 15 {
			t.Errorf("%s has %d words", code, len(words))
		}
		for word := range words {
			if strings.ToLower(word) != word || strings.ContainsAny(word, "’ `") {
				t.Errorf("%s: %q is not in the form of the lists", code, word)
			}
		}
	}
	for code, word := range map[string]string{"en": "don't", "de-CH": "über", "fr": "l'", "pl": "jest", "ar": "من"} {
		if !lang.FunctionWords(code)[word] {
			t.Errorf("%q is no function word of %s", word, code)
		}
	}
	if words := lang.FunctionWords("sw"); words != nil {
		t.Errorf("a language without a list has %d words", len(words))
	}
}

package locale

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

func TestEveryLanguageHasAllWords(t *testing.T) {
	t.Parallel()
	numbers := regexp.MustCompile(`\{[a-z]+\}`)
	english := catalogue()[fallbackCode]
	languages := 0
	for code, translated := range catalogue() {
		if code == namesFile {
			continue
		}
		languages++
		if diff := cmp.Diff(slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(translated))); diff != "" {
			t.Errorf("%s (-en +%s):\n%s", code, code, diff)
		}
		for key, phrase := range translated {
			want, got := numbers.FindAllString(english[key], -1), numbers.FindAllString(phrase, -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) || strings.TrimSpace(phrase) == "" {
				t.Errorf("%s: %s is %q, and in English %q", code, key, phrase, english[key])
			}
		}
	}
	if languages != 10 {
		t.Errorf("there are %d languages, want 10", languages)
	}
}

func TestEveryLanguageHasAName(t *testing.T) {
	t.Parallel()
	for _, code := range guide.Languages {
		if Name(code) == code {
			t.Errorf("%s has no name", code)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"de": "de", "de-CH": "de", "en-medical": "en", "zh-TW": "zh", "nl-BE": "nl", "sw": "en", "names": "en", "": "en",
	} {
		if got := Language(code); got != want {
			t.Errorf("Language(%q) = %q, want %q", code, got, want)
		}
	}
	for header, want := range map[string]string{
		"": "en", "fr-CA,fr;q=0.9,en;q=0.8": "fr", "sw, ar;q=0.5": "ar", "en-GB,de;q=0.5": "en", "*": "en",
		"de;q=0.5, fr": "fr", "de;q=0, fr;q=0.1": "fr", "de-Latn-CH-1996": "de", "names, de": "de", "qq-XX, sw, es": "es", "de;q=high, it": "it",
		strings.Repeat("-", 2000) + ", ja": "ja", "nl, fr, de": "nl", ",;q=,": "en",
		strings.Repeat("sw,", 31) + "de": "de", strings.Repeat("sw,", 32) + "de": "en",
	} {
		if got := Accepted(header); got != want {
			t.Errorf("Accepted(%q) = %q, want %q", header, got, want)
		}
	}
	if Direction("ar") != "rtl" || Direction("he") != "rtl" || Direction("de-CH") != "ltr" {
		t.Error("directions are wrong")
	}
}

func TestPreferred(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header, offered, want string
	}{
		{"de-CH, fr;q=0.9", "en de fr", "de"},
		{"fr;q=0.5, de;q=0.9, en;q=0.8", "en fr de", "de"},
		{"fr;q=0.5, en;q=0.8", "de en fr", "en"},
		{"de;q=0, fr;q=0.1", "en de fr", "fr"},
		{"de-CH", "en de de-CH", "de-CH"},
		{"zh-HK, en;q=0.9", "en zh-TW", "zh-TW"},
		{"jv", "en jw", "jw"},
		{"en-GB", "de en-medical", "en-medical"},
		{"sw, *;q=0.5", "en de", ""},
		{"", "en de", ""},
		{"no", "en no", "no"},
	} {
		if got := Preferred(tt.header, strings.Fields(tt.offered)); got != tt.want {
			t.Errorf("Preferred(%q, %s) = %q, want %q", tt.header, tt.offered, got, tt.want)
		}
	}
}

package locale

import (
	"maps"
	"os"
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

// TestEveryTextHasAnIntent holds INTENTS.md, by which languages are written and checked, to the texts.
func TestEveryTextHasAnIntent(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("INTENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	english := catalogue()[fallbackCode]
	arrived, _, _ := strings.Cut(string(list), "\n## In work\n")
	for line := range strings.Lines(string(list)) {
		if names, intent, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(line, "- `") && strings.TrimSpace(intent) != "" {
			for name := range strings.SplitSeq(strings.TrimPrefix(names, "- "), ", ") {
				if name = strings.Trim(name, "`"); english[name] != "" || strings.Contains(arrived, line) {
					keys = append(keys, name)
				}
			}
		}
	}
	slices.Sort(keys)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(english)), keys); diff != "" {
		t.Errorf("keys of en.json and of INTENTS.md (-en +intents):\n%s", diff)
	}
}

// TestSentencesNameOptions checks that sentences name options as they are called.
func TestSentencesNameOptions(t *testing.T) {
	t.Parallel()
	for code, w := range catalogue() {
		if code == namesFile {
			continue
		}
		for key, named := range map[string][]string{"hintMaxDiff": {"most", "least"}, "errBestWorst": {"most", "least"}, "errDifferent": {"most", "least"}, "errCustom": {"other"}} {
			for _, option := range named {
				if !strings.Contains(w[key], w[option]) {
					t.Errorf("%s: %s does not name %q: %q", code, key, w[option], w[key])
				}
			}
		}
	}
}

// TestFullWidthMarks checks that Chinese and Japanese texts do not mix their marks with those of other scripts.
func TestFullWidthMarks(t *testing.T) {
	t.Parallel()
	narrow := regexp.MustCompile(`[^\x00-\x7f ][,;:?!()]|[,;:?!()][^\x00-\x7f ]`)
	for _, code := range []string{"zh", "ja"} {
		for key, text := range catalogue()[code] {
			if found := narrow.FindString(text); found != "" {
				t.Errorf("%s: %s has %q in %q", code, key, found, text)
			}
		}
	}
}

package participant

import (
	"cmp"
	"embed"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The words of the page, one file a language, all with the keys of en.json; names.json has what each language calls
// itself. {n} and {total} stand for numbers.
//
//go:embed locale/*.json
var localeFiles embed.FS

// words are the phrases of one language by key.
type words map[string]string

// number fills in {n}.
func (w words) number(key string, n int) string {
	return strings.ReplaceAll(w[key], "{n}", strconv.Itoa(n))
}

var catalogue = sync.OnceValue(func() map[string]words {
	files, err := localeFiles.ReadDir("locale")
	if err != nil {
		panic(err)
	}
	all := map[string]words{}
	for _, file := range files {
		text, err := localeFiles.ReadFile("locale/" + file.Name())
		if err != nil {
			panic(err)
		}
		var one words
		if err := json.Unmarshal(text, &one); err != nil {
			panic("participant: " + file.Name() + ": " + err.Error())
		}
		all[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = one
	}
	return all
})

const (
	namesFile    = "names"
	fallbackCode = "en"
)

// spoken is the language of the page for a participant's language code: the same, its base language, or English.
func spoken(code string) string {
	base, _, _ := strings.Cut(code, "-")
	for _, candidate := range []string{code, base} {
		if _, known := catalogue()[candidate]; known && candidate != namesFile {
			return candidate
		}
	}
	return fallbackCode
}

// phrases are the words for a participant's language code.
func phrases(code string) words { return catalogue()[spoken(code)] }

// languageName is what a language calls itself; the code where that is not known.
func languageName(code string) string { return cmp.Or(catalogue()[namesFile][code], code) }

// tag is the BCP 47 tag of a language code, for lang attributes.
func tag(code string) string {
	switch code {
	case "en-medical":
		return "en"
	case "jw":
		return "jv"
	}
	return code
}

// direction is the way a language is written.
func direction(code string) string {
	base, _, _ := strings.Cut(code, "-")
	if slices.Contains([]string{"ar", "fa", "he", "ps", "sd", "ug", "ur", "yi"}, base) {
		return "rtl"
	}
	return "ltr"
}

// hasWords reports whether the page has words in a language.
func hasWords(code string) bool {
	base, _, _ := strings.Cut(code, "-")
	return base == fallbackCode || spoken(code) != fallbackCode
}

// preferred is the page's language for a browser that asks for nothing in particular.
func preferred(acceptLanguage string) string {
	for part := range strings.SplitSeq(acceptLanguage, ",") {
		code, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if hasWords(code) {
			return spoken(code)
		}
	}
	return fallbackCode
}

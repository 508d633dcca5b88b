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

	"golang.org/x/text/language"
)

// The words of the page, one file for each language, all with the keys of en.json; names.json has each language's name for
// itself. {n} and {total} are placeholders for numbers.
//
//go:embed locale/*.json
var localeFiles embed.FS

// words holds the texts of one language by key.
type words map[string]string

// number returns the text under a key with {n} filled in.
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
		var loaded words
		if err := json.Unmarshal(text, &loaded); err != nil {
			panic("participant: " + file.Name() + ": " + err.Error())
		}
		all[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = loaded
	}
	return all
})

const (
	namesFile    = "names"
	fallbackCode = "en"
)

// pageLanguage returns the page's language for a participant's language code: the same, its base language, or English.
func pageLanguage(code string) string {
	base, _, _ := strings.Cut(code, "-")
	for _, candidate := range []string{code, base} {
		if _, known := catalogue()[candidate]; known && candidate != namesFile {
			return candidate
		}
	}
	return fallbackCode
}

// wordsFor returns the words for a participant's language code.
func wordsFor(code string) words { return catalogue()[pageLanguage(code)] }

// languageName returns a language's name for itself, or its code where the name is not known.
func languageName(code string) string { return cmp.Or(catalogue()[namesFile][code], code) }

// tag returns the BCP 47 tag of a language code, for lang attributes.
func tag(code string) string {
	switch code {
	case "en-medical":
		return "en"
	case "jw":
		return "jv"
	}
	return code
}

// direction returns the writing direction of a language: ltr or rtl.
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
	return base == fallbackCode || pageLanguage(code) != fallbackCode
}

// maxAccepted is how many entries of an Accept-Language header are read, so that a long header costs no more than a page.
const maxAccepted = 32

// acceptedLanguage returns the language of an Accept-Language header that the reader prefers among those that the page has words
// in, or English. Entries that are no language tags are skipped.
func acceptedLanguage(header string) string {
	code, weight := fallbackCode, float32(0)
	entries := strings.SplitN(header, ",", maxAccepted+1)
	for _, entry := range entries[:min(len(entries), maxAccepted)] {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err != nil || len(tags) == 0 || weights[0] <= weight || !hasWords(tags[0].String()) {
			continue
		}
		code, weight = pageLanguage(tags[0].String()), weights[0]
	}
	return code
}

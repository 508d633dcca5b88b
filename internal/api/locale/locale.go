// Package locale holds the words that participants read, in the languages of the interface. The protocol needs some of them, the
// disclosure and the texts at the end of an interview; the pages need all.
package locale

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

// The words, one file for each language, all with the keys of en.json; names.json has each language's name for itself. {n} and
// {total} are placeholders for numbers.
//
//go:embed *.json
var files embed.FS

// Words holds the texts of one language by key.
type Words map[string]string

// Number returns the text under a key with {n} filled in.
func (w Words) Number(key string, n int) string {
	return strings.ReplaceAll(w[key], "{n}", strconv.Itoa(n))
}

var catalogue = sync.OnceValue(func() map[string]Words {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	all := map[string]Words{}
	for _, file := range entries {
		text, err := files.ReadFile(file.Name())
		if err != nil {
			panic(err)
		}
		var loaded Words
		if err := json.Unmarshal(text, &loaded); err != nil {
			panic("locale: " + file.Name() + ": " + err.Error())
		}
		all[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = loaded
	}
	return all
})

const (
	namesFile    = "names"
	fallbackCode = "en"
)

// Language returns the language of the words for a participant's language code: the same, its base language, or English.
func Language(code string) string {
	base, _, _ := strings.Cut(code, "-")
	for _, candidate := range []string{code, base} {
		if _, known := catalogue()[candidate]; known && candidate != namesFile {
			return candidate
		}
	}
	return fallbackCode
}

// WordsFor returns the words for a participant's language code.
func WordsFor(code string) Words { return catalogue()[Language(code)] }

// Name returns a language's name for itself, or its code where the name is not known.
func Name(code string) string { return cmp.Or(catalogue()[namesFile][code], code) }

// Tag returns the BCP 47 tag of a language code, for lang attributes.
func Tag(code string) string {
	switch code {
	case "en-medical":
		return "en"
	case "jw":
		return "jv"
	}
	return code
}

// Direction returns the writing direction of a language: ltr or rtl.
func Direction(code string) string {
	base, _, _ := strings.Cut(code, "-")
	if slices.Contains([]string{"ar", "fa", "he", "ps", "sd", "ug", "ur", "yi"}, base) {
		return "rtl"
	}
	return "ltr"
}

// Has reports whether there are words in a language.
func Has(code string) bool {
	base, _, _ := strings.Cut(code, "-")
	return base == fallbackCode || Language(code) != fallbackCode
}

// maxAccepted limits the entries that are read of an Accept-Language header, so that a long header costs no more than a page.
const maxAccepted = 32

// Accepted returns the language of an Accept-Language header that the reader prefers among those that have words,
// or English. Entries that are no language tags are skipped.
func Accepted(header string) string {
	code, weight := fallbackCode, float32(0)
	entries := strings.SplitN(header, ",", maxAccepted+1)
	for _, entry := range entries[:min(len(entries), maxAccepted)] {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err != nil || len(tags) == 0 || weights[0] <= weight || !Has(tags[0].String()) {
			continue
		}
		code, weight = Language(tags[0].String()), weights[0]
	}
	return code
}

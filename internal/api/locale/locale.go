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

// acceptedTag is a language of an Accept-Language header, with the weight that its reader gives it.
type acceptedTag struct {
	tag    string
	weight float32
}

// accepted returns the languages of an Accept-Language header, the preferred ones first. Entries that are no language tags, and those of
// weight 0, are left out.
func accepted(header string) (all []acceptedTag) {
	entries := strings.SplitN(header, ",", maxAccepted+1)
	for _, entry := range entries[:min(len(entries), maxAccepted)] {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err == nil && len(tags) > 0 && weights[0] > 0 {
			all = append(all, acceptedTag{tags[0].String(), weights[0]})
		}
	}
	slices.SortStableFunc(all, func(a, b acceptedTag) int { return cmp.Compare(b.weight, a.weight) })
	return all
}

// Accepted returns the language of an Accept-Language header that the reader prefers among those that have words,
// or English.
func Accepted(header string) string {
	for _, a := range accepted(header) {
		if Has(a.tag) {
			return Language(a.tag)
		}
	}
	return fallbackCode
}

// Preferred returns the language code that the reader of an Accept-Language header prefers among those offered: for each of the reader's
// languages, the most wanted first, the same one, else one of the same base language. It is "" where none fits.
func Preferred(header string, offered []string) string {
	for _, a := range accepted(header) {
		for _, same := range []func(code string) bool{
			func(code string) bool { return strings.EqualFold(Tag(code), a.tag) },
			func(code string) bool { return code == base(a.tag) },
			func(code string) bool { return base(Tag(code)) == base(a.tag) },
		} {
			if i := slices.IndexFunc(offered, same); i >= 0 {
				return offered[i]
			}
		}
	}
	return ""
}

// base returns the language of a tag without its script and region.
func base(tag string) string {
	before, _, _ := strings.Cut(tag, "-")
	return before
}

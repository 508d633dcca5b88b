package mailing

import (
	"embed"
	"encoding/json"
	"path"
	"strings"
	"sync"

	"verbatim/internal/domain/plaintext"
)

// The texts, one file for each language, all with the keys of en.json. {names} are filled in.
//
//go:embed texts/*.json
var files embed.FS

var texts = sync.OnceValue(func() map[string]map[string]string {
	entries, err := files.ReadDir("texts")
	if err != nil {
		panic(err) // the files are part of the program
	}
	all := map[string]map[string]string{}
	for _, entry := range entries {
		body, err := files.ReadFile("texts/" + entry.Name())
		if err != nil {
			panic(err)
		}
		var loaded map[string]string
		if err := json.Unmarshal(body, &loaded); err != nil {
			panic("mailing: " + entry.Name() + ": " + err.Error())
		}
		all[strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))] = loaded
	}
	return all
})

// languageOf returns the language of the texts for a language code: the same, its base language, or English.
func languageOf(code string) string {
	base, _, _ := strings.Cut(code, "-")
	for _, candidate := range []string{code, base} {
		if texts()[candidate] != nil {
			return candidate
		}
	}
	return "en"
}

// maxValue bounds what people wrote in a mail, such as their names, in characters.
const maxValue = 100

// fill returns the text under a key with its {names} filled in. The link alone may be long.
func fill(language, key string, values map[string]string) string {
	var pairs []string
	for name, value := range values {
		if value = plaintext.Line(value); name != "link" {
			if runes := []rune(value); len(runes) > maxValue {
				value = string(runes[:maxValue]) + "…"
			}
		}
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(texts()[language][key])
}

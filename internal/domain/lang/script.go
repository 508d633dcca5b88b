// Package lang knows how languages are written: their scripts, and how to count the words of a text. Codes are those of
// guide.Languages, with or without a region.
package lang

import (
	"strings"
	"unicode"
)

// Latin is the script of all languages without an entry of their own.
var Latin = []*unicode.RangeTable{unicode.Latin}

var byLanguage = map[string][]*unicode.RangeTable{
	"zh": {unicode.Han, unicode.Bopomofo}, "ja": {unicode.Han, unicode.Hiragana, unicode.Katakana}, "ko": {unicode.Hangul},
	"ar": {unicode.Arabic}, "fa": {unicode.Arabic}, "ur": {unicode.Arabic}, "ps": {unicode.Arabic}, "he": {unicode.Hebrew}, "yi": {unicode.Hebrew},
	"sd": {unicode.Arabic, unicode.Devanagari}, "ku": {unicode.Latin, unicode.Arabic, unicode.Cyrillic}, "ms": {unicode.Latin, unicode.Arabic},
	"ha": {unicode.Latin, unicode.Arabic}, "ff": {unicode.Latin, unicode.Adlam}, "bg": {unicode.Cyrillic}, "be": {unicode.Cyrillic}, "ru": {unicode.Cyrillic},
	"uk": {unicode.Cyrillic}, "mk": {unicode.Cyrillic}, "mn": {unicode.Cyrillic, unicode.Mongolian}, "kk": {unicode.Cyrillic, unicode.Latin},
	"ky": {unicode.Cyrillic}, "tg": {unicode.Cyrillic}, "tt": {unicode.Cyrillic, unicode.Latin}, "ba": {unicode.Cyrillic},
	"sr": {unicode.Cyrillic, unicode.Latin}, "bs": {unicode.Latin, unicode.Cyrillic}, "uz": {unicode.Latin, unicode.Cyrillic},
	"az": {unicode.Latin, unicode.Cyrillic}, "tk": {unicode.Latin, unicode.Cyrillic}, "el": {unicode.Greek}, "hy": {unicode.Armenian}, "ka": {unicode.Georgian},
	"hi": {unicode.Devanagari}, "mr": {unicode.Devanagari}, "ne": {unicode.Devanagari}, "sa": {unicode.Devanagari}, "bn": {unicode.Bengali}, "as": {unicode.Bengali},
	"pa": {unicode.Gurmukhi, unicode.Arabic}, "gu": {unicode.Gujarati}, "or": {unicode.Oriya}, "ta": {unicode.Tamil}, "te": {unicode.Telugu}, "kn": {unicode.Kannada},
	"ml": {unicode.Malayalam}, "si": {unicode.Sinhala}, "th": {unicode.Thai}, "lo": {unicode.Lao}, "km": {unicode.Khmer}, "my": {unicode.Myanmar}, "bo": {unicode.Tibetan},
	"am": {unicode.Ethiopic}, "su": {unicode.Latin, unicode.Sundanese}, "jw": {unicode.Latin, unicode.Javanese},
}

// Scripts returns the scripts of a language.
func Scripts(code string) []*unicode.RangeTable {
	base, _, _ := strings.Cut(code, "-")
	if tables := byLanguage[base]; tables != nil {
		return tables
	}
	return Latin
}

// Common characters that are used in only one of the two Chinese scripts.
const (
	Simplified  = "们这为个说国时来对发经动进问样实现间题应还开关让给话认识车东两书买见边过种吗么讲觉该听里"
	Traditional = "們這為個說國時來對發經動進問樣實現間題應還開關讓給話認識車東兩書買見邊過種嗎麼講覺該聽裡"
)

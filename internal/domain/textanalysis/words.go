package textanalysis

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/spanish"
	"github.com/rivo/uniseg"

	"verbatim/internal/domain/lang"
)

// token is one word of a sentence.
type token struct {
	text   string // as written
	lower  string
	stem   string  // empty for words that carry no topic
	weight float64 // how likely it names a topic: near 1 for a noun, less for a likely verb or adjective
	joined bool    // only a space separates it from the previous token
	masked bool    // masking would take it out
	name   bool    // it may name or locate a person; no tag has it
}

// sentences splits a text. Line breaks end sentences, and so does a full stop before a small letter, as people type on phones,
// unless it ends an abbreviation.
func sentences(text string, l *language) []sentence {
	var out []sentence
	add := func(from, to int) {
		part := strings.TrimSpace(text[from:to])
		if part != "" {
			at := from + strings.Index(text[from:to], part)
			out = append(out, sentence{text: part, at: at, tokens: tokens(part, l), words: lang.Words(part)})
		}
	}
	rest, state, from := text, -1, 0
	for rest != "" {
		var part string
		part, rest, state = uniseg.FirstSentenceInString(rest, state)
		for rest != "" && endsInside.MatchString(part) {
			var next string
			next, rest, state = uniseg.FirstSentenceInString(rest, state)
			part += next
		}
		begin := 0
		for _, stop := range smallStop.FindAllStringSubmatchIndex(part, -1) {
			if !abbreviations[strings.ToLower(part[stop[2]:stop[3]])] {
				add(from+begin, from+stop[3]+1)
				begin = stop[3] + 1
			}
		}
		add(from+begin, from+len(part))
		from += len(part)
	}
	return out
}

// smallStop matches a word of three letters or more, a full stop, and a sentence that begins with a small letter.
var smallStop = regexp.MustCompile(`(\pL{3,})[.!?]\s+\p{Ll}`)

// endsInside matches what ends with a full stop and not with a sentence: a title before a name, an initial, the number of a list's item.
var endsInside = regexp.MustCompile(`(?:^|[^\pL\pN])(?:(?i:dr|mr|mrs|ms|mx|prof|hr|fr|sr|sra|srta|dott|sig|mme|mlle|dhr|mevr|mw|st|nr)|[A-HJ-Z])\. +$|(?s)^\s*\d{1,2}\. (?:.*\s\d{1,2}\. +| *)$`)

var abbreviations = set("etc approx incl max min tel bzw usw inkl evtl ggf env aprox ecc bijv resp")

// tokens splits a sentence into words. Scripts without spaces are split where the kind of character changes: sequences of Han or
// Katakana hold the nouns of Japanese; in Chinese, particles divide the sequences.
func tokens(text string, l *language) []token {
	var out []token
	state, joined := -1, false
	divide := particles
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) {
		divide = "" // Japanese: its function words are not Han
	}
	var run strings.Builder
	flush := func() {
		if s := run.String(); s != "" {
			t := token{text: s, lower: s, weight: 1}
			if n := utf8.RuneCountInString(s); n >= 2 && n <= 6 && !denseStop[s] {
				t.stem = s
			}
			out = append(out, t)
			run.Reset()
		}
	}
	for text != "" {
		var word string
		word, text, state = uniseg.FirstWordInString(text, state)
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.In(first, unicode.Han, unicode.Katakana) && !strings.ContainsRune(divide, first) {
			if unicode.Is(unicode.Katakana, first) != endsInKatakana(run.String()) {
				flush()
			}
			run.WriteString(word)
			joined = false
			continue
		}
		flush()
		switch {
		case unicode.IsLetter(first) && !lang.Unspaced(first):
			out = append(out, newToken(word, out, l, joined))
			joined = true
		case unicode.IsDigit(first):
			out = append(out, token{text: word, lower: word, joined: joined})
			joined = true
		case strings.Trim(word, " -") != "":
			joined = false
		}
	}
	flush()
	return out
}

func endsInKatakana(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.Is(unicode.Katakana, r)
}

// particles divide sequences of Chinese characters: function words, and the most common verbs and adverbs.
const particles = "的了是我你他她它们們很也都就在和有不没沒这這那哪吗嗎呢吧把被让讓给給从從到对對跟与與及或但因为為所以如果会會能要想说說去来來还還再又才只太最更比会個个些么麼什怎样樣之其得着著过過地上下里裡中时時候用做看没无無可当當后後前每次真觉覺"

// denseStop holds words of Japanese and Chinese that name no topic.
var denseStop = set(`先週 今週 来週 先月 今月 昨日 今日 明日 最近 結局 自分 今回 前回 場合 一番 本当 普段 全部 全然 多分 最後 最初 時間 大変 特別 必要
	上周 下周 昨天 今天 明天 最近 最后 最後 一次 一个 一個 有点 有點 十分 分钟 分鐘 已经 已經 非常 比较 比較 自己 大家 东西 東西 問題 问题 希望`)

func newToken(word string, before []token, l *language, joined bool) token {
	lower := strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	t := token{text: withoutElision(word, l.elides), lower: lower, joined: joined, weight: 1}
	bare := strings.ToLower(t.text)
	if utf8.RuneCountInString(bare) < 3 || l.stop[lower] || l.stop[bare] || concrete[strings.TrimSuffix(bare, "s")] || concrete[bare] || !allLetters(bare) {
		return t
	}
	t.stem = l.stem(bare)
	previous := ""
	if len(before) > 0 && joined {
		previous = before[len(before)-1].lower
	}
	capital := startsUpper(word) && len(before) > 0
	switch {
	case capital:
		t.weight = 1.4 // a name, or a German noun
	case l.capitalNouns && len(before) > 0:
		t.weight = 0.35
	case l.beforeNoun[previous]:
		t.weight = 1.3
	case l.beforeOther[previous]:
		t.weight = 0.35
	}
	for _, ending := range l.notNouns {
		if len(bare) > len(ending)+2 && strings.HasSuffix(bare, ending) && !capital {
			t.weight = min(t.weight, 0.5)
		}
	}
	return t
}

// withoutElision removes the article of l'application, and the ending of shop's.
func withoutElision(word string, elides bool) string {
	for _, mark := range []string{"'", "’"} {
		if before, after, found := strings.Cut(word, mark); found && elides {
			return after
		} else if found && strings.EqualFold(after, "s") {
			return before
		}
	}
	return word
}

func allLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '\'' {
			return false
		}
	}
	return true
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// language holds what the analyst knows about a language.
type language struct {
	stop         map[string]bool // words without a topic
	beforeNoun   map[string]bool // a noun is likely after these
	beforeOther  map[string]bool // a verb or an adjective is likely after these
	notNouns     []string        // endings of verbs and adverbs
	capitalNouns bool
	elides       bool // l', d' and similar
	stemmer      func(string, bool) string
}

// languageOf returns the interview's language, unless the answers clearly are in another known one: participants may answer in
// any language. For unknown languages it returns the empty language, which has no stop words.
func languageOf(code string, texts []string) *language {
	code, _, _ = strings.Cut(code, "-")
	best, bestHits := code, 2 // a few words in common prove nothing
	hits := map[string]int{}
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
			for _, l := range languageCodes {
				if languages[l].stop[word] {
					hits[l]++
				}
			}
		}
	}
	if l := languages[code]; l != nil || code == "" {
		bestHits = max(bestHits, hits[code]*3/2)
	}
	for _, l := range languageCodes {
		if hits[l] > bestHits {
			best, bestHits = l, hits[l]
		}
	}
	if l := languages[best]; l != nil {
		return l
	}
	return &language{}
}

// stem maps the forms of a word to one stem. A stem is for counting, never for display.
func (l *language) stem(word string) string {
	if l.stemmer != nil {
		return l.stemmer(word, true)
	}
	for _, ending := range []string{"en", "er", "es", "e", "n", "s", "i", "a", "o"} {
		if utf8.RuneCountInString(word) >= len(ending)+4 && strings.HasSuffix(word, ending) {
			return strings.TrimSuffix(word, ending)
		}
	}
	return word
}

var stemmers = map[string]func(string, bool) string{"en": english.Stem, "fr": french.Stem, "es": spanish.Stem}

// head returns at most the first n bytes of a text, cut between runes.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) })
}

package moderator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/domain/lang"
)

// phrases holds the cues of one list, folded.
type phrases struct {
	exact    map[string]bool // of languages with spaces
	words    int             // in the longest of exact
	prefixes []string        // any ending may follow
	dense    []string        // of scripts without spaces: they count anywhere
}

// prepare folds the cues of a phrasebook, so that they are compared with folded text.
func (book *phrasebook) prepare() *phrasebook {
	for c, list := range book.cues {
		of := &book.lists[c]
		of.exact = map[string]bool{}
		for cue := range strings.SplitSeq(list, "|") {
			cue, prefix := strings.CutSuffix(strings.TrimSpace(cue), "*")
			text := strings.TrimSpace(book.fold(cue))
			first, _ := utf8.DecodeRuneInString(text)
			switch {
			case text == "":
			case lang.Unspaced(first):
				of.dense = append(of.dense, strings.ReplaceAll(text, " ", ""))
			case prefix:
				of.prefixes = append(of.prefixes, text)
			default:
				of.exact[text] = true
				of.words = max(of.words, len(strings.Fields(text)))
			}
		}
		slices.SortStableFunc(of.dense, func(a, b string) int { return len(b) - len(a) })
	}
	book.function = map[string]bool{}
	for word := range lang.FunctionWords(book.language) {
		for part := range strings.FieldsSeq(book.fold(word)) {
			book.function[part] = true
		}
	}
	return book
}

// toSimplified pairs traditional characters of the cues with simplified ones.
var toSimplified = strings.NewReplacer(strings.Split(
	`結结束束訪访談谈問问題题開开續续沒没麼么時时間间講讲說说話话覺觉認认為为個个應应該该現现會会這这裡里裏里還还對对麻麻煩烦複复雜杂簡简單单貴贵樂乐難难過过緊紧張张驕骄獨独內内隨随無无實实
	後后來来從从變变樣样兩两幾几謝谢請请嗎吗買买賣卖見见聽听寫写給给讓让點点東东車车週周禮礼拜拜媽妈爺爷親亲愛爱殺杀絕绝離离喪丧與与於于種种甚什當当應应體体驗验補补確确諗谂係系喺在歡欢盼盼壞坏
	慣惯總总經经員员嚴严氣气舊旧長长頭头習习狀状況况準准備备夠够錢钱價价麗丽強强錯错憂忧慮虑擔担邊边見见質质學学師师處处記记寶宝貓猫兒儿孫孙葉叶頓顿`, "")...)

// fold returns a text in lower case, without accents and short vowels, words separated by single spaces, with a space at both ends.
// Traditional Chinese characters become simplified ones.
func (book *phrasebook) fold(text string) string {
	apostrophe := ""
	if book.elides {
		apostrophe = " "
	}
	text = strings.NewReplacer("'", apostrophe, "’", apostrophe, "ß", "ss", "œ", "oe").Replace(strings.ToLower(norm.NFKC.String(text)))
	if strings.HasPrefix(book.language, "zh") {
		text = toSimplified.Replace(text)
	}
	var b strings.Builder
	b.WriteByte(' ')
	space := true
	var base rune
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.IsMark(r):
			if !unicode.In(base, unicode.Latin, unicode.Arabic) {
				b.WriteRune(r)
			}
			continue
		case r == 'ة':
			r = 'ه'
		case r == 'ى':
			r = 'ي'
		case r == 'ـ' || unicode.Is(unicode.Cf, r):
			continue
		}
		base = r
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
			space = false
		} else if !space {
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return norm.NFC.String(b.String())
}

// at returns how many words at the beginning of some are a phrase, the longest, or 0. In Arabic a conjunction may be written together
// with the first.
func (p *phrases) at(words []string, conjoined bool) int {
	for n := min(p.words, len(words)); n > 0; n-- {
		text := strings.Join(words[:n], " ")
		if p.exact[text] {
			return n
		}
		for _, and := range []string{"و", "ف"} {
			if tail, found := strings.CutPrefix(text, and); found && conjoined && p.exact[tail] {
				return n
			}
		}
	}
	if slices.ContainsFunc(p.prefixes, func(prefix string) bool { return strings.HasPrefix(words[0], prefix) }) {
		return 1
	}
	return 0
}

// without removes the phrases of a cue from a folded text, and returns how many there were.
func (book *phrasebook) without(said string, c cue) (string, int) {
	list, n := &book.lists[c], 0
	if len(list.dense) > 0 {
		joined := strings.ReplaceAll(said, " ", "")
		for _, p := range list.dense {
			if found := strings.Count(joined, p); found > 0 {
				joined, n = strings.ReplaceAll(joined, p, ""), n+found
			}
		}
		if n > 0 {
			said = " " + joined + " "
		}
	}
	if len(list.exact)+len(list.prefixes) == 0 {
		return said, n
	}
	words := strings.Fields(said)
	kept := words[:0]
	for i := 0; i < len(words); {
		if size := list.at(words[i:], book.language == "ar"); size > 0 {
			i, n = i+size, n+1
			continue
		}
		kept = append(kept, words[i])
		i++
	}
	return " " + strings.Join(kept, " ") + " ", n
}

// count returns how many phrases of a cue a folded text holds.
func (book *phrasebook) count(said string, c cue) int {
	_, n := book.without(said, c)
	return n
}

func (book *phrasebook) has(said string, c cue) bool { return book.count(said, c) > 0 }

// leftover returns how many words of a folded text are neither function words nor phrases of the cues.
func (book *phrasebook) leftover(said string, allowed ...cue) int {
	for _, c := range allowed {
		said, _ = book.without(said, c)
	}
	n := 0
	for word := range strings.FieldsSeq(said) {
		if !book.function[word] {
			n += lang.Words(word)
		}
	}
	return n
}

// begins reports whether one of the first few words of a folded text is a phrase of a cue; in scripts without spaces, any.
func (book *phrasebook) begins(said string, c cue, words int) bool {
	list := &book.lists[c]
	joined := strings.ReplaceAll(said, " ", "")
	if slices.ContainsFunc(list.dense, func(p string) bool { return strings.Contains(joined, p) }) {
		return true
	}
	all := strings.Fields(said)
	for i := range min(words, len(all)) {
		if list.at(all[i:], false) > 0 {
			return true
		}
	}
	return false
}

// isExactly reports whether a folded text is one of the phrases of a cue.
func (book *phrasebook) isExactly(said string, c cue) bool {
	list := &book.lists[c]
	return list.exact[strings.TrimSpace(said)] || slices.Contains(list.dense, strings.ReplaceAll(said, " ", ""))
}

// isBreak reports whether a character ends a clause.
func isBreak(r rune) bool {
	return r == ',' || r == ';' || r == ':' || r == '\n' || strings.ContainsRune("、\uff0c\uff1b\uff1a،؛–—()\uff08\uff09«»“”„\"「」", r) || endsSentence(r)
}

// endsSentence reports whether a character ends a sentence.
func endsSentence(r rune) bool { return strings.ContainsRune(".!?…。\uff01\uff1f؟⁇⁈⁉", r) }

// asksSomething reports whether a character is a question mark.
func asksSomething(r rune) bool { return strings.ContainsRune("?\uff1f؟⁇⁈⁉", r) }

// clauses splits an answer at its punctuation.
func clauses(answer string) []string { return strings.FieldsFunc(answer, isBreak) }

// sentences splits a text behind the characters that end a sentence, which stay with it.
func sentences(text string) (all []string) {
	from, ended := 0, false
	for i, r := range text {
		if ended && !endsSentence(r) {
			all, from = append(all, text[from:i]), i
		}
		ended = endsSentence(r) || r == '\n'
	}
	return append(all, text[from:])
}

package textanalysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/domain/lang"
)

// A text is found by its terms: its words without case and accents, their stems after a middle dot, and in scripts without
// spaces each two neighbouring characters. Function words are left out. The signs before a term keep the kinds apart: no word
// contains them.
const (
	stemSign  = "·"
	askedSign = "¿" // of what the moderator asked; see AskedTerms
)

// maxTermRunes is the length at which words are cut: nobody searches for what is longer.
const maxTermRunes = 40

// IndexTerms returns the terms of a text in a language, each once.
func IndexTerms(text, code string) []string {
	known, l := lang.FunctionWords(code), stemsOf(code)
	var terms []string
	seen := map[string]bool{}
	add := func(term string) {
		if !seen[term] {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	for _, w := range indexWords(text) {
		if w.dense {
			for _, pair := range pairs(w.text) {
				add(pair)
			}
			continue
		}
		if known[w.text] || known[w.written] || tooShort(w.text) {
			continue
		}
		add(w.text)
		if stem := l(w.text); stem != w.text {
			add(stemSign + stem)
		}
	}
	return terms
}

// AskedTerms marks terms as those of a question, so that an answer is found by what it answers, and yet does not count as one
// that contains the word.
func AskedTerms(terms []string) []string {
	marked := make([]string, len(terms))
	for i, t := range terms {
		marked[i] = askedSign + t
	}
	return marked
}

// QueryWord is a word to search for: as it was written, and the terms by which texts in any of the languages have it.
type QueryWord struct {
	Text  string
	Forms []string
}

// QueryWords returns the words of a question to search for, each once: neither function words nor words that speak of the
// research itself (people, participants, say). code is used as the question's language if its words do not show one. The texts may be in any
// language.
func QueryWords(question, code string) (words []QueryWord) {
	own := questionLanguage(question, code)
	known, framing := lang.FunctionWords(own), framing[own]
	for _, w := range indexWords(question) {
		if w.dense {
			words = append(words, denseQuery(w.text)...)
			continue
		}
		if known[w.text] || known[w.written] || framing[w.text] || tooShort(w.text) || inflects(w.text, own, known) {
			continue
		}
		forms := []string{w.text}
		for _, code := range append([]string{own}, languageCodes...) {
			stem := stemsOf(code)(w.text)
			for _, form := range []string{stemSign + stem, stem} {
				if !slices.Contains(forms, form) {
					forms = append(forms, form)
				}
			}
		}
		words = append(words, QueryWord{w.written, forms})
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w QueryWord) bool {
		again := seen[w.Forms[0]]
		seen[w.Forms[0]] = true
		return again
	})
}

// inflects reports whether a word is a form of a function word of a language, as "likes" is. The index has none of these, so a search
// for it would find nothing, although answers have it.
func inflects(word, code string, known map[string]bool) bool {
	l := languages[code]
	return l != nil && l.stemmer != nil && known[l.stem(word)]
}

// Matches returns whether one of the terms is a form of the word, and whether only the question had it.
func (w QueryWord) Matches(terms []string) (said, asked bool) {
	for _, form := range w.Forms {
		said = said || slices.Contains(terms, form)
		asked = asked || slices.Contains(terms, askedSign+form)
	}
	return said, asked
}

// WithAsked returns the word's forms in answers and in the questions that were answered.
func (w QueryWord) WithAsked() []string { return append(slices.Clone(w.Forms), AskedTerms(w.Forms)...) }

// indexWord is a word as written and folded, or a run of characters of a script without spaces.
type indexWord struct {
	written, text string
	dense         bool
}

func indexWords(text string) (words []indexWord) {
	for run := range strings.FieldsFuncSeq(norm.NFKC.String(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		for run != "" {
			first, _ := utf8.DecodeRuneInString(run)
			dense := lang.Unspaced(first)
			end := strings.IndexFunc(run, func(r rune) bool { return !unicode.IsMark(r) && r != 'ー' && lang.Unspaced(r) != dense })
			if end < 0 {
				end = len(run)
			}
			part := run[:end]
			run = run[end:]
			if dense {
				words = append(words, indexWord{part, part, true})
			} else {
				words = append(words, indexWord{strings.ToLower(part), foldWord(part), false})
			}
		}
	}
	return words
}

// foldWord removes case and accents, and what writers of Arabic leave out or exchange.
func foldWord(word string) string {
	var b strings.Builder
	var base rune
	n := 0
	for _, r := range norm.NFD.String(strings.ToLower(word)) {
		if unicode.IsMark(r) && unicode.In(base, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew) {
			continue
		}
		if !unicode.IsMark(r) {
			base = r
			if n++; n > maxTermRunes {
				break
			}
		}
		switch r {
		case 'ß':
			b.WriteString("ss")
		case 'ـ': // stretches a word
		case 'ة':
			b.WriteRune('ه')
		case 'ى':
			b.WriteRune('ي')
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// tooShort reports whether a word is a single letter.
func tooShort(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && !unicode.IsDigit(r)
}

// pairs returns each two neighbouring characters, or the only one.
func pairs(run string) (all []string) {
	runes := []rune(run)
	if len(runes) == 1 {
		return []string{run}
	}
	for i := range len(runes) - 1 {
		all = append(all, string(runes[i:i+2]))
	}
	return all
}

// denseQuery returns the pairs of a question in a script without spaces, without those of its grammar where others are left.
func denseQuery(run string) (words []QueryWord) {
	for _, word := range framingDense {
		run = strings.ReplaceAll(run, word, " ")
	}
	var all []QueryWord
	for part := range strings.FieldsSeq(run) {
		for _, pair := range pairs(part) {
			one := QueryWord{pair, []string{pair}}
			all = append(all, one)
			grammar := func(r rune) bool { return unicode.Is(unicode.Hiragana, r) || strings.ContainsRune(particles, r) }
			if utf8.RuneCountInString(pair) > 1 && !strings.ContainsFunc(pair, grammar) {
				words = append(words, one)
			}
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// stemsOf returns the stemmer of a language. Languages without word lists lose common endings alone.
func stemsOf(code string) func(word string) string {
	base, _, _ := strings.Cut(code, "-")
	l := languages[base]
	if l == nil {
		l = &language{}
	}
	return func(word string) string {
		if rest, cut := withoutArabicArticle(word); cut {
			return rest
		}
		stem := l.stem(word)
		if base == "nl" && stem != word { // prijzen, brieven
			for voiced, voiceless := range map[string]string{"z": "s", "v": "f"} {
				if rest, found := strings.CutSuffix(stem, voiced); found {
					return rest + voiceless
				}
			}
		}
		return stem
	}
}

// withoutArabicArticle removes the article, with what is written in one with it.
func withoutArabicArticle(word string) (rest string, cut bool) {
	if first, _ := utf8.DecodeRuneInString(word); !unicode.Is(unicode.Arabic, first) {
		return word, false
	}
	for _, prefix := range []string{"وال", "بال", "فال", "كال", "لل", "ال"} {
		if rest, found := strings.CutPrefix(word, prefix); found && utf8.RuneCountInString(rest) >= 3 {
			return rest, true
		}
	}
	return word, true
}

// questionLanguage returns the language of which a question has the largest number of function words; in doubt the given one.
func questionLanguage(question, code string) string {
	best, _, _ := strings.Cut(code, "-")
	words := indexWords(question)
	count := func(code string) (n int) {
		known := lang.FunctionWords(code)
		for _, w := range words {
			if known[w.written] {
				n++
			}
		}
		return n
	}
	hits := count(best)
	for _, code := range lang.WithFunctionWords {
		if n := count(code); n > hits {
			best, hits = code, n
		}
	}
	return best
}

// framing holds, by language, the words with which a question speaks of the research instead of its subject, folded.
var framing = map[string]map[string]bool{
	"en": set("people participants participant respondents respondent interviewees users say says said mention mentioned think feel feeling opinion opinions answer answers answered study interviews report reported many much share percent percentage proportion"),
	"de": set("leute menschen personen teilnehmer teilnehmende teilnehmenden befragte befragten sagen sagt gesagt sagten erwahnen erwahnt denken meinen meinung meinungen antworten geantwortet studie interviews viele"),
	"fr": set("gens personnes participants participant repondants disent dit parlent mentionnent pensent avis opinion opinions reponses etude combien"),
	"es": set("gente personas participantes participante encuestados dicen dijeron mencionan piensan opinan opinion opiniones respuestas estudio cuantos cuantas"),
	"it": set("gente persone partecipanti partecipante intervistati dicono detto menzionano pensano opinione opinioni risposte studio quanti quante"),
	"pt": set("gente pessoas participantes participante entrevistados dizem disseram mencionam pensam acham opiniao opinioes respostas estudo quantos quantas"),
	"nl": set("mensen personen deelnemers deelnemer respondenten zeggen zegt gezegd noemen genoemd denken vinden mening meningen antwoorden onderzoek hoeveel veel"),
	"ar": set("الناس المشاركون المشاركين المشارك يقول يقولون قال قالوا ذكر ذكروا يعتقد يعتقدون راي اراء اجابات الدراسه"),
}

// framingDense holds the same for Chinese and Japanese.
var framingDense = []string{
	"参与者", "參與者", "受访者", "受訪者", "人们", "人們", "大家", "用户", "用戶", "认为", "認為", "觉得", "覺得", "提到", "看法", "意见", "意見", "怎么看", "怎麼看", "什么", "什麼", "多少", "研究",
	"参加者", "回答者", "人々", "皆さん", "調査", "思って", "考えて", "言って", "について",
}

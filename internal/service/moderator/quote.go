package moderator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// maxQuoted limits the participant's words that a probe quotes. It quotes judgements and things, never a clause, and never
// a part of one.
const maxQuoted = 5

// maxJudged is how long an answer may be, in words, to be a judgement as a whole: what is said beside the judgement may turn it round.
const maxJudged = 8

// judgementIn returns the judgement that is the complete answer but for function words, with the words of degree before it, or "".
func (book *phrasebook) judgementIn(answer string) string {
	parts := sentences(strings.TrimSpace(answer))
	if len(parts) != 1 || strings.ContainsFunc(answer, asksSomething) || lang.Words(answer) > maxJudged {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(answer); lang.Unspaced(first) {
		return book.denseJudgement(answer)
	}
	words := strings.FieldsFunc(answer, func(r rune) bool { return unicode.IsSpace(r) || isBreak(r) })
	at := slices.IndexFunc(words, func(w string) bool { return book.isWord(w, judgement) })
	if at < 0 {
		at = book.graded(words)
	}
	if at < 0 || slices.ContainsFunc(words[at+1:], func(w string) bool { return book.isWord(w, judgement) || book.isWord(w, negation) }) {
		return ""
	}
	from := at
	for from > 0 && book.isWord(words[from-1], degree) {
		from--
	}
	for _, w := range words[:from] {
		if book.isWord(w, negation) || strings.Contains(w, "n't") || strings.Contains(w, "n’t") {
			return ""
		}
	}
	quoted := strings.Join(words[from:at+1], " ")
	rest := strings.Join(slices.Concat(words[:from], words[at+1:]), " ")
	if book.leftover(book.fold(rest), polite, degree, yes, opinion) > 0 || at+1-from > maxQuoted {
		return ""
	}
	return lowerFirst(quoted)
}

// graded returns the place of a last word that a word of degree makes a judgement, "too loud", or -1.
func (book *phrasebook) graded(words []string) int {
	last := len(words) - 1
	if last < 1 || !book.isWord(words[last-1], degree) || book.isWord(words[last-1], negation) || book.function[strings.TrimSpace(book.fold(words[last]))] {
		return -1
	}
	return last
}

// denseJudgement is judgementIn for scripts without spaces.
func (book *phrasebook) denseJudgement(answer string) string {
	body := strings.TrimFunc(answer, func(r rune) bool { return isBreak(r) || unicode.IsSpace(r) })
	for _, end := range []string{"と思います", "と思う", "でした", "です", "だった", "ですね", "了", "的", "啊", "吧", "呀"} {
		body = strings.TrimSuffix(body, end)
	}
	if strings.ContainsFunc(body, isBreak) {
		return ""
	}
	rest, n := book.without(book.fold(body), judgement)
	if n != 1 || book.leftover(rest, degree) > 0 || lang.Words(body) > maxQuoted {
		return ""
	}
	return body
}

// thingIn returns the one thing that is the complete answer, with its article, or "": "the price", "the smell of coffee".
func (book *phrasebook) thingIn(answer string) string {
	body := strings.TrimFunc(answer, func(r rune) bool { return isBreak(r) || unicode.IsSpace(r) })
	words := strings.Fields(body)
	if len(words) < 2 || len(words) > maxQuoted || len(book.lists[article].exact) == 0 || strings.ContainsFunc(body, func(r rune) bool { return isBreak(r) || unicode.IsDigit(r) || r == '@' || unicode.Is(unicode.So, r) }) {
		return ""
	}
	content := 0
	for i, w := range words {
		switch {
		case i == 0 && !book.isWord(w, article):
			return ""
		case i == 0:
		case book.isWord(w, connective):
			content = 0
		case book.function[strings.TrimSpace(book.fold(w))]:
			return ""
		default:
			content++
		}
		if content > 1 && (book.language != "de" || !isCapital(words[len(words)-1]) || isCapital(w) && i < len(words)-1) {
			return "" // two words in a row may be a sentence; in German a capital shows that they are not
		}
	}
	if content == 0 || book.language == "de" && !isCapital(words[len(words)-1]) {
		return ""
	}
	return lowerFirst(body)
}

func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// isWord reports whether a word, or a word after its elided article, is a phrase of a cue.
func (book *phrasebook) isWord(word string, c cue) bool { return book.isExactly(book.fold(word), c) }

// lowerFirst returns a text whose first letter is small, as it stands within a sentence.
func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if next, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(next) {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}

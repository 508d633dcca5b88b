package moderator

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/textanalysis"
)

// isAmount reports whether a short answer is the number that the question asks for.
func (r *reading) isAmount() bool {
	return r.in.FollowUps == 0 && r.words <= shortAnswer && r.asks(amountAsked) && (strings.ContainsFunc(r.answer, unicode.IsDigit) || r.has(numeral)) && r.book.leftover(r.said, numeral) <= 6
}

// chose reports whether the last question asked for one of several.
func (r *reading) chose() bool {
	n := len(r.in.Asked)
	return r.in.FollowUps > 0 && n > 0 && r.book.needOf(r.in.Asked[n-1]) == choice && !r.has(because)
}

// isOutcry reports whether an answer is shouted.
func (r *reading) isOutcry() bool {
	marks := strings.Count(r.answer, "!") + strings.Count(r.answer, "\uff01")
	if marks >= 2 || marks == 1 && r.words >= shortAnswer {
		return true
	}
	capitals := 0
	for word := range strings.FieldsSeq(r.answer) {
		word = strings.TrimFunc(word, func(c rune) bool { return !unicode.IsLetter(c) })
		if len([]rune(word)) >= 5 && word == strings.ToUpper(word) && word != strings.ToLower(word) {
			capitals++
		}
	}
	return capitals >= 2 || capitals == 1 && marks == 1
}

// returned finds questions to the moderator.
func (r *reading) returned() (class, bool) {
	if r.words > longQuestion || r.isOutcry() {
		return class{}, false
	}
	asked, or := 0, false
	for _, s := range sentences(r.answer) {
		if strings.ContainsFunc(s, asksSomething) {
			asked += lang.Words(s)
			or = or || r.book.has(r.book.fold(s), either)
		}
	}
	switch {
	case 2*asked < r.words || asked < 2:
		return class{}, false
	case or || r.has(unclear):
		return misunderstood, true
	}
	return asksBack, true
}

// isCopy reports whether an answer is the question, written again or pasted.
func (r *reading) isCopy() bool {
	said, question := strings.ReplaceAll(r.said, " ", ""), strings.ReplaceAll(r.question, " ", "")
	return len(question) > 0 && 4*len(said) >= 3*len(question) && (strings.Contains(question, said) || strings.Contains(said, question) && 3*len(said) <= 4*len(question))
}

// isForeign reports whether an answer is in another language than the interview.
func (r *reading) isForeign() bool {
	if r.words < 4 {
		return false
	}
	own, strange := 0, 0
	for _, c := range r.answer {
		if unicode.IsLetter(c) {
			if unicode.In(c, lang.Scripts(r.book.language)...) {
				own++
			} else {
				strange++
			}
		}
	}
	if strange > own {
		return true
	}
	hits := func(code string, words map[string]bool) (n int) {
		b := bookFor(code)
		for word := range strings.FieldsSeq(b.fold(r.answer)) {
			if words[word] {
				n++
			}
		}
		return n
	}
	ours := hits(r.book.language, r.book.function)
	for code := range books {
		if b := bookFor(code); b.language != r.book.language && len(b.function) > 0 && len(r.book.function) > 0 {
			if theirs := hits(code, b.function); theirs >= 3 && theirs > 2*ours {
				return true
			}
		}
	}
	return false
}

// isGibberish reports whether an answer is made of random keys.
func (r *reading) isGibberish() bool {
	tokens := strings.Fields(r.said)
	odd := 0
	for _, token := range tokens {
		switch {
		case len(token) > 1 && r.book.function[token] || r.book.has(" "+token+" ", judgement) || len(token) > 2 && strings.Contains(r.question, " "+token+" "):
			return false
		case isOdd(token):
			odd++
		}
	}
	if odd > 0 && len(tokens) <= shortAnswer && 3*odd >= len(tokens) {
		return true
	}
	return len(tokens) > 0 && !r.has(yes) && !r.has(no) && !r.book.isExactly(r.said, nothing) && strings.ContainsFunc(r.answer, unicode.IsLetter) && !textanalysis.SaysSomething(r.answer)
}

// isOdd reports whether no word looks like this: a letter three times in a row, Latin letters without a vowel, or a run along a row of
// keys.
func isOdd(token string) bool {
	var last rune
	repeat, latin, vowels, run, longest, along := 0, 0, 0, 0, 0, 0
	for _, c := range token {
		if along++; !beside(last, c) {
			along = 1
		}
		if repeat++; c != last {
			repeat, last = 1, c
		}
		if repeat >= 3 && unicode.IsLetter(c) || along >= 5 {
			return true
		}
		if c < 'a' || c > 'z' {
			run = 0
			continue
		}
		latin++
		if run++; strings.ContainsRune("aeiouy", c) {
			vowels++
			run = 0
		}
		longest = max(longest, run)
	}
	return latin >= 3 && vowels == 0 || longest >= 6
}

// beside reports whether two keys are neighbours on a usual keyboard.
func beside(a, b rune) bool {
	for _, row := range []string{"qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm"} {
		if strings.Contains(row, string([]rune{a, b})) {
			return true
		}
	}
	return false
}

// Limits of lists.
const (
	minListed    = 3
	maxPerItem   = 6  // words
	maxBare      = 3  // words, in Arabic, whose short sentences look like things
	maxDenseItem = 10 // characters between 、
	maxDenseBare = 4  // characters between commas, which part sentences, too
)

// isList reports whether an answer names several things and says nothing about them: short parts between commas, hardly any of the
// words that make sentences.
func (r *reading) isList() bool {
	if r.isNumbered() {
		return r.in.FollowUps == 0
	}
	body := strings.TrimFunc(r.answer, func(c rune) bool { return unicode.IsSpace(c) || endsSentence(c) })
	if r.in.FollowUps > 0 || strings.ContainsFunc(body, endsSentence) || r.has(because) || r.book.count(r.said, hedge) > 1 {
		return false
	}
	if word := " " + r.book.cues[and] + " "; strings.ContainsRune(body, ',') {
		body = strings.ReplaceAll(body, word, ",")
	}
	parts := strings.FieldsFunc(body, func(c rune) bool { return strings.ContainsRune(",;\n、\uff0c\uff1b،؛", c) })
	if len(parts) < minListed {
		return false
	}
	function, words := 0, 0
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if !r.isItem(part, strings.ContainsRune(body, '\uff0c')) {
			return false
		}
		for word := range strings.FieldsSeq(r.book.fold(part)) {
			words++
			if r.book.function[word] && !r.book.has(" "+word+" ", article) && !r.book.has(" "+word+" ", connective) && !r.book.has(" "+word+" ", and) {
				function++
			}
		}
	}
	return 4*function <= words
}

// listNumber matches the number before an item: "2." or "2)".
var listNumber = regexp.MustCompile(`(?:^|[\s,;、，；،])\(?([1-9][0-9]?)[.)．、：:]\s*`)

// isNumbered reports whether an answer begins with the number 1 and goes on with the others in order, on one line or several.
func (r *reading) isNumbered() bool {
	found := listNumber.FindAllStringSubmatchIndex(r.answer, -1)
	if len(found) < minListed || strings.TrimSpace(r.answer[:found[0][0]]) != "" {
		return false
	}
	for i, at := range found {
		if r.answer[at[2]:at[3]] != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}

// isItem reports whether a part between commas may be a thing.
func (r *reading) isItem(part string, commas bool) bool {
	runes := []rune(part)
	if len(runes) == 0 {
		return true
	}
	if !lang.Unspaced(runes[0]) {
		return lang.Words(part) <= maxPerItem && (r.book.language != "ar" || lang.Words(part) <= maxBare)
	}
	limit := maxDenseItem
	if commas {
		limit = maxDenseBare
	}
	return len(runes) <= limit && !strings.ContainsRune("てでがはにをしともたばけらすいくるよね吧了", runes[len(runes)-1])
}

package textanalysis

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

const (
	open, shut = "“", "”"
	cutMark    = " […]"
	ellipsis   = "…"

	questionWords = 14 // of a question in a summary
)

// quotation puts a passage of an answer between quotation marks, cut to a number of words; a cut is marked after it.
func quotation(text string, words int) string {
	part, complete := clip(text, words)
	if !complete {
		return open + part + shut + cutMark
	}
	return open + strings.TrimRight(part, ".。 ") + shut
}

// clip returns the first words of a text, up to a comma if there is one near the end, else up to a word. The result is a prefix
// of the text, without the punctuation at its end.
func clip(text string, words int) (part string, complete bool) {
	if lang.Words(text) <= words {
		return text, true
	}
	end, comma := cutAfter(text, words)
	if comma > 0 {
		end = comma
	}
	part = strings.TrimRightFunc(text[:end], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	if part == "" {
		return text, true // one word, longer than allowed: keep it
	}
	return part, false
}

// cutAfter returns where the word after the given number of words begins, and where the last comma before it stands if that is
// near (0 otherwise).
func cutAfter(text string, words int) (end, comma int) {
	n, dense, inWord := 0, 0, false
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == '-'
		switch {
		case lang.Unspaced(r):
			dense++
			inWord = false
			end = i
		case letter && !inWord:
			n++
			end, inWord = i, true
		case !letter:
			inWord = false
		}
		if n+(dense+1)/2 > words {
			break
		}
		if strings.ContainsRune(",;:—、\uff0c\uff1b", r) && n+dense/2 >= words*3/5 {
			comma = i
		}
	}
	return end, comma
}

// start returns the first words of a text, with an ellipsis if it goes on.
func start(text string, words int) string {
	if lang.Words(text) <= words {
		return text
	}
	end, _ := cutAfter(text, words)
	return strings.TrimRightFunc(text[:end], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) + ellipsis
}

// question returns a question between quotation marks, shortened if it is long.
func question(text string) string {
	return open + start(oneLine(text), questionWords) + shut
}

// oneLine puts a text on one line, with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func lower(s string) string { return strings.ToLower(s) }

func isUpper(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }

// quotable reports whether a sentence may be read back: no control characters, no addresses, no long numbers.
func quotable(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		} else if r == '@' || unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' {
			return false
		}
	}
	return digits < 7
}

// emphatic holds words that mark a judgement, a reason or a wish: sentences with them say more.
var emphatic = set(`because but love hate wish prefer problem annoying confusing difficult easy hard frustrating important need never always best worst trust worry afraid expensive
	weil aber liebe hasse wünsche problem nervt nervig verwirrend schwierig einfach wichtig nie immer beste schlimmste vertraue teuer stört
	parce mais aime déteste problème agaçant difficile facile important jamais toujours confiance cher
	porque pero encanta odio problema molesto difícil fácil importante nunca siempre confianza caro
	mas adoro odeio chato sempre confiança perché amo odio difficile facile mai fiducia
	omdat maar haat probleem vervelend moeilijk makkelijk belangrijk nooit altijd vertrouw duur`)

// weighSentences sets how well each sentence represents the interview. Sentences weigh more if they contain its topics, something
// concrete, and a judgement or a reason, and if they are not too long.
func (r *reading) weighSentences(tags []tag) {
	topics := map[string]float64{}
	for _, t := range tags {
		for _, stem := range t.stems {
			topics[stem] = t.weight
		}
	}
	for i := range r.answers {
		for j := range r.answers[i].sentences {
			s := &r.answers[i].sentences[j]
			if s.words < 3 || !quotable(s.text) || isGibberish(s.text) || saysNothing(s.text) {
				continue
			}
			seen := map[string]bool{}
			weight := 1.0
			for _, w := range s.tokens {
				if w.stem != "" && !seen[w.stem] {
					seen[w.stem] = true
					weight += 0.4 + 0.5*math.Sqrt(topics[w.stem])
				}
				if emphatic[w.lower] {
					weight += 0.8
				}
				if strings.ContainsFunc(w.text, unicode.IsDigit) {
					weight += 0.5
				}
			}
			s.weight = weight / math.Sqrt(1+float64(max(s.words, 6))/12)
			if s.words > 45 {
				s.weight *= 0.7
			}
		}
	}
}

// best returns the sentence of an answer with the largest weight, or nil.
func (a *answer) best() *sentence {
	var best *sentence
	for i := range a.sentences {
		if s := &a.sentences[i]; s.weight > 0 && (best == nil || s.weight > best.weight) {
			best = s
		}
	}
	return best
}

package moderator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/lang"
)

// A quote of the participant's words in a probe is a short stretch of one clause, letter for letter.
const (
	maxFocusWords = 9
	maxFocusRunes = 60
	maxFocusChars = 22 // in scripts written without spaces
)

// holds tells whether a normalised text contains one of the normalised phrases as whole words; in scripts without
// spaces, anywhere.
func holds(said string, phrases []string) bool {
	for _, p := range phrases {
		if first, _ := utf8.DecodeRuneInString(p); lang.Dense(first) {
			if strings.Contains(strings.ReplaceAll(said, " ", ""), p) {
				return true
			}
		} else if strings.Contains(said, " "+p+" ") {
			return true
		}
	}
	return false
}

// wantsNoMore tells whether the participant has nothing to say or asks to stop.
func (book *phrasebook) wantsNoMore(answer string) bool {
	said := guardrail.Plain(answer)
	if strings.TrimSpace(said) == "" {
		return true // signs alone
	}
	for _, b := range []*phrasebook{book, english} { // many say "no idea" or "n/a" in any language
		if holds(said, b.stop) || lang.Words(answer) <= stopSentence && holds(said, b.unsure) {
			return true
		}
		for _, n := range b.nothing {
			if strings.ReplaceAll(said, " ", "") == strings.ReplaceAll(n, " ", "") {
				return true
			}
		}
	}
	return false
}

func (book *phrasebook) isVague(answer string) bool {
	return holds(guardrail.Plain(answer), book.vague)
}

// isExample tells whether asking for an example makes no sense: the answer is one already, or it is a wish.
func (book *phrasebook) isExample(answer string) bool {
	return strings.ContainsFunc(answer, unicode.IsDigit) || holds(guardrail.Plain(answer), book.settled)
}

// focus finds the stretch of the answer to come back to: the clause with the most substance, without its opening filler,
// cut where it grows long; when the meaning is asked, a judgement such as "confusing" rather than the facts beside it.
// It is empty when nothing is fit to be quoted.
func (book *phrasebook) focus(answer string, s stage) string {
	best, bestScore := "", 0
	for _, clause := range book.clauses(answer) {
		clause, cut := book.shorten(book.withoutFiller(clause))
		score := 2 * min(lang.Words(clause), maxFocusWords-1)
		if cut {
			score -= 4
		}
		if s == meaning && book.isVague(clause) {
			score += 2 * maxFocusWords
		}
		if fitToQuote(clause) && score > bestScore {
			best, bestScore = clause, score
		}
	}
	return best
}

// clauses splits an answer at signs and before joining words.
func (book *phrasebook) clauses(answer string) []string {
	var clauses []string
	for _, part := range strings.FieldsFunc(answer, isBreak) {
		words := strings.Fields(part)
		from := 0
		for i, w := range words {
			if slices.Contains(book.joins, strings.ToLower(w)) {
				clauses = append(clauses, strings.Join(words[from:i], " "))
				from = i + 1
			}
		}
		if from < len(words) {
			clauses = append(clauses, strings.Join(words[from:], " "))
		}
	}
	return clauses
}

// isBreak tells signs that end a clause. Question marks and quotation marks are among them, so neither is ever quoted.
func isBreak(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}', '<', '>', '"', '…', '–', '—', '/', '\\', '|', '*', '_', '#', '~', '`', '^', '=', '+',
		'、', '。', '\uff0c', '\uff0e', '\uff1b', '\uff1a', '\uff01', '\uff1f', '・', '〜', '\uff5e', '؟', '،', '؛', '¿', '¡', '\u037e', '⁇', '⁈', '⁉', '❓', '❔':
		return true
	}
	return unicode.In(r, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe, unicode.Cc, unicode.Cf) && r != '’' && r != '\u200c' && r != '\u200d'
}

// withoutFiller drops words that open a clause without saying anything, and endings that only hand over to the next.
func (book *phrasebook) withoutFiller(clause string) string {
	clause = strings.Trim(clause, " -'’")
	for again := true; again; {
		again = false
		for _, f := range book.fillers {
			head, rest := clause[:min(len(f), len(clause))], clause[min(len(f), len(clause)):]
			first, _ := utf8.DecodeRuneInString(f)
			if strings.EqualFold(head, f) && rest != "" && (rest[0] == ' ' || lang.Dense(first)) {
				clause, again = strings.TrimSpace(rest), true
			}
		}
	}
	for _, e := range book.endings {
		if rest, found := strings.CutSuffix(clause, e); found && rest != "" {
			return rest
		}
	}
	return clause
}

// shorten cuts a clause to what may be quoted: before an "and" where one is near, or at a word, with the sign that more
// was said.
func (book *phrasebook) shorten(clause string) (short string, cut bool) {
	if first, _ := utf8.DecodeRuneInString(clause); lang.Dense(first) {
		runes := []rune(clause)
		return string(runes[:min(len(runes), maxFocusChars)]), len(runes) > maxFocusChars
	}
	words := strings.Fields(clause)
	n := min(len(words), maxFocusWords)
	for n > 1 && utf8.RuneCountInString(strings.Join(words[:n], " ")) > maxFocusRunes {
		n--
	}
	if n == len(words) {
		return clause, false
	}
	for i := n; i > 2; i-- {
		if slices.Contains(book.ands, strings.ToLower(words[i])) {
			return strings.Join(words[:i], " "), false
		}
	}
	return strings.Join(words[:n], " ") + " …", true
}

// fitToQuote refuses what a moderator should not read back: addresses, numbers that identify someone, mere figures.
func fitToQuote(clause string) bool {
	letters, digits := 0, 0
	for _, r := range clause {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == '@' || r == utf8.RuneError:
			return false
		}
	}
	return letters >= 2 && digits <= 5 && utf8.RuneCountInString(clause) <= maxFocusRunes+2 && !strings.Contains(clause, "www")
}

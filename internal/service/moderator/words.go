package moderator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/lang"
)

// Limits of a quote of the participant's words in a probe, which is a short part of one clause, letter for letter.
const (
	maxFocusWords = 9
	maxFocusRunes = 60
	maxFocusChars = 22 // in scripts written without spaces
)

// holds reports whether a normalised text contains one of the normalised phrases as complete words; in scripts without spaces,
// anywhere.
func holds(said string, phrases []string) bool {
	for _, p := range phrases {
		if first, _ := utf8.DecodeRuneInString(p); lang.Unspaced(first) {
			if strings.Contains(strings.ReplaceAll(said, " ", ""), p) {
				return true
			}
		} else if strings.Contains(said, " "+p+" ") {
			return true
		}
	}
	return false
}

// wantsNoMore reports whether the participant has nothing to say or asks to stop.
func (book *phrasebook) wantsNoMore(answer string) bool {
	said := guardrail.Plain(answer)
	if strings.TrimSpace(said) == "" {
		return true // punctuation only
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

// isExample reports whether asking for an example makes no sense, because the answer is one already or is a wish.
func (book *phrasebook) isExample(answer string) bool {
	return strings.ContainsFunc(answer, unicode.IsDigit) || holds(guardrail.Plain(answer), book.settled)
}

// focus returns the part of the answer to come back to: the clause with the most substance, without its opening filler, cut if it
// is long. For the stage meaning it prefers a judgement such as "confusing" to the facts beside it. It returns "" if nothing is
// fit to be quoted.
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

// clauses splits an answer at punctuation and before joining words.
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

// isBreak reports whether a character ends a clause. Question marks and quotation marks do, so neither is ever quoted.
func isBreak(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}', '<', '>', '"', '…', '–', '—', '/', '\\', '|', '*', '_', '#', '~', '`', '^', '=', '+',
		'、', '。', '\uff0c', '\uff0e', '\uff1b', '\uff1a', '\uff01', '\uff1f', '・', '〜', '\uff5e', '؟', '،', '؛', '¿', '¡', '\u037e', '⁇', '⁈', '⁉', '❓', '❔':
		return true
	}
	return unicode.In(r, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe, unicode.Cc, unicode.Cf) && r != '’' && r != '\u200c' && r != '\u200d'
}

// withoutFiller removes words that open a clause without saying anything, and endings that only lead to the next clause.
func (book *phrasebook) withoutFiller(clause string) string {
	clause = strings.Trim(clause, " -'’")
	for again := true; again; {
		again = false
		for _, f := range book.fillers {
			head, rest := clause[:min(len(f), len(clause))], clause[min(len(f), len(clause)):]
			first, _ := utf8.DecodeRuneInString(f)
			if strings.EqualFold(head, f) && rest != "" && (rest[0] == ' ' || lang.Unspaced(first)) {
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

// shorten cuts a clause to what may be quoted: before an "and" if one is near, else after a word, with an ellipsis to show that
// more was said.
func (book *phrasebook) shorten(clause string) (short string, cut bool) {
	if first, _ := utf8.DecodeRuneInString(clause); lang.Unspaced(first) {
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

// fitToQuote reports whether a moderator may read a clause back. It refuses addresses, numbers that identify someone, and mere
// figures.
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

package guardrail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// term is one word of a sentence: its folded form and its classes. In languages without spaces it is a run of characters that a class
// covers, or one character.
type term struct {
	text     string
	classes  classes
	concepts concepts
	ask      bool // a question word
	general  bool // a word of conversation at large
}

// content reports whether a term names something: it is neither a word of interviews in general nor a mere sign.
func (t term) content() bool { return !t.classes.has(generalClasses) && !t.ask }

// terms divides a sentence's words.
func (g *Guard) terms(s sentence) (all []term) {
	if g.vocabulary.dense() {
		return g.denseTerms(s.text)
	}
	asked := g.questionWords(s.tokens)
	for at, token := range s.tokens {
		if !isWord(token) {
			switch token {
			case mark:
				all = append(all, term{text: mark, classes: functionClass})
			case ",", ":", ";":
				all = append(all, term{text: strings.ReplaceAll(token, ";", ":"), classes: functionClass})
			}
			continue
		}
		word := fold(token)
		all = append(all, term{
			text: word, classes: g.vocabulary.of(word), concepts: g.vocabulary.concepts.of(word), ask: asked[at],
			general: g.vocabulary.common.holds(word, g.vocabulary.code),
		})
	}
	return all
}

func (v *vocabulary) dense() bool { return v.code == "zh" || v.code == "ja" }

// denseTerms divides a sentence without spaces: the longest words of the vocabulary first, runs of katakana, Latin letters and digits as
// one term, and other characters one by one. Hiragana carries no subject.
func (g *Guard) denseTerms(text string) (all []term) {
	runes := []rune(fold(text))
	for i := 0; i < len(runes); {
		c, n := g.vocabulary.at(runes[i:])
		named, length := g.vocabulary.concepts.at(runes[i:])
		whether := i > 0 && runes[i-1] == 'か' && strings.HasPrefix(string(runes[i:]), "どうか")
		if ask := askedAt(runes[i:]); ask > 0 && ask >= n && !whether {
			all = append(all, term{text: string(runes[i : i+ask]), classes: c | functionClass, concepts: named, ask: true})
			i += ask
			continue
		}
		if length > n {
			word := string(runes[i : i+length])
			all = append(all, term{text: word, classes: g.vocabulary.covering(runes[i : i+length]), concepts: named, general: g.vocabulary.common.holds(word, g.vocabulary.code)})
			i += length
			continue
		}
		if n > 0 {
			if length < n {
				named = 0
			}
			if string(runes[i:i+n]) == "那么" && i+n < len(runes) && strings.ContainsRune("，,", runes[i+n]) {
				c = functionClass // "so," and not "so much"
			}
			all = append(all, term{text: string(runes[i : i+n]), classes: c, concepts: named, ask: c != functionClass && holdsAsk(runes[i:i+n])})
			i += n
			continue
		}
		n = 1
		switch r := runes[i]; {
		case strings.ContainsRune(",，、:：", r):
			all = append(all, term{text: ",", classes: functionClass})
			i++
			continue
		case isKatakana(r):
			for i+n < len(runes) && isKatakana(runes[i+n]) {
				n++
			}
		case unicode.Is(unicode.Han, r):
		case unicode.Is(unicode.Hiragana, r) || string(r) == mark:
			i++
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			for i+n < len(runes) && (unicode.IsLetter(runes[i+n]) || unicode.IsDigit(runes[i+n])) && !lang.Unspaced(runes[i+n]) {
				n++
			}
		default:
			i++
			continue
		}
		word := string(runes[i : i+n])
		all = append(all, term{text: word, general: g.vocabulary.common.holds(word, g.vocabulary.code)})
		i += n
	}
	return all
}

func isKatakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }

// denseAsks are the question words of Chinese and Japanese, longer ones first.
var denseAsks = strings.Fields("为什么 為什麼 怎么样 怎麼樣 怎么 怎麼 怎样 怎樣 什么 什麼 哪些 哪里 哪裡 哪儿 哪兒 多少 多久 多远 多遠 多长 多長 如何 为何 為何 凭什么 哪 谁 誰 几 幾 何 " +
	"どのよう どんな どういう どうして どうやって どちら どなた どれ どこ どの どう いくら いくつ いつ なぜ なに だれ")

// holdsAsk reports whether a word of the vocabulary has a question word in it.
func holdsAsk(word []rune) bool {
	for i := range word {
		if n := askedAt(word[i:]); n > 0 && i+n <= len(word) {
			return true
		}
	}
	return false
}

func askedAt(runes []rune) int {
	text := string(runes[:min(5, len(runes))])
	for _, ask := range denseAsks {
		if strings.HasPrefix(text, ask) {
			return utf8.RuneCountInString(ask)
		}
	}
	return 0
}

// asks holds question words by language, in lower case with their accents. Those in doubtful also join clauses; they ask where a clause
// begins.
var asks = map[string]patterns{
	"en": compile("what|whats|which|who|whos|whom|whose|why|how|hows|where|when"),
	"de": compile("was|welch*|wer|wen|wem|wessen|wo|wann|warum|wie|wieso|weshalb|wieviel|woher|wohin|wozu|wofür|wovor|wogegen|worunter|woran|worauf|wobei|worin|wodurch|womit|worum|woraus|wonach|wovon|inwiefern|inwieweit|worüber"),
	"fr": compile("comment|pourquoi|quel|quels|quelle|quelles|quoi|combien|lequel|laquelle|lesquels", "qu est ce qu*", "^|,|:|et|à|de|avec|pour|chez|vers que|qu|qui|où|quand", "qu est", "qui d|est|vous", "qu _ vous"),
	"es": compile("qué|quién|quiénes|cuál|cuáles|cómo|cuándo|dónde|cuánto|cuánta|cuántos|cuántas|adónde"),
	"it": compile("cosa|cos|chi|perché|com|quale|quali|qual|quanto|quanta|quanti|quante|dove|come", "^|,|:|e|a|da|di|con|per|in che", "che cosa|fine|effetto|ruolo|tipo|genere|parte|posto|peso|senso|modo|idea|esperienza", "^|,|:|e|da quando"),
	"pt": compile("quem|qual|quais|onde|quanto|quanta|quantos|quantas|porquê|como|aonde", "o|a|em|de|por|com|para|pra|no|na|nos|nas|^|,|:|e que|quê", "^|,|:|e|de|desde quando|porque", "o quê"),
	"nl": compile("wat|welk*|wie|waar*|wanneer|hoe*"),
	"ar": compile("مم|ممّ|ممَّ|عم|عمّ|علام|ومن|فمن|ما|ماذا|كيف|لماذا|متى|أين|أي|أية|كم|إيه|ايه|إزاي|ازاي|ليه|فين|مين|وش|إيش|ايش|شو|ليش|وين|بماذا|فماذا|وماذا|وكيف|فكيف|وما|فما|ومتى|وكم|بأي|لأي|فيم|فيمَ|مما|كام|وأين|ولماذا", "^ من كان|كانت|هو|هي|هم|الذي|معك|ساعدك|قرر|اقترح|يقرر|يساعدك|غيرك|يكون"),
}

// questionWords reports for each token whether it asks a question.
func (g *Guard) questionWords(tokens []string) []bool {
	found := make([]bool, len(tokens))
	list := asks[g.vocabulary.code]
	for at := range tokens {
		for end := range list.at(tokens, at) {
			found[end-1] = true
		}
	}
	return found
}

// stock is the words of some texts, to which the words of a probe may be tied.
type stock struct {
	words []string
	roots [][]rune // of the words, in Arabic
	has   map[string]bool
	runes map[rune]bool // in languages without spaces
	plain string
	about concepts
}

func (g *Guard) stock(texts ...string) stock {
	s := stock{has: map[string]bool{}, runes: map[rune]bool{}}
	for _, text := range texts {
		folded := fold(text)
		if g.vocabulary.dense() {
			for _, r := range folded {
				s.runes[r] = true
			}
			s.about |= g.vocabulary.concepts.in(folded)
			s.plain += folded + "\n"
			continue
		}
		for _, w := range g.lexicon.wordsOf(folded) {
			if !s.has[w] {
				s.about |= g.vocabulary.concepts.of(w)
			}
			if g.vocabulary.code == "ar" {
				w = arabicStem(w)
			}
			if !s.has[w] {
				s.has[w] = true
				s.words = append(s.words, w)
				if g.vocabulary.code == "ar" {
					s.roots = append(s.roots, consonants(w))
				}
			}
		}
	}
	return s
}

// holds reports whether a folded word stands in the texts, in this or another form.
func (s *stock) holds(word, code string) bool {
	switch code {
	case "zh", "ja":
		return s.holdsDense(word)
	case "ar":
		word = arabicStem(word)
		root := consonants(word)
		return s.has[word] || slices.ContainsFunc(s.roots, func(r []rune) bool { return sameConsonants(root, r) })
	}
	if s.has[word] {
		return true
	}
	return slices.ContainsFunc(s.words, func(w string) bool { return sameStem(word, w) })
}

func (s *stock) holdsDense(word string) bool {
	if strings.Contains(s.plain, word) {
		return true
	}
	for _, r := range word {
		if !s.runes[r] {
			return false
		}
	}
	return unicode.Is(unicode.Han, []rune(word)[0])
}

// Least lengths of what two forms of one word have in common.
const (
	minStem     = 4
	minCompound = 5
)

// sameStem reports whether two folded words are forms of one word, or one is a part of the other: they begin alike for most of their
// length, or one is a compound that has the other at an end.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 || a[0] >= '0' && a[0] <= '9' {
		return false
	}
	common := 0
	for common < len(a) && a[common] == b[common] {
		common++
	}
	if common >= minStem && common >= len(a)-3 && 10*common >= 7*len(a) || common == len(a) && len(b)-len(a) <= 3 {
		return true
	}
	if common == len(a) && strings.HasSuffix(b, "ing") && len(b)-len(a) == 4 || len(a) >= minStem && strings.HasSuffix(b, a) {
		return true
	}
	if len(a) >= minCompound && strings.Contains(b, a[:len(a)-1]) {
		return true
	}
	return common < minStem && sameParticiple(a, b)
}

// sameParticiple reports whether two words are the same but for the "ge" of German and Dutch participles and their endings.
func sameParticiple(a, b string) bool {
	x, y := strings.Replace(a, "ge", "", 1), strings.Replace(b, "ge", "", 1)
	return (x != a || y != b) && len(x) >= minStem && len(y) >= minStem && x[:minStem] == y[:minStem] && max(len(x), len(y)) <= min(len(x), len(y))+3
}

// sameRoot reports whether two Arabic stems have the same consonants, or one has the other's within three of its own. A first letter may be the
// sign of the imperfect.
func sameRoot(a, b string) bool { return sameConsonants(consonants(a), consonants(b)) }

func sameConsonants(x, y []rune) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 2 {
		return len(x) == 1 && len(y) == 2 && x[0] == y[1] && imperfect(y[0])
	}
	switch extra := len(y) - len(x); {
	case extra == 0:
		return slices.Equal(x, y)
	case extra == 1 && imperfect(y[0]):
		return slices.Equal(x, y[1:])
	}
	for i := 0; len(x) >= 3 && i+len(x) <= len(y); i++ {
		if slices.Equal(x, y[i:i+len(x)]) {
			return true
		}
	}
	return false
}

func imperfect(r rune) bool { return r == 'ت' || r == 'ن' || r == 'م' || r == 'س' }

func consonants(word string) []rune {
	var all []rune
	for _, r := range word {
		if !strings.ContainsRune("اويءىه", r) {
			all = append(all, r)
		}
	}
	return all
}

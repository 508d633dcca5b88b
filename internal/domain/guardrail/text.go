package guardrail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// closing maps a quotation mark that opens a quote to the marks that can close it. The conventions of languages contradict each
// other; the text is read from the left, so that the opening mark decides.
var closing = map[rune]string{
	'“': "”“", '„': "“”", '”': "”", '«': "»", '»': "«", '‹': "›", '「': "」", '『': "』", '"': `"`, '\uff02': "\uff02",
	'\'': "'", '‘': "’", '‚': "‘’", '《': "》",
}

// part is a passage of a text, either within quotation marks (which are left out) or outside.
type part struct {
	text   string
	quoted bool
}

// parts divides a text at its quotes.
func parts(text string) (all []part) {
	from := 0
	before := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		ends, opens := closing[r]
		single := r == '\'' || r == '‘' || r == '‚'
		if opens && single && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			opens = false // an apostrophe
		}
		if opens {
			if length, end := quoteLength(text[i+size:], ends, single); length >= 0 {
				all = append(all, part{text: text[from:i]}, part{text: text[i+size : i+size+length], quoted: true})
				i += size + length + end
				from, before = i, '"'
				continue
			}
		}
		before = r
		i += size
	}
	return append(all, part{text: text[from:]})
}

// quoteLength finds the mark that closes a quote. It returns the number of bytes before the mark and the mark's own, or -1 if
// there is none. A single mark closes only at the end of a word.
func quoteLength(text, ends string, single bool) (length, end int) {
	for i, r := range text {
		if !strings.ContainsRune(ends, r) {
			continue
		}
		size := utf8.RuneLen(r)
		if !single {
			return i, size
		}
		if after, n := utf8.DecodeRuneInString(text[i+size:]); n == 0 || !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			return i, size
		}
	}
	return -1, 0
}

// unquoted returns a text without what it quotes.
func unquoted(text string) string {
	var b strings.Builder
	for _, p := range parts(text) {
		if p.quoted {
			b.WriteByte(' ')
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// mark replaces a quote of the participant's words or of the guide's.
const mark = "\ufffc"

// own returns what the moderator itself says: the words with every quote of known words replaced by a mark. Other quotes stay, so
// that nothing can hide between quotation marks.
func (g *Guard) own(words string) string {
	var b strings.Builder
	for _, p := range parts(words) {
		if p.quoted && g.said(p.text) {
			b.WriteString(" " + mark + " ")
		} else {
			b.WriteString(p.text)
			if p.quoted {
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// said reports whether a passage stands in the guide or in the participant's replies.
func (g *Guard) said(text string) bool {
	plain := strings.TrimSpace(g.plain(text))
	return plain != "" && strings.Contains(g.known, plain)
}

// sentence is one sentence of a probe: its tokens in lower case between "^" and "$", with punctuation except for the mark that
// ends it.
type sentence struct {
	text   string
	tokens []string
	asks   bool // it ends with a question mark
}

const questionMarks = "?\uff1f؟⁇⁈⁉❓❔‽⸮՞፧\u037e"

// sentences divides a text. A full stop within a word or a number does not end a sentence.
func (l *lexicon) sentences(text string) []sentence {
	var all []sentence
	from, runes := 0, []rune(text)
	add := func(to int, asks bool) {
		part := strings.TrimSpace(string(runes[from:to]))
		if tokens := l.tokens(part); len(tokens) > 2 {
			all = append(all, sentence{part, tokens, asks})
		} else if asks && len(all) > 0 && from == to {
			all[len(all)-1].asks = true // "??"
		}
		from = to + 1
	}
	for i, r := range runes {
		last := i+1 == len(runes)
		switch {
		case l.questionMark(r):
			add(i, true)
		case strings.ContainsRune("。！\uff01؛;\n", r):
			add(i, false)
		case strings.ContainsRune(".!…", r) && (last || !unicode.IsLetter(runes[i+1]) && !unicode.IsDigit(runes[i+1])):
			add(i, false)
		}
	}
	if from < len(runes) {
		add(len(runes), false)
	}
	return all
}

// questionMark reports whether r is a question mark; in Greek the semicolon is one.
func (l *lexicon) questionMark(r rune) bool {
	return strings.ContainsRune(questionMarks, r) || r == ';' && l.code == "el"
}

// tokens divides a sentence into words and punctuation. An apostrophe divides words in French and Italian and is dropped
// elsewhere; in scripts without spaces every character is a token.
func (l *lexicon) tokens(text string) []string {
	tokens := make([]string, 1, len(text)/4+3)
	tokens[0] = "^"
	var word []rune
	flush := func() {
		if len(word) > 0 {
			tokens = append(tokens, string(word))
			word = word[:0]
		}
	}
	for _, r := range text {
		r = unicode.ToLower(r)
		switch {
		case lang.Unspaced(r):
			flush()
			tokens = append(tokens, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = append(word, r)
		case r == '\'' || r == '’':
			if l.elides {
				flush()
			}
		case unicode.Is(unicode.Cf, r):
		case r == '\ufffc':
			flush()
			tokens = append(tokens, mark)
		case r == ',' || r == '،' || r == '、' || r == '\uff0c':
			flush()
			tokens = append(tokens, ",")
		case r == ':' || r == '\uff1a':
			flush()
			tokens = append(tokens, ":")
		default:
			flush()
		}
	}
	flush()
	return append(tokens, "$")
}

// isWord reports whether a token is a word and not punctuation.
func isWord(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordsOf returns the words of a text, without punctuation.
func (l *lexicon) wordsOf(text string) []string {
	return slices.DeleteFunc(l.tokens(text), func(token string) bool { return !isWord(token) })
}

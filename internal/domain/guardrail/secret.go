package guardrail

import (
	"regexp"
	"strings"
	"unicode"

	"verbatim/internal/domain/lang"
)

// Length of a passage that two texts do not have in common by chance: in words, or in characters if words have no spaces.
const (
	windowWords = 6
	windowChars = 12
)

// window returns the length in bytes of the passage of plain text that begins at a word (or dense character), or 0 if the text
// ends before the passage is complete.
func window(plain string) int {
	words, chars, inWord := 0, 0, false
	for i, r := range plain {
		switch {
		case lang.Unspaced(r):
			chars++
			inWord = false
		case r == ' ':
			inWord = false
			continue
		case !inWord:
			words++
			inWord = true
		}
		if words > windowWords || chars > windowChars || words > 0 && chars > 0 && 2*words+chars > windowChars {
			return i
		}
	}
	if words == windowWords || chars == windowChars {
		return len(plain)
	}
	return 0
}

// windows calls use with every passage of a plain text until use returns false.
func windows(plain string, use func(stretch string) bool) {
	before := ' '
	for i, r := range plain {
		begins := r != ' ' && (before == ' ' || lang.Unspaced(r) || lang.Unspaced(before))
		before = r
		if !begins {
			continue
		}
		if n := window(plain[i:]); n > 0 && !use(strings.TrimSpace(plain[i:i+n])) {
			return
		}
	}
}

// echoes finds a long sequence of words in common with the secrets, unless the participant or the guide used it too, or it
// consists of common words only, as in "could you tell me a little more about that".
func (g *Guard) echoes(own string) []Violation {
	if len(g.secrets) == 0 {
		return nil
	}
	found := ""
	windows(g.plain(own), func(stretch string) bool {
		if g.secrets[stretch] && !strings.Contains(g.known, stretch) && g.weighty(stretch) {
			found = stretch
		}
		return found == ""
	})
	if found == "" {
		return nil
	}
	return []Violation{violation(Leak, "“%s” repeats the moderator's instructions or the study's background.", found)}
}

func (g *Guard) weighty(stretch string) bool {
	if isDense(stretch) || g.lexicon.stop == nil {
		return true
	}
	n := 0
	for w := range strings.FieldsSeq(stretch) {
		if !g.lexicon.stop[w] && !g.lexicon.neutral[w] && !g.lexicon.questionWords[w] {
			n++
		}
	}
	return n >= 2
}

// machineText matches text that only machines exchange: tags of roles, code, data, escape sequences. forMachines looks for
// machineSigns first, because hardly any probe has one.
var machineText = regexp.MustCompile("(?i)<\\|[a-z_]+|\\|>|\\[/?inst\\]|<</?sys>>|</?[a-z][a-z0-9]*[ />]|(?:^|\\s)(?:system|assistant|user|developer|human|ai) ?: |" +
	"(?:^|\\n)#{2,}\\s|```|\\{\\s*\"|\"\\s*:\\s*[\"\\[{]|\\\\u[0-9a-f]{4}|&#x?[0-9a-f]+;|%[0-9a-f]{2}%[0-9a-f]{2}|function ?\\(|\\beval\\(|\\*\\*[^*\\s]")

const (
	machineSigns = "<>[]{}`#\\&%*:("
	longestWord  = 60 // letters of one word without spaces; a longer one is data
)

// forMachines finds text that is not meant for people.
func forMachines(words string) string {
	if strings.ContainsAny(words, machineSigns) {
		if found := machineText.FindString(words); found != "" {
			return strings.TrimSpace(found)
		}
	}
	for word := range strings.FieldsSeq(words) {
		if len(word) > longestWord && !isDense(word) && !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsPunct(r) && r != '+' && r != '/' }) {
			return word[:longestWord]
		}
	}
	return ""
}

// machines matches words for the machine that are the same in every language.
var machines = compile("system prompt|message|instruction|instructions", "language model", "as an ai|assistant", "chatgpt|openai|json|base64|jailbreak*|gpt|llm")

// machine finds words about the machine and its instructions, and text that is not meant for people.
func (g *Guard) machine(words, own string, all []sentence) []Violation {
	var violations []Violation
	if found := forMachines(words); found != "" {
		violations = append(violations, violation(Leak, "“%s” is not text for a person.", found))
	}
	for _, s := range all {
		said, found := g.found(g.lexicon.meta, s)
		if !found {
			said, found = g.found(machines, s)
		}
		if found {
			violations = append(violations, violation(Leak, "“%s” speaks of the machine or its instructions.", said))
			break
		}
	}
	return violations
}

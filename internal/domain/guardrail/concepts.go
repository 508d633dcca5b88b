package guardrail

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// A concept is one thing that many words name: a journey is a trip, a ride or a drive. Each language has a file in words/concepts with one
// concept a line, with the same names in each, in the notation of the other word lists. Concepts serve three purposes: a word whose concept
// somebody spoke of needs no other tie; a subject that nobody spoke of is off subject; and two questions about the same concepts may be one.

// concepts is a set of concepts, in the order of conceptNames.
type concepts uint64

var conceptNames = strings.Fields("travel car train bike food sleep health family friend home school work money buy device computer phone message document bank delivery " +
	"garden animal clothes weather music sport media game craft wait repair problem fear joy talk help rule choose change begin end expect wish memory " +
	"know number duration routine recent energy waste holiday politics age person place opinion reason meaning process insurance use part")

// subjects are the concepts that name a subject of their own. The others are what any question may be made of.
var subjects = conceptsNamed("travel car train bike food sleep health family friend home school work money buy device computer phone message document bank " +
	"delivery garden animal clothes weather music sport media game craft repair energy waste holiday politics age insurance")

// everyday are the subjects that people talk of when they have none. A question about one that nobody spoke of is off subject, unless its
// word means something else, too: "llevar" is to wear and to lead to.
var everyday = conceptsNamed("car bike food sleep garden animal clothes weather music sport media game holiday politics age")

// spokenOf are the concepts of conversation itself: what people think, expect and give as a reason.
var spokenOf = conceptsNamed("opinion expect reason")

func conceptsNamed(names string) (all concepts) {
	for name := range strings.FieldsSeq(names) {
		all |= conceptNamed(name)
	}
	return all
}

func conceptNamed(name string) concepts {
	for i, n := range conceptNames {
		if n == name {
			return 1 << i
		}
	}
	panic(fmt.Sprintf("guardrail: unknown concept %q", name))
}

func init() {
	if len(conceptNames) > 64 {
		panic("guardrail: too many concepts")
	}
}

func (c concepts) count() int { return bits.OnesCount64(uint64(c)) }

// conceptWords holds the concepts of the words of one language.
type conceptWords struct {
	code             string
	complete, prefix map[string]concepts
	longest          int
}

func readConcepts(code string) *conceptWords {
	text, err := wordFiles.ReadFile("words/concepts/" + code + ".txt")
	if err != nil {
		panic(err)
	}
	words := &conceptWords{code, map[string]concepts{}, map[string]concepts{}, 0}
	for line := range strings.Lines(string(text)) {
		name, list, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		concept := conceptNamed(name)
		for word := range strings.FieldsSeq(fold(list)) {
			stem, open := strings.CutSuffix(word, "*")
			if code == "ar" {
				stem = arabicStem(stem)
			}
			if open {
				words.prefix[stem] |= concept
			} else {
				words.complete[stem] |= concept
			}
			words.longest = max(words.longest, utf8.RuneCountInString(stem))
		}
	}
	return words
}

// of returns the concepts of a folded word.
func (words *conceptWords) of(word string) concepts {
	if words.code == "ar" {
		return words.ofArabic(arabicStem(word))
	}
	found := words.complete[word] | words.prefix[word]
	for i := firstEnding(len(word), 3); i < len(word); i++ {
		found |= words.prefix[word[:i]]
	}
	if found == 0 && (words.code == "de" || words.code == "nl") {
		return words.ofCompound(word)
	}
	return found
}

func (words *conceptWords) ofArabic(stem string) concepts {
	if found := words.complete[stem]; found != 0 {
		return found
	}
	for _, sign := range []string{"ي", "ت", "ن", "ا"} {
		if rest, cut := strings.CutPrefix(stem, sign); cut && utf8.RuneCountInString(rest) > 2 && words.complete[rest] != 0 {
			return words.complete[rest]
		}
	}
	return 0
}

// ofCompound returns the concepts of the last part of a compound, or of its first.
func (words *conceptWords) ofCompound(word string) concepts {
	for i := minFirstPart; i+minFirstPart <= len(word) && len(word) <= longestWord; i++ {
		last := word[i:]
		found := words.complete[last] | words.prefix[last]
		for j := max(minFirstPart, len(last)-shortEnding); j < len(last); j++ {
			found |= words.prefix[last[:j]]
		}
		if found != 0 {
			return found
		}
	}
	for i := min(len(word), longestWord) - 1; i >= minFirstPart; i-- {
		if found := words.complete[word[:i]] | words.prefix[word[:i]]; found != 0 {
			return found
		}
	}
	return 0
}

// at returns the concepts and the length of the longest word at the beginning of a text without spaces.
func (words *conceptWords) at(text []rune) (found concepts, length int) {
	for n := min(words.longest, len(text)); n > 0; n-- {
		if c := words.complete[string(text[:n])]; c != 0 {
			return c, n
		}
	}
	return 0, 0
}

// in returns all concepts of a folded text without spaces.
func (words *conceptWords) in(text string) (found concepts) {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		c, n := words.at(runes[i:])
		found |= c
		i += max(1, n)
	}
	return found
}

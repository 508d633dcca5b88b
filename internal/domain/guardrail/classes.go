package guardrail

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The words of interviews, by language and class. A file has one class a line: its name, a colon and its words, folded (see fold). A word
// that ends in * stands for every word that begins so. In Chinese and Japanese a word counts wherever it stands. Arabic words are compared
// without their prefixes and endings.
//
// Classes serve three purposes. A word of any class without "!" belongs to interviews in general and needs no tie to what was asked or
// said. Classes are what two questions in different words have in common. And classes with "!" are words that need a tie, or that may
// not be asked for.
//
//go:embed words
var wordFiles embed.FS

// classes is a set of classes of words.
type classes uint64

// Positions in classNames.
const (
	functionClass classes = 1 << iota
	tellClass
	keepClass
	thingClass
	timeClass
	placeClass
	personClass
	happenClass
	reasonClass
	meanClass
	feelClass
	thinkClass
	changeClass
	differClass
	occasionClass
	lastClass
	usualClass
	oftenClass
	longClass
	beginClass
	endClass
	importantClass
	helpClass
	decideClass
	getClass
	useClass
	knowClass
	reactClass
	wantClass
	homeClass
	workClass
	moneyClass
	emotionClass
	degreeClass
	identityClass
	keyClass
	selfClass
	easeClass
	assertClass
)

var classNames = strings.Fields("fn tell keep thing time place person happen reason mean feel think change differ occasion last usual often long begin end important " +
	"help decide get use know react want home work money !emotion !degree !id !key !self ease !assert")

const (
	guardedClasses = emotionClass | degreeClass | identityClass | keyClass | selfClass
	generalClasses = 1<<32 - 1&^guardedClasses
)

// vocabulary holds the classes of the words of one language.
type vocabulary struct {
	code     string
	complete map[string]classes // complete words
	prefix   map[string]classes // beginnings of words
	longest  int                // characters of the longest word, for languages without spaces
	common   *generalWords
	concepts *conceptWords
}

var vocabularies = func() map[string]func() *vocabulary {
	all := map[string]func() *vocabulary{}
	for _, code := range listed {
		all[code] = sync.OnceValue(func() *vocabulary { return readVocabulary(code) })
	}
	return all
}()

func readVocabulary(code string) *vocabulary {
	text, err := wordFiles.ReadFile("words/" + code + ".txt")
	if err != nil {
		panic(err)
	}
	v := &vocabulary{code: code, complete: map[string]classes{}, prefix: map[string]classes{}, common: readGeneral(code), concepts: readConcepts(code)}
	for line := range strings.Lines(string(text)) {
		name, words, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		class := classNamed(name)
		if v.dense() && class&(easeClass|assertClass) != 0 {
			class |= keepClass // a run of characters that hides the shorter words in it
		}
		for word := range strings.FieldsSeq(fold(words)) {
			stem, open := strings.CutSuffix(word, "*")
			if code == "ar" {
				stem = arabicStem(stem)
			}
			if open {
				v.prefix[stem] |= class
			} else {
				v.complete[stem] |= class
			}
			v.longest = max(v.longest, utf8.RuneCountInString(stem))
		}
	}
	v.addNeutral(lexiconFor(code))
	return v
}

// addNeutral adds the words of the lexicon that carry no subject.
func (v *vocabulary) addNeutral(l *lexicon) {
	for _, list := range []struct {
		class classes
		words map[string]bool
	}{{functionClass, l.stop}, {keepClass, l.neutral}} {
		for word := range list.words {
			if word = fold(word); v.of(word)&generalClasses == 0 {
				if v.code == "ar" {
					word = arabicStem(word)
				}
				v.complete[word] |= list.class
				v.longest = max(v.longest, utf8.RuneCountInString(word))
			}
		}
	}
}

func classNamed(name string) classes {
	for i, n := range classNames {
		if n == name {
			return 1 << i
		}
	}
	panic(fmt.Sprintf("guardrail: unknown class %q", name))
}

// longestEnding limits the letters after the beginning of a word that stands for all its forms; a word with more is a compound.
const longestEnding = 6

// firstEnding returns where at the earliest the ending of a word may begin. Few letters may follow a short beginning.
func firstEnding(length, shortStem int) int {
	first := max(2, length-longestEnding)
	for first <= shortStem && length-first > shortEnding {
		first++
	}
	return first
}

const shortEnding = 3

// of returns the classes of a folded word.
func (v *vocabulary) of(word string) classes {
	if v.code == "ar" {
		word = arabicStem(word)
		if found := v.complete[word]; found != 0 {
			return found
		}
		if rest, cut := strings.CutPrefix(word, "ت"); cut && v.complete[rest] != 0 {
			return v.complete[rest]
		}
		rest := strings.TrimPrefix(word, "ي")
		return v.complete[rest]
	}
	found := v.complete[word]
	for i := firstEnding(len(word), 3); i < len(word); i++ {
		found |= v.prefix[word[:i]]
	}
	return found | v.prefix[word]
}

// at returns the classes and the length of the longest word at the beginning of a text without spaces.
func (v *vocabulary) at(text []rune) (found classes, length int) {
	for n := min(v.longest, len(text)); n > 0; n-- {
		if c := v.complete[string(text[:n])]; c != 0 {
			return c, n
		}
	}
	return 0, 0
}

func (c classes) has(any classes) bool { return c&any != 0 }

var (
	arabicPrefixes = strings.Fields("وبال فبال وال فال بال كال لل ال")
	arabicSuffixes = strings.Fields("كما هما تها تهم تكم يها ناه كم هم ها نا ني تي ته تك ات ين ون ان ية يه تم وا ه ك ي ت ا")
	arabicLetters  = strings.NewReplacer("أ", "ا", "إ", "ا", "آ", "ا", "ؤ", "و", "ئ", "ي", "ة", "ه", "ى", "ي", "ّ", "")
)

// arabicStem removes one article or joined preposition, a sign of the imperfect, and one ending, while three letters remain.
func arabicStem(word string) string {
	word = arabicLetters.Replace(word)
	for _, p := range arabicPrefixes {
		if rest, found := strings.CutPrefix(word, p); found && utf8.RuneCountInString(rest) > 2 {
			word = rest
			break
		}
	}
	for _, p := range []string{"و", "ف", "ب"} {
		if rest, found := strings.CutPrefix(word, p); found && utf8.RuneCountInString(rest) > 3 {
			word = rest
			break
		}
	}
	for _, s := range arabicSuffixes {
		if rest, found := strings.CutSuffix(word, s); found && utf8.RuneCountInString(rest) > 2 {
			return rest
		}
	}
	return word
}

// least lengths of the parts of a compound.
const (
	minFirstPart = 4
	minLastPart  = 5
)

// compound returns the classes of the last part of a German or Dutch compound.
func (v *vocabulary) compound(word string) classes {
	if v.code != "de" && v.code != "nl" {
		return 0
	}
	for i := minFirstPart; i+minLastPart <= len(word); i++ {
		if found := v.of(word[i:]); found != 0 {
			return found
		}
	}
	return 0
}

// covering returns the classes that all of a run of characters has when it is one word of a class, or is made of words of classes.
func (v *vocabulary) covering(text []rune) (found classes) {
	for i := 0; i < len(text); {
		c, n := v.at(text[i:])
		if n == 0 && !unicode.Is(unicode.Hiragana, text[i]) {
			return 0
		}
		found |= c
		i += max(1, n)
	}
	return found
}

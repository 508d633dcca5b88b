package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// placeholder matches the name of a count that is to be inserted into a claim: {completed}.
var placeholder = regexp.MustCompile(`\{([A-Za-z][A-Za-z0-9_.]*)\}`)

// Insert replaces names in braces by their counts. It fails if a name has no count.
func Insert(claim string, counts map[string]int) (string, error) {
	var unknown []string
	text := placeholder.ReplaceAllStringFunc(claim, func(named string) string {
		name := named[1 : len(named)-1]
		n, known := counts[name]
		if !known {
			unknown = append(unknown, name)
		}
		return strconv.Itoa(n)
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("there is no count named %s", strings.Join(unknown, ", "))
	}
	return text, nil
}

// Uncounted returns the numbers of a claim, as they stand in it, that are neither among the counts nor said in one of the quotes:
// nobody counted them. Figures count in any script, and number words from two up, as far as number_words.go lists them. The words
// for one are also articles and pronouns, and are ignored.
func Uncounted(claim string, counts []int, quotes ...string) []string {
	known := map[string]bool{}
	for _, n := range counts {
		known[strconv.Itoa(n)] = true
	}
	for _, quote := range quotes {
		for _, n := range numbers(quote) {
			known[n.value] = true
		}
	}
	var loose []string
	for _, n := range numbers(claim) {
		if !known[n.value] && !slices.Contains(loose, n.text) {
			loose = append(loose, n.text)
		}
	}
	return loose
}

// number is a number in a text: as written, and its value in ASCII.
type number struct{ text, value string }

// figures matches digits, with separators between them.
var figures = regexp.MustCompile(`\p{Nd}+(?:[.,'’٫٬ \x{00a0}\x{202f}]\p{Nd}+)*`)

// grouped matches figures whose separators mark thousands.
var grouped = regexp.MustCompile(`^\d{1,3}([.,'’٬ \x{00a0}\x{202f}]\d{3})+$`)

// dense matches numerals of Chinese and Japanese before what they count; elsewhere they are parts of words.
var dense = regexp.MustCompile(`([二两兩三四五六七八九十百千万萬億亿]+)[人名位个個次回份件年月日时時分点點割成%％倍]`)

func numbers(text string) (all []number) {
	for _, at := range figures.FindAllString(text, -1) {
		ascii := strings.Map(digit, at)
		if grouped.MatchString(ascii) {
			all = append(all, number{at, onlyDigits(ascii)})
			continue
		}
		// A space separates two numbers, unless it groups thousands.
		for part := range strings.FieldsSeq(at) {
			all = append(all, number{part, decimal(strings.Map(digit, part))})
		}
	}
	for word := range strings.FieldsFuncSeq(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if value, known := words[word]; known {
			all = append(all, number{word, value})
		}
	}
	for _, at := range dense.FindAllStringSubmatch(text, -1) {
		all = append(all, number{at[1], denseValue(at[1])})
	}
	return all
}

// digit returns a decimal digit of any script in ASCII, and any other character unchanged.
func digit(r rune) rune {
	if r < 0x80 || !unicode.IsDigit(r) {
		return r
	}
	for _, block := range unicode.Nd.R16 { // digits stand in tens, from zero up
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + (r-rune(block.Lo))%10
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + (r-rune(block.Lo))%10
		}
	}
	return r
}

func onlyDigits(s string) string {
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s), "0")
}

// decimal writes a number with a point before its fraction, without redundant zeros.
func decimal(s string) string {
	at := strings.LastIndexAny(s, ".,٫")
	if at < 0 {
		if s = onlyDigits(s); s == "" {
			return "0"
		}
		return s
	}
	integer, part := onlyDigits(s[:at]), strings.TrimRight(strings.TrimLeft(s[at:], ".,٫"), "0")
	if integer == "" {
		integer = "0"
	}
	if part == "" {
		return integer
	}
	return integer + "." + part
}

// denseValue returns the value of a numeral such as 二十三. It returns what it cannot read unchanged.
func denseValue(s string) string {
	units := map[rune]int{'二': 2, '两': 2, '兩': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	scale := map[rune]int{'十': 10, '百': 100, '千': 1000}
	sum, unit := 0, 0
	for _, r := range s {
		switch {
		case units[r] > 0:
			unit = units[r]
		case scale[r] > 0:
			sum += max(unit, 1) * scale[r]
			unit = 0
		default:
			return s
		}
	}
	return strconv.Itoa(sum + unit)
}

package statement

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
)

// number is a number in a text.
type number struct {
	text       string
	start, end int
	values     []float64 // what it may mean: "a third" is a fraction, or the one after the second
	least      float64   // of dozens, hundreds and thousands: the smallest number that they can be
	unit       string    // class of what it measures; "" if that is not known
	language   string
	noun       string  // stem of the word behind it, where it measures nothing known
	share      bool    // it is a part of a whole: two of three
	below      float64 // the whole of a share
	limit      int     // 1 if it is exceeded, -1 if it is not reached
	label      bool    // it names a thing and counts nothing: "number 87", "aisle 22"
}

// matches reports whether a number of a statement says the same as one of the interview.
func (n *number) matches(said *number) bool {
	if generic := n.unit + said.unit; n.language == said.language && generic != "times" && generic != "person" && (n.unit == "" && n.noun != "" && said.unit != "" || said.unit == "" && said.noun != "" && n.unit != "") {
		return false // six places and six weeks
	}
	if n.label != said.label && n.unit != "" && said.unit == "" && said.label {
		return false
	}
	if n.least > 0 {
		if n.noun != "" && said.noun != "" && n.language == said.language && !alike(n.noun, said.noun) {
			return false
		}
		return said.least == n.least || sameUnit(n.unit, said.unit) && slices.ContainsFunc(said.values, func(v float64) bool { return v >= n.least*1.5 && v < n.least*50 })
	}
	for _, a := range n.values {
		for _, b := range said.values {
			if n.bounds(said, a, b) {
				return true
			}
			if isClock(n.unit, said.unit) && equal(math.Mod(a+24, 12), math.Mod(b+24, 12)) {
				return true
			}
			if equal(a, b) && sameUnit(n.unit, said.unit) {
				return true
			}
			if n.unit != said.unit && (convert(minutes, n.unit, said.unit, a, b) || convert(months, n.unit, said.unit, a, b)) {
				return true
			}
			if n.unit == "percent" && said.unit != "percent" && b < 1 && equal(a/100, b) || said.unit == "percent" && n.unit != "percent" && a < 1 && equal(a, b/100) {
				return true
			}
		}
	}
	return false
}

// bounds reports whether a number is given as a limit, and the one of the interview lies near it on the right side: over half an hour for 35
// minutes.
func (n *number) bounds(said *number, a, b float64) bool {
	if n.limit == 0 || n.unit == "" || said.unit == "" || a <= 0 {
		return false
	}
	part := b / a
	if n.unit != said.unit {
		x, y := minutes[n.unit], minutes[said.unit]
		if x == 0 || y == 0 {
			x, y = months[n.unit], months[said.unit]
		}
		if x == 0 || y == 0 {
			return false
		}
		part = b * y / (a * x)
	}
	return n.limit > 0 && part > 1 && part <= 1.5 || n.limit < 0 && part < 1 && part >= .75
}

// over and under match what makes a number a limit.
var (
	over  = regexp.MustCompile(`(?i)\b(?:over|more than|above|at least|upwards of) (?:an? )?[$€£¥]?$`)
	under = regexp.MustCompile(`(?i)\b(?:under|less than|below|nearly|almost|close to|not quite) (?:an? )?[$€£¥]?$`)
)

// limitOf returns 1 for a number that is exceeded, and -1 for one that is not reached.
func limitOf(text string, n *number) int {
	switch {
	case over.MatchString(text[:n.start]):
		return 1
	case under.MatchString(text[:n.start]):
		return -1
	}
	return 0
}

func equal(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Max(1, math.Abs(a)) }

func convert(scale map[string]float64, from, to string, a, b float64) bool {
	x, y := scale[from], scale[to]
	return x > 0 && y > 0 && equal(a*x, b*y)
}

// numbersIn returns the numbers of a text in a language.
func numbersIn(text, language string) (all []number) {
	p := numberReader{text: text, words: wordsOf(text), language: language, table: numberWords(language)}
	for i := 0; i < len(p.words); {
		n, next := p.read(i)
		if next == i {
			i++
			continue
		}
		all = append(all, n...)
		i = next
	}
	for i := range all {
		all[i].language, all[i].limit = language, limitOf(text, &all[i])
	}
	if language == "zh" || language == "ja" {
		all = slices.DeleteFunc(all, func(n number) bool { return unicode.IsDigit([]rune(n.text)[0]) }) // found below, with its unit
		all = append(all, denseNumbers(text)...)
	}
	return all
}

type numberReader struct {
	text     string
	words    []word
	language string
	table    map[string]float64
}

// ordinalEnding matches what makes figures an ordinal.
var ordinalEnding = regexp.MustCompile(`^(\d+)(st|nd|rd|th|e|er|ère|ème|º|ª|o|a)$`)

// roman matches Roman numerals.
var roman = regexp.MustCompile(`^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$`)

// notRoman are abbreviations and words that could be Roman numerals.
var notRoman = []string{"I", "C", "D", "L", "M", "CV", "CD", "DM", "MC", "MD", "XL", "MIX", "DI", "MI", "LI", "VI", "CC", "DC", "CI"}

// read reads a number that begins at a word. It returns the index behind it, and the same index if there is none.
func (p *numberReader) read(i int) (found []number, next int) {
	w := p.words[i]
	raw := p.text[w.start:w.end]
	n := number{start: w.start}
	if value, next := p.clock(i); next > i {
		end := p.words[next-1].end
		return []number{{text: p.text[w.start:end], start: w.start, end: end, values: []float64{value}, unit: clockUnit}}, next
	}
	first, _ := utf8.DecodeRuneInString(raw)
	switch {
	case strings.ContainsRune("½⅓¼¾⅔", first):
		n.values = []float64{map[rune]float64{'½': .5, '⅓': 1.0 / 3, '¼': .25, '¾': .75, '⅔': 2.0 / 3}[first]}
		next = i + 1
	case unicode.IsDigit(first):
		n, next = p.figures(i)
	case len(raw) > 0 && roman.MatchString(raw) && !slices.Contains(notRoman, raw) && !p.lettersFollow(i):
		n.values, next = []float64{romanValue(raw)}, i+1
	default:
		n, next = p.inWords(i)
	}
	if next == i {
		if half, ok := p.halfMore(i); ok {
			return []number{{text: w.form, start: w.start, end: w.end, values: []float64{1.5}, unit: units[w.form]}}, half
		}
	}
	if next == i {
		return nil, i
	}
	n.start, n.end = w.start, p.words[next-1].end
	n.text = p.text[n.start:n.end]
	p.measure(&n, i, next)
	if n.least > 0 && next+1 < len(p.words) && slices.Contains([]string{"of", "de", "d'", "di", "von", "van"}, p.words[next].form) {
		n.noun = stem(p.words[next+1].form, p.language)
	}
	return []number{n}, next
}

// halfMore reports whether a half is added to a unit that stands alone, as in "a month and a half", and returns the index behind it.
func (p *numberReader) halfMore(i int) (next int, ok bool) {
	if units[p.words[i].form] == "" || i > 0 && p.table[p.words[i-1].form] > 1 || i > 0 && unicode.IsDigit([]rune(p.words[i-1].form)[0]) {
		return i, false
	}
	if _, ok := p.addedArabic(readWords()[p.language], i+1); ok {
		return i + 2, true
	}
	rest := padded(p.words[i+1 : min(i+4, len(p.words))])
	for _, half := range halves {
		if strings.HasPrefix(rest, half) {
			return i + 1 + len(strings.Fields(half)), true
		}
	}
	return i, false
}

// lettersFollow reports whether a capital letter belongs to a name with a hyphen or a full stop.
func (p *numberReader) lettersFollow(i int) bool {
	w := p.words[i]
	return w.end < len(p.text) && strings.ContainsRune("-.&/", rune(p.text[w.end])) || w.start > 0 && strings.ContainsRune("-.&/", rune(p.text[w.start-1]))
}

func romanValue(s string) (sum float64) {
	of := map[byte]float64{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
	for i := range len(s) {
		if i+1 < len(s) && of[s[i]] < of[s[i+1]] {
			sum -= of[s[i]]
		} else {
			sum += of[s[i]]
		}
	}
	return sum
}

// figures reads digits: 1,280, 3.5, 7:08, 4th, 1/3, 2 1/4, 25k.
func (p *numberReader) figures(i int) (n number, next int) {
	w := p.words[i]
	value, rest := parseFigures(p.text[w.start:w.end])
	n.values, next = []float64{value}, i+1
	switch {
	case strings.Contains(w.form, ":"):
		n.unit = clockUnit
	case rest == "" || ordinalEnding.MatchString(w.form):
	case units[rest] != "":
		n.unit = units[rest]
	case rest == "k":
		n.values[0] *= 1000
	case unicode.IsLetter([]rune(rest)[0]) && p.language != "zh" && p.language != "ja":
		n.label = true // 4K
	}
	if i > 0 && w.start > 0 && p.text[w.start-1] == '-' && p.words[i-1].end == w.start-1 {
		n.label = true // D-14
	}
	if d, ok := p.slash(i); ok {
		n.values[0] /= d
		return n, i + 2
	}
	if next < len(p.words) && p.text[w.end:p.words[next].start] == " " {
		if d, ok := p.slash(next); ok {
			if over, _ := parseFigures(p.words[next].form); over < d {
				n.values[0] += over / d
				return n, next + 2
			}
		}
		if f := strings.IndexAny("½⅓¼¾⅔", p.words[next].form); f >= 0 {
			half, after := p.read(next)
			if after > next {
				n.values[0] += half[0].values[0]
				return n, after
			}
		}
	}
	if next < len(p.words) {
		if scale := p.table[p.words[next].form]; scale >= 1000 || scale == 100 {
			n.values[0] *= scale
			next++
		}
	}
	return n, next
}

// slash returns the denominator of a fraction whose numerator is the word at an index.
func (p *numberReader) slash(i int) (d float64, ok bool) {
	if i+1 >= len(p.words) || p.words[i].end >= len(p.text) || p.text[p.words[i].end:p.words[i+1].start] != "/" {
		return 0, false
	}
	d, rest := parseFigures(p.words[i+1].form)
	return d, d > 1 && rest == ""
}

// thousands matches figures whose separators mark thousands.
var thousands = regexp.MustCompile(`^\d{1,3}([.,'’٬\x{00a0}\x{202f}]\d{3})+$`)

// parseFigures returns the value of digits of any script, and what follows them.
func parseFigures(s string) (value float64, rest string) {
	ascii := strings.Map(evidence.Digit, s)
	end := strings.LastIndexFunc(ascii, func(r rune) bool { return '0' <= r && r <= '9' }) + 1
	ascii, rest = ascii[:end], strings.ToLower(ascii[end:])
	if thousands.MatchString(ascii) {
		ascii = strings.NewReplacer(".", "", ",", "", "'", "", "’", "", "٬", "", "\u00a0", "", "\u202f", "").Replace(ascii)
	}
	if hour, minute, found := strings.Cut(ascii, ":"); found {
		h, _ := strconv.ParseFloat(hour, 64)
		m, _ := strconv.ParseFloat(minute, 64)
		return h + m/60, rest
	}
	value, _ = strconv.ParseFloat(strings.NewReplacer(",", ".", "٫", ".").Replace(ascii), 64)
	return value, rest
}

// measure finds what a number counts: a sign at it, or a unit among the next words, past a second number ("30 or 40 euros").
func (p *numberReader) measure(n *number, i, next int) {
	if n.start > 0 {
		sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(p.text[:n.start], " "))
		if class := units[string(sign)]; class != "" && n.unit == "" && !unicode.IsLetter(sign) {
			n.unit = class
		}
	}
	if i > 0 && isLabel(p.words[i-1].form) && n.unit == "" {
		n.label = true
		return
	}
	if tail := strings.TrimLeft(p.text[n.end:], " "); n.unit == "" && strings.HasPrefix(tail, "%") {
		n.unit = "percent"
	} else if sign, _ := utf8.DecodeRuneInString(tail); n.unit == "" && !unicode.IsLetter(sign) {
		n.unit = units[string(sign)]
	}
	for j := next; n.unit == "" && j < len(p.words) && j < next+3; j++ {
		if strings.ContainsAny(p.text[p.words[j-1].end:p.words[j].start], ".,;:!?()") {
			break
		}
		if j == next && (p.table[p.words[j].form] > 1 || unicode.IsDigit([]rune(p.words[j].form)[0])) {
			break // what follows is the unit of another number
		}
		if part := len(n.values) > 0 && n.values[0] < 1; !part && functionOf(p.language)[p.words[j].form] && units[p.words[j].form] == "" && !p.joinsUnit(j) {
			break // "412 members are children"
		}
		if p.words[j].form == "per" && j+1 < len(p.words) && p.words[j+1].form == "cent" {
			n.unit = "percent"
			break
		}
		if j > next && (len(n.values) == 0 || n.values[0] >= 1) && slices.Contains([]string{"a", "an", "per", "every", "each", "pro", "par", "por", "al", "alle", "in", "the"}, p.words[j-1].form) {
			break // "three a week" counts no weeks
		}
		if n.unit = units[p.words[j].form]; j == next && n.unit != "" && len(n.values) == 1 && n.values[0] >= 1 {
			p.addHalf(n, j+1)
		}
		if n.unit == "" && isRate(p.words[j].form) && j == next && (len(n.values) == 0 || n.values[0] >= 1) {
			break
		}
	}
	if n.unit == "" && (isHour(p.form(next)) || p.language == "en" && slices.Contains([]string{"am", "pm", "o'"}, p.form(next))) && p.adjacent(next) {
		n.unit = clockUnit
	}
	if n.unit == "" && next < len(p.words) && p.adjacent(next) {
		if form := p.words[next].form; !functionOf(p.language)[form] && len(form) > 2 && isPlural(form, p.language) && p.table[form] == 0 && p.language != "ar" {
			n.noun = stem(form, p.language)
		}
	}
	if n.unit == "" && dual(p.words[i].form) != "" {
		n.unit = dual(p.words[i].form)
	}
}

// joinsUnit reports whether a function word leads on to the unit of the number before it: "30 or 40 euros", "millions of euros".
func (p *numberReader) joinsUnit(j int) bool {
	next := p.form(j + 1)
	return slices.Contains([]string{"per", "of", "de", "d'", "di", "von", "van", "more", "full", "whole", "good"}, p.words[j].form) || next != "" && (p.table[next] > 0 || unicode.IsDigit([]rune(next)[0]))
}

// addHalf adds the half that stands behind a unit: two hours and a half.
func (p *numberReader) addHalf(n *number, i int) {
	rest := padded(p.words[min(i, len(p.words)):min(i+3, len(p.words))])
	if slices.ContainsFunc(halves, func(half string) bool { return strings.HasPrefix(rest, half) }) {
		n.values[0] += .5
	}
}

// isPlural reports whether a word behind a number can be a noun in the plural. In English, Spanish and Portuguese it ends with an s.
func isPlural(form, language string) bool {
	return !slices.Contains([]string{"en", "es", "pt"}, language) || strings.HasSuffix(form, "s") || units[form] != ""
}

func isHour(form string) bool { return form == "uhr" || form == "h" }

func isRate(form string) bool {
	return slices.Contains([]string{"a", "an", "per", "every", "each"}, form)
}

func isLabel(form string) bool {
	return slices.Contains([]string{"number", "no", "nr", "nummer", "numéro", "número", "numero", "aisle", "gang", "platform", "gleis", "room", "الرقم", "رقم", "号", "番号"}, form)
}

// dual returns the unit of a word of Arabic that is two of it.
func dual(form string) string {
	form = strings.TrimPrefix(form, "و")
	if strings.HasSuffix(form, "ين") || strings.HasSuffix(form, "ان") {
		return units[form]
	}
	return ""
}

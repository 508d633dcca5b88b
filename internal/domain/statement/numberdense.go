package statement

import (
	"regexp"
	"strings"
	"unicode"
)

// denseNumerals matches numbers of Chinese and Japanese.
var denseNumerals = regexp.MustCompile(`[〇零一二两兩三四五六七八九十百千万萬億亿半\p{Nd}][〇零一二两兩三四五六七八九十百千万萬億亿半\p{Nd},.]*`)

// denseFraction matches a fraction of theirs, whose denominator comes first: three parts' two.
var denseFraction = regexp.MustCompile(`([一二三四五六七八九十百\p{Nd}]+)分[の之]([一二三四五六七八九十百\p{Nd}]+)`)

// denseNumbers returns the numbers of a text without spaces. It finds too many, as numerals are parts of words, so it suits what was
// said; a statement's number counts only before a unit.
func denseNumbers(text string) (all []number) {
	for _, at := range denseFraction.FindAllStringSubmatchIndex(text, -1) {
		n := number{text: text[at[0]:at[1]], start: at[0], end: at[1]}
		if below := denseValue(text[at[2]:at[3]]); below > 0 {
			n.values = []float64{denseValue(text[at[4]:at[5]]) / below}
			all = append(all, n)
		}
	}
	for _, at := range denseNumerals.FindAllStringIndex(text, -1) {
		raw := text[at[0]:at[1]]
		n := number{text: raw, start: at[0], end: at[1], values: []float64{denseValue(raw)}}
		for _, u := range denseUnits {
			if strings.HasPrefix(text[at[1]:], u.sign) {
				n.unit = u.class
				behind := text[at[1]+len(u.sign):]
				if strings.HasPrefix(behind, "半") {
					n.values[0] += .5
				} else if minute := denseNumerals.FindString(behind); u.class == clockUnit && minute != "" && strings.HasPrefix(behind, minute+"分") {
					n.values[0] += denseValue(minute) / 60
				}
				break
			}
		}
		if strings.HasPrefix(text[at[1]:], "个半") || strings.HasPrefix(text[at[1]:], "個半") || strings.HasPrefix(text[at[1]:], "つ半") {
			n.values = append(n.values, n.values[0]+.5)
		}
		all = append(all, n)
	}
	return all
}

// denseValue returns the value of a numeral such as 二十三, 1万5千 or 半.
func denseValue(s string) float64 {
	digits := map[rune]float64{'〇': 0, '零': 0, '一': 1, '二': 2, '两': 2, '兩': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	scale := map[rune]float64{'十': 10, '百': 100, '千': 1000}
	myriads := map[rune]float64{'万': 1e4, '萬': 1e4, '億': 1e8, '亿': 1e8}
	var total, sum, unit float64
	figures, seen := "", false
	flush := func() {
		if figures != "" {
			unit, _ = parseFigures(figures)
			figures = ""
		}
	}
	for _, r := range s {
		d, isDigit := digits[r]
		switch {
		case unicode.IsDigit(r) || strings.ContainsRune(",.", r):
			figures += string(r)
		case isDigit:
			flush()
			unit = unit*10 + d
		case scale[r] > 0:
			flush()
			if unit == 0 {
				unit = 1
			}
			sum, unit = sum+unit*scale[r], 0
		case myriads[r] > 0:
			flush()
			total, sum, unit = total+max(sum+unit, 1)*myriads[r], 0, 0
		case r == '半':
			flush()
			if !seen {
				return .5
			}
			unit += .5
		}
		seen = true
	}
	flush()
	return total + sum + unit
}

// ratio matches what stands between the two numbers of a share: two of the eight, four out of ten, three in five.
var ratio = regexp.MustCompile(`(?i)^[^.;!?]{0,40}?\b(?:of|out of|in|von|sur|de|su|di|em|van|op)(?: the| den| les| las| los| dei| de)?(?: about| some| around| roughly)? ?$|^ ?من ?$`)

// oneOf matches what stands before a number of which one is spoken of: one in five.
var oneOf = regexp.MustCompile(`(?i)\b(?:one|eine?[rsnm]?|une?|un[oa]|uma?|een|één) (?:\pL+ )?(?:in|out of|of|aus|von|sur|su|de cada|em cada|op|op de|van de)(?: every| jede[rn]?)? ?$`)

// ratios returns the shares that pairs of successive numbers state.
func ratios(text string, all []number) (found []number) {
	for i := range all {
		if at := oneOf.FindStringIndex(text[:all[i].start]); at != nil && len(all[i].values) > 0 && all[i].values[0] >= 2 && (i == 0 || all[i-1].end <= at[0]) {
			found = append(found, number{text: text[at[0]:all[i].end], start: at[0], end: all[i].end, values: []float64{1 / all[i].values[0]}, share: true, below: all[i].values[0]})
		}
	}
	for i := 0; i+1 < len(all); i++ {
		a, b := &all[i], &all[i+1]
		if len(a.values) == 0 || len(b.values) == 0 || a.end > b.start || a.values[0] <= 0 || a.values[0] >= b.values[0] || b.values[0] > 1000 || !ratio.MatchString(text[a.end:b.start]) {
			continue
		}
		found = append(found, number{text: text[a.start:b.end], start: a.start, end: b.end, values: []float64{a.values[0] / b.values[0]}, share: true, below: b.values[0]})
	}
	return found
}

package masking

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// luhn reports whether the last digit of a card's number fits the others.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// isIdentity reports whether digits alone are an identity number by their groups or by their check digits.
func (r run) isIdentity() bool {
	n, shape := len(r.digits), ""
	for i, group := range r.groups {
		if i > 0 {
			shape += r.joints[i-1]
		}
		shape += strconv.Itoa(len(group))
	}
	switch shape {
	case "3-2-4", // United States
		"3.3.3-2", "2.3.3/4-2", // Brazil
		"2.2.2-3.2",                    // Belgium
		"2 3 3 3",                      // Germany, tax
		"3-4-7-1",                      // United Arab Emirates
		"1 2 2 2 3 3", "1 2 2 2 3 3 2", // France
		"4 4 4", "4-4-4": // Japan
		return !r.plus && !r.isRound()
	}
	switch {
	case n == 15 && (r.digits[0] == '1' || r.digits[0] == '2'): // France, with its key
		number, _ := strconv.ParseInt(r.digits[:13], 10, 64)
		key, _ := strconv.ParseInt(r.digits[13:], 10, 64)
		return 97-number%97 == key
	case n == 18: // China
		return isChinese(r.digits)
	case n == 11 && len(r.groups) == 1: // Brazil, unformatted
		return isCPF(r.digits)
	}
	return false
}

// isRound reports whether every group ends with a zero, as in a list of counts.
func (r run) isRound() bool {
	return !slices.ContainsFunc(r.groups, func(group string) bool { return !strings.HasSuffix(group, "0") })
}

func isCPF(d string) bool {
	check := func(n int) byte {
		sum := 0
		for i := range n {
			sum += int(d[i]-'0') * (n + 1 - i)
		}
		return byte('0' + sum*10%11%10)
	}
	return strings.Trim(d, d[:1]) != "" && d[9] == check(9) && d[10] == check(10)
}

// isChinese checks a resident identity number of 18 places.
func isChinese(id string) bool {
	sum, weights := 0, []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	for i, w := range weights {
		sum += int(id[i]-'0') * w
	}
	year, _ := strconv.Atoi(id[6:10])
	return "10X98765432"[sum%11] == strings.ToUpper(id)[17] || year >= 1900 && year <= 2030 && isDayAndMonth([]string{id[10:12], id[12:14]})
}

// identityShapes are identity numbers with letters. check is nil where the form alone says enough.
var identityShapes = []struct {
	shape *regexp.Regexp
	check func(compact string) bool
}{
	{regexp.MustCompile(`\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b|\b[A-Z]{2} \d{2} \d{2} \d{2} [A-D]\b`), nil}, // United Kingdom
	{regexp.MustCompile(`(?i)\b[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]\b`), nil},                                                    // Italy
	{regexp.MustCompile(`(?i)\b[a-z]{3} [a-z]{3} \d{2}[a-ehlmprst]\d{2} [a-z]\d{3}[a-z]\b`), nil},                                         // Italy, in groups
	{regexp.MustCompile(`(?i)\b(?:\d{8}|\d{1,2}\.\d{3}\.\d{3})[- ]?[a-z]\b`), isSpanish},                                                  // Spain
	{regexp.MustCompile(`(?i)\b[xyz][- ]?\d{7}[- ]?[a-z]\b`), isSpanish},                                                                  // Spain, foreigners
	{regexp.MustCompile(`\b\d{2} ?(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2} ?[A-Z] ?\d{3}\b`), nil},                                   // Germany, pension
	{regexp.MustCompile(`\b\d{8} ?\d ?[A-Z]{2}\d\b`), nil},                                                                                // Portugal
	{regexp.MustCompile(`\b[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[xX]\b`), nil},                            // China
	{regexp.MustCompile(`\b[CFGHJKLMNPRTVWXYZ]\d[0-9CFGHJKLMNPRTVWXYZ]{7}\d(?:D|<<)`), nil},                                               // Germany, card
}

func identities(f *folded) (spans []span) {
	for _, part := range f.near(isDigit) {
		text := f.text[part.start:part.end]
		for _, id := range identityShapes {
			for _, at := range id.shape.FindAllStringIndex(text, -1) {
				compact := strings.ToUpper(compacter.Replace(text[at[0]:at[1]]))
				if id.check == nil || id.check(compact) {
					spans = append(spans, span{part.start + at[0], part.start + at[1], ID})
				}
			}
		}
	}
	return spans
}

var compacter = strings.NewReplacer(" ", "", "-", "", ".", "")

func isSpanish(id string) bool {
	digits := strings.NewReplacer("X", "0", "Y", "1", "Z", "2").Replace(id[:1]) + id[1:len(id)-1]
	number, err := strconv.Atoi(digits)
	return err == nil && "TRWAGMYFPDXBNJZSQVHLCKE"[number%23] == id[len(id)-1]
}

// token matches a number that may have letters.
var token = regexp.MustCompile(`^[A-Za-z]{0,4}\d[A-Za-z0-9]*(?:[ ./-][A-Za-z0-9]*\d[A-Za-z0-9]*)*`)

// cued returns the number that a run belongs to, with its letters, if the word for an identity number stands closely before it.
func (f *folded) cued(r run, dates []bool) (start, end int, ok bool) {
	start = r.start
	for start > 0 && r.start-start < 4 && f.lower[start-1] >= 'a' && f.lower[start-1] <= 'z' {
		start--
	}
	number := token.FindString(f.text[start:])
	digits := 0
	for i := range len(number) {
		if isDigit(number[i]) && !dates[start+i] {
			digits++
		}
	}
	end = start + len(number)
	if digits < 5 || amountAfter.MatchString(f.lower[end:]) {
		return 0, 0, false
	}
	return start, end, idCue.MatchString(f.behind(start))
}

// accountLengths has the length of an IBAN by country.
var accountLengths = map[string]int{
	"AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20,
	"EG": 29, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27, "JO": 30, "KW": 30,
	"LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "QA": 29, "RO": 24,
	"SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26,
}

var accountShape = regexp.MustCompile(`(?i)\b[a-z]{2}[ -]?\d{2}(?:[ -]?[a-z0-9]){11,32}`)

// accounts finds IBANs: by their country's length, and by their check digits or by being mostly digits.
func accounts(f *folded) (spans []span) {
	for _, at := range accountShape.FindAllStringIndex(f.text, -1) {
		length := accountLengths[strings.ToUpper(f.text[at[0]:at[0]+2])]
		end, compact := at[0], ""
		for ; end < at[1] && len(compact) < length; end++ {
			if b := f.text[end]; b != ' ' && b != '-' {
				compact += string(rune(b))
			}
		}
		if length == 0 || len(compact) < length || end < len(f.text) && (isDigit(f.text[end]) || isWordRune(rune(f.text[end]))) {
			continue
		}
		digits := strings.Count(strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, compact), "0")
		if isAccount(compact) || digits*2 > length && compact == strings.ToUpper(compact) {
			spans = append(spans, span{at[0], end, Account})
		}
	}
	return spans
}

// isAccount checks an IBAN without spaces: the remainder of its value by 97 is 1.
func isAccount(compact string) bool {
	rest := 0
	for _, r := range strings.ToUpper(compact[4:] + compact[:4]) {
		switch {
		case r >= '0' && r <= '9':
			rest = (rest*10 + int(r-'0')) % 97
		default:
			rest = (rest*100 + int(r-'A') + 10) % 97
		}
	}
	return rest == 1
}

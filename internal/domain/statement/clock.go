package statement

import (
	"slices"
	"strings"
	"unicode"
)

// clockUnit is the unit of a time of day. Its value is in hours, and twelve hours more or less are no difference.
const clockUnit = "clock"

// isClock reports whether one of two numbers is a time of day, and the other may be one.
func isClock(a, b string) bool {
	return a == clockUnit && (b == clockUnit || b == "" || b == "hour") || b == clockUnit && (a == "" || a == "hour")
}

// clock reads a time of day that begins at a word: half past six, Viertel nach sieben, halb acht, 18 h 30, siete menos cuarto. It
// returns the index behind it, and the same index if there is none.
func (p *numberReader) clock(i int) (value float64, next int) {
	if part := partOfHour(p.form(i)); part > 0 {
		if p.language == "de" && p.form(i) == "halb" || p.language == "nl" && p.form(i) == "half" {
			if hour, ok := p.hour(i + 1); ok {
				return hour - .5, i + 2
			}
			return 0, i
		}
		return p.beside(part, i, i+1)
	}
	if minute, ok := p.upTo(i, 59); ok {
		if units[p.form(i+1)] == "minute" {
			return p.beside(minute/60, i, i+2)
		}
		if behind := p.form(i + 2); p.form(i+1) == "past" || p.form(i+1) == "nach" || p.form(i+1) == "to" && (behind == "noon" || behind == "midnight") {
			return p.beside(minute/60, i, i+1)
		}
	}
	hour, ok := p.hour(i)
	if !ok {
		return 0, i
	}
	next = i + 1
	if slices.Contains([]string{"uhr", "h", "heures", "heure", "horas"}, p.form(next)) {
		if minute, ok := p.upTo(next+1, 59); ok && p.between(next+1) {
			return hour + minute/60, next + 2
		}
		next++
	}
	sign := 1.0
	switch p.form(next) {
	case "menos", "moins", "meno":
		sign = -1
	case "y", "et", "e":
	default:
		return 0, i
	}
	for next++; slices.Contains([]string{"le", "un"}, p.form(next)); {
		next++
	}
	if part := partOfHour(p.form(next)); part == .25 {
		return hour + sign*part, next + 1
	}
	return 0, i
}

// beside adds a part of an hour to the hour behind it, or takes it away.
func (p *numberReader) beside(part float64, i, next int) (float64, int) {
	hour, ok := p.hour(next + 1)
	switch {
	case !ok:
	case slices.Contains([]string{"past", "after", "nach", "over"}, p.form(next)):
		return hour + part, next + 2
	case slices.Contains([]string{"to", "before", "vor", "voor"}, p.form(next)):
		return hour - part, next + 2
	}
	return 0, i
}

func (p *numberReader) form(i int) string {
	if i >= len(p.words) {
		return ""
	}
	return p.words[i].form
}

// between reports whether only a space stands before a word.
func (p *numberReader) between(i int) bool {
	return strings.Trim(p.text[p.words[i-1].end:p.words[i].start], " \u00a0\u202f") == ""
}

func partOfHour(form string) float64 {
	switch form {
	case "half", "halb":
		return .5
	case "quarter", "viertel", "kwart", "quart", "cuarto", "quarto":
		return .25
	}
	return 0
}

// hour returns the hour that a word names.
func (p *numberReader) hour(i int) (float64, bool) {
	if form := p.form(i); form == "noon" || form == "midnight" {
		return 12, true
	}
	return p.upTo(i, 24)
}

// upTo returns the whole number of a word, if it is no larger than a limit.
func (p *numberReader) upTo(i int, limit float64) (float64, bool) {
	form := p.form(i)
	if form == "" {
		return 0, false
	}
	value, ok := p.table[form]
	if unicode.IsDigit([]rune(form)[0]) {
		var rest string
		value, rest = parseFigures(form)
		ok = rest == "" && !strings.ContainsAny(form, ".,:")
	}
	return value, ok && value <= limit && value == float64(int(value))
}

// smaller has the unit that is added to a larger one, and how many of it the larger has.
var smaller = map[string]struct {
	unit string
	many float64
}{"hour": {"minute", 60}, "minute": {"second", 60}, "year": {"month", 12}, "week": {"day", 7}}

// durations returns the times that are stated in two units: an hour and ten minutes, two years and three months.
func durations(text string, all []number) (found []number) {
	words := wordsOf(text)
	for _, low := range all {
		at := slices.IndexFunc(words, func(w word) bool { return w.start == low.start })
		if at > 0 && slices.Contains([]string{"and", "et", "y", "e", "und", "en"}, words[at-1].form) {
			at--
		}
		if at < 1 || len(low.values) == 0 || strings.Trim(text[words[at-1].end:words[at].start], " ,-") != "" {
			continue
		}
		large := units[strings.TrimPrefix(words[at-1].form, "و")]
		if units[words[at-1].form] != "" {
			large = units[words[at-1].form]
		}
		if low.unit == "" || smaller[large].unit != low.unit {
			continue
		}
		high, start := 1.0, words[at-1].start
		for _, before := range all {
			if at > 1 && before.end == words[at-2].end && len(before.values) > 0 {
				high, start = before.values[0], before.start
			}
		}
		found = append(found, number{text: text[start:low.end], start: start, end: low.end, values: []float64{high*smaller[large].many + low.values[0]}, unit: low.unit, language: low.language})
	}
	return found
}

package strictjson

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns a JSON text that is the same for equal values: without white space, with sorted object keys, and with
// one spelling for each string and each number. The order of an array matters.
func Canonical(v *Value) []byte { return appendCanonical(nil, v) }

func appendCanonical(b []byte, v *Value) []byte {
	switch v.Kind {
	case Null:
		return append(b, "null"...)
	case Bool:
		return append(b, v.Text...)
	case Number:
		return append(b, canonicalNumber(v.Text)...)
	case String:
		return appendText(b, v.Text)
	case Array:
		b = append(b, '[')
		elements := v.Elements()
		for i := range elements {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, &elements[i])
		}
		return append(b, ']')
	}
	members := v.Members()
	order := make([]int, len(members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(members[i].Key, members[j].Key) })
	b = append(b, '{')
	for n, i := range order {
		if n > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, members[i].Key), ':')
		b = appendCanonical(b, &members[i].Value)
	}
	return append(b, '}')
}

func appendText(b []byte, text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return append(b, encoded...)
}

// canonicalNumber writes a JSON number exactly, as an integer without trailing zeros and a power of ten: 10, 1e1 and 10.0
// are 1e1. A literal with an unreasonably large exponent stays as it is.
func canonicalNumber(literal string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(literal), "e")
	exponent := 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil || exponent > 1<<30 || exponent < -1<<30 {
			return literal
		}
	}
	digits, negative := strings.CutPrefix(mantissa, "-")
	integer, fraction, _ := strings.Cut(digits, ".")
	exponent -= len(fraction)
	digits = strings.TrimLeft(integer+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	exponent += len(digits) - len(short)
	if negative {
		short = "-" + short
	}
	return short + "e" + strconv.Itoa(exponent)
}

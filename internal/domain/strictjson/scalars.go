package strictjson

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (r *reader) text(v *Value) (string, bool) {
	if v.Kind != String {
		r.wrongType(String.String(), v.Kind.String())
		return "", false
	}
	if strings.ContainsRune(v.Text, 0) { // databases do not store it
		r.invalidString("String must not contain the character U+0000", "string without U+0000", v.Text)
		return "", false
	}
	return v.Text, true
}

// textOf reads a string of least to limit characters; ok reports whether it is one.
func (r *reader) textOf(v *Value, least, limit int) (text string, ok bool) {
	if text, ok = r.text(v); !ok {
		return "", false
	}
	if len(text) >= least && len(text) <= limit { // there are no more characters than bytes; least is 0 or 1
		return text, true
	}
	before := len(r.issues)
	r.count("String", "character(s)", utf8.RuneCountInString(text), least, limit)
	return text, len(r.issues) == before
}

func (r *reader) textMap(v *Value) map[string]string {
	if v.Kind != Map {
		r.wrongType(Map.String(), v.Kind.String())
		return nil
	}
	start, members := len(r.issues), v.Members()
	var texts map[string]string
	for i := range members {
		if texts == nil {
			texts = make(map[string]string, len(members))
		}
		r.push(members[i].Key)
		texts[members[i].Key], _ = r.text(&members[i].Value)
		r.pop()
		if len(r.issues)-start >= MaxIssues {
			break
		}
	}
	return texts
}

func (r *reader) invalidString(message, expected, received string) {
	r.report(Issue{Message: message, Code: InvalidString, Expected: expected, Received: clip(received)})
}

func (r *reader) enum(v *Value, values []string) string {
	switch {
	case v.Kind != String:
		r.wrongType(oneOf(values, ""), v.Kind.String())
		return ""
	case !slices.Contains(values, v.Text):
		expected := oneOf(values, v.Text)
		r.report(Issue{
			Message: fmt.Sprintf("Invalid enum value. Expected %s, received '%s'", expected, clip(v.Text)),
			Code:    InvalidEnumValue, Expected: expected, Received: clip(v.Text),
		})
	}
	return v.Text
}

// discriminator reports a value that is not one of the values; nil is a missing value.
func (r *reader) discriminator(v *Value, values []string) {
	received := undefined
	switch {
	case v == nil:
	case v.Kind == String:
		received = clip(v.Text)
	default:
		received = v.Kind.String()
	}
	r.report(Issue{
		Message: "Invalid discriminator value. Expected " + quoted(values),
		Code:    InvalidUnionDiscriminator, Expected: quoted(values), Received: received,
	})
}

func (r *reader) integer(v *Value, least, limit int) int {
	number, err := strconv.ParseFloat(v.Text, 64)
	switch {
	case v.Kind != Number:
		r.wrongType("integer", v.Kind.String())
	case err != nil && !errors.Is(err, strconv.ErrRange) || number != math.Trunc(number): // a number out of a float's range reads as an infinity
		r.wrongType("integer", "float")
	case r.inRange(v, number, float64(least), float64(limit)):
		return int(number)
	}
	return 0
}

func (r *reader) number(v *Value, least, limit float64) float64 {
	number, err := strconv.ParseFloat(v.Text, 64) // a number out of a float's range: an infinity, and an error
	switch {
	case v.Kind != Number:
		r.wrongType(Number.String(), v.Kind.String())
	case r.inRange(v, number, least, limit) && err == nil:
		return number
	}
	return 0
}

// inRange reports whether a number is from least to limit, and adds an issue if it is not.
func (r *reader) inRange(v *Value, number, least, limit float64) bool {
	issue := Issue{Received: clip(v.Text)}
	switch {
	case number < least:
		issue.Code, issue.Expected = TooSmall, "at least "+plain(least)
		issue.Message = "Number must be greater than or equal to " + plain(least)
	case number > limit:
		issue.Code, issue.Expected = TooBig, "at most "+plain(limit)
		issue.Message = "Number must be less than or equal to " + plain(limit)
	default:
		return true
	}
	r.report(issue)
	return false
}

// plain formats a number without an exponent.
func plain(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
				return false
			}
		}
	}
	return true
}

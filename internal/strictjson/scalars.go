package strictjson

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

func (r *reader) text(v *Value) (string, bool) {
	if v.Kind != String {
		r.wrongType(String.String(), v.Kind.String())
		return "", false
	}
	if strings.ContainsRune(v.Text, 0) { // databases do not hold it
		r.invalidString("String must not contain the character U+0000", "string without U+0000", v.Text)
		return "", false
	}
	return v.Text, true
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
		r.wrongType(quoted(values), v.Kind.String())
		return ""
	case !slices.Contains(values, v.Text):
		r.report(Issue{
			Message: fmt.Sprintf("Invalid enum value. Expected %s, received '%s'", quoted(values), clip(v.Text)),
			Code:    InvalidEnumValue, Expected: quoted(values), Received: clip(v.Text),
		})
	}
	return v.Text
}

// discriminator reports a value that names no kind of object; nil is a missing one.
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

func (r *reader) integer(v *Value, least, most int) int {
	if v.Kind != Number {
		r.wrongType("integer", v.Kind.String())
		return 0
	}
	number, err := strconv.ParseFloat(v.Text, 64)
	switch {
	case err != nil || number != math.Trunc(number):
		r.wrongType("integer", "float")
	case number < float64(least):
		r.report(Issue{
			Message: fmt.Sprintf("Number must be greater than or equal to %d", least), Code: TooSmall,
			Expected: fmt.Sprintf("at least %d", least), Received: clip(v.Text),
		})
	case number > float64(most):
		r.report(Issue{
			Message: fmt.Sprintf("Number must be less than or equal to %d", most), Code: TooBig,
			Expected: fmt.Sprintf("at most %d", most), Received: clip(v.Text),
		})
	default:
		return int(number)
	}
	return 0
}

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

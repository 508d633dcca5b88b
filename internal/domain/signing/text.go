package signing

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Parse parses a ring: one secret per line, or separated by commas; the first one signs. A secret may be followed by
// from=TIME and until=TIME in RFC 3339, and for=FORMAT. Empty lines and lines that begin with # are ignored. Errors are made
// for operators and do not contain any part of a secret.
func Parse(text string) (Ring, error) {
	var r Ring
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for part := range strings.SplitSeq(line, ",") {
			words := strings.Fields(part)
			if len(words) == 0 {
				continue
			}
			key, err := parseKey(words)
			if err != nil {
				return Ring{}, fmt.Errorf("line %d: %w", n+1, err)
			}
			r.keys = append(r.keys, key)
		}
	}
	if len(r.keys) == 0 {
		return Ring{}, errors.New("it contains no signing secret")
	}
	if len(r.keys) > maxKeys {
		return Ring{}, fmt.Errorf("it contains %d signing secrets; at most %d are allowed", len(r.keys), maxKeys)
	}
	return r, nil
}

func parseKey(words []string) (Key, error) {
	key, err := NewKey(words[0])
	if err != nil {
		return Key{}, err
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case name == "from":
			key.From, err = time.Parse(time.RFC3339, value)
		case name == "until":
			key.Until, err = time.Parse(time.RFC3339, value)
		case name == "for" && (Format(value) == Links1 || Format(value) == Cursor1):
			key.Format = Format(value)
		default:
			err = errors.New("unknown")
		}
		if err != nil {
			return Key{}, errors.New("a secret may be followed only by from=TIME and until=TIME, with times such as 2026-11-22T03:00:00Z")
		}
	}
	return key, nil
}

// Format writes a ring in the form that Parse reads, with times in whole seconds. The text contains the secrets.
func (r Ring) Format() string {
	var b strings.Builder
	for _, k := range r.keys {
		b.WriteString(k.secret)
		for _, at := range []struct {
			name string
			time.Time
		}{{"from", k.From}, {"until", k.Until}} {
			if !at.IsZero() {
				b.WriteString(" " + at.name + "=" + at.UTC().Format(time.RFC3339))
			}
		}
		if k.Format != Current {
			b.WriteString(" for=" + string(k.Format))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

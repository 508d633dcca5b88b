package panel

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Values replace the placeholders of a template.
type Values struct {
	Participant string            // {{pid}}
	Params      map[string]string // {{param.NAME}}
	ResponseID  string            // {{responseId}}
	Status      string            // {{status}}
	Code        string            // {{code}}

	url, query string // {{url}} and {{query}}, in what is signed
}

const (
	opening, closing = "{{", "}}"
	paramPrefix      = "param."
)

// MaxPlaceholders bounds the placeholders of a template, and with them the length of what it becomes.
const MaxPlaceholders = 20

// part is a text of a template, or one of its placeholders.
type part struct {
	literal string
	name    string // of the placeholder; empty: a literal
}

// split returns the parts of a template.
func split(template string) (parts []part, err error) {
	placeholders := 0
	for rest := template; rest != ""; {
		before, after, found := strings.Cut(rest, opening)
		if strings.Contains(before, closing) {
			return nil, errors.New("}} stands without {{ before it")
		}
		if before != "" {
			parts = append(parts, part{literal: before})
		}
		if !found {
			break
		}
		name, remaining, closed := strings.Cut(after, closing)
		if !closed {
			return nil, errors.New("{{ stands without }} after it")
		}
		if placeholders++; placeholders > MaxPlaceholders {
			return nil, fmt.Errorf("at most %d placeholders are allowed", MaxPlaceholders)
		}
		parts, rest = append(parts, part{name: strings.TrimSpace(name)}), remaining
		if parts[len(parts)-1].name == "" {
			return nil, errors.New("{{}} names nothing")
		}
	}
	return parts, nil
}

// Kind is a use of templates, which decides the placeholders that it may have.
type Kind int

// The kinds of templates.
const (
	Address Kind = iota // an address that participants go to, or that the panel's server is asked at
	Signed              // what a signature signs
	Body                // the body of a postback
)

// known returns an error for a placeholder that templates of the kind do not have.
func (k Kind) known(name string, identified bool) error {
	switch {
	case name == "responseId", name == "status", name == "code", k == Signed && (name == "url" || name == "query"):
		return nil
	case name == "pid" && identified:
		return nil
	case name == "pid":
		return errors.New("{{pid}} needs participant.parameter, which names the identifying parameter")
	case strings.HasPrefix(name, paramPrefix+"_"):
		return errors.New("parameters that begin with an underscore belong to the service")
	case len(name) > len(paramPrefix) && strings.HasPrefix(name, paramPrefix):
		return nil
	}
	list := "{{pid}}, {{param.NAME}}, {{responseId}}, {{status}} and {{code}}"
	if k == Signed {
		list = "{{url}}, {{query}}, " + list
	}
	return fmt.Errorf("there is no placeholder {{%.40s}}; there are %s", name, list)
}

// CheckText returns an error for a template with placeholders that its kind does not have. identified reports whether participants are
// identified by a parameter.
func CheckText(kind Kind, template string, identified bool) error {
	parts, err := split(template)
	for i := 0; i < len(parts) && err == nil; i++ {
		if parts[i].name != "" {
			err = kind.known(parts[i].name, identified)
		}
	}
	return err
}

// origin matches the scheme, the host and the port of an address, before its path, query or fragment.
var origin = regexp.MustCompile(`^(https?)://([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[::1\])(?::[0-9]{1,5})?(?:[/?#]|$)`)

// CheckAddress returns an error for a template of an address that participants must not be sent to: it must be absolute, with https (or
// http at this machine's own names), and no placeholder may be a part of the scheme, the host or the port.
func CheckAddress(template string, identified bool) error {
	if err := CheckText(Address, template, identified); err != nil {
		return err
	}
	parts, err := split(template)
	if err != nil {
		return err
	}
	plain := ""
	for _, p := range parts {
		if strings.ContainsFunc(p.literal, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r) }) {
			return errors.New("it has a character that addresses must not have; write it as %XX")
		}
		if p.name != "" {
			p.literal = "x"
		}
		plain += p.literal
	}
	if len(parts) == 0 || parts[0].name != "" {
		return errors.New("it must begin with https:// and a host")
	}
	found := origin.FindStringSubmatch(parts[0].literal)
	if found == nil {
		return errors.New("it must begin with https:// and a host, without a user name, and with no placeholder in them")
	}
	if end := parts[0].literal[:len(found[0])]; len(parts) > 1 && !strings.HasSuffix(end, "/") && !strings.HasSuffix(end, "?") && !strings.HasSuffix(end, "#") {
		return errors.New("a placeholder must not be a part of the host: write a / before it")
	}
	if found[1] == "http" && found[2] != "localhost" && found[2] != "127.0.0.1" && found[2] != "[::1]" {
		return errors.New("it must be an https address; http is allowed for localhost alone")
	}
	if _, err := url.Parse(plain); err != nil {
		return errors.New("it is no address")
	}
	return nil
}

// address fills in a template of an address. Values cannot leave the place where they stand: every byte that could mean something in an
// address is escaped, and in the path a value of dots alone, which browsers would read as the folder above, is left out.
func (v *Values) address(template string) (string, error) {
	parts, err := split(template)
	if err != nil {
		return "", err
	}
	var to strings.Builder
	inPath := true
	for _, p := range parts {
		if p.name == "" {
			inPath = inPath && !strings.ContainsAny(p.literal, "?#")
			to.WriteString(p.literal)
			continue
		}
		value := v.of(p.name)
		if inPath && strings.Trim(value, ".") == "" {
			continue
		}
		to.WriteString(escape(value))
	}
	return to.String(), nil
}

// text fills in a template without escaping anything.
func (v *Values) text(template string) (string, error) {
	parts, err := split(template)
	if err != nil {
		return "", err
	}
	var to strings.Builder
	for _, p := range parts {
		if p.name != "" {
			p.literal = v.of(p.name)
		}
		to.WriteString(p.literal)
	}
	return to.String(), nil
}

func (v *Values) of(name string) string {
	switch name {
	case "pid":
		return v.Participant
	case "responseId":
		return v.ResponseID
	case "status":
		return v.Status
	case "code":
		return v.Code
	case "url":
		return v.url
	case "query":
		return v.query
	}
	return v.Params[strings.TrimPrefix(name, paramPrefix)]
}

// escape writes every byte as %XX that is not a letter, a digit or one of -._~ (RFC 3986, 2.3).
func escape(value string) string {
	const digits = "0123456789ABCDEF"
	var to strings.Builder
	for _, b := range []byte(value) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("-._~", b) >= 0 {
			to.WriteByte(b)
			continue
		}
		to.Write([]byte{'%', digits[b>>4], digits[b&15]})
	}
	return to.String()
}

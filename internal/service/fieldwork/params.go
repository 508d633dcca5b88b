package fieldwork

import (
	"net/url"
	"strings"

	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/strictjson"
)

// Bounds of the link's parameters. Anything beyond them is dropped; the participant is not turned away.
const (
	maxParams     = 50   // public ones, and as many that belong to the service
	maxParamBytes = 2000 // of a value and of a name
)

// Param is one parameter of a study link.
type Param struct {
	Name, Value string
	raw         string // as written in the link
}

// Params parses the query of a study link and returns the first value of each parameter, in the order written. Parameters whose
// names start with an underscore belong to the service and are counted separately. Badly escaped pairs are dropped, and bytes
// that are not valid text are replaced.
func Params(query string) []Param {
	var params []Param
	seen := map[string]bool{}
	visible, own := 0, 0
	for pair := range strings.SplitSeq(query, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		name, value = strictjson.CleanText(name), strictjson.CleanText(value)
		if seen[name] || name == "" || nameErr != nil || valueErr != nil {
			continue
		}
		if len(value) > maxParamBytes || len(name) > maxParamBytes {
			continue
		}
		count := &visible
		if name[0] == '_' {
			count = &own
		}
		if *count < maxParams {
			*count++
			seen[name] = true
			params = append(params, Param{Name: name, Value: value, raw: pair})
		}
	}
	return params
}

// Query returns the given parameters as they were written in the link.
func Query(params []Param) string {
	pairs := make([]string, len(params))
	for i := range params {
		pairs[i] = params[i].raw
	}
	return strings.Join(pairs, "&")
}

// repeatedParam returns the name of a parameter that a link has more than once although its signature covers one value; empty if there is none.
func repeatedParam(query string) string {
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(query, "&") {
		raw, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(raw)
		name = strictjson.CleanText(name)
		if err != nil || name == "" || !panel.IsSigned(name) {
			continue
		}
		if seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}

func paramMap(query string) map[string]string {
	params := map[string]string{}
	for _, param := range Params(query) {
		params[param.Name] = param.Value
	}
	return params
}

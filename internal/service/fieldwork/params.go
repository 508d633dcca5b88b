package fieldwork

import (
	"net/url"
	"strings"

	"verbatim/internal/domain/strictjson"
)

// Bounds of the link's parameters. What goes beyond them is left out; nobody is turned away for it.
const (
	maxParams     = 50   // visible ones, and as many of the service's own
	maxParamBytes = 2000 // of a value, and of a name
)

// Param is one parameter of a study link.
type Param struct {
	Name, Value string
	raw         string // as it was written
}

// Params reads the query of a study link: the first value of each parameter, in the order written. Parameters that start with
// an underscore belong to the service and are counted apart. Pairs that are badly escaped are left out, and bytes that are
// no text are replaced.
func Params(query string) []Param {
	var kept []Param
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
			kept = append(kept, Param{Name: name, Value: value, raw: pair})
		}
	}
	return kept
}

// Query is the part of a link's query that Params reads, as it was written.
func Query(params []Param) string {
	pairs := make([]string, len(params))
	for i := range params {
		pairs[i] = params[i].raw
	}
	return strings.Join(pairs, "&")
}

func keptParams(query string) map[string]string {
	kept := map[string]string{}
	for _, param := range Params(query) {
		kept[param.Name] = param.Value
	}
	return kept
}

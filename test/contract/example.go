package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Example is a request or an answer that a document shows. Its ids are the document's: a test that runs a request replaces them in Target
// and Body.
type Example struct {
	Operation Operation
	Name      string
	Status    int         // 0 for a request
	Target    string      // for a request: path and query, from the examples of the parameters
	Header    http.Header // for a request: from the same examples, without the API key
	MediaType string      // of Body; empty if there is none
	Body      []byte
}

// IsRequest reports whether the example is a request and not an answer.
func (e Example) IsRequest() bool { return e.Status == 0 }

// Examples returns every request and answer that the documents show. An operation whose body is absent or optional has one request named
// after its operationId.
func (s *Suite) Examples() []Example {
	var list []Example
	for _, op := range s.operations {
		list = append(list, op.examples...)
	}
	return list
}

// bodies returns the examples of a media type.
func (d *document) bodies(kind node, mediaType string) ([]Example, error) {
	shown, err := d.child(kind, "examples")
	if err != nil {
		return nil, err
	}
	var list []Example
	for _, name := range slices.Sorted(maps.Keys(shown.value)) {
		n, err := d.child(shown, name)
		if err != nil {
			return nil, err
		}
		e := Example{Name: name, MediaType: mediaType}
		if text, ok := n.value["value"].(string); ok && !isJSON(mediaType) {
			e.Body = []byte(text)
		} else if e.Body, err = json.Marshal(n.value["value"]); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// calls returns the requests of an operation: one for each body, and one without a body if it is absent or optional.
func (d *document) calls(op node, path string, bodies []Example) ([]Example, error) {
	call := Example{Header: http.Header{}}
	call.Name, _ = op.value["operationId"].(string)
	query := url.Values{}
	parameters, _ := op.value["parameters"].([]any)
	for i, value := range parameters {
		parameter, _ := value.(map[string]any)
		n, err := d.follow(node{at: fmt.Sprintf("%s/parameters/%d", op.at, i), value: parameter})
		if err != nil {
			return nil, err
		}
		name, _ := n.value["name"].(string)
		value := n.value["example"]
		switch in := n.value["in"]; {
		case value == nil && n.value["required"] == true:
			return nil, fmt.Errorf("parameter %s has no example", name)
		case value == nil:
		case in == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
		case in == "header":
			call.Header.Set(name, fmt.Sprint(value))
		default:
			if fields, ok := value.(map[string]any); ok { // an exploded object
				for name, value := range fields {
					query.Set(name, fmt.Sprint(value))
				}
			} else {
				query.Set(name, fmt.Sprint(value))
			}
		}
	}
	call.Target = path
	if len(query) > 0 {
		call.Target += "?" + query.Encode()
	}

	body, err := d.child(op, "requestBody")
	if err != nil {
		return nil, err
	}
	var list []Example
	if body.value == nil || body.value["required"] != true {
		list = append(list, call)
	}
	for _, example := range bodies {
		example.Target, example.Header = call.Target, call.Header.Clone()
		example.Header.Set("Content-Type", example.MediaType)
		list = append(list, example)
	}
	return list, nil
}

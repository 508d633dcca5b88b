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

// Example is a request or an answer that a document shows. The ids in it are the document's: a test that runs a request
// puts its own in their place, in Target and Body.
type Example struct {
	Operation Operation
	Name      string
	Status    int         // 0 of a request
	Target    string      // of a request: path and query, from the examples of the parameters
	Header    http.Header // of a request: the same, without the API key
	MediaType string      // of Body; empty where there is none
	Body      []byte
}

// IsRequest tells requests from answers.
func (e Example) IsRequest() bool { return e.Status == 0 }

// Examples lists every request and answer that the documents show. An operation that takes no body, or needs none, has
// one request named after its operationId.
func (s *Suite) Examples() []Example {
	var list []Example
	for _, op := range s.operations {
		list = append(list, op.examples...)
	}
	return list
}

// bodies lists the examples of a media type.
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

// calls lists the requests of an operation: one a body, and one without where it takes none or needs none.
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
			if fields, ok := value.(map[string]any); ok { // of an exploded object
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

package contract

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// operation is an Operation with the bodies that it accepts and its answers.
type operation struct {
	Operation
	pages    bool    // whether browsers get pages
	body     content // nil if the operation has none
	answers  map[int]*answer
	examples []Example
}

// ServeHTTP lets a mux hold operations; it is never called.
func (*operation) ServeHTTP(http.ResponseWriter, *http.Request) {}

// content maps media types to schemas; a nil schema accepts anything. The type */* stands for all that are not listed.
type content map[string]*jsonschema.Schema

// schema returns the schema of a media type; ok reports whether the type is documented.
func (c content) schema(mediaType string) (schema *jsonschema.Schema, ok bool) {
	if schema, ok = c[mediaType]; !ok {
		schema, ok = c["*/*"]
	}
	return schema, ok
}

// answer is the documented answer of a status.
type answer struct {
	content content
	headers map[string]header
	codes   []string // of errors; empty otherwise
}

type header struct {
	required bool
	schema   *jsonschema.Schema
}

// unrouted is the documented answer of addresses under the prefixes that belong to no operation.
type unrouted struct {
	pages    bool
	prefixes []string
	answers  map[int]*answer
}

var methods = []string{"get", "head", "post", "put", "patch", "delete", "options", "trace"}

// add reads the operations of a document.
func (s *Suite) add(doc *document) error {
	root := node{value: doc.root}
	paths, err := doc.child(root, "paths")
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(paths.value)) {
		item, err := doc.child(paths, path)
		if err != nil {
			return err
		}
		for _, method := range methods {
			if item.value[method] == nil {
				continue
			}
			op, err := doc.operation(item, method, path)
			if err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			s.operations = append(s.operations, op)
		}
	}
	rest, err := doc.child(root, "x-unrouted")
	if err != nil {
		return err
	}
	fallback := unrouted{pages: doc.pages(), prefixes: texts(rest.value["prefixes"])}
	if fallback.answers, _, err = doc.answers(rest); err != nil {
		return fmt.Errorf("x-unrouted: %w", err)
	}
	s.unrouted = append(s.unrouted, fallback)
	return nil
}

func (d *document) operation(item node, method, path string) (*operation, error) {
	n, err := d.child(item, method)
	if err != nil {
		return nil, err
	}
	id, _ := n.value["operationId"].(string)
	op := &operation{pages: d.pages(), Operation: Operation{Document: d.name, Method: strings.ToUpper(method), Path: path, ID: id}}
	if op.Slashes, err = d.slashes(n); err != nil {
		return nil, err
	}
	request, err := d.child(n, "requestBody")
	if err != nil {
		return nil, err
	}
	var bodies []Example
	if request.value != nil {
		if op.body, bodies, err = d.content(request); err != nil {
			return nil, err
		}
	}
	calls, err := d.calls(n, path, bodies)
	if err != nil {
		return nil, err
	}
	var replies []Example
	if op.answers, replies, err = d.answers(n); err != nil {
		return nil, err
	}
	op.examples = append(calls, replies...)
	for i := range op.examples {
		op.examples[i].Operation = op.Operation
	}
	return op, nil
}

// pages reports whether browsers get pages at the addresses of the document.
func (d *document) pages() bool { return d.root["x-pages"] == true }

// slashes reports whether a parameter of the path may contain slashes. It must be the last one.
func (d *document) slashes(op node) (bool, error) {
	parameters, _ := op.value["parameters"].([]any)
	for i, value := range parameters {
		parameter, _ := value.(map[string]any)
		n, err := d.follow(node{at: fmt.Sprintf("%s/parameters/%d", op.at, i), value: parameter})
		if err != nil {
			return false, err
		}
		if n.value["x-slashes"] == true {
			return true, nil
		}
	}
	return false, nil
}

// answers reads the responses under a node, and their examples.
func (d *document) answers(n node) (map[int]*answer, []Example, error) {
	responses, err := d.child(n, "responses")
	if err != nil {
		return nil, nil, err
	}
	all, examples := map[int]*answer{}, []Example(nil)
	for _, key := range slices.Sorted(maps.Keys(responses.value)) {
		status, err := strconv.Atoi(key)
		if err != nil {
			return nil, nil, fmt.Errorf("status %q: %w", key, err)
		}
		response, err := d.child(responses, key)
		if err != nil {
			return nil, nil, err
		}
		a, found, err := d.answer(response)
		if err != nil {
			return nil, nil, fmt.Errorf("status %d: %w", status, err)
		}
		for _, example := range found {
			example.Status = status
			examples = append(examples, example)
		}
		all[status] = a
	}
	return all, examples, nil
}

func (d *document) answer(response node) (*answer, []Example, error) {
	a := &answer{headers: map[string]header{}}
	var examples []Example
	var err error
	if a.content, examples, err = d.content(response); err != nil {
		return nil, nil, err
	}
	if a.codes, err = d.codes(response); err != nil {
		return nil, nil, err
	}
	headers, err := d.child(response, "headers")
	if err != nil {
		return nil, nil, err
	}
	for name := range headers.value {
		n, err := d.child(headers, name)
		if err != nil {
			return nil, nil, err
		}
		h := header{}
		h.required, _ = n.value["required"].(bool)
		if h.schema, err = d.schema(n.at + "/schema"); err != nil {
			return nil, nil, err
		}
		a.headers[name] = h
	}
	return a, examples, nil
}

// content compiles the schemas under a node's content, and lists their examples.
func (d *document) content(n node) (content, []Example, error) {
	media, err := d.child(n, "content")
	if err != nil {
		return nil, nil, err
	}
	schemas, examples := content{}, []Example(nil)
	for _, name := range slices.Sorted(maps.Keys(media.value)) {
		kind, err := d.child(media, name)
		if err != nil {
			return nil, nil, err
		}
		schemas[name] = nil
		if kind.value["schema"] != nil {
			if schemas[name], err = d.schema(kind.at + "/schema"); err != nil {
				return nil, nil, err
			}
		}
		found, err := d.bodies(kind, name)
		if err != nil {
			return nil, nil, err
		}
		examples = append(examples, found...)
	}
	return schemas, examples, nil
}

// codes returns the values that the JSON of a response may have as its code.
func (d *document) codes(response node) ([]string, error) {
	n := response
	for _, key := range []string{"content", "application/json", "schema"} {
		var err error
		if n, err = d.child(n, key); err != nil {
			return nil, err
		}
	}
	parts := []node{n}
	if all, ok := n.value["allOf"].([]any); ok {
		for i, part := range all {
			value, _ := part.(map[string]any)
			parts = append(parts, node{at: fmt.Sprintf("%s/allOf/%d", n.at, i), value: value})
		}
	}
	for _, part := range parts {
		for _, key := range []string{"properties", "code"} {
			var err error
			if part, err = d.child(part, key); err != nil {
				return nil, err
			}
		}
		if codes := texts(part.value["enum"]); codes != nil {
			return codes, nil
		}
	}
	return nil, nil
}

// texts returns a JSON array as strings.
func texts(value any) []string {
	var list []string
	array, _ := value.([]any)
	for _, element := range array {
		if text, ok := element.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

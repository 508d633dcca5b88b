package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// document is one OpenAPI document as a tree of JSON values, with a compiler for the schemas in it.
type document struct {
	name     string
	root     map[string]any
	compiler *jsonschema.Compiler
}

// node is a value of a document and its place there, a JSON pointer.
type node struct {
	at    string
	value map[string]any
}

func parse(name string, text []byte) (*document, error) {
	var decoded any
	if err := yaml.Unmarshal(text, &decoded); err != nil {
		return nil, err
	}
	// Going through JSON makes numbers and keys the types that the schema compiler knows.
	plain, err := json.Marshal(decoded)
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		return nil, err
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the document is a %T, not an object", value)
	}
	branch(root)
	doc := &document{name: name, root: root, compiler: jsonschema.NewCompiler()}
	doc.compiler.AssertFormat()
	return doc, doc.compiler.AddResource(doc.url(""), root)
}

func (d *document) url(at string) string {
	address := url.URL{Scheme: "contract", Path: "/" + d.name, Fragment: at}
	return address.String()
}

func (d *document) schema(at string) (*jsonschema.Schema, error) {
	return d.compiler.Compile(d.url(at))
}

// child returns the object under a key, with references followed; its value is nil if there is none.
func (d *document) child(n node, key string) (node, error) {
	below := node{at: n.at + "/" + escape(key)}
	switch value := n.value[key].(type) {
	case nil:
		return below, nil
	case map[string]any:
		below.value = value
		return d.follow(below)
	default:
		return below, fmt.Errorf("%s is a %T, not an object", below.at, value)
	}
}

// follow resolves a $ref, which must point into the same document.
func (d *document) follow(n node) (node, error) {
	ref, ok := n.value["$ref"].(string)
	if !ok {
		return n, nil
	}
	at, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return n, fmt.Errorf("%s points out of the document: %s", n.at, ref)
	}
	target := node{at: at, value: d.root}
	for step := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		value, ok := target.value[unescape(step)].(map[string]any)
		if !ok {
			return n, fmt.Errorf("%s points nowhere: %s", n.at, ref)
		}
		target.value = value
	}
	return d.follow(target)
}

// branch turns every oneOf with a discriminator into conditions on its property, so that a violation is reported for the one schema that
// was meant and not for all of them.
func branch(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			branch(element)
		}
	case map[string]any:
		for _, element := range value {
			branch(element)
		}
		discriminator, ok := value["discriminator"].(map[string]any)
		if !ok {
			return
		}
		property := discriminator["propertyName"].(string)
		var names, cases []any
		for name, ref := range discriminator["mapping"].(map[string]any) {
			names = append(names, name)
			cases = append(cases, map[string]any{
				"if":   map[string]any{"properties": map[string]any{property: map[string]any{"const": name}}},
				"then": map[string]any{"$ref": ref},
			})
		}
		value["required"] = []any{property}
		value["properties"] = map[string]any{property: map[string]any{"enum": names}}
		value["allOf"] = cases
		delete(value, "oneOf")
		delete(value, "discriminator")
	}
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func escape(key string) string { return pointer.Replace(key) }

func unescape(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

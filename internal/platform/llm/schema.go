package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// node is a schema, as far as package llm supports the language.
type node struct {
	Type                 types            `json:"type"`
	Description          string           `json:"description"`
	Enum                 []string         `json:"enum"`
	Properties           map[string]*node `json:"properties"`
	Required             []string         `json:"required"`
	AdditionalProperties *bool            `json:"additionalProperties"`
	Items                *node            `json:"items"`
	MinItems             *int             `json:"minItems"`
	MaxItems             *int             `json:"maxItems"`
	Minimum              *float64         `json:"minimum"`
	Maximum              *float64         `json:"maximum"`
}

// types lists the types that a value may have: one, or a list such as ["string", "null"].
type types []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *types) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		*t = types{""}
		return json.Unmarshal(b, &(*t)[0])
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// Check returns an error unless services with strict schemas accept the schema and this package can check answers against all
// of it: an object at the top; each object closed (additionalProperties false) with all its properties required; the keywords
// type, description, enum (of strings), properties, required, items, minItems, maxItems, minimum and maximum, and no others.
func (s *Schema) Check() error {
	_, err := s.parse()
	return err
}

func (s *Schema) parse() (*node, error) {
	if s.Name == "" || len(s.Name) > 64 || strings.ContainsFunc(s.Name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return nil, fmt.Errorf("%q cannot be the name of a schema", s.Name)
	}
	var top node
	if err := strict(s.JSON, &top); err != nil {
		return nil, fmt.Errorf("schema %s: %w", s.Name, err)
	}
	if !slices.Equal(top.Type, types{"object"}) {
		return nil, fmt.Errorf("schema %s: the top level must be an object", s.Name)
	}
	if err := top.check(""); err != nil {
		return nil, fmt.Errorf("schema %s: %w", s.Name, err)
	}
	return &top, nil
}

func (n *node) check(path string) error {
	if len(n.Type) == 0 {
		return fmt.Errorf("%s has no type", path)
	}
	for _, t := range n.Type {
		if !slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean", "null"}, t) {
			return fmt.Errorf("%s: there is no type %q", path, t)
		}
	}
	if slices.Contains(n.Type, "object") {
		if n.AdditionalProperties == nil || *n.AdditionalProperties || len(n.Required) != len(n.Properties) {
			return fmt.Errorf("%s: additionalProperties must be false, and all properties required", path)
		}
		for i, name := range n.Required {
			property := n.Properties[name]
			if property == nil {
				return fmt.Errorf("%s/%s is required but not a property", path, name)
			}
			if slices.Contains(n.Required[:i], name) { // and so another property is not
				return fmt.Errorf("%s/%s is required twice", path, name)
			}
			if err := property.check(path + "/" + name); err != nil {
				return err
			}
		}
	}
	if slices.Contains(n.Type, "array") {
		if n.Items == nil {
			return fmt.Errorf("%s has no items", path)
		}
		return n.Items.check(path + "/*")
	}
	return nil
}

// strict decodes one JSON value and refuses unknown fields.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more data follows the value")
	}
	return nil
}

// errNoObject reports that not even the beginning of an object was found.
var errNoObject = errors.New("it has no JSON object")

// find returns the one object in an answer, which may be in a code fence or between sentences, if it conforms to the schema.
func (s *Schema) find(text string) (string, error) {
	top, err := s.parse()
	if err != nil {
		return "", err
	}
	begin := strings.IndexByte(text, '{')
	if begin < 0 {
		return "", errNoObject
	}
	text = text[begin:]
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return "", errors.New("its JSON is broken") // the decoder's message would repeat some of it
	}
	end := d.InputOffset()
	if repeats(json.NewDecoder(strings.NewReader(text[:end]))) {
		return "", errors.New("it has a key twice") // of which decoders take one or the other
	}
	if strings.ContainsRune(text[end:], '{') {
		return "", errors.New("it has more than one JSON object")
	}
	return text[:end], top.match(value, "")
}

// repeats reports whether an object of the next value has a key twice.
func repeats(d *json.Decoder) bool {
	token, err := d.Token()
	if err != nil {
		return false
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return false
	}
	keys := map[string]bool{}
	for d.More() {
		if opening == '{' {
			key, err := d.Token()
			name, isName := key.(string)
			if err != nil || !isName || keys[name] {
				return err == nil
			}
			keys[name] = true
		}
		if repeats(d) {
			return true
		}
	}
	_, err = d.Token() // the closing mark
	return err != nil
}

// Decode decodes an answer that was requested with a schema. It fails with ErrShape. It accepts an answer as services write
// it, in a code fence or between sentences, and is strict about the object: it refuses what the schema does not have or does
// not allow.
func Decode(text string, s *Schema, into any) error {
	object, err := s.find(text)
	if err == nil {
		err = json.Unmarshal([]byte(object), into)
	}
	if err != nil {
		return misshapen("the model's answer does not keep to the schema", err)
	}
	return nil
}

// match returns how a value violates the schema. It names places by the schema's words only, and contains no value.
func (n *node) match(value any, path string) error {
	kind := kindOf(value)
	if !slices.Contains(n.Type, kind) && (kind != "integer" || !slices.Contains(n.Type, "number")) {
		return fmt.Errorf("%s is of type %s, not %s", path, kind, strings.Join(n.Type, " or "))
	}
	switch value := value.(type) {
	case string:
		if n.Enum != nil && !slices.Contains(n.Enum, value) {
			return fmt.Errorf("%s is not one of %s", path, strings.Join(n.Enum, ", "))
		}
		if !utf8.ValidString(value) {
			return fmt.Errorf("%s is not a string", path)
		}
	case json.Number:
		number, err := value.Float64()
		if err != nil || n.Minimum != nil && number < *n.Minimum || n.Maximum != nil && number > *n.Maximum {
			return fmt.Errorf("%s is out of its bounds", path)
		}
	case []any:
		if n.MinItems != nil && len(value) < *n.MinItems || n.MaxItems != nil && len(value) > *n.MaxItems {
			return fmt.Errorf("%s has %d items", path, len(value))
		}
		for _, item := range value {
			if err := n.Items.match(item, path+"/*"); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range n.Required {
			property, there := value[name]
			if !there {
				return fmt.Errorf("%s/%s is missing", path, name)
			}
			if err := n.Properties[name].match(property, path+"/"+name); err != nil {
				return err
			}
		}
		if len(value) > len(n.Required) {
			return fmt.Errorf("%s has more than %s", path, strings.Join(slices.Sorted(maps.Keys(n.Properties)), ", "))
		}
	}
	return nil
}

// kindOf returns the JSON type of a decoded value. A number without a fraction or an exponent is an integer.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if strings.ContainsAny(value.String(), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "object"
}

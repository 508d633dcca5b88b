package llm

import (
	"encoding/json"
	"slices"
)

// Least returns the shortest object that conforms to the schema: empty texts and lists, zeros, and the first of each enumeration. It is
// for previews, in which nobody answers.
func (s *Schema) Least() (string, error) {
	top, err := s.parse()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(top.least())
	return string(text), err
}

func (n *node) least() any {
	switch {
	case slices.Contains(n.Type, "null"):
		return nil
	case slices.Contains(n.Type, "object"):
		object := map[string]any{}
		for name, property := range n.Properties {
			object[name] = property.least()
		}
		return object
	case slices.Contains(n.Type, "array"):
		list := []any{}
		for n.MinItems != nil && len(list) < *n.MinItems {
			list = append(list, n.Items.least())
		}
		return list
	case slices.Contains(n.Type, "string"):
		return append(slices.Clone(n.Enum), "")[0]
	case slices.Contains(n.Type, "boolean"):
		return false
	case n.Minimum != nil && *n.Minimum > 0:
		return *n.Minimum
	}
	return 0
}

package workingcopy

import (
	"encoding/json"
	"strconv"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
)

// layer names what an object of a copy is.
type layer int

const (
	other layer = iota
	root
	block
	sampling
	item
	concept
	option
)

// children maps keys of an object to what stands below them.
var children = map[layer]map[string]layer{
	root:     {"studyGuide": block},
	block:    {"items": item, "conceptSamplingConfig": sampling},
	sampling: {"concepts": concept},
	item:     {"options": option},
}

// identified reports whether objects of a layer have an externalId.
func (l layer) identified() bool { return l == block || l == item || l == concept || l == option }

// Issue returns what keeps a value from being a copy, as a sentence; "" for a copy.
func Issue(v *strictjson.Value) string {
	if v.Kind != strictjson.Map {
		return "Expected object, received " + v.Kind.String()
	}
	blocks := member(v, "studyGuide")
	if why := arrayOfObjects(blocks, guide.MaxBlocks); why != "" {
		return "studyGuide: " + why
	}
	elements := blocks.Elements()
	for i := range elements {
		if why := arrayOfObjects(member(&elements[i], "items"), guide.MaxBlockItems); why != "" {
			return "studyGuide[" + strconv.Itoa(i) + "].items: " + why
		}
	}
	return ""
}

func arrayOfObjects(v *strictjson.Value, limit int) string {
	switch {
	case v == nil:
		return "Required"
	case v.Kind != strictjson.Array:
		return "Expected array, received " + v.Kind.String()
	case len(v.Elements()) > limit:
		return "Array must contain at most " + strconv.Itoa(limit) + " element(s)"
	}
	elements := v.Elements()
	for i := range elements {
		if elements[i].Kind != strictjson.Map {
			return "Expected objects, received " + elements[i].Kind.String()
		}
	}
	return ""
}

// member returns the value under a key of an object; nil if there is none, or if v is not an object.
func member(v *strictjson.Value, key string) *strictjson.Value {
	if v == nil {
		return nil
	}
	members := v.Members()
	for i := range members {
		if members[i].Key == key {
			return &members[i].Value
		}
	}
	return nil
}

// text returns the string under a key, or "".
func text(v *strictjson.Value, key string) string {
	if m := member(v, key); m != nil && m.Kind == strictjson.String {
		return m.Text
	}
	return ""
}

// Encode writes a copy as it is stored: in the order of its keys, without white space. Blocks, items, concepts and options without an
// externalId get one from newID; filled reports whether there were any.
func Encode(v *strictjson.Value, newID func() string) (body []byte, filled bool) {
	e := encoder{newID: newID}
	e.value(v, root)
	return e.body, e.filled
}

// encode writes a value without changing it.
func encode(v *strictjson.Value) []byte {
	e := encoder{}
	e.value(v, other)
	return e.body
}

type encoder struct {
	body   []byte
	newID  func() string
	filled bool
}

func (e *encoder) value(v *strictjson.Value, as layer) {
	switch v.Kind {
	case strictjson.Array:
		e.body = append(e.body, '[')
		elements := v.Elements()
		for i := range elements {
			if i > 0 {
				e.body = append(e.body, ',')
			}
			e.value(&elements[i], as)
		}
		e.body = append(e.body, ']')
	case strictjson.Map:
		e.object(v, as)
	case strictjson.String:
		e.text(v.Text)
	case strictjson.Null:
		e.body = append(e.body, "null"...)
	default:
		e.body = append(e.body, v.Text...)
	}
}

func (e *encoder) object(v *strictjson.Value, as layer) {
	needsID := as.identified() && e.newID != nil && needsID(member(v, "externalId"))
	e.body = append(e.body, '{')
	first := true
	key := func(name string) {
		if !first {
			e.body = append(e.body, ',')
		}
		first = false
		e.text(name)
		e.body = append(e.body, ':')
	}
	members := v.Members()
	for i := range members {
		if m := &members[i]; !needsID || m.Key != "externalId" {
			key(m.Key)
			e.value(&m.Value, children[as][m.Key])
		}
	}
	if needsID {
		key("externalId")
		e.text(e.newID())
		e.filled = true
	}
	e.body = append(e.body, '}')
}

// needsID reports whether an externalId is missing.
func needsID(v *strictjson.Value) bool {
	return v == nil || v.Kind == strictjson.Null || v.Kind == strictjson.String && v.Text == ""
}

func (e *encoder) text(text string) {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	e.body = append(e.body, encoded...)
}

// WithTitle returns a copy with another title.
func WithTitle(body []byte, title string) ([]byte, error) {
	v, err := strictjson.Trusted.Parse(body)
	if err != nil {
		return nil, err
	}
	e := encoder{body: []byte(`{"title":`)}
	e.text(title)
	members := v.Members()
	for i := range members {
		if m := &members[i]; m.Key != "title" {
			e.body = append(e.body, ',')
			e.text(m.Key)
			e.body = append(e.body, ':')
			e.value(&m.Value, other)
		}
	}
	return append(e.body, '}'), nil
}

// Title returns the title of a copy; "" if it has none.
func Title(body []byte) string {
	v, err := strictjson.Trusted.Parse(body)
	if err != nil {
		return ""
	}
	return text(v, "title")
}

// Same reports whether two copies say the same, whatever the order of their keys.
func Same(a, b []byte) bool {
	first, err := strictjson.Trusted.Parse(a)
	if err != nil {
		return false
	}
	second, err := strictjson.Trusted.Parse(b)
	return err == nil && string(strictjson.Canonical(first)) == string(strictjson.Canonical(second))
}

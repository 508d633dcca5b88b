package strictjson

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Map
)

// String returns the kind's name as issues write it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value with its elements or members, in the order of the document.
type Value struct {
	Kind     Kind
	Text     string // a string's value, a number's literal, or "true" or "false"
	contents *contents
}

// contents holds the elements of an array or the members of an object. Most values are scalars and have none, so that the
// values of a long array stay small.
type contents struct {
	elements []Value
	members  []Member
}

// Elements returns the values of an array.
func (v *Value) Elements() []Value {
	if v.contents == nil {
		return nil
	}
	return v.contents.elements
}

// Members returns the keys and values of an object. No key occurs twice.
func (v *Value) Members() []Member {
	if v.contents == nil {
		return nil
	}
	return v.contents.members
}

// Member is a key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

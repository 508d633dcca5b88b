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

// String is the kind's name as issues write it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value with everything below it, in the order of the document.
type Value struct {
	Kind     Kind
	Text     string   // a string's value, a number's literal, or true and false
	Elements []Value  // of an array
	Members  []Member // of an object; no key stands twice
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

package strictjson

// Any passes the value under a key to check, which returns what is wrong with it, or nil. It is for values that no other
// accessor reads; expected is the expected type in the issue of a missing required key.
func (o *Object) Any(key string, presence Presence, expected string, check func(*Value) *Issue) {
	o.read(key, presence, expected, func(v *Value) {
		if issue := check(v); issue != nil {
			o.in.report(*issue)
		}
	})
}

// Pairs reads an object with arbitrary keys whose values are strings, in the order of the document.
func (o *Object) Pairs(key string, presence Presence, each func(name, text string)) {
	o.read(key, presence, Map.String(), func(v *Value) {
		if v.Kind != Map {
			o.in.wrongType(Map.String(), v.Kind.String())
			return
		}
		start, members := len(o.in.issues), v.Members()
		for i := range members {
			o.in.push(members[i].Key)
			if text, ok := o.in.text(&members[i].Value); ok {
				each(members[i].Key, text)
			}
			o.in.pop()
			if len(o.in.issues)-start >= MaxIssues {
				return
			}
		}
	})
}

package strictjson

import (
	"fmt"
	"slices"
)

// Presence is the rule about a missing or null key.
type Presence uint8

// A required key must be present, an optional one may be missing, a nullable one may be missing or null.
const (
	Required Presence = iota
	Optional
	Nullable
)

// Object reads the keys of one object. The order of the calls is the order of keys in the schema, and decides the position
// of the issue of a missing key. Keys that are never read are reported as unrecognized. A key that is absent or null reads
// as the zero value; the value returned for a key of the wrong shape is meaningless, since Decode fails.
type Object struct {
	in      *reader
	value   *Value
	known   []string // the known keys, in the schema's order
	ignored []string // keys that are known elsewhere and ignored here
	spans   []span
	anchor  int // rank of the last key that was read and is present
	start   int // index of this object's first issue
}

// span is the range of issues that belong to one key. Its rank is the key's position in the document, starting at 1; a
// missing key has the rank of the known key before it.
type span struct{ rank, from, to int }

// Has reports whether the key is present and not null. It does not make the key known.
func (o *Object) Has(key string) bool {
	v, _ := o.find(key)
	return v != nil && v.Kind != Null
}

// NullOnly names keys that belong to a sibling of this object: here they may be null, and are unrecognized otherwise. Call
// it after the object's own keys were read; it does not affect those.
func (o *Object) NullOnly(keys ...string) {
	for _, key := range keys {
		if !o.Has(key) {
			o.ignored = append(o.ignored, key)
		}
	}
}

// Ignore names keys that are accepted unread, for an object whose kind is unknown.
func (o *Object) Ignore(keys ...string) { o.ignored = append(o.ignored, keys...) }

func (o *Object) find(key string) (*Value, int) {
	members := o.value.Members()
	for i := range members {
		if members[i].Key == key {
			return &members[i].Value, i + 1
		}
	}
	return nil, 0
}

// read passes the value of key to use if there is one, and keeps the key's issues together.
func (o *Object) read(key string, presence Presence, expected string, use func(*Value)) {
	o.known = append(o.known, key)
	v, rank := o.find(key)
	if v != nil {
		o.anchor = rank
	}
	o.atKey(key, func() {
		switch {
		case v == nil:
			if presence == Required {
				o.in.wrongType(expected, undefined)
			}
		case v.Kind == Null && presence == Nullable:
		default:
			use(v)
		}
	})
}

func (o *Object) atKey(key string, work func()) {
	from := len(o.in.issues)
	o.in.push(key)
	work()
	o.in.pop()
	o.addSpan(o.anchor, from)
}

func (o *Object) addSpan(rank, from int) {
	if to := len(o.in.issues); to > from {
		o.spans = append(o.spans, span{rank: rank, from: from, to: to})
	}
}

// close reports the unrecognized keys and sorts the object's issues into document order.
func (o *Object) close() {
	unrecognized := 0
	for i, member := range o.value.Members() {
		key := member.Key
		if slices.Contains(o.known, key) || slices.Contains(o.ignored, key) {
			continue
		}
		from := len(o.in.issues)
		o.unrecognized(key)
		o.addSpan(i+1, from)
		if unrecognized++; unrecognized == MaxIssues {
			break
		}
	}
	if len(o.spans) == 0 {
		return
	}
	slices.SortStableFunc(o.spans, func(a, b span) int { return a.rank - b.rank })
	sorted := make([]Issue, 0, len(o.in.issues)-o.start)
	for _, s := range o.spans {
		sorted = append(sorted, o.in.issues[s.from:s.to]...)
	}
	o.in.issues = append(o.in.issues[:o.start], sorted[:min(len(sorted), MaxIssues)]...)
}

func (o *Object) unrecognized(key string) {
	issue := Issue{
		Message:  fmt.Sprintf("Unrecognized key(s) in object: '%s'", clip(key)),
		Code:     UnrecognizedKeys,
		Expected: nearest(key, o.known),
		Received: clip(key),
	}
	if issue.Expected != "" {
		issue.Message += fmt.Sprintf("; the nearest known key is '%s'", issue.Expected)
	}
	o.in.report(issue)
}

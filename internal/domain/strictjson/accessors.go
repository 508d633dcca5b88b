package strictjson

import (
	"slices"
	"strings"
	"time"
)

// Text reads a string of any length.
func (o *Object) Text(key string, presence Presence) (text string) {
	o.read(key, presence, String.String(), func(v *Value) { text, _ = o.in.text(v) })
	return text
}

// TextUpTo reads a string of at most limit characters.
func (o *Object) TextUpTo(key string, presence Presence, limit int) (text string) {
	o.read(key, presence, String.String(), func(v *Value) { text, _ = o.in.textOf(v, 0, limit) })
	return text
}

// NonEmpty reads a string of at least one character.
func (o *Object) NonEmpty(key string, presence Presence) (text string) {
	return o.NonEmptyUpTo(key, presence, unbounded)
}

// NonEmptyUpTo reads a string of 1 to limit characters.
func (o *Object) NonEmptyUpTo(key string, presence Presence, limit int) (text string) {
	o.read(key, presence, String.String(), func(v *Value) { text, _ = o.in.textOf(v, 1, limit) })
	return text
}

// Enum reads a string that must be one of the values.
func (o *Object) Enum(key string, presence Presence, values []string) (text string) {
	expected := ""
	if presence == Required { // do not join long lists for nothing
		expected = oneOf(values, "")
	}
	o.read(key, presence, expected, func(v *Value) { text = o.in.enum(v, values) })
	return text
}

// Discriminator reads the string that names the kind of this object; ok reports whether it is one of the values. A missing
// key is reported under the discriminator's own code.
func (o *Object) Discriminator(key string, values []string) (text string, ok bool) {
	o.read(key, Optional, "", func(v *Value) {
		ok = v.Kind == String && slices.Contains(values, v.Text)
		if text = v.Text; !ok {
			o.in.discriminator(v, values)
		}
	})
	if v, _ := o.find(key); v == nil {
		o.atKey(key, func() { o.in.discriminator(nil, values) })
	}
	return text, ok
}

// Bool reads true or false.
func (o *Object) Bool(key string, presence Presence) (truth bool) {
	o.read(key, presence, Bool.String(), func(v *Value) {
		if v.Kind != Bool {
			o.in.wrongType(Bool.String(), v.Kind.String())
		}
		truth = v.Text == "true"
	})
	return truth
}

// Int reads an integer from least to limit. A number is an integer by its value, however it is written: 3, 3.0, 30e-1.
func (o *Object) Int(key string, presence Presence, least, limit int) (number int) {
	o.read(key, presence, "integer", func(v *Value) { number = o.in.integer(v, least, limit) })
	return number
}

// Ints reads an array of least to limit integers, each from lowest to highest.
func (o *Object) Ints(key string, presence Presence, least, limit, lowest, highest int) (numbers []int) {
	o.read(key, presence, Array.String(), func(v *Value) {
		o.in.array(v, least, limit, func(element *Value) { numbers = append(numbers, o.in.integer(element, lowest, highest)) })
	})
	return numbers
}

// Number reads a number from least to limit, fractions included.
func (o *Object) Number(key string, presence Presence, least, limit float64) (number float64) {
	o.read(key, presence, Number.String(), func(v *Value) { number = o.in.number(v, least, limit) })
	return number
}

// URL reads an absolute http or https address of at most limit characters.
func (o *Object) URL(key string, presence Presence, limit int) (address string) {
	o.read(key, presence, String.String(), func(v *Value) {
		var ok bool
		if address, ok = o.in.textOf(v, 0, limit); ok && !isWebAddress(address) {
			o.in.invalidString("Invalid url: expected an absolute http or https address", "url", address)
		}
	})
	return address
}

// UUID reads a UUID in its usual form of 36 characters, and returns it in lower case.
func (o *Object) UUID(key string, presence Presence) (id string) {
	o.read(key, presence, String.String(), func(v *Value) {
		text, ok := o.in.text(v)
		if ok && !isUUID(text) {
			o.in.invalidString("Invalid uuid", "uuid", text)
		}
		id = strings.ToLower(text)
	})
	return id
}

// Object reads an object and reports whether there was one.
func (o *Object) Object(key string, presence Presence, read func(*Object)) (found bool) {
	o.read(key, presence, Map.String(), func(v *Value) {
		found = v.Kind == Map
		o.in.object(v, read)
	})
	return found
}

// Objects reads an array of at least least objects.
func (o *Object) Objects(key string, presence Presence, least int, read func(element *Object)) {
	o.ObjectsUpTo(key, presence, least, unbounded, read)
}

// ObjectsUpTo reads an array of least to limit objects. Elements beyond the limit are not read.
func (o *Object) ObjectsUpTo(key string, presence Presence, least, limit int, read func(element *Object)) {
	o.read(key, presence, Array.String(), func(v *Value) {
		o.in.array(v, least, limit, func(element *Value) { o.in.object(element, read) })
	})
}

// Texts reads an array of at least least strings. It is nil when the array is absent or empty.
func (o *Object) Texts(key string, presence Presence, least int) (texts []string) {
	return o.TextsUpTo(key, presence, least, unbounded, unbounded)
}

// TextsUpTo reads an array of least to limit strings, each of at most the given number of characters.
func (o *Object) TextsUpTo(key string, presence Presence, least, limit, characters int) (texts []string) {
	o.read(key, presence, Array.String(), func(v *Value) {
		o.in.array(v, least, limit, func(element *Value) {
			text, _ := o.in.textOf(element, 0, characters)
			texts = append(texts, text)
		})
	})
	return texts
}

// Enums reads an array of at most limit of the values, in any order. It is nil when the array is absent or empty.
func (o *Object) Enums(key string, presence Presence, values []string, limit int) (texts []string) {
	o.read(key, presence, Array.String(), func(v *Value) {
		o.in.array(v, 0, limit, func(element *Value) { texts = append(texts, o.in.enum(element, values)) })
	})
	return texts
}

// TextMap reads an object with arbitrary keys whose values are strings. It is nil when the object is absent or empty.
func (o *Object) TextMap(key string, presence Presence) (texts map[string]string) {
	o.read(key, presence, Map.String(), func(v *Value) { texts = o.in.textMap(v) })
	return texts
}

// Time reads a moment as RFC 3339 writes it, with an offset: 2026-12-01T08:00:00+01:00. It returns it in UTC.
func (o *Object) Time(key string, presence Presence) (at time.Time) {
	o.read(key, presence, String.String(), func(v *Value) {
		text, ok := o.in.text(v)
		if !ok {
			return
		}
		read, err := time.Parse(time.RFC3339, text)
		if err != nil || read.Year() < 2000 {
			o.in.invalidString("Invalid datetime: expected RFC 3339 with an offset, for example 2026-12-01T08:00:00Z", "datetime", text)
			return
		}
		at = read.UTC()
	})
	return at
}

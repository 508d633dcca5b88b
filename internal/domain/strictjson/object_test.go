package strictjson_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/strictjson"
)

// form is an object that uses every accessor.
type form struct {
	Name, Note, Mode, Link, ID string
	Loud                       bool
	Count                      int
	Inner                      string
	HasInner                   bool
	List                       []string
	Tags, Modes                []string
	Cells                      map[string]string
}

var modes = []string{"fast", "slow"}

func decode(body string) (form, error) {
	var f form
	err := strictjson.Decode([]byte(body), func(o *strictjson.Object) {
		f.Name = o.NonEmpty("name", strictjson.Required)
		f.Note = o.Text("note", strictjson.Nullable)
		f.Mode = o.Enum("mode", strictjson.Optional, modes)
		f.Link = o.URL("link", strictjson.Optional, 40)
		f.ID = o.UUID("id", strictjson.Optional)
		f.Loud = o.Bool("loud", strictjson.Optional)
		f.Count = o.Int("count", strictjson.Optional, 1, 10)
		f.HasInner = o.Object("inner", strictjson.Optional, func(o *strictjson.Object) {
			f.Inner = o.Text("text", strictjson.Required)
		})
		o.Objects("list", strictjson.Optional, 1, func(o *strictjson.Object) {
			f.List = append(f.List, o.Text("text", strictjson.Required))
		})
		f.Tags = o.Texts("tags", strictjson.Optional, 1)
		f.Modes = o.Enums("modes", strictjson.Optional, modes, 2)
		f.Cells = o.TextMap("cells", strictjson.Optional)
		o.NullOnly("elsewhere")
	})
	return f, err
}

func TestDecodeReadsEverything(t *testing.T) {
	t.Parallel()
	got, err := decode(`{"name": "n", "note": null, "mode": "slow", "link": "HTTPS://example.com/a b", "loud": true, "count": 3.0,
		"id": "0192F3A0-0000-7000-8000-00000000000A", "inner": {"text": ""}, "list": [{"text": "1"}, {"text": "2"}],
		"tags": ["a"], "modes": [], "cells": {"r1": "c1"}, "elsewhere": null}`)
	want := form{
		Name: "n", Mode: "slow", Link: "HTTPS://example.com/a b", ID: "0192f3a0-0000-7000-8000-00000000000a", Loud: true, Count: 3,
		HasInner: true, List: []string{"1", "2"}, Tags: []string{"a"}, Cells: map[string]string{"r1": "c1"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
}

func TestIssues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       strictjson.Issue
	}{
		{"no object", `[]`, strictjson.Issue{
			Path: []string{}, Message: "Expected object, received array", Code: "invalid_type", Expected: "object", Received: "array",
		}},
		{"missing", `{}`, strictjson.Issue{
			Path: []string{"name"}, Message: "Required", Code: "invalid_type", Expected: "string", Received: "undefined",
		}},
		{"empty", `{"name": ""}`, strictjson.Issue{
			Path: []string{"name"}, Message: "String must contain at least 1 character(s)", Code: "too_small",
			Expected: "at least 1 character(s)", Received: "0 character(s)",
		}},
		{"null where required", `{"name": null}`, strictjson.Issue{
			Path: []string{"name"}, Message: "Expected string, received null", Code: "invalid_type", Expected: "string", Received: "null",
		}},
		{"null where optional", `{"name": "n", "loud": null}`, strictjson.Issue{
			Path: []string{"loud"}, Message: "Expected boolean, received null", Code: "invalid_type", Expected: "boolean", Received: "null",
		}},
		{"NUL", `{"name": "a\u0000"}`, strictjson.Issue{
			Path: []string{"name"}, Message: "String must not contain the character U+0000", Code: "invalid_string",
			Expected: "string without U+0000", Received: "a\x00",
		}},
		{"enum", `{"name": "n", "mode": "Fast"}`, strictjson.Issue{
			Path: []string{"mode"}, Message: "Invalid enum value. Expected 'fast' | 'slow', received 'Fast'", Code: "invalid_enum_value",
			Expected: "'fast' | 'slow'", Received: "Fast",
		}},
		{"enum of another type", `{"name": "n", "modes": ["slow", 1]}`, strictjson.Issue{
			Path: []string{"modes", "1"}, Message: "Expected 'fast' | 'slow', received number", Code: "invalid_type",
			Expected: "'fast' | 'slow'", Received: "number",
		}},
		{"relative link", `{"name": "n", "link": "/a"}`, strictjson.Issue{
			Path: []string{"link"}, Message: "Invalid url: expected an absolute http or https address", Code: "invalid_string",
			Expected: "url", Received: "/a",
		}},
		{"link without host", `{"name": "n", "link": "https:///a"}`, strictjson.Issue{
			Path: []string{"link"}, Message: "Invalid url: expected an absolute http or https address", Code: "invalid_string",
			Expected: "url", Received: "https:///a",
		}},
		{"link of another scheme", `{"name": "n", "link": "javascript:alert(1)"}`, strictjson.Issue{
			Path: []string{"link"}, Message: "Invalid url: expected an absolute http or https address", Code: "invalid_string",
			Expected: "url", Received: "javascript:alert(1)",
		}},
		{"uuid", `{"name": "n", "id": "0192f3a0000070008000000000000000000a"}`, strictjson.Issue{
			Path: []string{"id"}, Message: "Invalid uuid", Code: "invalid_string",
			Expected: "uuid", Received: "0192f3a0000070008000000000000000000a",
		}},
		{"uuid of other letters", `{"name": "n", "id": "0192f3a0-0000-7000-8000-00000000000g"}`, strictjson.Issue{
			Path: []string{"id"}, Message: "Invalid uuid", Code: "invalid_string",
			Expected: "uuid", Received: "0192f3a0-0000-7000-8000-00000000000g",
		}},
		{"fraction", `{"name": "n", "count": 2.5}`, strictjson.Issue{
			Path: []string{"count"}, Message: "Expected integer, received float", Code: "invalid_type", Expected: "integer", Received: "float",
		}},
		{"number past floats", `{"name": "n", "count": 1e999}`, strictjson.Issue{
			Path: []string{"count"}, Message: "Number must be less than or equal to 10", Code: "too_big", Expected: "at most 10", Received: "1e999",
		}},
		{"number in a string", `{"name": "n", "count": "2"}`, strictjson.Issue{
			Path: []string{"count"}, Message: "Expected integer, received string", Code: "invalid_type", Expected: "integer", Received: "string",
		}},
		{"small number", `{"name": "n", "count": 0}`, strictjson.Issue{
			Path: []string{"count"}, Message: "Number must be greater than or equal to 1", Code: "too_small", Expected: "at least 1", Received: "0",
		}},
		{"big number", `{"name": "n", "count": 11}`, strictjson.Issue{
			Path: []string{"count"}, Message: "Number must be less than or equal to 10", Code: "too_big", Expected: "at most 10", Received: "11",
		}},
		{"short array", `{"name": "n", "tags": []}`, strictjson.Issue{
			Path: []string{"tags"}, Message: "Array must contain at least 1 element(s)", Code: "too_small",
			Expected: "at least 1 element(s)", Received: "0 element(s)",
		}},
		{"no array", `{"name": "n", "tags": "a"}`, strictjson.Issue{
			Path: []string{"tags"}, Message: "Expected array, received string", Code: "invalid_type", Expected: "array", Received: "string",
		}},
		{"element", `{"name": "n", "list": [{"text": "1"}, {"text": 2}]}`, strictjson.Issue{
			Path: []string{"list", "1", "text"}, Message: "Expected string, received number", Code: "invalid_type",
			Expected: "string", Received: "number",
		}},
		{"no map", `{"name": "n", "cells": []}`, strictjson.Issue{
			Path: []string{"cells"}, Message: "Expected object, received array", Code: "invalid_type", Expected: "object", Received: "array",
		}},
		{"map value", `{"name": "n", "cells": {"r1": true}}`, strictjson.Issue{
			Path: []string{"cells", "r1"}, Message: "Expected string, received boolean", Code: "invalid_type",
			Expected: "string", Received: "boolean",
		}},
		{"unknown key", `{"name": "n", "Lnk": 1}`, strictjson.Issue{
			Path: []string{}, Message: "Unrecognized key(s) in object: 'Lnk'; the nearest known key is 'link'", Code: "unrecognized_keys",
			Expected: "link", Received: "Lnk",
		}},
		{"unknown key below", `{"name": "n", "inner": {"text": "", "x": 1}}`, strictjson.Issue{
			Path: []string{"inner"}, Message: "Unrecognized key(s) in object: 'x'; the nearest known key is 'text'", Code: "unrecognized_keys",
			Expected: "text", Received: "x",
		}},
		{"a sibling's key", `{"name": "n", "elsewhere": 1}`, strictjson.Issue{
			Path: []string{}, Message: "Unrecognized key(s) in object: 'elsewhere'; the nearest known key is 'inner'",
			Code: "unrecognized_keys", Expected: "inner", Received: "elsewhere",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := decode(test.body)
			if diff := cmp.Diff([]strictjson.Issue{test.want}, issues(t, err)); diff != "" {
				t.Errorf("issues (-want +got):\n%s", diff)
			}
		})
	}
}

func issues(t *testing.T, err error) []strictjson.Issue {
	t.Helper()
	schema, ok := errors.AsType[*strictjson.SchemaError](err)
	if !ok {
		t.Fatalf("error %v, want a SchemaError", err)
	}
	return schema.Issues
}

func TestIssuesAreInDocumentOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"the document's order leads", `{"count": 0, "x": 1, "name": ""}`, []string{"count", "", "name"}},
		{"missing first key", `{"count": 0, "note": 1}`, []string{"name", "count", "note"}},
		{"nested ones stay together", `{"list": [{}, 1], "name": 1, "inner": {}}`, []string{"list.0.text", "list.1", "name", "inner.text"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := decode(test.body)
			var got []string
			for _, issue := range issues(t, err) {
				got = append(got, strings.Join(issue.Path, "."))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissingKeyFollowsTheKeyBeforeIt(t *testing.T) {
	t.Parallel()
	err := strictjson.Decode([]byte(`{"c": 1, "a": 1}`), func(o *strictjson.Object) {
		for _, key := range []string{"a", "b", "c", "d"} {
			o.Text(key, strictjson.Required)
		}
	})
	var got []string
	for _, issue := range issues(t, err) {
		got = append(got, issue.Path[0])
	}
	if diff := cmp.Diff([]string{"c", "d", "a", "b"}, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

func TestDiscriminator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, received string }{
		{`{}`, "undefined"}, {`{"mode": null}`, "null"}, {`{"mode": 7}`, "number"}, {`{"mode": "brisk"}`, "brisk"},
	} {
		err := strictjson.Decode([]byte(test.body), func(o *strictjson.Object) {
			if _, ok := o.Discriminator("mode", modes); ok {
				t.Errorf("%s is a mode", test.body)
			}
		})
		want := []strictjson.Issue{{
			Path: []string{"mode"}, Message: "Invalid discriminator value. Expected 'fast' | 'slow'", Code: "invalid_union_discriminator",
			Expected: "'fast' | 'slow'", Received: test.received,
		}}
		if diff := cmp.Diff(want, issues(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.body, diff)
		}
	}
}

func TestAtMostAHundredIssues(t *testing.T) {
	t.Parallel()
	numbers := strings.TrimSuffix(strings.Repeat("0,", 500), ",")
	var unknown, cells strings.Builder
	for i := range 500 {
		fmt.Fprintf(&unknown, `"x%d": 0, `, i)
		fmt.Fprintf(&cells, `, "r%d": 0`, i)
	}
	for _, test := range []struct{ name, body, first, last string }{
		{"of an array", `{"name": "n", "tags": [` + numbers + `], "list": [` + numbers + `]}`, "tags.0", "tags.99"},
		{"of an array with others", `{"name": "", "list": [` + numbers + `]}`, "name", "list.98"},
		{"of a map", `{"name": "n", "cells": {"r": "c"` + cells.String() + `}}`, "cells.r0", "cells.r99"},
		{"of unknown keys", `{` + unknown.String() + `"name": ""}`, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := decode(test.body)
			got := issues(t, err)
			if len(got) != strictjson.MaxIssues {
				t.Fatalf("%d issues, want %d", len(got), strictjson.MaxIssues)
			}
			first, last := strings.Join(got[0].Path, "."), strings.Join(got[99].Path, ".")
			if first != test.first || last != test.last {
				t.Errorf("from %q to %q, want from %q to %q", first, last, test.first, test.last)
			}
		})
	}
}

func TestHas(t *testing.T) {
	t.Parallel()
	err := strictjson.Decode([]byte(`{"text": 1, "selected": null}`), func(o *strictjson.Object) {
		if !o.Has("text") || o.Has("selected") || o.Has("ranking") {
			t.Error("Has is wrong")
		}
		o.Text("text", strictjson.Optional)
		o.Ignore("selected")
	})
	if got := issues(t, err); len(got) != 1 || !slices.Equal(got[0].Path, []string{"text"}) || got[0].Code != strictjson.InvalidType {
		t.Fatalf("issues %+v, want one that text is no text", got)
	} else if want := "the body does not fit the schema: text: " + got[0].Message; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err.Error(), want)
	}
}

func TestLongInputIsTruncatedInIssues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100_000)
	_, err := decode(`{"name": "n", "mode": "` + long + `", "` + long + `": 1}`)
	for _, issue := range issues(t, err) {
		if len(issue.Message) > 400 || len(issue.Received) > 200 {
			t.Errorf("issue of %d bytes", len(issue.Message))
		}
	}
}

func TestUpperBounds(t *testing.T) {
	t.Parallel()
	codes := strings.Split("en en-medical fr de de-CH it pt es zh nl nl-BE cy xh", " ")
	read := func(o *strictjson.Object) {
		o.TextUpTo("text", strictjson.Optional, 3)
		o.NonEmptyUpTo("name", strictjson.Optional, 3)
		o.URL("link", strictjson.Optional, 12)
		o.ObjectsUpTo("list", strictjson.Optional, 1, 2, func(o *strictjson.Object) { o.Bool("on", strictjson.Required) })
		o.TextsUpTo("tags", strictjson.Optional, 0, 2, 3)
		o.Enums("codes", strictjson.Optional, codes, 2)
		o.Enum("code", strictjson.Optional, codes)
		o.Number("width", strictjson.Optional, 1, 100)
		o.Int("count", strictjson.Optional, 1, 2_000_000_000)
	}
	for _, fits := range []string{
		`{"text": "äöü", "name": "☕☕☕", "link": "http://a.b/c", "list": [{"on": true}, {"on": false}], "tags": ["äöü", ""],
			"codes": ["de", "de"], "width": 33.3, "count": 3}`,
		`{"text": "", "width": 1}`, `{"width": 100.0}`, `{"width": 1e2}`,
	} {
		if err := strictjson.Decode([]byte(fits), read); err != nil {
			t.Errorf("%s: %v", fits, err)
		}
	}
	for body, want := range map[string]strictjson.Issue{
		`{"text": "abcd"}`: {
			Path: []string{"text"}, Code: "too_big", Expected: "at most 3 character(s)", Received: "4 character(s)",
			Message: "String must contain at most 3 character(s)",
		},
		`{"name": "äöüß"}`: {
			Path: []string{"name"}, Code: "too_big", Expected: "at most 3 character(s)", Received: "4 character(s)",
			Message: "String must contain at most 3 character(s)",
		},
		`{"name": ""}`: {
			Path: []string{"name"}, Code: "too_small", Expected: "at least 1 character(s)", Received: "0 character(s)",
			Message: "String must contain at least 1 character(s)",
		},
		`{"link": "http://a.b/cd"}`: {
			Path: []string{"link"}, Code: "too_big", Expected: "at most 12 character(s)", Received: "13 character(s)",
			Message: "String must contain at most 12 character(s)",
		},
		`{"list": [{"on": true}, {"on": true}, {"what": "is not read"}]}`: {
			Path: []string{"list"}, Code: "too_big",
			Expected: "at most 2 element(s)", Received: "3 element(s)", Message: "Array must contain at most 2 element(s)",
		},
		`{"tags": ["a", "abcd"]}`: {
			Path: []string{"tags", "1"}, Code: "too_big", Expected: "at most 3 character(s)",
			Received: "4 character(s)", Message: "String must contain at most 3 character(s)",
		},
		`{"codes": ["de", "de", "de"]}`: {
			Path: []string{"codes"}, Code: "too_big", Expected: "at most 2 element(s)",
			Received: "3 element(s)", Message: "Array must contain at most 2 element(s)",
		},
		`{"code": "de-AT"}`: {
			Path: []string{"code"}, Code: "invalid_enum_value", Expected: "one of 13 values, nearest 'de' | 'de-CH' | 'en' | 'it'",
			Received: "de-AT", Message: "Invalid enum value. Expected one of 13 values, nearest 'de' | 'de-CH' | 'en' | 'it', received 'de-AT'",
		},
		`{"code": 1}`: {
			Path: []string{"code"}, Code: "invalid_type", Expected: "one of 13 values, for example 'en' | 'en-medical' | 'fr' | 'de'",
			Received: "number", Message: "Expected one of 13 values, for example 'en' | 'en-medical' | 'fr' | 'de', received number",
		},
		`{"width": 100.5}`: {
			Path: []string{"width"}, Code: "too_big", Expected: "at most 100", Received: "100.5",
			Message: "Number must be less than or equal to 100",
		},
		`{"width": 1e999}`: {
			Path: []string{"width"}, Code: "too_big", Expected: "at most 100", Received: "1e999",
			Message: "Number must be less than or equal to 100",
		},
		`{"width": 0.99}`: {
			Path: []string{"width"}, Code: "too_small", Expected: "at least 1", Received: "0.99",
			Message: "Number must be greater than or equal to 1",
		},
		`{"width": "60"}`: {
			Path: []string{"width"}, Code: "invalid_type", Expected: "number", Received: "string",
			Message: "Expected number, received string",
		},
		`{"count": 3000000000}`: {
			Path: []string{"count"}, Code: "too_big", Expected: "at most 2000000000", Received: "3000000000",
			Message: "Number must be less than or equal to 2000000000",
		},
	} {
		err := strictjson.Decode([]byte(body), read)
		schema, ok := errors.AsType[*strictjson.SchemaError](err)
		if !ok {
			t.Errorf("%s: error %v", body, err)
			continue
		}
		if diff := cmp.Diff([]strictjson.Issue{want}, schema.Issues); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"verbatim/internal/platform/llm"
)

const everything = `{"type": "object", "additionalProperties": false, "required": ["kind", "score", "count", "quotes", "note"], "description": "All of it.",
	"properties": {
		"kind": {"type": "string", "enum": ["good", "bad"]},
		"score": {"type": "number", "minimum": 1, "maximum": 5},
		"count": {"type": "integer", "minimum": 0},
		"quotes": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "object", "additionalProperties": false, "required": ["text"],
			"properties": {"text": {"type": "string"}}}},
		"note": {"type": ["string", "null"]}
	}}`

type all struct {
	Kind   string
	Score  float64
	Count  int
	Quotes []struct{ Text string }
	Note   *string
}

func TestDecode(t *testing.T) {
	t.Parallel()
	schema := llm.Schema{Name: "everything", JSON: []byte(everything)}
	good := `{"kind": "good", "score": 4.5, "count": 3, "quotes": [{"text": "{ah"}], "note": null}`
	for _, text := range []string{good, "```json\n" + good + "\n```", "Here: " + good + " Good luck!", "\ufeff" + good} {
		var got all
		if err := llm.Decode(text, &schema, &got); err != nil || got.Kind != "good" || got.Score != 4.5 || got.Count != 3 || got.Quotes[0].Text != "{ah" || got.Note != nil {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                                    "no JSON object",
		"[]":                                  "no JSON object",
		"{":                                   "broken",
		good[:len(good)-1]:                    "broken",
		good + good:                           "more than one",
		"{} or " + good:                       "more than one",
		`{"kind": "good"}`:                    "/score is missing",
		swap(good, `"good"`, `1`):             "/kind is of type integer, not string",
		swap(good, `good`, `ugly`):            "/kind is not one of good, bad",
		swap(good, `4.5`, `5.5`):              "/score is out of its bounds",
		swap(good, `4.5`, `1e999`):            "/score is out of its bounds",
		swap(good, `4.5`, `1e9999999`):        "/score is out of its bounds",
		swap(good, `3`, `3.5`):                "/count is of type number, not integer",
		swap(good, `3`, `-1`):                 "/count is out of its bounds",
		swap(good, `null`, `false`):           "/note is of type boolean, not string or null",
		swap(good, `[{"text": "{ah"}]`, `[]`): "/quotes has 0 items",
		swap(good, `[{"text": "{ah"}]`, `[{"text":""}, {"text":""}, {"text":""}]`):     "/quotes has 3 items",
		swap(good, `[{"text": "{ah"}]`, `[{"text":"", "secret": "they said apples"}]`): "/quotes/* has more than text",
		swap(good, `[{"text": "{ah"}]`, `[null]`):                                      "/quotes/* is of type null",
		swap(good, `"note"`, `"apples": 1, "note"`):                                    "has more than",
	} {
		var got all
		err := llm.Decode(text, &schema, &got)
		if !errors.Is(err, llm.ErrShape) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "apples") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var wrong struct{ Kind int }
	if err := llm.Decode(good, &schema, &wrong); !errors.Is(err, llm.ErrShape) {
		t.Errorf("into what it does not fit: %v", err)
	}
}

func swap(s, old, fresh string) string { return strings.Replace(s, old, fresh, 1) }

func TestCheck(t *testing.T) {
	t.Parallel()
	const text = `{"type": "string"}`
	object := func(properties, required string) string {
		return `{"type": "object", "additionalProperties": false, "properties": {` + properties + `}, "required": [` + required + `]}`
	}
	for schema, want := range map[string]string{
		object(`"a": `+text, `"a"`):            "",
		everything:                             "",
		object(``, ``):                         "",
		``:                                     "EOF",
		`{}`:                                   "the top level must be an object",
		text:                                   "the top level must be an object",
		`{"type": "array", "items": {}}`:       "the top level must be an object",
		`{"type": ["object", "null"]}`:         "the top level must be an object",
		`{"type": "object", "properties": {}}`: "must be false",
		object(`"a": `+text, ``):               "all properties required",
		object(`"a": `+text, `"b"`):            "/b is required but not a property",
		object(`"a": `+text+`, "b": `+text, `"a", "a"`):                      "/a is required twice",
		object(`"a": {}`, `"a"`):                                             "/a has no type",
		object(`"a": {"type": "text"}`, `"a"`):                               "no type",
		object(`"a": {"type": "array"}`, `"a"`):                              "/a has no items",
		object(`"a": {"type": "array", "items": {"type": "object"}}`, `"a"`): "/a/*",
		object(`"a": {"type": "string", "pattern": "x"}`, `"a"`):             "pattern",
		object(`"a": {"type": 5}`, `"a"`):                                    "",
		object(``, ``) + "{}":                                                "more data follows",
	} {
		err := (&llm.Schema{Name: "a-schema_1", JSON: []byte(schema)}).Check()
		if schema == object(`"a": {"type": 5}`, `"a"`) {
			if err == nil {
				t.Errorf("%s is taken", schema)
			}
			continue
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
	}
	for _, name := range []string{"", "a b", "ä", strings.Repeat("a", 65)} {
		if err := (&llm.Schema{Name: name, JSON: []byte(everything)}).Check(); err == nil {
			t.Errorf("a schema may be named %q", name)
		}
	}
	// An invalid schema is refused before the service is asked.
	server := newServer()
	if _, err := server.Client(t, llm.Config{}).Chat(t.Context(), ask(&llm.Schema{Name: "a", JSON: []byte(`{}`)}, nil)); err == nil || len(server.Asked()) > 0 {
		t.Errorf("%v after %d requests", err, len(server.Asked()))
	}
}

// This package accepts and refuses what a complete JSON Schema library accepts and refuses.
func TestSchemaAgainstLibrary(t *testing.T) {
	t.Parallel()
	schema := llm.Schema{Name: "everything", JSON: []byte(everything)}
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(everything))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("everything.json", parsed); err != nil {
		t.Fatal(err)
	}
	library, err := compiler.Compile("everything.json")
	if err != nil {
		t.Fatal(err)
	}
	leaf := rapid.SampledFrom([]any{
		"good", "bad", "", nil, true, json.Number("0"), json.Number("-1"), json.Number("3"), json.Number("4.5"), json.Number("6"),
		[]any{},
		map[string]any{},
		[]any{map[string]any{"text": "a"}},
		[]any{map[string]any{"text": nil}},
		[]any{map[string]any{"text": "a", "b": "c"}},
	})
	fits := map[string]*rapid.Generator[any]{
		"kind": rapid.SampledFrom([]any{"good", "bad"}), "score": rapid.SampledFrom([]any{json.Number("1"), json.Number("4.5")}),
		"count": rapid.Just[any](json.Number("2")), "quotes": rapid.Just[any]([]any{map[string]any{"text": "a"}}), "note": rapid.SampledFrom([]any{nil, "a"}),
	}
	complete := map[string]any{}
	for name, fit := range fits {
		complete[name] = fit.Example(0)
	}
	compare := func(t rapid.TB, value map[string]any) (taken bool) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var into map[string]any
		ours, theirs := llm.Decode(string(text), &schema, &into), library.Validate(value)
		if (ours == nil) != (theirs == nil) {
			t.Errorf("%s: %v, the library says %v", text, ours, theirs)
		}
		if diff := cmp.Diff(len(value), len(into)); ours == nil && diff != "" {
			t.Error(diff)
		}
		return ours == nil
	}
	if !compare(t, complete) {
		t.Errorf("refused: %v", complete)
	}
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{}
		for name, fit := range fits {
			switch rapid.IntRange(0, 19).Draw(t, name) {
			case 0:
			case 1, 2:
				value[name] = leaf.Draw(t, name+" by chance")
			default:
				value[name] = fit.Draw(t, name+" as it should be")
			}
		}
		if rapid.IntRange(0, 19).Draw(t, "extra") == 0 {
			value["extra"] = true
		}
		compare(t, value)
	})
}

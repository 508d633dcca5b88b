package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/strictjson"
)

func TestParseKeepsOrderAndLiterals(t *testing.T) {
	t.Parallel()
	got, err := strictjson.Parse([]byte(` {"b": [1.50, null, true], "a": {"x": "ü\n"}} `))
	if err != nil {
		t.Fatal(err)
	}
	want := &strictjson.Value{Kind: strictjson.Map, Members: []strictjson.Member{
		{Key: "b", Value: strictjson.Value{Kind: strictjson.Array, Elements: []strictjson.Value{
			{Kind: strictjson.Number, Text: "1.50"}, {Kind: strictjson.Null}, {Kind: strictjson.Bool, Text: "true"},
		}}},
		{Key: "a", Value: strictjson.Value{Kind: strictjson.Map, Members: []strictjson.Member{
			{Key: "x", Value: strictjson.Value{Kind: strictjson.String, Text: "ü\n"}},
		}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for _, test := range []struct{ name, body, want string }{
		{"nothing", "", "unexpected end of JSON input (line 1, column 1)"},
		{"blanks", " \n ", "unexpected end of JSON input (line 2, column 2)"},
		{"cut off", `{"a": [1`, "unexpected end of JSON input (line 1, column 9)"},
		{"NaN", "{\n \"a\": NaN}", "invalid character 'N' looking for beginning of value (line 2, column 7)"},
		{"trailing data", `{} {}`, "invalid character '{' after top-level value (line 1, column 4)"},
		{"trailing comma", `[1,]`, "invalid character ']' looking for beginning of value (line 1, column 4)"},
		{"byte order mark", "\ufeff{}", "invalid character 'ï' looking for beginning of value (line 1, column 1)"},
		{"duplicate key", `{"a": 1, "b": {"c": 1, "\u0063": 2}}`, `duplicate key "c" (line 1, column 24)`},
		{"invalid UTF-8", "{\"a\": \"\xff\"}", "invalid UTF-8 (line 1, column 8)"},
		{"too deep", deep, "nested deeper than 64 levels (line 1, column 65)"},
		{"bottomless", strings.Repeat("[", 100_000), "invalid character '[' exceeded max depth (line 1, column 10001)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := strictjson.Parse([]byte(test.body))
			if _, ok := err.(*strictjson.SyntaxError); !ok || err.Error() != test.want {
				t.Errorf("Parse = %v, want %s", err, test.want)
			}
		})
	}
}

func TestParseAllowsTheDeepest(t *testing.T) {
	t.Parallel()
	if _, err := strictjson.Parse([]byte(strings.Repeat("[", 64) + strings.Repeat("]", 64))); err != nil {
		t.Error(err)
	}
}

// FuzzParse holds the tree against encoding/json: nothing is accepted that is not JSON, what is accepted says the same, and
// what is JSON is refused for its keys, its depth or its bytes alone.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e3,"x",null,true]}`, `[[[[]]]]`, `{"a":1,"a":2}`, "\"\xff\"", `{} 1`, ``,
		`[-0,-1.0E+9,01,1.,.5,1e,+1,-]`, `[nul]`, `{"a" 1}`, `{a:1}`, `[1 2]`, `[,]`, `{"a":1,}`, `"\u00e9\/\ud800"`, `"\x"`, "\"\t\"", `"a`, `"\`, "[1]\x00", "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := strictjson.Parse(body)
		if err != nil {
			if syntax, ok := err.(*strictjson.SyntaxError); !ok || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("no place: %v", err)
			} else if json.Valid(body) && !strings.HasPrefix(syntax.Message, "duplicate key") && !strings.HasPrefix(syntax.Message, "nested deeper") &&
				syntax.Message != "invalid UTF-8" {
				t.Fatalf("refused JSON: %v", err)
			}
			return
		}
		var want any
		if err := json.Unmarshal(body, &want); err != nil && !strings.Contains(err.Error(), "cannot unmarshal number") {
			t.Fatalf("accepted what is no JSON: %v", err)
		} else if err != nil {
			return // a number past float64, which a literal may hold
		}
		if diff := cmp.Diff(want, plain(t, *v)); diff != "" {
			t.Errorf("tree (-want +got):\n%s", diff)
		}
	})
}

// plain is the value as encoding/json would have it.
func plain(t *testing.T, v strictjson.Value) any {
	t.Helper()
	switch v.Kind {
	case strictjson.String:
		return v.Text
	case strictjson.Array:
		all := []any{}
		for _, element := range v.Elements {
			all = append(all, plain(t, element))
		}
		return all
	case strictjson.Map:
		all := map[string]any{}
		for _, member := range v.Members {
			all[member.Key] = plain(t, member.Value)
		}
		return all
	case strictjson.Null:
		return nil
	}
	var scalar any
	if err := json.Unmarshal([]byte(v.Text), &scalar); err != nil {
		t.Fatal(err)
	}
	return scalar
}

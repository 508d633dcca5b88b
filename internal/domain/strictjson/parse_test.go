package strictjson_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/strictjson"
)

func TestParseKeepsOrderAndLiterals(t *testing.T) {
	t.Parallel()
	got, err := strictjson.Parse([]byte(` {"b": [1.50, null, true], "a": {"x": "ü\n"}} `))
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	describe(*got, "", &seen)
	want := []string{" object", "b array", "b.0 number 1.50", "b.1 null", "b.2 boolean true", "a object", "a.x string ü\n"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
}

// describe lists a value and all below it: path, kind and text.
func describe(v strictjson.Value, path string, to *[]string) {
	*to = append(*to, strings.TrimSuffix(fmt.Sprintf("%s %s %s", path, v.Kind, v.Text), " "))
	for i, element := range v.Elements() {
		describe(element, fmt.Sprintf("%s.%d", path, i), to)
	}
	for _, member := range v.Members() {
		describe(member.Value, strings.TrimPrefix(path+"."+member.Key, "."), to)
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
		{"high surrogate alone", `{"a": "x\ud800"}`, "escape of half a surrogate pair (line 1, column 9)"},
		{"low surrogate alone", `["\\", "\uDE00\uD83D"]`, "escape of half a surrogate pair (line 1, column 9)"},
		{"high surrogate before another character", `["\ud83d\u0041"]`, "escape of half a surrogate pair (line 1, column 3)"},
		{"surrogate alone in a key", "{\n\"\\udead\": 1}", "escape of half a surrogate pair (line 2, column 2)"},
		{"syntax before a surrogate alone", `["\ud800" 1]`, "invalid character '1' after array element (line 1, column 11)"},
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

func TestParseReadsSurrogatePairs(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{
		`"\ud83d\ude00"`: "😀", `"a\uD83D\uDE00\u00e9"`: "a😀é", `"\\ud800"`: `\ud800`, `"\\\ud83d\ude00"`: `\😀`,
	} {
		if got, err := strictjson.Parse([]byte(literal)); err != nil || got.Text != want {
			t.Errorf("%s reads as %v, %v; want %q", literal, got, err, want)
		}
	}
}

func TestParseCountsValues(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`1`: 1, `[]`: 1, `{}`: 1, ` [ ] `: 1, `[1]`: 2, `[1, [2, "]"], {"a": {"b,": [{}]}}]`: 9, `{"a\"": 1, "b": "\\"}`: 3,
	} {
		limits := strictjson.Limits{Values: want}
		if got, err := limits.Count([]byte(body)); got != want || err != nil {
			t.Errorf("%s holds %d values (%v), want %d", body, got, err, want)
		}
		if _, err := limits.Parse([]byte(body)); err != nil {
			t.Errorf("%s is refused within its limit: %v", body, err)
		}
		if want == 1 {
			continue
		}
		_, err := strictjson.Limits{Values: want - 1}.Parse([]byte(body))
		if limit, ok := err.(*strictjson.LimitError); !ok || limit.Values != want-1 {
			t.Errorf("%s with one value too many gives %v", body, err)
		}
	}
	_, err := strictjson.Limits{Values: 3}.Parse([]byte("[1,\n2, 3]"))
	if want := "it holds more than 3 values (line 2, column 2)"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestParseSpendsLittle bounds the memory that a body of 4 MiB can cost, whatever it contains.
func TestParseSpendsLittle(t *testing.T) { // not parallel: it counts what is allocated
	const size = 4 << 20
	for name, unit := range map[string]string{"numbers": "0,", "arrays": "[],", "nested": "[[0]],", "objects": `{"":0},`, "strings": `"",`} {
		body := []byte("[" + strings.Repeat(unit, size/len(unit)) + "0]")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := strictjson.Parse(body)
		runtime.ReadMemStats(&after)
		if _, ok := err.(*strictjson.LimitError); !ok {
			t.Errorf("%s: %v, want a LimitError", name, err)
		}
		if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 8 {
			t.Errorf("%s: refusing them took %d MiB", name, spent)
		}
		limit := []byte("[" + strings.Repeat(unit, strictjson.MaxValues/4) + "0]")
		runtime.ReadMemStats(&before)
		_, err = strictjson.Parse(limit)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: a quarter is refused: %v", name, err)
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / (strictjson.MaxValues / 4); each > 300 {
			t.Errorf("%s: one takes %d bytes", name, each)
		}
	}
}

// FuzzParse compares the tree with encoding/json: nothing is accepted that is not JSON, what is accepted has the same
// values, and JSON is refused only for its keys, its depth or its bytes.
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
				syntax.Message != "invalid UTF-8" && syntax.Message != "escape of half a surrogate pair" {
				t.Fatalf("refused JSON: %v", err)
			}
			return
		}
		var want any
		if err := json.Unmarshal(body, &want); err != nil && !strings.Contains(err.Error(), "cannot unmarshal number") {
			t.Fatalf("accepted what is no JSON: %v", err)
		} else if err != nil {
			return // a number beyond float64, which a literal may hold
		}
		if diff := cmp.Diff(want, plain(t, *v)); diff != "" {
			t.Errorf("tree (-want +got):\n%s", diff)
		}
	})
}

// plain returns the value as encoding/json would decode it.
func plain(t *testing.T, v strictjson.Value) any {
	t.Helper()
	switch v.Kind {
	case strictjson.String:
		return v.Text
	case strictjson.Array:
		all := []any{}
		for _, element := range v.Elements() {
			all = append(all, plain(t, element))
		}
		return all
	case strictjson.Map:
		all := map[string]any{}
		for _, member := range v.Members() {
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

package llm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

func newServer() *llmtest.Server { return llmtest.New(llmtest.Says(validAnswer)) }

// An object is read as it arrives: a field is known as soon as it is complete.
func TestPartial(t *testing.T) {
	t.Parallel()
	object := `Sure: {"probe": true , "nested": {"question": "no", "list": [1, "]}\""]}, "question": "Wie \"gro\u00df\" 😀 \ud83d\ude00?\n", "reason": "x", "n": -1.5}`
	wants := []struct {
		behind, question string
		complete         bool
	}{
		{`Sure`, "", false},
		{`"nested": {"question": "no"`, "", false},
		{`"question": `, "", false},
		{`"question": "Wie`, "", false},
		{`"question": "Wie \`, "", false},
		{`"question": "Wie \"gro\u00`, "", false},
		{`"question": "Wie \"gro\u00df`, "", false},
		{`"question": "Wie \"gro\u00df\" 😀 \ud83d`, "", false},
		{`"question": "Wie \"gro\u00df\" 😀 \ud83d\ude00?\n`, "", false},
		{`"question": "Wie \"gro\u00df\" 😀 \ud83d\ude00?\n"`, "Wie \"groß\" 😀 😀?\n", true},
		{`-1.5}`, "Wie \"groß\" 😀 😀?\n", true},
	}
	for size := 1; size < 9; size++ {
		for _, want := range wants {
			end := strings.LastIndex(object, want.behind) + len(want.behind)
			var p llm.Partial
			for chunk := range slices.Chunk([]byte(object[:end]), size) {
				p.Write(string(chunk))
			}
			if got, complete := p.Field("question"); got != want.question || complete != want.complete {
				t.Errorf("in pieces of %d, behind %s: %q, %t", size, want.behind, got, complete)
			}
		}
	}
	var p llm.Partial
	p.Write(object)
	for name, want := range map[string]string{"probe": "true", "reason": "x", "n": "-1.5", "nested": "", "list": "", "Sure": ""} {
		if got, complete := p.Field(name); got != want || complete != (want != "") {
			t.Errorf("%s: %q, %t", name, got, complete)
		}
	}
}

// After an error in the JSON nothing more is read.
func TestPartialBroken(t *testing.T) {
	t.Parallel()
	for _, before := range []string{`[`, `{"a" 1, `, `{"a": "\x", `, `{"a": "\u12x4", `, "{\"a\": \"\n\", ", `{"a": 1 2, `, `{"a": "b" "c", `, `{1: 2, `, `{}, `, `{"a": 1}} `, `{,`} {
		var p llm.Partial
		p.Write(before + `"question": "no"}`)
		if got, complete := p.Field("question"); got != "" || complete {
			t.Errorf("behind %s: %q, %t", before, got, complete)
		}
	}
}

// A number is known once it is clear that no digit follows, and an object is read up to a maximum size.
func TestPartialEnds(t *testing.T) {
	t.Parallel()
	var p llm.Partial
	p.Write(`{"n": 1`)
	if got, complete := p.Field("n"); complete {
		t.Errorf("n is %q before its end", got)
	}
	p.Write("5 ")
	if got, complete := p.Field("n"); got != "15" || !complete {
		t.Errorf("n is %q, %t", got, complete)
	}
	p.Write(`, "long": "` + strings.Repeat("x", 8<<10) + `", "late": "x", `)
	for _, name := range []string{"long", "late"} {
		if _, complete := p.Field(name); complete {
			t.Errorf("%s is read, however long the object is", name)
		}
	}
	if _, complete := p.Field("n"); !complete {
		t.Error("what was read before is forgotten")
	}
}

// Whatever a decoder accepts is read in the same way, wherever it is cut.
func FuzzPartial(f *testing.F) {
	for _, seed := range []string{
		validAnswer, everything, `{"a": "\ud83d\ude00 \ud83d \ude00 \ud83d\ud83d\ude00 \ud83dx", "a": "again", "b": null}`, `{"a":"` + "\xf0\x9f\x98\x80 \xff \xf0\x9f" + `"}`,
		"{\"a\\u0062\": \"key\", \"\": 1e5, \"c\": [[{}], \"\\\"]\"]}\n", `{"a": {"a": "in"}, "b" : false}`, `{"a": "x", "a": ["y"]}`,
	} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		var complete llm.Partial
		complete.Write(text)
		var cut llm.Partial
		for chunk := range slices.Chunk([]byte(text), min(max(size, 1), 16)) {
			cut.Write(string(chunk))
		}
		var fields map[string]json.RawMessage
		if !strings.HasPrefix(text, "{") || len(text) > 8<<10 || json.Unmarshal([]byte(text), &fields) != nil {
			return
		}
		for name, raw := range fields {
			want, read := string(raw), true
			switch raw[0] {
			case '"':
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
			case '{', '[':
				want, read = "", false
			}
			for _, p := range []*llm.Partial{&complete, &cut} {
				if got, all := p.Field(name); got != want || all != read {
					t.Errorf("%q of %q: %q, %t; want %q, %t", name, text, got, all, want, read)
				}
			}
		}
	})
}

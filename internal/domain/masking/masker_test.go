package masking_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
)

func TestPrivateValues(t *testing.T) {
	t.Parallel()
	got := masking.PrivateValues(map[string]string{
		"pid": "P-17", "first_name": "Maria", "source": "newsletter", "age": "34", "ref": "ab12cd", "_mail": "maria@example.org", "name": "Li", "wave": "2", "contact": " Jo Hill ",
	})
	slices.Sort(got)
	if diff := cmp.Diff([]string{"Jo Hill", "Maria", "P-17", "ab12cd", "maria@example.org"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text, want string
		known      []string
	}{
		"nothing":                 {"Milk at 7.30, for 3,50 in 2024.", "Milk at 7.30, for 3,50 in 2024.", []string{"Maria"}},
		"twice the same":          {"a@b.example and a@b.example and c@b.example", "[mail 1] and [mail 1] and [mail 2]", nil},
		"each kind by itself":     {"a@b.example, www.b.example, 0171 2345678", "[mail 1], [link 1], [phone 1]", nil},
		"digits elsewhere":        {"رقمي ٠٥٠١٢٣٤٥٦٧ فقط", "رقمي [phone 1] فقط", nil},
		"known":                   {"I am maria, Mariana is not; panel P-17!", "I am [private 1], Mariana is not; panel [private 2]!", []string{"Maria", "P-17"}},
		"known between ideograms": {"我是玛丽，你好", "我是[private 1]，你好", []string{"玛丽"}},
		"known as placeholder":    {"mail me: a@b.example, 1 mail", "[private 1] me: [mail 1], [private 2] [private 1]", []string{"mail", "1"}},
		"known as kind":           {"private text [text 1]", "[private 1] [private 2] [text 1]", []string{"private", "text"}},
		"a placeholder of theirs": {"[mail 1] is no address, a@b.example is", "[text 1] is no address, [mail 1] is", nil},
	} {
		m := masking.New(tt.known...)
		got := m.Mask(tt.text)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if back := m.Restore(got); back != tt.text {
			t.Errorf("%s: back comes %q", name, back)
		}
	}
}

// TestRestoreIsExact: whatever the words and the private values are, restoring undoes masking.
func TestRestoreIsExact(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{
		"mail", "1", "[mail 1]", "[", "]", "[private 1]", "private", "2", "a@b.example", "0171 2345678", "text", " ", "Maria", "Hauptstraße 5", "\"", "\\", "\n", "[text 1", "\ufdd0mail 1", "玛丽",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(strings.Join(rapid.SliceOfN(words, 0, 12).Draw(t, "text"), " "), "\ufdd0", "")
		m := masking.New(rapid.SliceOfN(words, 0, 3).Draw(t, "private")...)
		if got := m.Mask(text); m.Restore(got) != text {
			t.Fatalf("%q becomes %q, and comes back as %q", text, got, m.Restore(got))
		}
		document, err := json.Marshal(map[string]string{"said": text, "mail": "1"})
		if err != nil {
			t.Fatal(err)
		}
		masked := m.MaskMessage(string(document))
		var back map[string]string
		if err := json.Unmarshal([]byte(m.RestoreJSON(masked)), &back); err != nil || back["said"] != text || back["mail"] != "1" {
			t.Fatalf("%s becomes %s, and comes back as %q: %v", document, masked, back, err)
		}
	})
}

// TestMaskMessage: values of a document are masked, by themselves and across escapes; its names, numbers and spelling stay.
func TestMaskMessage(t *testing.T) {
	t.Parallel()
	m := masking.New("Maria")
	const document = `{ "a@b.example": "Maria:\nanna@example.org", "n": 4111111111111111, "list": ["x\u0020y", "ask \"Maria\""], "0171 2345678": {"b": "<b>"}}` + "\n"
	const want = `{ "a@b.example": "[private 1]:\n[mail 1]", "n": 4111111111111111, "list": ["x\u0020y", "ask \"[private 1]\""], "0171 2345678": {"b": "<b>"}}` + "\n"
	got := m.MaskMessage(document)
	if got != want {
		t.Errorf("%s", cmp.Diff(want, got))
	}
	if got := m.MaskMessage(`["\nanna@example.org"]`); got != `["\n[mail 1]"]` {
		t.Error(got)
	}
	if got := m.RestoreJSON(`{"q": "[MAIL 1] and [mail 7]"}`); got != `{"q": "anna@example.org and [mail 7]"}` {
		t.Error(got)
	}
}

// TestSeal: what is private for one text stays in the others, and the sealed text is masked once.
func TestSeal(t *testing.T) {
	t.Parallel()
	m := masking.New()
	first := m.Seal("Maria, a@b.example", "Maria")
	document, err := json.Marshal([]string{first, "Maria, [private 1], a@b.example"})
	if err != nil {
		t.Fatal(err)
	}
	got := m.MaskMessage(`{"said": ` + string(document) + `}`)
	if want := `{"said": ["[private 1], [mail 1]","Maria, [text 1], [mail 1]"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if open := m.OpenMessage(`{"said": ` + string(document) + `}`); open != `{"said": ["Maria, a@b.example","Maria, [private 1], a@b.example"]}` {
		t.Errorf("without masking it is %s", open)
	}
}

// TestStream: whatever the chunks are, the text comes as if in one, and a placeholder never in parts.
func TestStream(t *testing.T) {
	t.Parallel()
	m := masking.New()
	m.Mask(`a@b.example "C:\x" 0171 2345678`)
	const text = `{"question": "[mail 1] [mai [phone 1]] [[mail 1] [mail 9] [x`
	want := m.RestoreJSON(text)
	rapid.Check(t, func(t *rapid.T) {
		var got strings.Builder
		s := masking.Stream{Masker: m, JSON: true, To: func(part string) { got.WriteString(part) }}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			s.Write(rest[:n])
			rest = rest[n:]
		}
		if s.Close(); got.String() != want {
			t.Fatalf("%q, want %q", got.String(), want)
		}
	})
}

// TestOfInterview: the order of the turns decides on placeholders, whatever a request repeats of them, and withheld turns give none.
func TestOfInterview(t *testing.T) {
	t.Parallel()
	turns := []interview.Exchange{
		{ItemID: "secret", User: "z@example.org"},
		{ItemID: "a", Moderator: "How can we reach you?", User: "a@example.org"},
		{ItemID: "b", Moderator: "And then?", User: "Maria has b@example.org"},
	}
	m := masking.OfInterview(turns, map[string]bool{"secret": true}, []string{"Maria"})
	if got := m.Mask("b@example.org, a@example.org, z@example.org, Maria"); got != "[mail 2], [mail 1], [mail 3], [private 1]" {
		t.Error(got)
	}
	turns[1].User = strings.Repeat("long ", 20_000)
	if m := masking.OfInterview(turns, nil, nil); m.Mask("b@example.org") != "[mail 2]" {
		t.Error("a long interview is read to its end")
	}
}

package workingcopy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/workingcopy"
)

func ids() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("id", n) }
}

func parse(t *testing.T, text string) *strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEncode(t *testing.T) {
	t.Parallel()
	body, filled := workingcopy.Encode(parse(t, `{"z": 1.50, "title": "T<", "studyGuide": [{"externalId": null, "items": [{"text": "", "externalId": "q", "options": [{"text": "a"}, 7]}],
		"conceptSamplingConfig": {"concepts": [{}], "x": null}}]}`), ids())
	want := `{"z":1.50,"title":"T\u003c","studyGuide":[{"items":[{"text":"","externalId":"q","options":[{"text":"a","externalId":"id1"},7]}],` +
		`"conceptSamplingConfig":{"concepts":[{"externalId":"id2"}],"x":null},"externalId":"id3"}]}`
	if string(body) != want || !filled {
		t.Errorf("%s", body)
	}
	again, filled := workingcopy.Encode(parse(t, string(body)), ids())
	if string(again) != want || filled {
		t.Errorf("again: %s", again)
	}
	titled, err := workingcopy.WithTitle(body, "Other")
	if err != nil || workingcopy.Title(titled) != "Other" || workingcopy.Same(titled, body) || !workingcopy.Same(body, again) {
		t.Errorf("titled %s (%v)", titled, err)
	}
}

// TestCheck: problems have their place, and empty texts hide no broken rules.
func TestCheck(t *testing.T) {
	t.Parallel()
	const head, tail = `{"title":"T","studyGuide":[{"type":"flat","title":"","externalId":"b","items":[`, `]}]}`
	for name, test := range map[string]struct{ body, want string }{
		"fine":      {head + `{"type":"open_ended","externalId":"q","text":"Why?"}` + tail, ""},
		"an upload": {head + `{"type":"file_upload","externalId":"q","text":"Show it."}` + tail, ""},
		"no text": {
			head + `{"type":"open_ended","externalId":"q","text":""}` + tail,
			"error shape /studyGuide/0/items/0/text b q: String must contain at least 1 character(s)\n",
		},
		"a rule": {
			head + `{"type":"multiple_choice","externalId":"q","text":"Which?"}` + tail,
			"error rule /studyGuide/0/items/0/options b q: options are required unless carryForwardFrom is set\n",
		},
		"no text and a rule": {
			head + `{"type":"open_ended","externalId":"p","text":""},{"type":"multiple_choice","externalId":"q","text":"Which?"}` + tail,
			"error shape /studyGuide/0/items/0/text b p: String must contain at least 1 character(s)\n" +
				"error rule /studyGuide/0/items/1/options b q: options are required unless carryForwardFrom is set\n",
		},
		"no items and a rule": {
			`{"title":"T","studyGuide":[{"type":"screening","title":"","externalId":"a","items":[]},{"type":"screening","title":"","externalId":"b","items":[
				{"type":"multiple_choice","externalId":"q","text":"Which?","options":[{"externalId":"o","text":"a","status":"approve"}]}]}]}`,
			"error shape /studyGuide/0/items a : Array must contain at least 1 element(s)\n" +
				"error rule /studyGuide/1 b : there is more than one screening block; at most one is allowed, and it must be the first block\n",
		},
		"an incomplete condition": {
			head + `{"type":"open_ended","externalId":"q","text":"Why?","conditional":{"operator":"and","criteria":[]}}` + tail,
			"error shape /studyGuide/0/items/0/conditional/criteria b q: Array must contain at least 1 element(s)\n",
		},
		"advice": {
			head + `{"type":"multiple_choice","externalId":"q","text":"Which?","pinnedFinalOption":true,"options":[{"externalId":"o","text":"a"}]}` + tail,
			"advice advice /studyGuide/0/items/0/pinnedFinalOption b q: pinnedFinalOption has no effect without randomizeOptionOrder.\n",
		},
		"a strange key": {
			head + `{"type":"open_ended","externalId":"q","text":"Why?","a/b~":1}` + tail,
			"error shape /studyGuide/0/items/0 b q: Unrecognized key(s) in object: 'a/b~'; the nearest known key is 'text'\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, problems := workingcopy.Check([]byte(test.body))
			var got strings.Builder
			hasErrors := false
			for _, p := range problems {
				fmt.Fprintf(&got, "%s %s %s %s %s: %s\n", p.Severity, p.Code, p.Pointer, p.BlockID, p.ItemID, p.Message)
				hasErrors = hasErrors || p.Severity == workingcopy.Error
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (g == nil) != hasErrors {
				t.Errorf("the guide is %v", g)
			}
		})
	}
}

// TestCheckTellsWhatDecodeTells: a copy has errors exactly when the public API would refuse it, whatever is missing in it.
func TestCheckTellsWhatDecodeTells(t *testing.T) {
	t.Parallel()
	rich := guide.Encode(guidetest.Rich())
	rapid.Check(t, func(t *rapid.T) {
		body := rich
		for range rapid.IntRange(0, 3).Draw(t, "cuts") {
			quoted := strings.Split(string(body), `"`)
			at := 2*rapid.IntRange(0, len(quoted)/2-1).Draw(t, "string") + 1
			quoted[at] = rapid.SampledFrom([]string{"", "x", "text"}).Draw(t, "in its place")
			body = []byte(strings.Join(quoted, `"`))
		}
		_, err := guide.Decode(body, guide.Options{FileUpload: true})
		g, problems := workingcopy.Check(body)
		if (err == nil) != (g != nil) || err != nil && len(problems) == 0 {
			t.Fatalf("Decode: %v; Check: %v, %v", err, g != nil, problems)
		}
	})
}

func compared(t *testing.T, older, newer string) string {
	t.Helper()
	var text strings.Builder
	for _, c := range workingcopy.Compare([]byte(older), []byte(newer)) {
		fmt.Fprintf(&text, "%s %s %s in %s (%s)", c.Kind, c.Part, c.ID, c.ItemID, c.Label)
		for _, f := range c.Fields {
			value := func(v *string) string {
				if v == nil {
					return "-"
				}
				return *v
			}
			fmt.Fprintf(&text, " %s: %s > %s", f.Name, value(f.Before), value(f.After))
		}
		text.WriteString("\n")
	}
	return text.String()
}

func TestCompare(t *testing.T) {
	t.Parallel()
	const older = `{"title":"T","config":{"interviewMode":"text"},"studyGuide":[
		{"externalId":"a","title":"A","items":[
			{"externalId":"1","text":"One","options":[{"externalId":"x","text":"X"},{"externalId":"y","text":"Y"},{"externalId":"z","text":"Z"}]},
			{"externalId":"2","text":"Two","rows":[{"text":"R"}],"minSelect":1},
			{"externalId":"3","text":"Three"}]},
		{"externalId":"b","title":"B","conceptSamplingConfig":{"concepts":[{"externalId":"c","nickname":"C"}],"subsampleCount":1},"items":[{"externalId":"4","text":"Four"}]}]}`
	for name, test := range map[string]struct{ from, to, want string }{
		"nothing":    {"", "", ""},
		"a word":     {`"text":"Two"`, `"text":"Two!"`, "changed item 2 in 2 (Two!) text: Two > Two!\n"},
		"a setting":  {`"interviewMode":"text"`, `"interviewMode":"audio"`, "changed settings  in  () config.interviewMode: text > audio\n"},
		"a key less": {`,"minSelect":1`, ``, "changed item 2 in 2 (Two) minSelect: 1 > -\n"},
		"the same number": {
			`"minSelect":1`, `"minSelect":1.0`, "",
		},
		"a row":       {`{"text":"R"}`, `{"text":"R"},{"text":"S"}`, "added row r2 in 2 (S)\n"},
		"an option":   {`{"externalId":"y","text":"Y"},`, ``, "removed option y in 1 (Y)\n"},
		"an order":    {`{"externalId":"x","text":"X"},{"externalId":"y","text":"Y"},{"externalId":"z","text":"Z"}`, `{"externalId":"z","text":"Z"},{"externalId":"x","text":"X"},{"externalId":"y","text":"Y"}`, "moved option z in 1 (Z)\n"},
		"an item":     {`{"externalId":"1","text":"One","options":[{"externalId":"x","text":"X"},{"externalId":"y","text":"Y"},{"externalId":"z","text":"Z"}]},`, ``, "removed item 1 in 1 (One)\n"},
		"a concept":   {`{"externalId":"c","nickname":"C"}`, `{"externalId":"d","nickname":"D"}`, "added concept d in  (D)\nremoved concept c in  (C)\n"},
		"how many":    {`"subsampleCount":1`, `"subsampleCount":2`, "changed block b in  (B) conceptSamplingConfig.subsampleCount: 1 > 2\n"},
		"an id twice": {`{"externalId":"4","text":"Four"}`, `{"externalId":"4","text":"Four"},{"externalId":"1","text":"One"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newer := strings.Replace(older, test.from, test.to, 1)
			if diff := cmp.Diff(test.want, compared(t, older, newer)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	moved := strings.Replace(older, `,
			{"externalId":"3","text":"Three"}`, "", 1)
	moved = strings.Replace(moved, `"items":[{"externalId":"4"`, `"items":[{"externalId":"3","text":"Three"},{"externalId":"4"`, 1)
	if got := compared(t, older, moved); got != "moved item 3 in 3 (Three)\n" {
		t.Errorf("to another block: %s", got)
	}
}

// TestCompareWithNothing: everything is added, and the other way round removed; equal copies do not differ.
func TestCompareWithNothing(t *testing.T) {
	t.Parallel()
	rich := guide.Encode(guidetest.Rich())
	items := 0
	for range guidetest.Rich().Items() {
		items++
	}
	empty := []byte(`{"studyGuide":[]}`)
	if s := workingcopy.Summarize(workingcopy.Compare(empty, rich)); s.Added != items+len(guidetest.Rich().Blocks) || s.Removed+s.Moved != 0 || len(s.Labels) != 5 {
		t.Errorf("added: %+v of %d items", s, items)
	}
	if s := workingcopy.Summarize(workingcopy.Compare(rich, empty)); s.Removed != items+len(guidetest.Rich().Blocks) || s.Added+s.Moved != 0 {
		t.Errorf("removed: %+v", s)
	}
	if changes := workingcopy.Compare(rich, rich); changes != nil {
		t.Errorf("equal copies differ in %+v", changes)
	}
}

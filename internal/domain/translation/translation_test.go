package translation_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/translation"
)

var maker = translation.Maker{Model: "m1", Prompt: "p1"}

// drafted returns a translation that a machine has filled in.
func drafted(g *guide.Guide) *translation.Translation {
	s := translation.New(g, "study", 1, "de")
	for key, text := range german() {
		s.Put(key, text, "", maker)
	}
	return s
}

func keys(s *translation.Translation, indexes []int) (keys []string) {
	for _, i := range indexes {
		keys = append(keys, s.Entries[i].Key)
	}
	return keys
}

func TestTranslationIsShownOnceApproved(t *testing.T) {
	t.Parallel()
	s := translation.New(fruit(), "study", 1, "de")
	if len(s.Due(maker, false)) != len(s.Entries)-1 {
		t.Errorf("%d texts are due, want all but the one without a word", len(s.Due(maker, false)))
	}
	if err := s.Approve(); !errors.Is(err, translation.ErrIncomplete) {
		t.Errorf("an empty sheet is approved: %v", err)
	}
	s = drafted(fruit())
	if !s.Complete() || s.Publish() || s.Shown != nil {
		t.Error("a draft is shown, or is not complete")
	}
	if err := s.Approve(); err != nil || s.Shown["item/hi/text"] != "Nun zum Obst." || len(s.Shown) != len(s.Entries) {
		t.Errorf("after the approval: %v, %v", err, s.Shown)
	}
	if s.Publish() {
		t.Error("publishing what is shown changes something")
	}
}

func TestTranslationOfTrustedMachine(t *testing.T) {
	t.Parallel()
	s := translation.New(fruit(), "study", 1, "de")
	s.Auto = true
	texts := german()
	delete(texts, "item/which/option/n") // it has no words, so it is there from the beginning
	for key, text := range texts {
		if s.Publish() {
			t.Fatal("half a translation is shown")
		}
		s.Put(key, text, "", maker)
	}
	if !s.Publish() || s.Shown["study/title"] != "Ihr Obst" {
		t.Errorf("a complete draft is not shown: %v", s.Shown)
	}
}

func TestDue(t *testing.T) {
	t.Parallel()
	s := drafted(fruit())
	if due := keys(s, s.Due(maker, true)); len(due) > 0 {
		t.Errorf("nothing has changed, but due are %v", due)
	}
	s.Put("item/hi/text", "", "numbers: missing 3", maker) // refused: the draft stays
	if e := s.Entries[3]; e.Text != "Nun zum Obst." || e.Violation == "" {
		t.Errorf("the entry is %+v", e)
	}
	other := translation.Maker{Model: "m2", Prompt: "p1"}
	if due := s.Due(other, false); len(due) != len(s.Entries)-1 {
		t.Errorf("another model is asked for %d texts, want %d", len(due), len(s.Entries)-1)
	}
	fresh := translation.New(fruit(), "study", 1, "de")
	fresh.Put("item/hi/text", "", "numbers: missing 3", maker)
	for _, again := range []bool{false, true} {
		due := strings.Join(keys(fresh, fresh.Due(maker, again)), " ")
		if strings.Contains(due, "item/hi/text") != again {
			t.Errorf("again %t: due are %s", again, due)
		}
	}
	if err := s.Approve(); err != nil || len(s.Due(other, true)) > 0 {
		t.Errorf("what a person approved is due: %v, %v", err, keys(s, s.Due(other, true)))
	}
	s.Put("item/hi/text", "Anders.", "", other)
	if s.Entries[3].Text != "Nun zum Obst." {
		t.Error("a machine changed what a person approved")
	}
}

// TestRevisionTranslatesOnlyWhatChanged covers texts that moved, and texts that belong to another text now.
func TestRevisionTranslatesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	old := drafted(fruit())
	if err := old.Approve(); err != nil {
		t.Fatal(err)
	}
	old.Auto = true
	g := fruit()
	items := g.Blocks[0].Items
	items[0].Text = "Now about vegetables."
	items[1].ID = "renamed"
	items[4].Options[0].Text = "Every day"
	s := translation.New(g, "study", 2, "de")
	s.Carry(old)
	want := []string{"item/hi/text", "item/hi/continueButtonText", "item/rate/option/c1"}
	if diff := cmp.Diff(want, keys(s, s.Due(maker, false))); diff != "" {
		t.Errorf("due (-want +got):\n%s", diff)
	}
	if got := s.Texts()["item/renamed/option/a"]; got != "Äpfel" || !s.Auto || s.Shown != nil {
		t.Errorf("carried: %q, auto %t, shown %v", got, s.Auto, s.Shown)
	}
	same := translation.New(fruit(), "study", 2, "de")
	same.Carry(old)
	if same.Shown == nil {
		t.Error("a revision with the same texts is not shown")
	}
}

func TestExchange(t *testing.T) {
	t.Parallel()
	s := drafted(fruit())
	body := s.Export("Xy12")
	file, err := translation.ReadFile(body)
	if err != nil || file.Study != "Xy12" || file.Language != "de" || len(file.Texts) != len(s.Entries) {
		t.Fatalf("%v: %+v", err, file)
	}
	if remarks, refused := s.Import(file); len(remarks) > 0 || refused || s.Count()[translation.Edited] > 0 {
		t.Errorf("what was exported is imported with %v, %d edited", remarks, s.Count()[translation.Edited])
	}
	file.Texts[3].Text = "  Jetzt geht es um Obst. "
	if remarks, refused := s.Import(file); refused || s.Entries[3].Text != "Jetzt geht es um Obst." || s.Entries[3].State != translation.Edited {
		t.Errorf("%v: %+v", remarks, s.Entries[3])
	}
	if err := s.Approve(); err != nil {
		t.Fatal(err)
	}
	file.Texts[3].Text = "Nun zum Obst, bitte."
	if _, refused := s.Import(file); refused || s.Shown["item/hi/text"] != "Jetzt geht es um Obst." {
		t.Errorf("an edit is shown before it is approved: %v", s.Shown["item/hi/text"])
	}
}

// TestImportRefuses checks that each error is reported with its place, and that nothing is changed.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil  func(f *translation.File)
		place  string
		text   string
		advice bool
	}{
		"unknown id":        {func(f *translation.File) { f.Texts[3].ID = "item/none/text" }, "texts[3]", "no text of the guide", false},
		"missing":           {func(f *translation.File) { f.Texts = f.Texts[1:] }, "study/title", "missing", false},
		"twice":             {func(f *translation.File) { f.Texts = append(f.Texts, f.Texts[0]) }, "texts[25]", "twice", false},
		"empty":             {func(f *translation.File) { f.Texts[3].Text = " " }, "texts[3]", "empty", false},
		"changed source":    {func(f *translation.File) { f.Texts[3].Source = "Earlier." }, "texts[3]", "has changed", false},
		"placeholder":       {func(f *translation.File) { f.Texts[2].Text = "Danke." }, "texts[2]", "placeholders", false},
		"wrong language":    {func(f *translation.File) { f.Texts[5].Text = "Which fruit do you like to eat?" }, "texts[5]", "language", false},
		"another language":  {func(f *translation.File) { f.Language = "fr" }, "language", "in fr", false},
		"options alike":     {func(f *translation.File) { f.Texts[7].Text = "äpfel" }, "texts[7]", "reads the same", false},
		"numbers":           {func(f *translation.File) { f.Texts[3].Text = "Nun zum Obst von 2024." }, "texts[3]", "numbers", true},
		"number as a range": {func(f *translation.File) { f.Texts[8].Text = "1-4" }, "texts[8]", "numbers", true},
	} {
		s := drafted(fruit())
		file, err := translation.ReadFile(s.Export("x"))
		if err != nil {
			t.Fatal(err)
		}
		tt.spoil(&file)
		before := s.Texts()
		remarks, refused := s.Import(file)
		found := false
		for _, r := range remarks {
			found = found || r.Place == tt.place && strings.Contains(r.Text, tt.text) && r.Advice == tt.advice
		}
		if !found || refused == tt.advice {
			t.Errorf("%s: refused %t with %v, want %q at %s", name, refused, remarks, tt.text, tt.place)
		}
		if changed := !cmp.Equal(before, s.Texts()); changed == refused {
			t.Errorf("%s: refused %t, changed %t", name, refused, changed)
		}
	}
}

func TestReadFileIsStrict(t *testing.T) {
	t.Parallel()
	for body, place := range map[string]string{
		`{"language": "de", "texts": []}`:                            "texts",
		`{"language": "de", "texts": [{"id": "a", "text": 3}]}`:      "texts.0.text",
		`{"language": "de", "texts": [{"id": "a", "txt": "b"}]}`:     "texts.0",
		`{"texts": [{"id": "a", "text": "b"}]}`:                      "language",
		`{"language": "de", "texts": [{"id": "", "text": "b"}]}`:     "texts.0.id",
		`{"language": "de", "texts": [{"id": "a", "text": null}]}`:   "texts.0.text",
		`{"language": "de", "texts": {"a": "b"}}`:                    "texts",
		`{"language": "de", "revision": "1", "texts": [{"id":"a"}]}`: "revision",
	} {
		_, err := translation.ReadFile([]byte(body))
		wrong, ok := errors.AsType[*strictjson.SchemaError](err)
		if !ok {
			t.Errorf("%s: %v, want a schema error", body, err)
			continue
		}
		found := false
		for _, issue := range wrong.Issues {
			found = found || strings.HasPrefix(strings.Join(issue.Path, "."), place)
		}
		if !found {
			t.Errorf("%s: %v, want an issue at %s", body, wrong.Issues, place)
		}
	}
	if _, err := translation.ReadFile([]byte(`{`)); err == nil {
		t.Error("half a file is read")
	}
}

// TestExportHasNotes checks that notes for the reviewer are beside the texts.
func TestExportHasNotes(t *testing.T) {
	t.Parallel()
	s := drafted(fruit())
	s.Put("item/hi/continueButtonText", "Go on", "", maker)
	fresh := translation.New(fruit(), "study", 1, "de")
	fresh.Put("item/hi/text", "", "language: it reads as en", maker)
	for _, tt := range []struct {
		drafts *translation.Translation
		note   string
		state  string
	}{{s, "the same as the source", "draft"}, {fresh, "language: it reads as en", "untranslated"}} {
		var file struct {
			Texts []struct{ State, Note string } `json:"texts"`
		}
		if err := json.Unmarshal(tt.drafts.Export("x"), &file); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, line := range file.Texts {
			found = found || line.Note == tt.note && line.State == tt.state
		}
		if !found {
			t.Errorf("no text is noted as %q: %+v", tt.note, file.Texts)
		}
	}
}

package translation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/domain/strictjson"
)

// File is a translation as people edit it.
type File struct {
	Study    string // link id
	Revision int
	From     string
	Language string
	Texts    []Line
}

// Line is one text of a file. State and note are for the reader; they are not imported.
type Line struct {
	ID     string // key of the segment
	Kind   string
	Source string
	Text   string
	State  string
	Note   string
}

// Wire shapes of the file.
type (
	wireFile struct {
		Study    string     `json:"study"`
		Revision int        `json:"revision"`
		From     string     `json:"from"`
		Language string     `json:"language"`
		Texts    []wireLine `json:"texts"`
	}
	wireLine struct {
		ID     string `json:"id"`
		Kind   string `json:"kind"`
		Source string `json:"source"`
		Text   string `json:"text"`
		State  string `json:"state"`
		Note   string `json:"note"`
	}
)

// Export returns the translation as a file for people to edit: every text beside its source, with notes for the reviewer.
func (s *Translation) Export(link string) []byte {
	file := wireFile{Study: link, Revision: s.Revision, From: s.From, Language: s.Language, Texts: []wireLine{}}
	for i := range s.Entries {
		e := &s.Entries[i]
		file.Texts = append(file.Texts, wireLine{e.Key, string(e.Kind), e.Source, e.Text, stateName(e.State), e.note(s)})
	}
	var body bytes.Buffer
	to := json.NewEncoder(&body)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	if err := to.Encode(file); err != nil {
		panic("translation: strings and integers did not encode: " + err.Error())
	}
	return body.Bytes()
}

func stateName(s State) string {
	if s == Untranslated {
		return "untranslated"
	}
	return string(s)
}

// note returns what a reviewer should check.
func (e *Entry) note(s *Translation) string {
	if e.Text == "" {
		return e.Violation
	}
	var notes []string
	for _, f := range Judge(e.Source, e.Text, s.From, s.Language) {
		notes = append(notes, f.String())
	}
	if len(notes) == 0 && DifferentLanguage(s.From, s.Language) && !hasNoLetters(e.Source) && Echoes(e.Source, e.Text) {
		notes = append(notes, "the same as the source")
	}
	return strings.Join(notes, "; ")
}

// ReadFile parses a file that Export wrote and a person has edited. It fails with a *strictjson.SyntaxError or a
// *strictjson.SchemaError.
func ReadFile(body []byte) (f File, err error) {
	err = strictjson.Trusted.Decode(body, func(o *strictjson.Object) {
		f.Study = o.Text("study", strictjson.Optional)
		f.Revision = o.Int("revision", strictjson.Optional, 0, 1<<30)
		f.From = o.Text("from", strictjson.Optional)
		f.Language = o.NonEmpty("language", strictjson.Required)
		o.Objects("texts", strictjson.Required, 1, func(o *strictjson.Object) {
			f.Texts = append(f.Texts, Line{
				ID: o.NonEmpty("id", strictjson.Required), Kind: o.Text("kind", strictjson.Optional),
				Source: o.Text("source", strictjson.Optional), Text: o.Text("text", strictjson.Required),
				State: o.Text("state", strictjson.Optional), Note: o.Text("note", strictjson.Optional),
			})
		})
	})
	return f, err
}

// Remark is a comment on a file.
type Remark struct {
	Place  string // such as texts[3], or the key of a text that is missing
	Text   string
	Advice bool // it does not cause the file to be refused
}

// Import takes over what a person has written. Every text must be present, by the keys of this revision; texts that differ
// from the translation become Edited. If a remark that is not advice refuses the file, the translation is unchanged.
func (s *Translation) Import(f File) (remarks []Remark, refused bool) {
	say := func(advice bool, place, format string, args ...any) {
		remarks = append(remarks, Remark{place, fmt.Sprintf(format, args...), advice})
	}
	if f.Language != s.Language {
		say(false, "language", "the file is in %s, not in %s", f.Language, s.Language)
		return remarks, true
	}
	texts, places := map[string]string{}, map[string]string{}
	for i, line := range f.Texts {
		place := fmt.Sprintf("texts[%d]", i)
		e := s.entry(line.ID)
		switch {
		case e == nil:
			say(false, place, "no text of the guide has the id %q", line.ID)
			continue
		case places[line.ID] != "":
			say(false, place, "%s is given twice, first by %s", line.ID, places[line.ID])
			continue
		case line.Source != "" && line.Source != e.Source:
			say(false, place, "the text of %s has changed since the export: it is %q now", line.ID, e.Source)
		}
		texts[line.ID], places[line.ID] = strings.TrimSpace(line.Text), place
		for _, violation := range Judge(e.Source, line.Text, s.From, s.Language) {
			say(violation.Advice(), place, "%s: %s", line.ID, violation)
		}
	}
	segments := make([]Segment, len(s.Entries))
	for i := range s.Entries {
		segments[i] = s.Entries[i].Segment
		if places[segments[i].Key] == "" {
			say(false, segments[i].Key, "the text is missing")
		}
	}
	alike := Alike(segments, texts)
	for _, segment := range segments {
		if other, found := alike[segment.Key]; found {
			say(false, places[segment.Key], "%s reads the same as the text for %q", segment.Key, other)
		}
	}
	if slices.ContainsFunc(remarks, func(r Remark) bool { return !r.Advice }) {
		return remarks, true
	}
	for i := range s.Entries {
		if e := &s.Entries[i]; e.Text != texts[e.Key] {
			e.Text, e.State, e.Model, e.Violation = texts[e.Key], Edited, "", ""
		}
	}
	s.Publish()
	return remarks, false
}

func (s *Translation) entry(key string) *Entry {
	for i := range s.Entries {
		if s.Entries[i].Key == key {
			return &s.Entries[i]
		}
	}
	return nil
}

package translation

import (
	"maps"
	"slices"
	"strings"
)

// Refusal names a text that was left as it was, although a person wanted to change or to release it, with the reason.
type Refusal struct {
	Key  string
	Text string
}

// Edit takes over what a person wrote for some texts, by their keys; an empty text removes the translation. A text that loses a placeholder, a link or
// markup, is in another language, or reads the same as another option, is refused and changes nothing; the others become Edited. Participants continue to
// see what they saw until the translation is approved.
func (s *Translation) Edit(texts map[string]string) (refused []Refusal) {
	before := s.Texts()
	changed := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		text, e := strings.TrimSpace(texts[key]), s.entry(key)
		switch {
		case e == nil:
			refused = append(refused, Refusal{key, "the guide has no such text any more"})
		case text == e.Text:
		case text == "":
			e.Text, e.State, e.Model, e.Made, e.Violation = "", Untranslated, "", "", ""
		default:
			if why := worst(e.Source, text, s.From, s.Language); why != "" {
				refused = append(refused, Refusal{key, why})
				continue
			}
			changed[key] = text
		}
	}
	after := maps.Clone(before)
	maps.Copy(after, changed)
	segments := make([]Segment, len(s.Entries))
	for i := range s.Entries {
		segments[i] = s.Entries[i].Segment
	}
	alike := Alike(segments, after)
	for _, key := range slices.Sorted(maps.Keys(changed)) {
		if other, found := alike[key]; found {
			refused = append(refused, Refusal{key, "it reads the same as the text for \"" + other + "\""})
			continue
		}
		e := s.entry(key)
		e.Text, e.State, e.Model, e.Violation = changed[key], Edited, "", ""
	}
	s.Publish()
	return refused
}

// worst returns the first violation that no person may overrule, or "".
func worst(source, text, from, to string) string {
	for _, violation := range Judge(source, text, from, to) {
		if !violation.Advice() {
			return violation.String()
		}
	}
	return ""
}

// ApproveTexts releases the texts under some keys, or with none all that there are. What is not translated is refused. Once all are approved participants
// see the translation.
func (s *Translation) ApproveTexts(keys []string) (refused []Refusal) {
	for i := range s.Entries {
		if e := &s.Entries[i]; len(keys) == 0 && e.Text != "" {
			e.State = Approved
		}
	}
	for _, key := range keys {
		switch e := s.entry(key); {
		case e == nil:
			refused = append(refused, Refusal{key, "the guide has no such text any more"})
		case e.Text == "":
			refused = append(refused, Refusal{key, "it is not translated yet"})
		default:
			e.State = Approved
		}
	}
	s.Publish()
	return refused
}

// Note returns what a reviewer should look at in the i-th text.
func (s *Translation) Note(i int) string { return s.Entries[i].note(s) }

package translation

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strings"

	"verbatim/internal/domain/guide"
)

// Errors of translations.
var (
	ErrNone       = errors.New("there is no translation into this language yet")
	ErrConflict   = errors.New("the translation was changed meanwhile")
	ErrIncomplete = errors.New("some texts are not translated yet")
)

// State names who is responsible for a text.
type State string

// The states of an entry.
const (
	Untranslated State = ""
	Draft        State = "draft"    // written by a machine, not reviewed by a person
	Edited       State = "edited"   // written by a person
	Approved     State = "approved" // released by a person
)

// Entry is a segment with its translation.
type Entry struct {
	Segment
	Origin    string // hash of what was to be translated: the text, what it belongs to, its kind, both languages
	Text      string // empty while it is Untranslated
	State     State
	Model     string // the model that wrote the text; empty: a person
	Made      string // hash of Origin and of the Maker that was asked, whether it produced a text or not; empty: no model was asked
	Violation string // why there is no text, or what is wrong with the model's text
}

// Translation is the translation of one revision of a guide into one language.
type Translation struct {
	StudyID  string
	Revision int
	From     string // the study's language
	Language string
	Auto     bool // machine translations are shown before anybody has approved them
	Version  int  // of the stored translation; 0: not stored yet
	Entries  []Entry

	// Shown is what participants see, by the segments' keys: the complete translation as it was when it could last be shown.
	// nil: they see the guide's own texts.
	Shown map[string]string
}

// From returns the language that a guide is written in.
func From(g *guide.Guide) string { return cmp.Or(g.Config.QuestionLanguage, guide.DefaultLanguage) }

// Targets returns the languages that a guide is to be translated into: the available ones without its own.
func Targets(g *guide.Guide) (languages []string) {
	seen := map[string]bool{From(g): true}
	for _, language := range g.Config.AvailableLanguages {
		if !seen[language] {
			seen[language] = true
			languages = append(languages, language)
		}
	}
	return languages
}

// New returns a translation without any work: only texts that are the same in every language are filled in.
func New(g *guide.Guide, studyID string, revision int, language string) *Translation {
	s := &Translation{StudyID: studyID, Revision: revision, From: From(g), Language: language}
	for _, segment := range Segments(g) {
		e := Entry{Segment: segment, Origin: hash(segment.Source, segment.Of, string(segment.Kind), s.From, language)}
		if hasNoLetters(segment.Source) {
			e.Text, e.State = segment.Source, Approved
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

// Carry takes over what an older translation has for the same texts, of the same segment or else of any.
func (s *Translation) Carry(old *Translation) {
	byKey, byOrigin := map[string]*Entry{}, map[string]*Entry{}
	for i := range old.Entries {
		e := &old.Entries[i]
		byKey[e.Key] = e
		if byOrigin[e.Origin] == nil {
			byOrigin[e.Origin] = e
		}
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		from := byKey[e.Key]
		if from == nil || from.Origin != e.Origin {
			from = byOrigin[e.Origin]
		}
		if from != nil {
			e.Text, e.State, e.Model, e.Made, e.Violation = from.Text, from.State, from.Model, from.Made, from.Violation
		}
	}
	s.Auto = old.Auto
	s.Publish()
}

// Restore takes over everything that was stored of this translation.
func (s *Translation) Restore(stored *Translation) {
	s.Carry(stored)
	s.Version, s.Shown = stored.Version, stored.Shown
}

// Maker identifies the model and the prompt that translations are requested with. A text is requested again when either
// changes.
type Maker struct {
	Model  string
	Prompt string // its version
}

func (m Maker) made(origin string) string { return hash(origin, m.Model, m.Prompt) }

// Due returns the indexes of the entries that a model is to be asked for: those that nobody has translated, and machine
// drafts of another Maker. An entry whose translation was refused is due again only if again is set.
func (s *Translation) Due(m Maker, again bool) (due []int) {
	for i := range s.Entries {
		e := &s.Entries[i]
		same := e.Made == m.made(e.Origin)
		if e.State == Untranslated && (!same || again) || e.State == Draft && !same {
			due = append(due, i)
		}
	}
	return due
}

// Put stores what a model wrote, or why none of it could be used: then text is empty. It does not replace what a person has
// written meanwhile.
func (s *Translation) Put(key, text, violation string, m Maker) {
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Key != key || e.State == Edited || e.State == Approved {
			continue
		}
		e.Made, e.Violation = m.made(e.Origin), violation
		if text != "" { // otherwise a draft of another Maker stays
			e.Text, e.State, e.Model = text, Draft, m.Model
		}
	}
}

// Complete reports whether every text has a translation.
func (s *Translation) Complete() bool { return s.Count()[Untranslated] == 0 }

// Count returns the number of entries in each state.
func (s *Translation) Count() map[State]int {
	count := map[State]int{}
	for i := range s.Entries {
		count[s.Entries[i].State]++
	}
	return count
}

// Approve releases every text. It fails with ErrIncomplete if one is missing. Participants see the texts from now on.
func (s *Translation) Approve() error {
	if missing := s.Count()[Untranslated]; missing > 0 {
		return fmt.Errorf("%w: %d", ErrIncomplete, missing)
	}
	for i := range s.Entries {
		s.Entries[i].State = Approved
	}
	s.Publish()
	return nil
}

// Publish makes the translation visible to participants if it may be shown: it is complete, and every text is approved
// unless machine translations are shown without approval. Otherwise they continue to see what they saw. It reports whether
// anything has changed.
func (s *Translation) Publish() bool {
	count := s.Count()
	if count[Untranslated] > 0 || !s.Auto && count[Approved] < len(s.Entries) {
		return false
	}
	shown := make(map[string]string, len(s.Entries))
	for i := range s.Entries {
		shown[s.Entries[i].Key] = s.Entries[i].Text
	}
	if s.Shown != nil && maps.Equal(shown, s.Shown) {
		return false
	}
	s.Shown = shown
	return true
}

// Texts returns the existing texts, by key.
func (s *Translation) Texts() map[string]string {
	texts := map[string]string{}
	for i := range s.Entries {
		if e := &s.Entries[i]; e.Text != "" {
			texts[e.Key] = e.Text
		}
	}
	return texts
}

// hash returns a hash of a list of texts.
func hash(texts ...string) string {
	var all strings.Builder
	for _, text := range texts { // with their lengths, so that different lists never produce the same input
		fmt.Fprintf(&all, "%d:%s,", len(text), text)
	}
	sum := sha256.Sum256([]byte(all.String()))
	return hex.EncodeToString(sum[:16])
}

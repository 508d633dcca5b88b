package codeframe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a frame.
const (
	MaxThemes  = 100 // the merged ones included
	MaxLabel   = 60  // characters
	MaxPhrases = 20  // of one split
	MaxPhrase  = 80  // characters
	maxSteps   = 1000
)

// Errors of changes.
var (
	ErrNone     = errors.New("there are no themes of this question yet: make a report first")
	ErrConflict = errors.New("somebody else changed these themes meanwhile: list them again, and repeat the change")
)

// ChangeError means that a change does not fit the themes.
type ChangeError struct{ Reason string }

// Error implements error.
func (e *ChangeError) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &ChangeError{fmt.Sprintf(format, args...)} }

// Frame holds the themes of one open question.
type Frame struct {
	QuestionID string
	Version    int  // raised with every change; 0: not stored
	Edited     bool // a person changed something, so no machine replaces the themes

	Provider, Model, Release string // the machine that found the themes
	Name                     string // what it calls them

	Roots  []Root // as the machine found them: theme n is made of root n
	Themes []Theme
	Steps  []Step // what people changed, the earliest first
}

// Root is a theme as a machine found it.
type Root struct {
	Label, Meaning string
	Words, Stems   []string // by which answers are found; none: the machine that named the theme sorts answers
	Phrase         bool     // the words count only next to each other
}

// Theme is a theme as it is reported.
type Theme struct {
	Number         int // never changes
	Label, Meaning string
	NamedBy        string // the person; empty: the machine
	MergedInto     int    // another theme, which counts the answers of this one; 0: it stands for itself
}

// Step is a change of which answers belong to which themes: all of From belong to Into. Where there are Phrases, only those that say
// one of them do.
type Step struct {
	Version int
	From    []int
	Into    int
	Phrases []string
}

// Change records a change of a frame.
type Change struct {
	Version int
	Action  string // rename, merge, split, recode, reset
	Detail  string // in words, without any of a participant
	By      string
}

// Decision is made by hand: an answer belongs to a theme, or does not. Nothing that a machine finds overrides it.
type Decision struct {
	ResponseID string
	ReadableID int
	ConceptID  string // empty: the answers about all concepts
	Theme      int
	Assigned   bool
	Version    int
}

// Made returns a frame as a machine found it.
func Made(questionID, name, provider, model, release string, roots []Root) Frame {
	f := Frame{QuestionID: questionID, Name: name, Provider: provider, Model: model, Release: release, Roots: roots}
	for i, r := range roots {
		f.Themes = append(f.Themes, Theme{Number: i + 1, Label: r.Label, Meaning: r.Meaning})
	}
	return f
}

// Live returns the themes that are reported.
func (f *Frame) Live() (live []Theme) {
	for _, t := range f.Themes {
		if t.MergedInto == 0 {
			live = append(live, t)
		}
	}
	return live
}

// Find returns the theme with a number, or else with a label; it must be live.
func (f *Frame) Find(ref string) (int, error) {
	for _, t := range f.Live() {
		if fmt.Sprint(t.Number) == strings.TrimSpace(ref) || strings.EqualFold(t.Label, strings.TrimSpace(ref)) {
			return t.Number, nil
		}
	}
	return 0, refuse("there is no theme %q", ref)
}

func (f *Frame) live(number int) (*Theme, error) {
	for i := range f.Themes {
		if t := &f.Themes[i]; t.Number == number && t.MergedInto == 0 {
			return t, nil
		}
	}
	return nil, refuse("there is no theme %d", number)
}

// label returns a name for a theme as it is stored. No other live theme than except may have it.
func (f *Frame) label(text string, except int) (string, error) {
	name := strings.Join(strings.Fields(text), " ")
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxLabel || strings.ContainsFunc(name, unicode.IsControl) {
		return "", refuse("a theme's name has from 1 to %d characters", MaxLabel)
	}
	for _, t := range f.Live() {
		if t.Number != except && strings.EqualFold(t.Label, name) {
			return "", refuse("theme %d has the name %q already: merge the two", t.Number, t.Label)
		}
	}
	return name, nil
}

// change begins a change by somebody.
func (f *Frame) change(action, by, format string, args ...any) Change {
	f.Version++
	f.Edited = true
	return Change{Version: f.Version, Action: action, Detail: fmt.Sprintf(format, args...), By: by}
}

// Rename gives a theme another name.
func (f *Frame) Rename(number int, to, by string) (Change, error) {
	t, err := f.live(number)
	if err != nil {
		return Change{}, err
	}
	name, err := f.label(to, number)
	if err != nil {
		return Change{}, err
	}
	was := t.Label
	t.Label, t.NamedBy = name, by
	return f.change("rename", by, "%d %q is named %q", number, was, name), nil
}

// Merge puts the answers of themes into another one.
func (f *Frame) Merge(from []int, into int, by string) (Change, error) {
	kept, err := f.live(into)
	if err != nil {
		return Change{}, err
	}
	var names []string
	for i, number := range from {
		t, err := f.live(number)
		switch {
		case err != nil:
			return Change{}, err
		case number == into || slices.Contains(from[:i], number):
			return Change{}, refuse("theme %d is named twice", number)
		}
		names = append(names, fmt.Sprintf("%d %q", number, t.Label))
	}
	if len(from) == 0 {
		return Change{}, refuse("name the themes to merge")
	}
	c := f.change("merge", by, "%s into %d %q", strings.Join(names, ", "), into, kept.Label)
	for i := range f.Themes {
		if t := &f.Themes[i]; slices.Contains(from, t.Number) {
			t.MergedInto = into
		}
	}
	return c, f.step(Step{Version: c.Version, From: slices.Clone(from), Into: into})
}

// Split puts those answers of a theme that say one of some phrases into a new theme.
func (f *Frame) Split(number int, label string, phrases []string, by string) (Change, error) {
	t, err := f.live(number)
	if err != nil {
		return Change{}, err
	}
	name, err := f.label(label, 0)
	if err != nil {
		return Change{}, err
	}
	if len(f.Themes) >= MaxThemes {
		return Change{}, refuse("a question has at most %d themes, the merged ones included", MaxThemes)
	}
	if len(phrases) == 0 || len(phrases) > MaxPhrases {
		return Change{}, refuse("a split needs from 1 to %d phrases, which answers of the new theme say", MaxPhrases)
	}
	var said []string
	for _, phrase := range phrases {
		phrase = strings.Join(strings.Fields(phrase), " ")
		if n := utf8.RuneCountInString(phrase); n == 0 || n > MaxPhrase {
			return Change{}, refuse("a phrase has from 1 to %d characters", MaxPhrase)
		}
		said = append(said, phrase)
	}
	into := 1 + slices.MaxFunc(f.Themes, func(a, b Theme) int { return a.Number - b.Number }).Number
	c := f.change("split", by, "%d %q: answers that say %q are in %d %q", number, t.Label, said, into, name)
	f.Themes = append(f.Themes, Theme{Number: into, Label: name, Meaning: fmt.Sprintf("answers of %q that say: %s", t.Label, strings.Join(said, ", ")), NamedBy: by})
	return c, f.step(Step{Version: c.Version, From: []int{number}, Into: into, Phrases: said})
}

// Recode notes that an answer was given a theme, or that one was taken from it, by hand.
func (f *Frame) Recode(number int, assigned bool, by string) (Change, error) {
	t, err := f.live(number)
	if err != nil {
		return Change{}, err
	}
	if assigned {
		return f.change("recode", by, "an answer is in %d %q", number, t.Label), nil
	}
	return f.change("recode", by, "an answer is not in %d %q", number, t.Label), nil
}

// Reset forgets what people changed, and the themes: the next report finds them again.
func (f *Frame) Reset(by string) Change {
	c := f.change("reset", by, "the next report finds the themes again")
	*f = Frame{QuestionID: f.QuestionID, Version: f.Version}
	return c
}

func (f *Frame) step(s Step) error {
	if len(f.Steps) >= maxSteps {
		return refuse("these themes were changed too often: reset them")
	}
	f.Steps = append(f.Steps, s)
	return nil
}

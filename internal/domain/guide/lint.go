package guide

import (
	"fmt"
	"unicode/utf8"
)

// Advice points out something that is legal but looks like a mistake. Place has the same form as a Violation's.
type Advice struct {
	Place string
	Text  string // one sentence for a researcher
}

// longText is the number of characters above which a question is hard to follow, especially when it is read aloud.
const longText = 300

// Lint returns advice on a valid guide, check by check and within a check in the order of the guide.
func Lint(g *Guide) []Advice {
	var all []Advice
	advise := func(place, format string, args ...any) {
		all = append(all, Advice{Place: place, Text: fmt.Sprintf(format, args...)})
	}
	ix := NewIndex(g)
	lintScreening(g, advise)
	for i := range ix.items {
		e := &ix.items[i]
		lintItem(e, e.path(), advise)
		lintMedia(e.Media, e.path(), advise)
	}
	for b := range g.Blocks {
		for c, concept := range g.Blocks[b].Concepts() {
			lintMedia(concept.Media, conceptPath(b, c)+".content", advise)
		}
	}
	lintConditions(ix, advise)
	return all
}

type adviser func(place, format string, args ...any)

func lintScreening(g *Guide, advise adviser) {
	block := g.ScreeningBlock()
	if block == nil {
		return
	}
	has := map[OptionStatus]bool{}
	for _, item := range block.Items {
		for _, option := range item.Options {
			has[option.Status] = true
		}
	}
	if !has[Reject] {
		advise(blockPath(0), "No option rejects, so this screening block screens nobody out.")
	}
	if !has[Approve] {
		advise(blockPath(0), "No option approves; neutral options let participants through just the same.")
	}
}

func lintItem(item *entry, place string, advise adviser) {
	if length := utf8.RuneCountInString(item.Text); length > longText {
		advise(place+".text", "The text has %d characters; participants follow up to %d more easily.", length, longText)
	}
	if item.PinnedFinalOption && !item.RandomizeOptionOrder {
		advise(place+".pinnedFinalOption", "pinnedFinalOption has no effect without randomizeOptionOrder.")
	}
	if item.ScreenObservationEnabled && item.PreferredInput != "screenRecording" {
		advise(place+".screenObservationEnabled", "screenObservationEnabled has no effect unless preferredInput is screenRecording.")
	}
	if count := len(item.root.Options) + item.custom; item.MaxSelect > count {
		advise(place+".maxSelect", "maxSelect is %d, but there are only %d options.", item.MaxSelect, count)
	}
	if text, twice := repeated(item.Options, func(o Option) string { return o.Text }); twice {
		advise(place+".options", "Two options read %s; answers cannot be told apart.", quote(text))
	}
	if text, twice := repeated(item.Rows, func(r Row) string { return r.Text }); twice {
		advise(place+".rows", "Two rows read %s; a matrixRow finds the first of them.", quote(text))
	}
}

func lintMedia(media []Media, place string, advise adviser) {
	for m := range media {
		if media[m].ForceWatching && media[m].Type != "video" {
			advise(fmt.Sprintf("%s.media[%d].forceWatching", place, m), "forceWatching has no effect on an image.")
		}
	}
}

// repeated returns the first text that occurs twice.
func repeated[T any](all []T, text func(T) string) (string, bool) {
	seen := make(map[string]bool, len(all))
	for _, element := range all {
		if seen[text(element)] {
			return text(element), true
		}
		seen[text(element)] = true
	}
	return "", false
}

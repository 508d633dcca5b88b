package guide

import (
	"fmt"
	"strconv"
)

// check returns the cross-field rules that a guide breaks, rule by rule and within a rule in the order of the guide. If
// bounded, the bounds are checked as well.
func check(g *Guide, bounded bool) *RulesError {
	r := rules{Index: NewIndex(g)}
	for _, rule := range []func(*rules){
		oneScreeningBlockFirst,
		screeningAsksChoices,
		statusInScreeningAlone,
		conceptsInConceptBlocks,
		subsampleWithinConcepts,
		idsUnique,
		optionIDsUnique,
		optionsOrCarryForward,
		carryForwardSources,
		conditionSources,
		conceptConditionSources,
		matrixRows,
		choicesOfSource,
		selectBounds,
		minSelectWithinOptions,
		exclusiveIsFinal,
		neverSendNamesItems,
		sensitiveMessageHasWords,
		fieldworkDates,
		quotaIDsUnique,
		quotaDimensions,
		quotaCells,
		panelFits,
		embeddingNamesOrigins,
		captionsNameVideos,
		handsFreeNeedsVoice,
	} {
		rule(&r)
	}
	if bounded {
		bounds(&r)
	}
	if len(r.broken) == 0 {
		return nil
	}
	return &RulesError{Violations: r.broken, More: r.more}
}

// rules holds what the rules look at, and collects the violations.
type rules struct {
	*Index
	broken []Violation
	more   int // number of violations beyond those listed
	names  map[*entry]*optionNames
}

// condition is a conditional with its position. Item is nil for a concept's conditional.
type condition struct {
	*Conditional
	path  string
	item  *entry
	block int
}

func (r *rules) report(place, format string, args ...any) {
	if len(r.broken) == maxViolations {
		r.more++
		return
	}
	r.broken = append(r.broken, Violation{Place: place, Message: fmt.Sprintf(format, args...)})
}

// conditions returns all conditionals of the guide: those of items, then those of concepts.
func (r *rules) conditions() []condition {
	var all []condition
	for i := range r.items {
		if e := &r.items[i]; e.Conditional != nil {
			all = append(all, condition{Conditional: e.Conditional, path: e.path() + ".conditional", item: e, block: e.place.Block})
		}
	}
	for b := range r.guide.Blocks {
		for c, concept := range r.guide.Blocks[b].Concepts() {
			if concept.Conditional != nil {
				all = append(all, condition{Conditional: concept.Conditional, path: conceptPath(b, c) + ".conditional", block: b})
			}
		}
	}
	return all
}

// source returns the item that a criterion validly asks about, or nil: it must come before the conditional's owner and have
// something to select.
func (r *rules) source(c *condition, criterion *Criterion) *entry {
	source := r.byID[criterion.QuestionID]
	switch {
	case criterion.Type != SelectedTemplateOptions, source == nil, !canBeAskedAbout(source):
		return nil
	case c.item == nil && source.place.Block >= c.block, c.item != nil && source.place.Number >= c.item.place.Number:
		return nil
	}
	return source
}

// resolved reports whether the item's options are known: a broken link of its chain is reported at that link only.
func (e *entry) resolved() bool { return e.root.CarryForwardFrom == "" }

func (c *condition) criterionPath(i int) string { return c.path + ".criteria[" + strconv.Itoa(i) + "]" }

func (e *entry) path() string { return itemPath(e.place) }

func (e *entry) optionPath(i int) string { return e.path() + ".options[" + strconv.Itoa(i) + "]" }

func blockPath(b int) string { return "studyGuide[" + strconv.Itoa(b) + "]" }

func itemPath(p Place) string { return blockPath(p.Block) + ".items[" + strconv.Itoa(p.Item) + "]" }

func conceptPath(b, c int) string {
	return blockPath(b) + ".conceptSamplingConfig.concepts[" + strconv.Itoa(c) + "]"
}

// quote returns an author's text for an error message, quoted and truncated.
func quote(s string) string {
	const longest = 80
	if s == emptyReference {
		s = ""
	}
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return strconv.Quote(s)
}

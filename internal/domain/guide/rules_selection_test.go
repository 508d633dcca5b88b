package guide_test

import (
	"testing"

	"verbatim/internal/domain/guide"
)

// bounds sets the bounds of an item of block b.
func bounds(b, i, least, limit int) func(*guide.Guide) {
	return func(g *guide.Guide) { g.Blocks[b].Items[i].MinSelect, g.Blocks[b].Items[i].MaxSelect = least, limit }
}

func TestSelectBounds(t *testing.T) {
	run(t, []broken{
		{"none", bounds(1, 0, 0, 0), nil},
		{"equal", bounds(1, 0, 2, 2), nil},
		{"more than there are at most", bounds(1, 0, 2, 9), nil},
		{"no minimum", bounds(1, 0, 0, 2), []guide.Violation{
			{"studyGuide[1].items[0].minSelect", "minSelect and maxSelect are set together or omitted together"},
		}},
		{"no maximum", bounds(1, 0, 2, 0), []guide.Violation{
			{"studyGuide[1].items[0].maxSelect", "minSelect and maxSelect are set together or omitted together"},
		}},
		{"the wrong way round", bounds(1, 0, 3, 2), []guide.Violation{
			{"studyGuide[1].items[0].minSelect", "minSelect 3 is larger than maxSelect 2"},
		}},
		{"on a single choice", bounds(2, 0, 1, 1), []guide.Violation{
			{"studyGuide[2].items[0].multiSelect", "minSelect and maxSelect need multiSelect true"},
		}},
	})
}

func TestMinSelectWithinOptions(t *testing.T) {
	run(t, []broken{
		{"with the custom option", bounds(1, 0, 4, 4), nil},
		{"one too many", bounds(1, 0, 5, 5), []guide.Violation{
			{"studyGuide[1].items[0].minSelect", "minSelect is 5, but there are only 4 options"},
		}},
		{"carried, with two custom options", bounds(3, 0, 5, 5), nil},
		{"carried, one too many", bounds(3, 0, 6, 6), []guide.Violation{
			{"studyGuide[3].items[0].minSelect", "minSelect is 6, but there are only 5 options"},
		}},
	})
}

func TestExclusiveIsFinal(t *testing.T) {
	run(t, []broken{
		{"not the final one", func(g *guide.Guide) { g.Blocks[1].Items[0].Options[0].Exclusive = true }, []guide.Violation{
			{"studyGuide[1].items[0].options[0].exclusiveOption", "exclusiveOption is only for the final option"},
		}},
		{"a single choice", func(g *guide.Guide) { g.Blocks[2].Items[0].Options[1].Exclusive = true }, []guide.Violation{
			{"studyGuide[2].items[0].options[1].exclusiveOption", "exclusiveOption is only for multiple_choice items with multiSelect true"},
		}},
		{"a matrix", func(g *guide.Guide) { g.Blocks[1].Items[1].Options[1].Exclusive = true }, []guide.Violation{
			{"studyGuide[1].items[1].options[1].exclusiveOption", "exclusiveOption is only for multiple_choice items with multiSelect true"},
		}},
	})
}

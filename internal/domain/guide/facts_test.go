package guide_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
)

func TestItemsAreNumberedThroughAllBlocks(t *testing.T) {
	t.Parallel()
	g := base()
	var ids []string
	for place, item := range g.Items() {
		ids = append(ids, item.ID)
		found, at, ok := g.Item(item.ID)
		if !ok || found != item || at != place || place.Number != len(ids) || &g.Blocks[place.Block].Items[place.Item] != item {
			t.Errorf("item %s is at %+v, found at %+v", item.ID, place, at)
		}
	}
	if diff := cmp.Diff([]string{"s", "tools", "grid", "best", "open", "use", "again", "end"}, ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	for range g.Items() {
		break // a caller may stop early
	}
	if _, _, ok := g.Item("c1"); ok {
		t.Error("a concept was found as an item")
	}
}

func TestBlocksAndConcepts(t *testing.T) {
	t.Parallel()
	g := base()
	if concept, block, ok := g.Concept("c2"); !ok || block != 2 || concept != &g.Blocks[2].Sampling.Concepts[1] {
		t.Errorf("Concept(c2) = %v, %d, %v", concept, block, ok)
	}
	if _, _, ok := g.Concept("tools"); ok {
		t.Error("an item was found as a concept")
	}
	if g.ScreeningBlock() != &g.Blocks[0] || !g.IsScreener(guide.Place{Block: 0}) || g.IsScreener(guide.Place{Block: 1}) {
		t.Error("the screening block is the first")
	}
	g.Blocks = g.Blocks[1:]
	if g.ScreeningBlock() != nil {
		t.Error("there is no screening block any more")
	}
}

func TestEffectiveOptions(t *testing.T) {
	t.Parallel()
	g := base()
	for id, want := range map[string][]guide.Option{
		"s":    {{ID: "yes", Text: "Yes", Status: guide.Approve}, {ID: "no", Text: "No", Status: guide.Reject}},
		"grid": {{ID: "yes", Text: "Yes"}, {ID: "no", Text: "No"}},
		"best": {
			{ID: "a", Text: "Tool A"}, {ID: "b", Text: "Tool B"}, {ID: "none", Text: "None", Exclusive: true}, {ID: "other:tools", Text: "Other"},
		},
		"again": {
			{ID: "a", Text: "Tool A"},
			{ID: "b", Text: "Tool B"},
			{ID: "none", Text: "None", Exclusive: true},
			{ID: "other:tools", Text: "Other"},
			{ID: "other:again", Text: "Other"},
		},
		"open": nil,
	} {
		item, _, _ := g.Item(id)
		if diff := cmp.Diff(want, g.EffectiveOptions(item)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestCarriedOptionsHaveNoStatus(t *testing.T) {
	t.Parallel()
	g := base()
	g.Blocks[0].Items[0].MultiSelect = true
	g.Blocks[1].Items[2].CarryForwardFrom = "s"
	for _, option := range g.EffectiveOptions(&g.Blocks[1].Items[2]) {
		if option.Status != "" {
			t.Errorf("%s has the status %s", option.ID, option.Status)
		}
	}
	if g.Blocks[0].Items[0].Options[0].Status != guide.Approve {
		t.Error("the guide itself was changed")
	}
}

func TestEffectiveOptionsEndInACircle(t *testing.T) {
	t.Parallel()
	g := base() // no longer valid, but a caller must not hang
	g.Blocks[1].Items[0].Options, g.Blocks[1].Items[0].CarryForwardFrom = nil, "again"
	if options := g.EffectiveOptions(&g.Blocks[3].Items[0]); len(options) != 2 {
		t.Errorf("options %v, want the two custom ones", options)
	}
}

func TestChoiceIDs(t *testing.T) {
	t.Parallel()
	g := base()
	g.Blocks[1].Items[0].Options[1].Text = "a" // an option's text is another's id: the id wins
	g.Blocks[2].Items[0].Options[1].Text = "Yes"
	for _, test := range []struct {
		item    string
		choices []string
		want    []string
	}{
		{"tools", []string{"a", "None", "nothing"}, []string{"a", "none"}},
		{"again", []string{"Tool A", "other:tools"}, []string{"a", "other:tools"}},
		{"again", []string{"Other"}, []string{"other:tools", "other:again"}},
		{"use", []string{"Yes"}, []string{"yes", "no"}},
		{"grid", []string{"No"}, []string{"no"}},
	} {
		item, _, _ := g.Item(test.item)
		if diff := cmp.Diff(test.want, g.ChoiceIDs(item, test.choices)); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.choices, test.item, diff)
		}
	}
}

func TestParticipantTitle(t *testing.T) {
	t.Parallel()
	g := guidetest.Rich()
	if g.ParticipantTitle() != g.ExternalTitle || base().ParticipantTitle() != "Base" {
		t.Error("ParticipantTitle is wrong")
	}
}

func TestFollowUpLimitsAndScreenSizes(t *testing.T) {
	t.Parallel()
	for level, want := range map[guide.FollowUp]int{
		guide.FollowUpNone: 0, guide.FollowUpLight: 1, guide.FollowUpMedium: 2, "": 2, guide.FollowUpHeavy: 4,
	} {
		if got := level.Limit(); got != want {
			t.Errorf("%q allows %d, want %d", level, got, want)
		}
	}
	for _, test := range []struct{ options, perScreen, want int }{{7, 0, 4}, {7, 5, 5}, {3, 0, 3}, {2, 3, 2}} {
		item := guide.Item{Options: make([]guide.Option, test.options), ItemsPerScreen: test.perScreen}
		if got := item.ScreenSize(); got != test.want {
			t.Errorf("%+v: screens of %d", test, got)
		}
	}
}

package guidetest

import (
	"slices"

	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
)

// item draws an item for a block of that type, and records what it offers to later ones.
func (d *drawing) item(block guide.BlockType) guide.Item {
	it := guide.Item{ID: d.id(), Type: d.itemType(block), Text: text(d.t, "text")}
	it.Conditional, it.Media, it.Embed = d.conditional(), d.media(), d.embed()
	from := source{}
	switch it.Type {
	case guide.OpenEnded:
		it.FollowUp = rapid.SampledFrom([]guide.FollowUp{
			"", guide.FollowUpNone, guide.FollowUpLight, guide.FollowUpMedium, guide.FollowUpHeavy,
		}).Draw(d.t, "followUp")
		it.AddInstructions = maybe(d.t, "instructions")
		it.PreferredInput = rapid.SampledFrom([]string{"", "text", "voice", "screenRecording", "none"}).Draw(d.t, "input")
		it.ScreenObservationEnabled = rapid.Bool().Draw(d.t, "observe")
	case guide.MultipleChoice:
		from.options = d.choice(&it, block)
	case guide.Ranking:
		it.RandomizeOptionOrder = rapid.Bool().Draw(d.t, "randomize")
		d.carryOr(&it, func() { it.Options = d.options(1, 5) })
	case guide.Matrix:
		it.Options = d.options(1, 4)
		from.options = it.Options
		for i := range rapid.IntRange(1, 4).Draw(d.t, "rows") {
			it.Rows = append(it.Rows, guide.Row{ID: []string{"r1", "r2", "r3", "r4"}[i], Text: label("Row", i)})
		}
	case guide.MaxDiff:
		it.Options = d.options(2, 8)
		it.Metric = maybe(d.t, "metric")
		it.ItemsPerScreen = rapid.SampledFrom([]int{0, 3, 4, 5}).Draw(d.t, "perScreen")
	case guide.Statement:
		it.ContinueButtonText = maybe(d.t, "continue")
	}
	if from.item = it; from.options != nil {
		d.asked = append(d.asked, from)
	}
	if it.Type == guide.MultipleChoice && it.MultiSelect {
		d.carried = append(d.carried, from)
	}
	return it
}

func (d *drawing) itemType(block guide.BlockType) guide.ItemType {
	if block == guide.BlockScreening {
		return guide.MultipleChoice
	}
	types := []guide.ItemType{guide.MultipleChoice, guide.OpenEnded, guide.Ranking, guide.Matrix, guide.MaxDiff, guide.Statement}
	if d.uploads {
		types = append(types, guide.FileUpload)
	}
	return rapid.SampledFrom(types).Draw(d.t, "type")
}

// choice fills in a multiple_choice item and returns all options that it may show.
func (d *drawing) choice(it *guide.Item, block guide.BlockType) []guide.Option {
	it.MultiSelect = rapid.Bool().Draw(d.t, "multi")
	it.AllowCustomOption = rapid.Bool().Draw(d.t, "custom")
	it.RandomizeOptionOrder = rapid.Bool().Draw(d.t, "randomize")
	it.PinnedFinalOption = rapid.Bool().Draw(d.t, "pinned")
	options := d.carryOr(it, func() { it.Options = d.options(1, 6) })
	if it.CarryForwardFrom == "" && it.MultiSelect {
		it.Options[len(it.Options)-1].Exclusive = rapid.Bool().Draw(d.t, "exclusive")
	}
	if block == guide.BlockScreening {
		for i := range it.Options {
			it.Options[i].Status = rapid.SampledFrom([]guide.OptionStatus{guide.Approve, guide.Neutral, guide.Reject}).Draw(d.t, "status")
		}
	}
	if it.AllowCustomOption {
		options = append(slices.Clone(options), guide.Option{ID: guide.CustomOptionID(it.ID), Text: guide.CustomOptionText})
	}
	if it.MultiSelect && rapid.Bool().Draw(d.t, "bounds") {
		it.MinSelect = rapid.IntRange(1, len(options)).Draw(d.t, "min")
		it.MaxSelect = rapid.IntRange(it.MinSelect, len(options)+1).Draw(d.t, "max")
	}
	return options
}

// carryOr makes the item carry options forward if an earlier one offers them, or else gives it its own. It returns the
// options that the item has from there, including custom ones of its sources.
func (d *drawing) carryOr(it *guide.Item, own func()) []guide.Option {
	if len(d.carried) > 0 && rapid.IntRange(0, 2).Draw(d.t, "carry") == 0 {
		from := rapid.SampledFrom(d.carried).Draw(d.t, "carry from")
		it.CarryForwardFrom = from.item.ID
		return from.options
	}
	own()
	return it.Options
}

func (d *drawing) options(least, limit int) []guide.Option {
	var options []guide.Option
	for i := range rapid.IntRange(least, limit).Draw(d.t, "options") {
		options = append(options, guide.Option{ID: d.id(), Text: label("Option", i)})
	}
	return options
}

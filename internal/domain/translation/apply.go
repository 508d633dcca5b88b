package translation

import (
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// Apply returns a copy of a guide with its texts replaced by the given texts, by the keys of their segments; other texts
// stay. Show the copy, never run it: its conditions may refer to options by the texts of the original.
func Apply(g *guide.Guide, texts map[string]string) *guide.Guide {
	shown := clone(g)
	walk(shown, func(s Segment, field *string) {
		if text := texts[s.Key]; text != "" {
			*field = text
		}
	})
	return shown
}

// clone copies everything that contains fields visited by walk.
func clone(g *guide.Guide) *guide.Guide {
	c := *g
	c.Blocks = slices.Clone(g.Blocks)
	c.Config.Quotas = slices.Clone(g.Config.Quotas)
	for i := range c.Config.Quotas {
		c.Config.Quotas[i].Limits = slices.Clone(c.Config.Quotas[i].Limits)
	}
	for b := range c.Blocks {
		block := &c.Blocks[b]
		block.Items = slices.Clone(block.Items)
		for i := range block.Items {
			it := &block.Items[i]
			it.Options, it.Rows, it.Media = slices.Clone(it.Options), slices.Clone(it.Rows), slices.Clone(it.Media)
		}
		if block.Sampling != nil {
			sampling := *block.Sampling
			sampling.Concepts = slices.Clone(sampling.Concepts)
			for i := range sampling.Concepts {
				sampling.Concepts[i].Media = slices.Clone(sampling.Concepts[i].Media)
			}
			block.Sampling = &sampling
		}
	}
	return &c
}

// Show returns a step as it appears in a guide made by Apply. Ids, order, bounds and the words of follow-ups stay, and so do
// the participant's own options.
func Show(step interview.Step, in *guide.Guide) interview.Step {
	step.Item, step.Concept = Item(step.Item, in), Concept(step.Concept, in)
	if step.Item == nil {
		return step
	}
	if step.Kind == interview.StepQuestion || step.Kind == interview.StepStatement {
		step.Words = step.Item.Text
	}
	texts := map[string]string{}
	for _, o := range guide.NewIndex(in).OfferedOptions(step.Item) {
		texts[o.ID] = o.Text
	}
	step.Options = slices.Clone(step.Options)
	for i := range step.Options {
		if text, offered := texts[step.Options[i].ID]; offered {
			step.Options[i].Text = text
		}
	}
	return step
}

// Ask returns what a moderator knows, in the words that the participant read, so that a follow-up continues from them.
func Ask(ask interview.Ask, in *guide.Guide) interview.Ask {
	ask.Guide, ask.Item, ask.Concept = in, Item(ask.Item, in), Concept(ask.Concept, in)
	ask.Exchanges = slices.Clone(ask.Exchanges)
	index := guide.NewIndex(in)
	for i := range ask.Exchanges {
		if e := &ask.Exchanges[i]; !e.FollowUp {
			if item, _, found := index.Item(e.ItemID); found {
				e.Moderator = item.Text
			}
		}
	}
	return ask
}

// Item returns the item with the same id in a guide made by Apply, or the item itself if there is none.
func Item(of *guide.Item, in *guide.Guide) *guide.Item {
	if of != nil {
		if item, _, found := in.Item(of.ID); found {
			return item
		}
	}
	return of
}

// Concept returns the concept with the same id in a guide made by Apply, or the concept itself if there is none.
func Concept(of *guide.Concept, in *guide.Guide) *guide.Concept {
	if of != nil {
		if concept, _, found := in.Concept(of.ID); found {
			return concept
		}
	}
	return of
}

package guide_test

import (
	"fmt"
	"slices"

	"verbatim/internal/domain/guide"
)

// obeys is a second, simple implementation of the contract's cross-field rules, independent of the package's own: it looks
// at everything again for every question, and stops at the first violation.
func obeys(g *guide.Guide) error {
	ids := map[string]bool{}
	claim := func(id string) error {
		if id == "" || ids[id] {
			return fmt.Errorf("id %q is empty or taken", id)
		}
		ids[id] = true
		return nil
	}
	for b, block := range g.Blocks {
		if block.Type == guide.BlockScreening && b != 0 {
			return fmt.Errorf("block %d screens", b)
		}
		if (block.Type == guide.BlockConcept) != (block.Sampling != nil) {
			return fmt.Errorf("block %d and its sampling do not fit", b)
		}
		if err := claim(block.ID); err != nil {
			return err
		}
		if s := block.Sampling; s != nil && (len(s.Concepts) == 0 || s.SubsampleCount > len(s.Concepts)) {
			return fmt.Errorf("block %d samples wrongly", b)
		}
		for _, concept := range block.Concepts() {
			if err := claim(concept.ID); err != nil {
				return err
			}
			if err := holds(concept.Conditional, before(g, b, 0)); err != nil {
				return err
			}
		}
		for i, item := range block.Items {
			if err := claim(item.ID); err != nil {
				return err
			}
			earlier := before(g, b, i)
			if err := holds(item.Conditional, earlier); err != nil {
				return err
			}
			if err := wellFormed(block.Type, item, earlier); err != nil {
				return fmt.Errorf("item %s: %w", item.ID, err)
			}
		}
	}
	return nil
}

// before returns the items ahead of item i of block b.
func before(g *guide.Guide, b, i int) []guide.Item {
	var items []guide.Item
	for _, block := range g.Blocks[:b] {
		items = append(items, block.Items...)
	}
	return append(items, g.Blocks[b].Items[:i]...)
}

func named(items []guide.Item, id string) (guide.Item, bool) {
	i := slices.IndexFunc(items, func(item guide.Item) bool { return item.ID == id })
	if i < 0 {
		return guide.Item{}, false
	}
	return items[i], true
}

// names returns all names of the options that an item may show: ids and texts; count is the number of these options.
func names(items []guide.Item, item guide.Item) (all []string, count int) {
	if item.CarryForwardFrom != "" {
		source, _ := named(items, item.CarryForwardFrom)
		all, count = names(items, source)
	}
	for _, option := range item.Options {
		all = append(all, option.ID, option.Text)
	}
	count += len(item.Options)
	if item.AllowCustomOption {
		all, count = append(all, "other:"+item.ID, "Other"), count+1
	}
	return all, count
}

func holds(c *guide.Conditional, earlier []guide.Item) error {
	if c == nil {
		return nil
	}
	for _, criterion := range c.Criteria {
		if criterion.Type == guide.SearchParam {
			continue
		}
		source, found := named(earlier, criterion.QuestionID)
		if !found || source.Type != guide.MultipleChoice && source.Type != guide.Matrix {
			return fmt.Errorf("%q cannot be asked about", criterion.QuestionID)
		}
		isRow := slices.ContainsFunc(source.Rows, func(row guide.Row) bool { return row.Text == criterion.MatrixRow })
		if isRow != (source.Type == guide.Matrix) || !isRow && criterion.MatrixRow != "" {
			return fmt.Errorf("row %q does not fit %q", criterion.MatrixRow, source.ID)
		}
		known, _ := names(earlier, source)
		for _, choice := range criterion.Choices {
			if !slices.Contains(known, choice) {
				return fmt.Errorf("%q is no choice of %q", choice, source.ID)
			}
		}
	}
	return nil
}

func wellFormed(block guide.BlockType, item guide.Item, earlier []guide.Item) error {
	screening, multi := block == guide.BlockScreening, item.Type == guide.MultipleChoice && item.MultiSelect
	if screening && item.Type != guide.MultipleChoice {
		return fmt.Errorf("a %s screens", item.Type)
	}
	options := map[string]bool{}
	for o, option := range item.Options {
		switch {
		case screening != (option.Status != ""):
			return fmt.Errorf("status %q", option.Status)
		case options[option.ID] || item.AllowCustomOption && option.ID == "other:"+item.ID:
			return fmt.Errorf("two options %q", option.ID)
		case option.Exclusive && (!multi || o != len(item.Options)-1):
			return fmt.Errorf("option %d is exclusive", o)
		}
		options[option.ID] = true
	}
	if item.Type == guide.MultipleChoice || item.Type == guide.Ranking {
		source, found := named(earlier, item.CarryForwardFrom)
		switch {
		case (len(item.Options) > 0) == (item.CarryForwardFrom != ""):
			return fmt.Errorf("options and carry-forward")
		case item.CarryForwardFrom != "" && (!found || source.Type != guide.MultipleChoice || !source.MultiSelect):
			return fmt.Errorf("carries from %q", item.CarryForwardFrom)
		}
	}
	_, count := names(earlier, item)
	switch {
	case (item.MinSelect == 0) != (item.MaxSelect == 0), item.MinSelect > item.MaxSelect, item.MinSelect > 0 && !multi, item.MinSelect > count:
		return fmt.Errorf("selects %d to %d of %d", item.MinSelect, item.MaxSelect, count)
	}
	return nil
}

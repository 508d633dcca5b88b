package guide

import "verbatim/internal/domain/strictjson"

// typeKeys lists, by type, the keys that items have besides the common ones.
var typeKeys = map[ItemType][]string{
	OpenEnded: {"followUp", "addInstructions", "preferredInput", "screenObservationEnabled"},
	MultipleChoice: {
		"options", "multiSelect", "minSelect", "maxSelect", "allowCustomOption", "randomizeOptionOrder", "pinnedFinalOption", "carryForwardFrom",
	},
	Ranking:   {"options", "randomizeOptionOrder", "carryForwardFrom"},
	Matrix:    {"options", "rows"},
	MaxDiff:   {"options", "metric", "itemsPerScreen"},
	Statement: {"continueButtonText"},
}

func (d *decoder) item(o *strictjson.Object) Item {
	it := Item{Text: d.nonEmpty(o, "text", strictjson.Required, MaxText)}
	kind, known := o.Discriminator("type", d.itemTypes)
	it.Type = ItemType(kind)
	it.ID = d.id(o)
	it.Conditional = d.conditional(o, strictjson.Nullable)
	it.Media = d.media(o, strictjson.Nullable)
	it.Embed = d.embed(o, strictjson.Nullable)
	switch it.Type {
	case OpenEnded:
		it.FollowUp = FollowUp(o.Enum("followUp", strictjson.Nullable, followUps))
		it.AddInstructions = d.text(o, "addInstructions", strictjson.Nullable, MaxText)
		it.PreferredInput = o.Enum("preferredInput", strictjson.Nullable, inputs)
		it.ScreenObservationEnabled = o.Bool("screenObservationEnabled", strictjson.Nullable)
	case MultipleChoice:
		d.choice(o, &it)
	case Ranking:
		it.Options = d.options(o, strictjson.Optional, 1, MaxOptions)
		it.RandomizeOptionOrder = o.Bool("randomizeOptionOrder", strictjson.Nullable)
		it.CarryForwardFrom = d.reference(o, "carryForwardFrom", MaxID)
	case Matrix:
		it.Options = d.options(o, strictjson.Required, 1, MaxColumns)
		d.objects(o, "rows", strictjson.Required, 1, MaxRows, func(o *strictjson.Object) {
			it.Rows = append(it.Rows, Row{ID: rowID(len(it.Rows)), Text: d.nonEmpty(o, "text", strictjson.Required, MaxOptionText)})
		})
	case MaxDiff:
		it.Options = d.options(o, strictjson.Required, 2, MaxMaxDiffOptions)
		it.Metric = d.text(o, "metric", strictjson.Nullable, MaxTitle)
		it.ItemsPerScreen = o.Int("itemsPerScreen", strictjson.Nullable, 3, 5)
	case Statement:
		it.ContinueButtonText = d.text(o, "continueButtonText", strictjson.Optional, MaxButtonText)
	}
	for _, keys := range typeKeys {
		if known {
			o.NullOnly(keys...)
		} else {
			o.Ignore(keys...)
		}
	}
	return it
}

func (d *decoder) choice(o *strictjson.Object, it *Item) {
	it.Options = d.options(o, strictjson.Optional, 1, MaxOptions)
	it.MultiSelect = o.Bool("multiSelect", strictjson.Nullable)
	it.MinSelect = o.Int("minSelect", strictjson.Nullable, 1, maxInteger)
	it.MaxSelect = o.Int("maxSelect", strictjson.Nullable, 1, maxInteger)
	it.AllowCustomOption = o.Bool("allowCustomOption", strictjson.Nullable)
	it.RandomizeOptionOrder = o.Bool("randomizeOptionOrder", strictjson.Nullable)
	it.PinnedFinalOption = o.Bool("pinnedFinalOption", strictjson.Nullable)
	it.CarryForwardFrom = d.reference(o, "carryForwardFrom", MaxID)
}

func (d *decoder) options(o *strictjson.Object, presence strictjson.Presence, least, limit int) (options []Option) {
	d.objects(o, "options", presence, least, limit, func(o *strictjson.Object) {
		options = append(options, Option{
			Text:      d.nonEmpty(o, "text", strictjson.Required, MaxOptionText),
			ID:        d.id(o),
			Status:    OptionStatus(o.Enum("status", strictjson.Nullable, statuses)),
			Exclusive: o.Bool("exclusiveOption", strictjson.Optional),
		})
	})
	return options
}

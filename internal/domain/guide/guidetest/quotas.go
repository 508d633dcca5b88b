package guidetest

import (
	"time"

	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
)

// quotas draws limits of the fieldwork that no test reaches: a target, dates in the past and far ahead, and a quota.
func (d *drawing) quotas() {
	if rapid.IntRange(0, 3).Draw(d.t, "fieldwork") == 0 {
		d.g.Config.Fieldwork = guide.Fieldwork{
			Target: 1_000_000, StartsAt: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), EndsAt: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
		}
	}
	if rapid.IntRange(0, 3).Draw(d.t, "quota") > 0 {
		return
	}
	limit := 1_000_000
	q := guide.Quota{ID: d.id(), Title: maybe(d.t, "quota title"), Limit: &limit, FullText: maybe(d.t, "quota text"), Dimensions: []guide.Dimension{
		{Parameter: "region", Groups: []guide.Group{{ID: "n", Title: maybe(d.t, "group title"), Values: []string{"north"}}, {ID: "s", Values: []string{"south"}}}},
	}}
	cell := []string{"s"}
	for b := range d.g.Blocks {
		for i := range d.g.Blocks[b].Items {
			it := &d.g.Blocks[b].Items[i]
			if d.g.Blocks[b].Type != guide.BlockConcept && it.Type == guide.MultipleChoice && len(it.Options) > 0 && len(q.Dimensions) == 1 {
				q.Dimensions = append(q.Dimensions, guide.Dimension{QuestionID: it.ID, Groups: []guide.Group{{ID: "g", Values: []string{it.Options[0].ID}}}})
				cell = append(cell, "g")
			}
		}
	}
	if rapid.Bool().Draw(d.t, "cell") {
		q.Limits = []guide.CellLimit{{Groups: cell, Limit: limit, FullText: maybe(d.t, "cell text")}}
	}
	d.g.Config.Quotas = []guide.Quota{q}
}

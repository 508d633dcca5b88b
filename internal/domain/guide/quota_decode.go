package guide

import (
	"time"

	"verbatim/internal/domain/strictjson"
)

// fieldwork reads config.verbatim.fieldwork.
func (d *decoder) fieldwork(o *strictjson.Object) Fieldwork {
	return Fieldwork{
		Target:   o.Int("target", strictjson.Optional, 1, maxInteger),
		StartsAt: o.Time("startsAt", strictjson.Optional),
		EndsAt:   o.Time("endsAt", strictjson.Optional),
	}
}

// quota reads an element of config.verbatim.quotas.
func (d *decoder) quota(o *strictjson.Object) Quota {
	q := Quota{ID: d.id(o), Title: d.text(o, "title", strictjson.Optional, MaxTitle)}
	d.objects(o, "dimensions", strictjson.Required, 1, MaxDimensions, func(o *strictjson.Object) { q.Dimensions = append(q.Dimensions, d.dimension(o)) })
	if limit := o.Int("limit", strictjson.Optional, 0, maxInteger); o.Has("limit") {
		q.Limit = &limit
	}
	d.objects(o, "cells", strictjson.Optional, 0, MaxQuotaCells, func(o *strictjson.Object) {
		q.Limits = append(q.Limits, CellLimit{
			Groups:   o.TextsUpTo("groups", strictjson.Required, 1, d.upTo(MaxDimensions), d.upTo(MaxID)),
			Limit:    o.Int("limit", strictjson.Required, 0, maxInteger),
			FullText: d.text(o, "fullText", strictjson.Optional, MaxLongText),
		})
	})
	q.FullText = d.text(o, "fullText", strictjson.Optional, MaxLongText)
	return q
}

func (d *decoder) dimension(o *strictjson.Object) Dimension {
	dim := Dimension{
		QuestionID: d.reference(o, "questionId", MaxID),
		Parameter:  d.reference(o, "parameter", MaxParameter),
	}
	values, other, limit := "choices", "values", MaxOptionText
	if dim.Parameter != "" && dim.QuestionID == "" {
		values, other, limit = other, values, MaxParameter
	}
	d.objects(o, "groups", strictjson.Required, 1, MaxGroups, func(o *strictjson.Object) {
		dim.Groups = append(dim.Groups, Group{
			ID:     d.nonEmpty(o, "externalId", strictjson.Required, MaxID),
			Title:  d.text(o, "title", strictjson.Optional, MaxTitle),
			Values: o.TextsUpTo(values, strictjson.Required, 1, d.upTo(MaxChoices), d.upTo(limit)),
		})
		o.NullOnly(other)
	})
	return dim
}

// The payload's keys of quotas.
type (
	wireFieldwork struct {
		Target   int        `json:"target,omitempty"`
		StartsAt *time.Time `json:"startsAt,omitempty"`
		EndsAt   *time.Time `json:"endsAt,omitempty"`
	}
	wireQuota struct {
		ExternalID string          `json:"externalId"`
		Title      string          `json:"title,omitempty"`
		Dimensions []wireDimension `json:"dimensions"`
		Limit      *int            `json:"limit,omitempty"`
		Cells      []wireCellLimit `json:"cells,omitempty"`
		FullText   string          `json:"fullText,omitempty"`
	}
	wireDimension struct {
		QuestionID string      `json:"questionId,omitempty"`
		Parameter  string      `json:"parameter,omitempty"`
		Groups     []wireGroup `json:"groups"`
	}
	wireGroup struct {
		ExternalID string   `json:"externalId"`
		Title      string   `json:"title,omitempty"`
		Choices    []string `json:"choices,omitempty"`
		Values     []string `json:"values,omitempty"`
	}
	wireCellLimit struct {
		Groups   []string `json:"groups"`
		Limit    int      `json:"limit"`
		FullText string   `json:"fullText,omitempty"`
	}
)

func storedFieldwork(f Fieldwork) *wireFieldwork {
	if f == (Fieldwork{}) {
		return nil
	}
	w := &wireFieldwork{Target: f.Target}
	if !f.StartsAt.IsZero() {
		w.StartsAt = &f.StartsAt
	}
	if !f.EndsAt.IsZero() {
		w.EndsAt = &f.EndsAt
	}
	return w
}

func storedQuota(q *Quota) wireQuota {
	return wireQuota{
		ExternalID: q.ID, Title: q.Title, Limit: q.Limit, FullText: q.FullText,
		Dimensions: mapSlice(q.Dimensions, func(d *Dimension) wireDimension {
			return wireDimension{QuestionID: d.QuestionID, Parameter: d.Parameter, Groups: mapSlice(d.Groups, func(g *Group) wireGroup {
				if d.QuestionID == "" {
					return wireGroup{ExternalID: g.ID, Title: g.Title, Values: g.Values}
				}
				return wireGroup{ExternalID: g.ID, Title: g.Title, Choices: g.Values}
			})}
		}),
		Cells: mapSlice(q.Limits, func(l *CellLimit) wireCellLimit { return wireCellLimit(*l) }),
	}
}

package guide

import (
	"slices"
	"strconv"
	"strings"
)

// The bounds of quotas. An interlocked grid of age, sex and region has about 100 cells.
const (
	MaxQuotas     = 50
	MaxDimensions = 5
	MaxGroups     = 200
	MaxQuotaCells = 2500 // of one quota: every cell is a line in a table
)

// fieldworkDates checks that the fieldwork ends after it starts.
func fieldworkDates(r *rules) {
	f := &r.guide.Config.Fieldwork
	if !f.EndsAt.IsZero() && !f.EndsAt.After(f.StartsAt) {
		r.report("config.verbatim.fieldwork.endsAt", "must be later than startsAt")
	}
}

func quotaPath(i int) string { return "config.verbatim.quotas[" + strconv.Itoa(i) + "]" }

func quotaIDsUnique(r *rules) {
	seen := map[string]bool{}
	for i := range r.guide.Config.Quotas {
		id := r.guide.Config.Quotas[i].ID
		if seen[id] {
			r.report(quotaPath(i)+".externalId", "another quota already has the externalId %s", quote(id))
		}
		seen[id] = true
	}
}

// quotaDimensions checks that each dimension asks about one thing, and that nobody's answer is in two of its groups unless several
// options may be chosen.
func quotaDimensions(r *rules) {
	for i := range r.guide.Config.Quotas {
		q := &r.guide.Config.Quotas[i]
		for n := range q.Dimensions {
			path := quotaPath(i) + ".dimensions[" + strconv.Itoa(n) + "]"
			r.checkDimension(&q.Dimensions[n], path)
			if j := slices.IndexFunc(q.Dimensions[:n], func(d Dimension) bool {
				return d.QuestionID == q.Dimensions[n].QuestionID && d.Parameter == q.Dimensions[n].Parameter
			}); j >= 0 {
				r.report(path, "dimensions[%d] already asks about the same", j)
			}
		}
	}
}

func (r *rules) checkDimension(d *Dimension, path string) {
	switch {
	case d.QuestionID == "" && d.Parameter == "" || d.QuestionID != "" && d.Parameter != "":
		r.report(path, "needs either questionId or parameter")
		return
	case d.Parameter == emptyReference:
		r.report(path+".parameter", "names no parameter")
		return
	case strings.HasPrefix(d.Parameter, "_"):
		r.report(path+".parameter", "%s: parameters that begin with _ belong to the service", quote(d.Parameter))
		return
	}
	known := r.quotaOptions(d, path)
	groups, taken := map[string]bool{}, map[string]string{}
	for i := range d.Groups {
		g, place := &d.Groups[i], path+".groups["+strconv.Itoa(i)+"]"
		if groups[g.ID] {
			r.report(place+".externalId", "another group of the dimension already has the externalId %s", quote(g.ID))
		}
		groups[g.ID] = true
		if strings.Contains(g.ID, CellSeparator) {
			r.report(place+".externalId", "%s: the externalId of a group may not contain %s", quote(g.ID), CellSeparator)
		}
		key := ".choices"
		if d.QuestionID == "" {
			key = ".values"
		}
		for v, value := range g.Values {
			at := place + key + "[" + strconv.Itoa(v) + "]"
			if known != nil && !known[value] {
				r.report(at, "%s is no option of %s", quote(value), quote(d.QuestionID))
			} else if other, twice := taken[value]; twice {
				r.report(at, "%s is already in the group %s", quote(value), quote(other))
			}
			taken[value] = g.ID
		}
	}
}

// quotaOptions returns the ids and texts of the options that a dimension may name, or nil if its question cannot be asked about.
func (r *rules) quotaOptions(d *Dimension, path string) map[string]bool {
	if d.QuestionID == "" {
		return nil
	}
	e, place, id := r.byID[d.QuestionID], path+".questionId", quote(d.QuestionID)
	switch {
	case e == nil:
		r.report(place, "no item has the externalId %s", id)
		return nil
	case e.Type != MultipleChoice:
		r.report(place, "%s must be a multiple_choice item, not %s", id, e.Type)
		return nil
	case e.block.Type == BlockConcept:
		r.report(place, "%s is asked about each concept: a quota needs a question that is asked once", id)
		return nil
	case e.root.CarryForwardFrom != "":
		return nil // reported at the broken link
	}
	known := make(map[string]bool, 2*len(e.root.Options))
	for _, o := range r.OfferedOptions(e.Item) {
		known[o.ID], known[o.Text] = true, true
	}
	return known
}

// quotaCells checks the limits of cells.
func quotaCells(r *rules) {
	for i := range r.guide.Config.Quotas {
		q, path := &r.guide.Config.Quotas[i], quotaPath(i)
		count := 1
		for n := range q.Dimensions {
			count = min(count*len(q.Dimensions[n].Groups), 1<<20)
		}
		if count > MaxQuotaCells {
			r.report(path+".dimensions", "a quota has at most %d cells, and these dimensions have %d", MaxQuotaCells, count)
		}
		if q.Limit == nil && len(q.Limits) == 0 {
			r.report(path, "needs a limit for every cell, or cells with limits of their own")
		}
		seen := map[string]int{}
		for c := range q.Limits {
			r.checkCell(q, &q.Limits[c], path+".cells["+strconv.Itoa(c)+"].groups")
			id := strings.Join(q.Limits[c].Groups, CellSeparator)
			if first, twice := seen[id]; twice {
				r.report(path+".cells["+strconv.Itoa(c)+"].groups", "cells[%d] is the same cell", first)
				continue
			}
			seen[id] = c
		}
	}
}

func (r *rules) checkCell(q *Quota, l *CellLimit, path string) {
	if len(l.Groups) != len(q.Dimensions) {
		r.report(path, "names %d groups, and the quota has %d dimensions: name one group of each, in their order", len(l.Groups), len(q.Dimensions))
		return
	}
	for i, id := range l.Groups {
		if q.Dimensions[i].group(id) == nil {
			r.report(path+"["+strconv.Itoa(i)+"]", "dimensions[%d] has no group with the externalId %s", i, quote(id))
		}
	}
}

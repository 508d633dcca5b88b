package reporting

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
)

// paramPrefix precedes the name of a URL parameter in the by argument.
const paramPrefix = "param:"

const (
	maxValues  = 12     // values of a parameter that get a group of their own: the most frequent
	maxGroups  = 60     // a person's groups are bits of one number
	maxTracked = 10_000 // distinct values of a parameter that are counted at all
)

// Names of the groups for people without a value of their own. noAnswer holds those who were asked and left the question out.
const (
	absent   = "(none)"
	others   = "(other values)"
	noAnswer = "(no answer)"
)

// ByError means that the requested subgroups cannot be made.
type ByError struct{ By, Reason string }

// Error implements error.
func (e *ByError) Error() string { return fmt.Sprintf("subgroups by %q: %s", e.By, e.Reason) }

// groups divides people into subgroups. The zero value has none. People who were never asked the question that makes the groups are in
// none of them.
type groups struct {
	name      string
	heads     []string
	exclusive bool      // nobody is in two groups
	aside     int       // the group that no test looks at, from 1: people who left the question out; 0 if there is none
	asked     *question // the question whose answers make the groups; nil if a parameter does
	of        func(a *answered) []int
}

// mark returns the bits of a person's groups.
func mark(places []int) (bits uint64) {
	for _, place := range places {
		bits |= 1 << place
	}
	return bits
}

// groupsBy returns the groups that by asks for: the id or number of a question, or param: and the name of a parameter; empty for
// no groups.
func (r *reader) groupsBy(ctx context.Context, studyID, by string) (groups, error) {
	if by == "" {
		return groups{of: func(*answered) []int { return nil }}, nil
	}
	if name, isParam := strings.CutPrefix(by, paramPrefix); isParam {
		return r.byParam(ctx, studyID, by, name)
	}
	q := r.schema.find(by)
	switch {
	case q == nil:
		return groups{}, &ByError{by, "the study has no such question (give its id or number, or param:NAME)"}
	case q.kind != guide.MultipleChoice:
		return groups{}, &ByError{by, "only a multiple choice question makes subgroups"}
	case len(q.concepts.ids) > 0:
		return groups{}, &ByError{by, "the question is asked about several concepts, so people have several answers"}
	case len(q.options.ids) >= maxGroups:
		return groups{}, &ByError{by, fmt.Sprintf("the question has more than %d options", maxGroups-1)}
	}
	none := len(q.options.labels)
	return groups{
		name: q.text, heads: append(slices.Clone(q.options.labels), noAnswer), exclusive: !q.multi, aside: none + 1, asked: q,
		of: func(a *answered) []int {
			asked := false
			for i := range a.visits {
				m := &a.visits[i]
				if m.ItemID != q.id || m.Type != q.kind {
					continue
				}
				if asked = true; len(m.Chosen) > 0 {
					return q.options.places(m.Chosen)
				}
			}
			if asked {
				return []int{none}
			}
			return nil // who never met the question is in no group
		},
	}, nil
}

// byParam makes a group of each of the most frequent values of a URL parameter.
func (r *reader) byParam(ctx context.Context, studyID, by, name string) (groups, error) {
	if name == "" || name[0] == '_' {
		return groups{}, &ByError{by, "there is no such parameter"}
	}
	counts := map[string]int{}
	err := r.eachBatch(ctx, studyID, 0, func(batch []response.Response) error {
		for i := range batch {
			value, present := batch[i].URLParams[name]
			if _, known := counts[value]; present && !batch[i].Hidden && batch[i].Progress != response.InProgress && (known || len(counts) < maxTracked) {
				counts[value]++
			}
		}
		return nil
	})
	if err != nil {
		return groups{}, err
	}
	if len(counts) == 0 {
		return groups{}, &ByError{by, "no ended response has this parameter"}
	}
	values := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	values = values[:min(len(values), maxValues)]
	heads := slices.Clone(values)
	for i, value := range heads {
		heads[i] = cmp.Or(value, "(empty)")
	}
	return groups{
		name: "the link's parameter " + name, heads: append(heads, others, absent), exclusive: true,
		of: func(a *answered) []int {
			value, present := a.URLParams[name]
			switch place := slices.Index(values, value); {
			case !present:
				return []int{len(values) + 1}
			case place < 0:
				return []int{len(values)}
			default:
				return []int{place}
			}
		},
	}, nil
}

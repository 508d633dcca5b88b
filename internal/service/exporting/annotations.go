package exporting

import (
	"context"
	"slices"
	"strings"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
)

// annotationVariables are the columns of the table of what people noted and highlighted: a row is an annotation.
var annotationVariables = []variable{
	{name: "response", kind: number},
	{name: "response_id", kind: text},
	{name: "row", kind: number},
	{name: "words", kind: text},
	{name: "begins_seconds", kind: number},
	{name: "ends_seconds", kind: number},
	{name: "tags", kind: text},
	{name: "note", kind: text},
	{name: "by", kind: text},
	{name: "at", kind: timestamp},
}

// tagNames returns the names of the tags that a study can use, by their ids.
func tagNames(ctx context.Context, view *store.View, st study.Study) (map[string]string, error) {
	tags, err := view.Tags(ctx, st.OrgID, st.ID)
	names := make(map[string]string, len(tags))
	for _, t := range tags {
		names[t.ID] = t.Name
	}
	return names, err
}

// annotationsOf returns what people noted about some responses, by response.
func (s *source) annotationsOf(ctx context.Context, ids []string) (map[string][]annotation.Annotation, error) {
	all, err := s.view.AnnotationsOf(ctx, ids)
	found := map[string][]annotation.Annotation{}
	for _, a := range all {
		found[a.ResponseID] = append(found[a.ResponseID], a)
	}
	return found, err
}

// namesOf returns the names of tags in their order.
func (r *record) namesOf(ids []string) (names []string) {
	for _, id := range ids {
		if name := r.tags[id]; name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// givenTags returns the tags of a response and of words in it.
func (r *record) givenTags() string {
	var ids []string
	for i := range r.annotations {
		ids = append(ids, r.annotations[i].Tags...)
	}
	return strings.Join(r.namesOf(ids), "; ")
}

// highlights returns what people noted about a response as a text: a line is an annotation.
func (r *record) highlights() string {
	var lines []string
	for i := range r.annotations {
		a := &r.annotations[i]
		var parts []string
		if a.Words != "" {
			parts = append(parts, "“"+oneLine(a.Words)+"”")
		}
		if names := r.namesOf(a.Tags); len(names) > 0 {
			parts = append(parts, "["+strings.Join(names, "; ")+"]")
		}
		if a.Note != "" {
			parts = append(parts, oneLine(a.Note))
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, "\n")
}

// eachAnnotation calls do with a row for each annotation of a response, unless its highlights are left out.
func (e *export) eachAnnotation(r *record, do func([]cell) error) error {
	if !slices.Contains(e.written, inHighlights) {
		return nil
	}
	for i := range r.annotations {
		a := &r.annotations[i]
		row, begins, ends := cell{}, cell{}, cell{}
		if a.IsHighlight() {
			row = intCell(a.Row)
		}
		if a.Ends > 0 {
			begins, ends = numberCell(a.Begins.Seconds()), numberCell(a.Ends.Seconds())
		}
		if err := do([]cell{
			intCell(r.ReadableID), textCell(r.ID), row, textCell(a.Words), begins, ends,
			textCell(strings.Join(r.namesOf(a.Tags), "; ")), textCell(a.Note), textCell(a.UserName), timeCell(a.CreatedAt),
		}); err != nil {
			return err
		}
	}
	return nil
}

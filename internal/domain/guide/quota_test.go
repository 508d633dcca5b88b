package guide_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// quotaGuide returns a guide with a screener about age, a question asked of each concept, and the given config.verbatim.
func quotaGuide(own string) []byte {
	return fmt.Appendf(nil, `{"title": "T", "config": {"verbatim": %s}, "studyGuide": [
		{"type": "screening", "title": "S", "externalId": "s", "items": [{"type": "multiple_choice", "text": "Age?", "externalId": "age", "options": [
			{"text": "18 to 34", "externalId": "young", "status": "approve"}, {"text": "35 or more", "externalId": "old", "status": "neutral"}]}]},
		{"type": "flat", "title": "F", "externalId": "f", "items": [{"type": "open_ended", "text": "Why?", "externalId": "why"}]},
		{"type": "concept", "title": "C", "externalId": "c", "items": [{"type": "multiple_choice", "text": "Good?", "externalId": "good", "options": [{"text": "Yes", "externalId": "y"}]}],
			"conceptSamplingConfig": {"concepts": [{"nickname": "N", "externalId": "n", "content": {"title": "N"}}]}}]}`, own)
}

const ageByRegion = `{"fieldwork": {"target": 40, "startsAt": "2026-12-01T08:00:00+01:00", "endsAt": "2026-12-24T00:00:00Z"}, "quotas": [{"externalId": "grid", "title": "Age by region",
	"dimensions": [
		{"questionId": "age", "groups": [{"externalId": "y", "title": "Young", "choices": ["young"]}, {"externalId": "o", "choices": ["35 or more"]}]},
		{"parameter": "region", "groups": [{"externalId": "n", "title": "North", "values": ["north", "n"]}, {"externalId": "s", "values": ["south"]}]}],
	"limit": 10, "cells": [{"groups": ["o", "s"], "limit": 0, "fullText": "No more from the south."}], "fullText": "Enough."}]}`

func TestQuotas(t *testing.T) {
	t.Parallel()
	g, err := guide.Decode(quotaGuide(ageByRegion), guide.Options{NewID: ids()})
	if err != nil {
		t.Fatal(err)
	}
	again, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
	if diff := cmp.Diff(g, again); err != nil || diff != "" {
		t.Errorf("%v, read again it differs:\n%s", err, diff)
	}
	if f := g.Config.Fieldwork; f.Target != 40 || !f.StartsAt.Equal(time.Date(2026, 12, 1, 7, 0, 0, 0, time.UTC)) {
		t.Errorf("fieldwork is %+v", f)
	}
	var got []string
	for _, cell := range g.Cells() {
		got = append(got, fmt.Sprintf("%s %s: %d, %s", cell.Quota, g.CellTitle(cell.CellRef), cell.Limit, cell.FullText))
		if found, ok := g.Cell(cell.CellRef); !ok || found != cell {
			t.Errorf("Cell finds %+v, want %+v", found, cell)
		}
	}
	want := []string{" : 40, ", "grid Young × North: 10, Enough.", "grid Young × s: 10, Enough.", "grid o × North: 10, Enough.", "grid o × s: 0, No more from the south."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	for _, ref := range []guide.CellRef{{Quota: "grid", Cell: "y"}, {Quota: "grid", Cell: "y/x"}, {Quota: "other", Cell: "y/n"}} {
		if cell, ok := g.Cell(ref); ok {
			t.Errorf("%v is the cell %+v", ref, cell)
		}
	}
}

func TestQuotasAreRefused(t *testing.T) {
	t.Parallel()
	dimension := func(of, groups string) string {
		return `{"quotas": [{"limit": 1, "dimensions": [{` + of + `, "groups": [` + groups + `]}]}]}`
	}
	const young, place = `{"externalId": "y", "choices": ["young"]}`, "config.verbatim.quotas[0]"
	for own, want := range map[string]string{
		`{"fieldwork": {"target": 0}}`:                                                               "config.verbatim.fieldwork.target too_small",
		`{"fieldwork": {"startsAt": "2026-12-01"}}`:                                                  "config.verbatim.fieldwork.startsAt invalid_string",
		`{"fieldwork": {"endsAt": "2026-12-01T08:00:00"}}`:                                           "config.verbatim.fieldwork.endsAt invalid_string",
		`{"fieldwork": {"until": "2026-12-01T08:00:00Z"}}`:                                           "config.verbatim.fieldwork unrecognized_keys",
		`{"quotas": [{"limit": 1}]}`:                                                                 "config.verbatim.quotas.0.dimensions invalid_type",
		`{"quotas": [{"limit": -1, "dimensions": []}]}`:                                              "config.verbatim.quotas.0.limit too_small",
		dimension(`"questionId": "age"`, `{"choices": ["a"]}`):                                       "config.verbatim.quotas.0.dimensions.0.groups.0.externalId invalid_type",
		dimension(`"questionId": "age"`, `{"externalId": "y", "values": ["a"]}`):                     "config.verbatim.quotas.0.dimensions.0.groups.0.choices invalid_type",
		`{"fieldwork": {"startsAt": "2026-12-02T00:00:00Z", "endsAt": "2026-12-01T23:00:00-01:00"}}`: "config.verbatim.fieldwork.endsAt: must be later than startsAt",

		dimension(`"questionId": "age", "parameter": "p"`, young):                            place + ".dimensions[0]: needs either questionId or parameter",
		dimension(`"questionId": null`, young):                                               place + ".dimensions[0]: needs either questionId or parameter",
		dimension(`"questionId": "x"`, young):                                                place + `.dimensions[0].questionId: no item has the externalId "x"`,
		dimension(`"questionId": "why"`, young):                                              place + `.dimensions[0].questionId: "why" must be a multiple_choice item, not open_ended`,
		dimension(`"questionId": "good"`, young):                                             place + `.dimensions[0].questionId: "good" is asked about each concept: a quota needs a question that is asked once`,
		dimension(`"parameter": "_lang"`, `{"externalId": "y", "values": ["de"]}`):           place + `.dimensions[0].parameter: "_lang": parameters that begin with _ belong to the service`,
		dimension(`"parameter": ""`, `{"externalId": "y", "values": ["de"]}`):                place + `.dimensions[0].parameter: names no parameter`,
		dimension(`"questionId": "age"`, `{"externalId": "y", "choices": ["mid"]}`):          place + `.dimensions[0].groups[0].choices[0]: "mid" is no option of "age"`,
		dimension(`"questionId": "age"`, young+`,{"externalId": "y", "choices": ["old"]}`):   place + `.dimensions[0].groups[1].externalId: another group of the dimension already has the externalId "y"`,
		dimension(`"questionId": "age"`, young+`,{"externalId": "z", "choices": ["young"]}`): place + `.dimensions[0].groups[1].choices[0]: "young" is already in the group "y"`,
		dimension(`"questionId": "age"`, `{"externalId": "a/b", "choices": ["old"]}`):        place + `.dimensions[0].groups[0].externalId: "a/b": the externalId of a group may not contain /`,

		`{"quotas": [{"dimensions": [{"questionId": "age", "groups": [` + young + `]}]}]}`:                                                                                                                                   place + ": needs a limit for every cell, or cells with limits of their own",
		`{"quotas": [{"limit": 1, "dimensions": [{"questionId": "age", "groups": [` + young + `]}, {"questionId": "age", "groups": [` + young + `]}]}]}`:                                                                     place + ".dimensions[1]: dimensions[0] already asks about the same",
		`{"quotas": [{"dimensions": [{"questionId": "age", "groups": [` + young + `]}], "cells": [{"groups": ["y", "z"], "limit": 1}]}]}`:                                                                                    place + ".cells[0].groups: names 2 groups, and the quota has 1 dimensions: name one group of each, in their order",
		`{"quotas": [{"dimensions": [{"questionId": "age", "groups": [` + young + `]}], "cells": [{"groups": ["z"], "limit": 1}]}]}`:                                                                                         place + `.cells[0].groups[0]: dimensions[0] has no group with the externalId "z"`,
		`{"quotas": [{"dimensions": [{"questionId": "age", "groups": [` + young + `]}], "cells": [{"groups": ["y"], "limit": 1}, {"groups": ["y"], "limit": 2}]}]}`:                                                          place + ".cells[1].groups: cells[0] is the same cell",
		`{"quotas": [{"externalId": "q", "limit": 1, "dimensions": [{"questionId": "age", "groups": [` + young + `]}]}, {"externalId": "q", "limit": 1, "dimensions": [{"questionId": "age", "groups": [` + young + `]}]}]}`: `config.verbatim.quotas[1].externalId: another quota already has the externalId "q"`,
		`{"quotas": [{"limit": 1, "dimensions": [` + wide("a", 51) + `,` + wide("b", 50) + `]}]}`:                                                                                                                            place + ".dimensions: a quota has at most 2500 cells, and these dimensions have 2550",
	} {
		_, err := guide.Decode(quotaGuide(own), guide.Options{NewID: ids()})
		got := ""
		if invalid, ok := errors.AsType[*guide.SchemaError](err); ok {
			got = strings.Join(invalid.Issues[0].Path, ".") + " " + string(invalid.Issues[0].Code)
		} else if broken, ok := errors.AsType[*guide.RulesError](err); ok {
			got = broken.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", own, got, want)
		}
	}
}

// wide returns a dimension of a parameter with many groups.
func wide(parameter string, groups int) string {
	all := make([]string, groups)
	for i := range all {
		all[i] = fmt.Sprintf(`{"externalId": "g%[1]d", "values": ["%[1]d"]}`, i)
	}
	return `{"parameter": "` + parameter + `", "groups": [` + strings.Join(all, ",") + `]}`
}

func ids() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("id-%d", n) }
}

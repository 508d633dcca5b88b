package contract

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
)

// everything is a guide with all keys that have a bound, and with the nulls that a concept may have.
const everything = `{"title": "T", "externalTitle": "T", "background": "B", "studyGoal": "G", "closingMessage": "C",
	"welcomeMessage": {"title": "T", "message": "M"}, "config": {"availableLanguages": ["de"], "targetPlatforms": ["ios"], "verbatim": {"model": {"neverSend": ["q"]}, "sensitiveTopics": {"message": "M"},
		"panel": {"participant": {"parameter": "P", "again": ["started"]}, "redirects": {"complete": "https://a.b/"}, "statuses": {"complete": "S"},
			"signature": {"algorithm": "hmac-sha256", "parameter": "P", "signs": "S", "outcomes": ["complete"]}, "completionCode": {"fixed": "C"},
			"postback": {"url": "https://a.b/", "body": "1", "keyHeader": "X-A", "outcomes": ["complete"]}},
		"fieldwork": {"target": 9, "startsAt": "2026-12-01T08:00:00Z", "endsAt": "2026-12-02T08:00:00+01:00"}, "quotas": [{"externalId": "qu", "title": "T", "limit": 1, "fullText": "F", "dimensions": [{"questionId": "q", "parameter": null, "groups": [{"externalId": "a", "title": "A", "choices": ["a"], "values": null}]}], "cells": [{"groups": ["a"], "limit": 0, "fullText": "F"}]}, {"limit": 1, "dimensions": [{"parameter": "p", "groups": [{"externalId": "a", "values": ["a"]}]}]}]}},
	"studyGuide": [
		{"type": "flat", "title": "T", "externalId": "b", "items": [
			{"type": "multiple_choice", "text": "Q", "externalId": "q", "multiSelect": true, "options": [{"text": "A", "externalId": "a"}]},
			{"type": "ranking", "text": "Q", "carryForwardFrom": "q"},
			{"type": "ranking", "text": "Q", "options": [{"text": "A"}]},
			{"type": "matrix", "text": "Q", "options": [{"text": "A"}], "rows": [{"text": "R"}]},
			{"type": "max_diff", "text": "Q", "metric": "M", "options": [{"text": "A"}, {"text": "B"}]},
			{"type": "statement", "text": "S", "continueButtonText": "C", "embed": {"url": "https://a.b/", "proxyUrl": "https://a.b/"},
				"media": [{"name": "N", "type": "image", "url": "https://a.b/"}]},
			{"type": "open_ended", "text": "Q", "addInstructions": "I", "conditional": {"operator": "or", "criteria": [
				{"type": "searchParam", "parameter": "P", "value": "V"},
				{"type": "selectedTemplateOptions", "questionId": "q", "matchingCriteria": "mustSelect", "choices": ["a"], "matrixRow": "R"}]}}]},
		{"type": "concept", "title": "T", "items": [{"type": "statement", "text": "S"}], "conceptSamplingConfig": {"concepts": [
			{"nickname": "N", "externalId": "c", "content": {"title": "T", "description": "D", "media": [{"name": "N", "type": "image", "url": "https://a.b/"}]}},
			{"nickname": "N", "conditional": null, "content": {"title": "T", "description": null, "embed": null}}]}}]}`

// TestBoundsOfGuides: the contract file and the server bound the same keys by the same numbers.
func TestBoundsOfGuides(t *testing.T) {
	t.Parallel()
	suite := load(t)
	i := slices.IndexFunc(suite.operations, func(op *operation) bool { return op.ID == "createStudy" })
	schema := suite.operations[i].body["application/json"]
	agree := func(t *testing.T, body []byte, want bool) {
		t.Helper()
		err := fits(schema, body)
		if (err == nil) != want {
			t.Errorf("the contract: %v, want that it fits: %t", err, want)
		}
		_, err = guide.Decode(body, guide.Options{NewID: uuid.NewString})
		if _, refused := errors.AsType[*guide.SchemaError](err); refused == want {
			t.Errorf("the server: %v, want that it fits: %t", err, want)
		}
	}
	agree(t, []byte(everything), true)
	for path, limit := range map[string]int{
		"title": guide.MaxTitle, "externalTitle": guide.MaxTitle, "background": guide.MaxBackground, "studyGoal": guide.MaxLongText,
		"closingMessage": guide.MaxLongText, "welcomeMessage.title": guide.MaxTitle, "welcomeMessage.message": guide.MaxLongText,
		"config.availableLanguages": guide.MaxLanguages, "config.targetPlatforms": guide.MaxPlatforms, "config.verbatim.model.neverSend": guide.MaxItems,
		"config.verbatim.model.neverSend.0": guide.MaxID, "config.verbatim.sensitiveTopics.message": guide.MaxLongText, "studyGuide": guide.MaxBlocks,
		"config.verbatim.quotas": guide.MaxQuotas, "config.verbatim.quotas.0.externalId": guide.MaxID, "config.verbatim.quotas.0.title": guide.MaxTitle,
		"config.verbatim.quotas.0.fullText": guide.MaxLongText, "config.verbatim.quotas.0.dimensions": guide.MaxDimensions, "config.verbatim.quotas.0.cells": guide.MaxQuotaCells,
		"config.verbatim.quotas.0.dimensions.0.questionId": guide.MaxID, "config.verbatim.quotas.1.dimensions.0.parameter": guide.MaxParameter,
		"config.verbatim.quotas.0.dimensions.0.groups": guide.MaxGroups, "config.verbatim.quotas.0.dimensions.0.groups.0.externalId": guide.MaxID,
		"config.verbatim.quotas.0.dimensions.0.groups.0.title": guide.MaxTitle, "config.verbatim.quotas.0.dimensions.0.groups.0.choices": guide.MaxChoices,
		"config.verbatim.quotas.0.dimensions.0.groups.0.choices.0": guide.MaxOptionText, "config.verbatim.quotas.1.dimensions.0.groups.0.values.0": guide.MaxParameter,
		"config.verbatim.quotas.0.cells.0.groups": guide.MaxDimensions, "config.verbatim.quotas.0.cells.0.groups.0": guide.MaxID, "config.verbatim.quotas.0.cells.0.fullText": guide.MaxLongText,
		"config.verbatim.panel.participant.parameter": guide.MaxPanelName, "config.verbatim.panel.participant.again": len(panel.EarlierStates),
		"config.verbatim.panel.redirects.complete": guide.MaxURL, "config.verbatim.panel.statuses.complete": guide.MaxPanelName,
		"config.verbatim.panel.signature.parameter": guide.MaxPanelName, "config.verbatim.panel.signature.signs": guide.MaxURL,
		"config.verbatim.panel.signature.outcomes": len(panel.Outcomes), "config.verbatim.panel.completionCode.fixed": guide.MaxPanelCode,
		"config.verbatim.panel.postback.url": guide.MaxURL, "config.verbatim.panel.postback.body": guide.MaxPanelBody,
		"config.verbatim.panel.postback.keyHeader": guide.MaxPanelName, "config.verbatim.panel.postback.outcomes": len(panel.Outcomes),
		"studyGuide.0.title": guide.MaxTitle, "studyGuide.0.externalId": guide.MaxID, "studyGuide.0.items": guide.MaxBlockItems,
		"studyGuide.0.items.0.text": guide.MaxText, "studyGuide.0.items.0.externalId": guide.MaxID,
		"studyGuide.0.items.0.options": guide.MaxOptions, "studyGuide.0.items.0.options.0.text": guide.MaxOptionText,
		"studyGuide.0.items.0.options.0.externalId": guide.MaxID, "studyGuide.0.items.1.carryForwardFrom": guide.MaxID,
		"studyGuide.0.items.2.options": guide.MaxOptions, "studyGuide.0.items.3.options": guide.MaxColumns,
		"studyGuide.0.items.3.rows": guide.MaxRows, "studyGuide.0.items.3.rows.0.text": guide.MaxOptionText,
		"studyGuide.0.items.4.options": guide.MaxMaxDiffOptions, "studyGuide.0.items.4.metric": guide.MaxTitle,
		"studyGuide.0.items.5.continueButtonText": guide.MaxButtonText, "studyGuide.0.items.5.media": guide.MaxMedia,
		"studyGuide.0.items.5.media.0.name": guide.MaxTitle, "studyGuide.0.items.5.media.0.url": guide.MaxURL,
		"studyGuide.0.items.5.embed.url": guide.MaxURL, "studyGuide.0.items.5.embed.proxyUrl": guide.MaxURL,
		"studyGuide.0.items.6.addInstructions": guide.MaxText, "studyGuide.0.items.6.conditional.criteria": guide.MaxCriteria,
		"studyGuide.0.items.6.conditional.criteria.0.parameter":  guide.MaxParameter,
		"studyGuide.0.items.6.conditional.criteria.0.value":      guide.MaxParameter,
		"studyGuide.0.items.6.conditional.criteria.1.questionId": guide.MaxID,
		"studyGuide.0.items.6.conditional.criteria.1.choices":    guide.MaxChoices,
		"studyGuide.0.items.6.conditional.criteria.1.choices.0":  guide.MaxOptionText,
		"studyGuide.0.items.6.conditional.criteria.1.matrixRow":  guide.MaxOptionText,
		"studyGuide.1.conceptSamplingConfig.concepts":            guide.MaxConcepts,

		"studyGuide.1.conceptSamplingConfig.concepts.0.nickname": guide.MaxTitle, "studyGuide.1.conceptSamplingConfig.concepts.0.externalId": guide.MaxID,
		"studyGuide.1.conceptSamplingConfig.concepts.0.content.title":       guide.MaxTitle,
		"studyGuide.1.conceptSamplingConfig.concepts.0.content.description": guide.MaxLongText,
		"studyGuide.1.conceptSamplingConfig.concepts.0.content.media":       guide.MaxMedia,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			agree(t, sized(t, path, limit), true)
			agree(t, sized(t, path, limit+1), false)
		})
	}
}

// sized returns the guide with the value at a path stretched to a size: characters of a string, elements of an array.
func sized(t *testing.T, path string, size int) []byte {
	t.Helper()
	var body any
	if err := json.Unmarshal([]byte(everything), &body); err != nil {
		t.Fatal(err)
	}
	steps := strings.Split(path, ".")
	at := body
	for _, step := range steps[:len(steps)-1] {
		at = below(at, step)
	}
	last := steps[len(steps)-1]
	var drawn any
	switch value := below(at, last).(type) {
	case string:
		letter := "ö"
		if strings.HasPrefix(value, "https:") {
			letter = "o"
		}
		drawn = value + strings.Repeat(letter, size-len(value))
	case []any:
		for len(value) < size {
			value = append(value, value[0])
		}
		drawn = value
	default:
		t.Fatalf("no value to stretch at %s", path)
	}
	if list, ok := at.([]any); ok {
		place, _ := strconv.Atoi(last)
		list[place] = drawn
	} else {
		at.(map[string]any)[last] = drawn
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func below(value any, step string) any {
	if list, ok := value.([]any); ok {
		place, _ := strconv.Atoi(step)
		return list[place]
	}
	return value.(map[string]any)[step]
}

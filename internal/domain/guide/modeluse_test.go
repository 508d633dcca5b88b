package guide_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// modelGuide returns a payload with a screener, an open question, a choice, and a ranking that carries the choice forward.
func modelGuide(config string) []byte {
	return []byte(`{"title": "T", "config": ` + config + `, "studyGuide": [
		{"type": "screening", "title": "", "externalId": "s", "items": [
			{"type": "multiple_choice", "externalId": "age", "text": "Age?", "options": [{"externalId": "y", "text": "18", "status": "approve"}]}]},
		{"type": "flat", "title": "", "externalId": "b", "items": [
			{"type": "open_ended", "externalId": "why", "text": "Why?"},
			{"type": "multiple_choice", "externalId": "ills", "text": "Which?", "multiSelect": true, "options": [{"externalId": "o1", "text": "A"}, {"externalId": "o2", "text": "B"}]},
			{"type": "ranking", "externalId": "rank", "text": "Rank.", "carryForwardFrom": "ills"}]}]}`)
}

func TestModelUse(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]struct {
		withheld []string
		stored   string // of config, empty: none
	}{
		`{}`:                          {[]string{"age"}, ""},
		`{"verbatim": {}}`:            {[]string{"age"}, ""},
		`{"verbatim": {"model": {}}}`: {[]string{"age"}, ""},
		`{"verbatim": {"model": {"neverSend": [], "sendScreening": false, "sendAnything": true}}}`: {[]string{"age"}, ""},
		`{"verbatim": {"model": {"sendScreening": true}}}`:                                         {nil, `"config":{"verbatim":{"model":{"sendScreening":true}}},`},
		`{"verbatim": {"sensitiveTopics": {"message": "Call 116 123."}}}`:                          {[]string{"age"}, `"config":{"verbatim":{"sensitiveTopics":{"message":"Call 116 123."}}},`},
		`{"verbatim": {"sensitiveTopics": {"message": "Call."}, "model": {"sendScreening": true}}}`: {
			nil, `"config":{"verbatim":{"model":{"sendScreening":true},"sensitiveTopics":{"message":"Call."}}},`,
		},
		`{"verbatim": {"model": {"neverSend": ["ills", "why"]}}}`: {
			[]string{"age", "ills", "rank", "why"}, `"config":{"verbatim":{"model":{"neverSend":["ills","why"]}}},`,
		},
		`{"verbatim": {"model": {"sendAnything": false, "sendScreening": true}}}`: {
			[]string{"age", "ills", "rank", "why"}, `"config":{"verbatim":{"model":{"sendScreening":true,"sendAnything":false}}},`,
		},
	} {
		g, err := guide.Decode(modelGuide(config), guide.Options{})
		if err != nil {
			t.Errorf("%s: %v", config, err)
			continue
		}
		var withheld []string
		for id := range g.Withheld() {
			withheld = append(withheld, id)
		}
		slices.Sort(withheld)
		if diff := cmp.Diff(want.withheld, withheld); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", config, diff)
		}
		stored := string(guide.Encode(g))
		if has := strings.Contains(stored, "config"); has != (want.stored != "") || !strings.Contains(stored, want.stored) {
			t.Errorf("%s is stored as %s", config, stored)
		}
		again, err := guide.Decode([]byte(stored), guide.Options{Stored: true})
		if diff := cmp.Diff(g, again); err != nil || diff != "" {
			t.Errorf("%s: %v, read again it differs:\n%s", config, err, diff)
		}
	}
}

func TestModelUseRefuses(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		`{"verbatim": {"models": {}}}`:                                     "config.verbatim unrecognized_keys",
		`{"verbatim": {"model": {"neversend": []}}}`:                       "config.verbatim.model unrecognized_keys",
		`{"verbatim": {"model": {"neverSend": "why"}}}`:                    "config.verbatim.model.neverSend invalid_type",
		`{"verbatim": {"model": {"neverSend": [1]}}}`:                      "config.verbatim.model.neverSend.0 invalid_type",
		`{"verbatim": {"model": {"sendAnything": null}}}`:                  "config.verbatim.model.sendAnything invalid_type",
		`{"verbatim": {"model": {"sendScreening": "no"}}}`:                 "config.verbatim.model.sendScreening invalid_type",
		`{"verbatim": {"sensitiveTopics": {}}}`:                            "config.verbatim.sensitiveTopics.message invalid_type",
		`{"verbatim": {"sensitiveTopics": {"message": ""}}}`:               "config.verbatim.sensitiveTopics.message too_small",
		`{"verbatim": {"sensitiveTopics": {"message": " \t"}}}`:            "config.verbatim.sensitiveTopics.message: has only spaces; write what participants are to read, or leave sensitiveTopics out",
		`{"verbatim": true}`:                                               "config.verbatim invalid_type",
		`{"verbatim": {"model": {"neverSend": ["why", "b", "why", "y"]}}}`: `config.verbatim.model.neverSend[1]: no item has the externalId "b"; config.verbatim.model.neverSend[2]: externalId "why" is already named by neverSend[0]; config.verbatim.model.neverSend[3]: no item has the externalId "y"`,
	} {
		_, err := guide.Decode(modelGuide(config), guide.Options{})
		got := ""
		if invalid, ok := errors.AsType[*guide.SchemaError](err); ok {
			got = strings.Join(invalid.Issues[0].Path, ".") + " " + string(invalid.Issues[0].Code)
		} else if broken, ok := errors.AsType[*guide.RulesError](err); ok {
			got = broken.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
}

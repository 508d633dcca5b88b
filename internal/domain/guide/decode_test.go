package guide_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
)

func decode(body string) (*guide.Guide, error) {
	return guide.Decode([]byte(body), guide.Options{NewID: guidetest.IDs("new")})
}

func TestDecodeSmallest(t *testing.T) {
	t.Parallel()
	got, err := decode(`{"title": "T", "studyGuide": [{"type": "flat", "title": "", "items": [{"type": "open_ended", "text": "Why?"}]}]}`)
	want := &guide.Guide{Title: "T", Blocks: []guide.Block{{
		ID: "new-2", Type: guide.BlockFlat, Items: []guide.Item{{ID: "new-1", Type: guide.OpenEnded, Text: "Why?"}},
	}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
}

// item returns a payload with one item of these keys; the paths of its issues have their first five elements removed.
func item(keys string) string {
	return `{"title": "T", "studyGuide": [{"type": "flat", "title": "", "items": [{` + keys + `}]}]}`
}

func TestSchemaIssues(t *testing.T) {
	t.Parallel()
	const question = `"text": "Q", "type": `
	const option = `"options": [{"text": "A"}, {"text": "B"}]`
	conditional := func(criterion string) string {
		return question + `"statement", "conditional": {"operator": "and", "criteria": [{` + criterion + `}]}`
	}
	for _, test := range []struct {
		name, body string
		want       []string // path, code, received
	}{
		{"nothing there", `{}`, []string{"title invalid_type undefined", "studyGuide invalid_type undefined"}},
		{"no blocks", `{"title": "T", "studyGuide": []}`, []string{"studyGuide too_small 0 element(s)"}},
		{"no items", `{"title": "T", "studyGuide": [{"type": "flat", "title": "", "items": []}]}`, []string{"studyGuide.0.items too_small 0 element(s)"}},
		{"empty block", `{"title": "T", "studyGuide": [{}]}`, []string{
			"studyGuide.0.type invalid_union_discriminator undefined", "studyGuide.0.title invalid_type undefined",
			"studyGuide.0.items invalid_type undefined",
		}},
		{"null where optional", `{"title": "T", "background": null, "config": null, "studyGuide": 1}`, []string{
			"background invalid_type null", "config invalid_type null", "studyGuide invalid_type number",
		}},
		{"config", `{"title": "", "config": {"interviewMode": "phone", "questionLanguage": "xx", "availableLanguages": ["de", "yy"],
			"targetPlatforms": null, "mode": 1}, "welcomeMessage": {"title": null}, "studyGuide": [1]}`, []string{
			"title too_small 0 character(s)", "config.interviewMode invalid_enum_value phone", "config.questionLanguage invalid_enum_value xx",
			"config.availableLanguages.1 invalid_enum_value yy", "config.targetPlatforms invalid_type null", "config unrecognized_keys mode",
			"welcomeMessage.title invalid_type null", "studyGuide.0 invalid_type number",
		}},
		{"empty item", item(``), []string{"text invalid_type undefined", "type invalid_union_discriminator undefined"}},
		{"unknown type still reads the common keys", item(`"type": "slider", "rows": 1, "text": "", "hint": 1`), []string{
			"type invalid_union_discriminator slider", "text too_small 0 character(s)", " unrecognized_keys hint",
		}},
		{"file_upload is the dashboard's", item(question + `"file_upload"`), []string{"type invalid_union_discriminator file_upload"}},
		{"another type's keys", item(question + `"statement", "metric": null, "rows": [], "options": null`), []string{" unrecognized_keys rows"}},
		{"a statement's null", item(question + `"statement", "continueButtonText": null`), []string{"continueButtonText invalid_type null"}},
		{"open ended", item(question + `"open_ended", "followUp": "much", "preferredInput": 1, "screenObservationEnabled": "yes", "addInstructions": 1`), []string{
			"followUp invalid_enum_value much", "preferredInput invalid_type number", "screenObservationEnabled invalid_type string",
			"addInstructions invalid_type number",
		}},
		{"nulls of an open ended", item(question + `"open_ended", "followUp": null, "addInstructions": null, "preferredInput": null,
			"screenObservationEnabled": null, "conditional": null, "media": null, "embed": null, "externalId": null`), []string{"externalId invalid_type null"}},
		{"options", item(question + `"multiple_choice", "options": [{"text": "", "status": "maybe", "exclusiveOption": null, "id": 1}]`), []string{
			"options.0.text too_small 0 character(s)", "options.0.status invalid_enum_value maybe", "options.0.exclusiveOption invalid_type null",
			"options.0 unrecognized_keys id",
		}},
		{"no options", item(question + `"ranking", "options": []`), []string{"options too_small 0 element(s)"}},
		{"null options", item(question + `"ranking", "options": null, "carryForwardFrom": ""`), []string{
			"options invalid_type null",
		}},
		{"bounds", item(question + `"multiple_choice", ` + option + `, "minSelect": 0, "maxSelect": 1.5`), []string{
			"minSelect too_small 0", "maxSelect invalid_type float",
		}},
		{"matrix without both", item(question + `"matrix"`), []string{"options invalid_type undefined", "rows invalid_type undefined"}},
		{"rows", item(question + `"matrix", ` + option + `, "rows": [{"text": ""}, {"id": "r", "text": "R"}]`), []string{
			"rows.0.text too_small 0 character(s)", "rows.1 unrecognized_keys id",
		}},
		{"max diff", item(question + `"max_diff", "options": [{"text": "A"}], "itemsPerScreen": 6, "metric": 1`), []string{
			"options too_small 1 element(s)", "itemsPerScreen too_big 6", "metric invalid_type number",
		}},
		{"media", item(question + `"statement", "media": [{"name": "", "url": "ftp://example.com/a", "type": "audio", "widthPercentage": 101,
			"forceWatching": null}], "embed": {"proxyUrl": "example.com"}`), []string{
			"media.0.name too_small 0 character(s)", "media.0.url invalid_string ftp://example.com/a", "media.0.type invalid_enum_value audio",
			"media.0.widthPercentage too_big 101", "media.0.forceWatching invalid_type null",
			"embed.url invalid_type undefined", "embed.proxyUrl invalid_string example.com",
		}},
		{"conditional", item(question + `"statement", "conditional": {"operator": "xor", "criteria": []}`), []string{
			"conditional.operator invalid_enum_value xor", "conditional.criteria too_small 0 element(s)",
		}},
		{"criterion of no type", item(conditional(`"type": "random", "choices": 1, "x": 1`)), []string{
			"conditional.criteria.0.type invalid_union_discriminator random", "conditional.criteria.0 unrecognized_keys x",
		}},
		{"criterion on choices", item(conditional(`"type": "selectedTemplateOptions", "questionId": "", "choices": [], "matrixRow": null, "value": null`)), []string{
			"conditional.criteria.0.questionId too_small 0 character(s)", "conditional.criteria.0.matchingCriteria invalid_type undefined",
			"conditional.criteria.0.choices too_small 0 element(s)",
		}},
		{"criterion on a parameter", item(conditional(`"type": "searchParam", "parameter": "", "choices": ["a"]`)), []string{
			"conditional.criteria.0.parameter too_small 0 character(s)", "conditional.criteria.0.value invalid_type undefined",
			"conditional.criteria.0 unrecognized_keys choices",
		}},
		{"concepts", `{"title": "T", "studyGuide": [{"type": "concept", "title": "", "items": [{` + question + `"statement"}],
			"conceptSamplingConfig": {"concepts": [{"nickname": "", "content": {"media": null}, "conditional": null}], "subsampleCount": 0}}]}`, []string{
			"studyGuide.0.conceptSamplingConfig.concepts.0.nickname too_small 0 character(s)",
			"studyGuide.0.conceptSamplingConfig.concepts.0.content.title invalid_type undefined",
			"studyGuide.0.conceptSamplingConfig.concepts.0.content.media invalid_type null",
			"studyGuide.0.conceptSamplingConfig.subsampleCount too_small 0",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := decode(test.body)
			schema, ok := errors.AsType[*guide.SchemaError](err)
			if !ok {
				t.Fatalf("error %v, want a SchemaError", err)
			}
			var got []string
			for _, issue := range schema.Issues {
				path := strings.Join(issue.Path, ".")
				if strings.HasPrefix(test.body, item("")[:60]) {
					path = strings.TrimPrefix(strings.TrimPrefix(path, "studyGuide.0.items.0"), ".")
				}
				got = append(got, fmt.Sprintf("%s %s %s", path, issue.Code, issue.Received))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("issues (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefusesBrokenJSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `{`, `{"title": "T", "title": "U"}`, `{} x`, "{\"title\": \"\xc3\"}", `{"title": NaN}`} {
		_, err := decode(body)
		if _, ok := errors.AsType[*guide.SyntaxError](err); !ok {
			t.Errorf("%q: error %v, want a SyntaxError", body, err)
		}
	}
}

func TestStoredFormNeedsItsIDs(t *testing.T) {
	t.Parallel()
	_, err := guide.Decode([]byte(item(`"text": "Q", "type": "file_upload"`)), guide.Options{Stored: true})
	schema, ok := errors.AsType[*guide.SchemaError](err)
	if !ok || len(schema.Issues) != 2 || schema.Issues[0].Path[4] != "externalId" {
		t.Errorf("error %v, want the two missing externalIds", err)
	}
}

func TestAcceptsAllCreatable(t *testing.T) {
	t.Parallel()
	for _, nulls := range []string{
		`"text": "Q", "type": "open_ended", "options": null, "rows": null, "metric": null, "continueButtonText": null, "carryForwardFrom": null`,
		`"text": "Q", "type": "multiple_choice", "options": [{"text": "A", "status": null}], "multiSelect": null, "minSelect": null,
			"maxSelect": null, "allowCustomOption": null, "randomizeOptionOrder": null, "pinnedFinalOption": null, "carryForwardFrom": null`,
		`"text": "Q", "type": "max_diff", "options": [{"text": "A"}, {"text": "A"}], "metric": null, "itemsPerScreen": null`,
		`"text": "Q", "type": "statement", "continueButtonText": "", "media": [], "embed": {"url": "http://[::1]:80/x"}`,
	} {
		if _, err := decode(item(nulls)); err != nil {
			t.Errorf("%s: %v", nulls, err)
		}
	}
}

func TestSampleIsRich(t *testing.T) {
	t.Parallel()
	g := guidetest.Rich()
	seen := map[guide.ItemType]bool{}
	for _, item := range g.Items() {
		seen[item.Type] = true
	}
	if len(seen) != 6 {
		t.Errorf("the sample has item types %v, want all six of create", seen)
	}
	if advice := guide.Lint(g); len(advice) > 0 {
		t.Errorf("the sample deserves advice: %v", advice)
	}
}

func BenchmarkDecode(b *testing.B) {
	payload := largeGuide(60)
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if _, err := guide.Decode(payload, guide.Options{NewID: guidetest.IDs("new")}); err != nil {
			b.Fatal(err)
		}
	}
}

// largeGuide returns a payload with that many questions of twelve options, each conditional on the one before.
func largeGuide(questions int) []byte {
	block := guide.Block{ID: "block", Type: guide.BlockFlat, Title: "Questions"}
	for q := range questions {
		item := guide.Item{ID: fmt.Sprint("q", q), Type: guide.MultipleChoice, Text: "Which of these did you use last week?", MultiSelect: true}
		for o := range 12 {
			item.Options = append(item.Options, guide.Option{ID: fmt.Sprint("o", o), Text: fmt.Sprint("A way to do it, number ", o)})
		}
		if q > 0 {
			item.Conditional = &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{
				Type: guide.SelectedTemplateOptions, QuestionID: fmt.Sprint("q", q-1), Matching: guide.MustSelect, Choices: []string{"o1", "o11"},
			}}}
		}
		block.Items = append(block.Items, item)
	}
	return guide.Encode(&guide.Guide{Title: "Large", Blocks: []guide.Block{block}})
}

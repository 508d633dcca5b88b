package guide_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/panel"
)

// fill sets something in base to a size: a number of characters or of elements.
type fill struct {
	name  string
	path  []string
	limit int
	unit  string
	set   func(g *guide.Guide, size int)
}

func long(size int) string { return strings.Repeat("ö", size) }

func times[T any](size int, make func(i int) T) []T {
	all := []T{}
	for i := range size {
		all = append(all, make(i))
	}
	return all
}

func numbered(prefix string, i int) string { return fmt.Sprint(prefix, i) }

func plainOption(i int) guide.Option {
	return guide.Option{ID: numbered("o", i), Text: numbered("Option ", i)}
}

func statement(i int) guide.Item {
	return guide.Item{ID: numbered("filled", i), Type: guide.Statement, Text: "Text."}
}

func at(steps string) []string { return strings.Split(steps, ".") }

// fills returns one fill for every key with a bound of its own.
func fills() []fill {
	const characters, elements = "character(s)", "element(s)"
	item := func(g *guide.Guide, id string) *guide.Item {
		it, _, _ := g.Item(id)
		return it
	}
	text := func(name, path string, limit int, field func(*guide.Guide) *string) fill {
		return fill{name, at(path), limit, characters, func(g *guide.Guide, size int) { *field(g) = long(size) }}
	}
	address := func(size int) string { return "https://example.com/" + strings.Repeat("a", size-20) }
	concept := func(g *guide.Guide) *guide.Concept { return &g.Blocks[2].Sampling.Concepts[0] }
	return []fill{
		text("title", "title", guide.MaxTitle, func(g *guide.Guide) *string { return &g.Title }),
		text("external title", "externalTitle", guide.MaxTitle, func(g *guide.Guide) *string { return &g.ExternalTitle }),
		text("background", "background", guide.MaxBackground, func(g *guide.Guide) *string { return &g.Background }),
		text("goal", "studyGoal", guide.MaxLongText, func(g *guide.Guide) *string { return &g.StudyGoal }),
		text("welcome title", "welcomeMessage.title", guide.MaxTitle, func(g *guide.Guide) *string { return &g.Welcome.Title }),
		text("welcome", "welcomeMessage.message", guide.MaxLongText, func(g *guide.Guide) *string { return &g.Welcome.Message }),
		text("closing", "closingMessage", guide.MaxLongText, func(g *guide.Guide) *string { return &g.ClosingMessage }),
		text("message", "config.verbatim.sensitiveTopics.message", guide.MaxLongText, func(g *guide.Guide) *string { return &g.Config.SensitiveTopics.Message }),
		text("parameter of the panel", "config.verbatim.panel.participant.parameter", guide.MaxPanelName, func(g *guide.Guide) *string {
			g.Config.Panel = &panel.Settings{}
			return &g.Config.Panel.Participant.Parameter
		}),
		{"redirect", at("config.verbatim.panel.redirects.complete"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Redirects: panel.Redirects{Addresses: map[panel.Outcome]string{panel.Complete: address(size)}}}
		}},
		{"status", at("config.verbatim.panel.statuses.quotaFull"), guide.MaxPanelName, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Statuses: map[panel.Outcome]string{panel.QuotaFull: long(size)}}
		}},
		{"what is signed", at("config.verbatim.panel.signature.signs"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Signature: &panel.Signature{Algorithm: panel.SHA256, Parameter: "s", Signs: long(size)}}
		}},
		{"postback", at("config.verbatim.panel.postback.url"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Postback: &panel.Postback{URL: address(size)}}
		}},
		{"body of a postback", at("config.verbatim.panel.postback.body"), guide.MaxPanelBody, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Postback: &panel.Postback{URL: "https://example.com", Body: strconv.Quote(strings.Repeat("a", size-2))}}
		}},
		{"completion code", at("config.verbatim.panel.completionCode.fixed"), guide.MaxPanelCode, characters, func(g *guide.Guide, size int) {
			g.Config.Panel = &panel.Settings{Code: panel.Code{Fixed: long(size)}}
		}},
		text("block's title", "studyGuide.0.title", guide.MaxTitle, func(g *guide.Guide) *string { return &g.Blocks[0].Title }),
		text("block's id", "studyGuide.0.externalId", guide.MaxID, func(g *guide.Guide) *string { return &g.Blocks[0].ID }),
		text("item's id", "studyGuide.1.items.3.externalId", guide.MaxID, func(g *guide.Guide) *string { return &item(g, "open").ID }),
		text("question", "studyGuide.1.items.3.text", guide.MaxText, func(g *guide.Guide) *string { return &item(g, "open").Text }),
		text("instructions", "studyGuide.1.items.3.addInstructions", guide.MaxText,
			func(g *guide.Guide) *string { return &item(g, "open").AddInstructions }),
		text("button", "studyGuide.3.items.1.continueButtonText", guide.MaxButtonText,
			func(g *guide.Guide) *string { return &item(g, "end").ContinueButtonText }),
		text("option", "studyGuide.1.items.0.options.1.text", guide.MaxOptionText,
			func(g *guide.Guide) *string { return &item(g, "tools").Options[1].Text }),
		text("option's id", "studyGuide.1.items.0.options.1.externalId", guide.MaxID,
			func(g *guide.Guide) *string { return &item(g, "tools").Options[1].ID }),
		text("row", "studyGuide.1.items.1.rows.1.text", guide.MaxOptionText,
			func(g *guide.Guide) *string { return &item(g, "grid").Rows[1].Text }),
		text("nickname", "studyGuide.2.conceptSamplingConfig.concepts.0.nickname", guide.MaxTitle,
			func(g *guide.Guide) *string { return &concept(g).Nickname }),
		text("concept's id", "studyGuide.2.conceptSamplingConfig.concepts.0.externalId", guide.MaxID,
			func(g *guide.Guide) *string { return &concept(g).ID }),
		text("concept's title", "studyGuide.2.conceptSamplingConfig.concepts.0.content.title", guide.MaxTitle,
			func(g *guide.Guide) *string { return &concept(g).Title }),
		text("description", "studyGuide.2.conceptSamplingConfig.concepts.0.content.description", guide.MaxLongText,
			func(g *guide.Guide) *string { return &concept(g).Description }),
		{"metric", at("studyGuide.3.items.1.metric"), guide.MaxTitle, characters, func(g *guide.Guide, size int) {
			*item(g, "end") = guide.Item{ID: "end", Type: guide.MaxDiff, Text: "Which?", Metric: long(size), Options: times(2, plainOption)}
		}},
		{"parameter", at("studyGuide.1.items.3.conditional.criteria.0.parameter"), guide.MaxParameter, characters, func(g *guide.Guide, size int) {
			item(g, "open").Conditional = &guide.Conditional{Operator: guide.Or, Criteria: []guide.Criterion{{Type: guide.SearchParam, Parameter: long(size)}}}
		}},
		{"value", at("studyGuide.1.items.3.conditional.criteria.0.value"), guide.MaxParameter, characters, func(g *guide.Guide, size int) {
			item(g, "open").Conditional = &guide.Conditional{
				Operator: guide.Or, Criteria: []guide.Criterion{{Type: guide.SearchParam, Parameter: "p", Value: long(size)}},
			}
		}},
		{"media's name", at("studyGuide.1.items.3.media.0.name"), guide.MaxTitle, characters, func(g *guide.Guide, size int) {
			item(g, "open").Media = []guide.Media{{Type: "image", Name: long(size), URL: "https://example.com/a"}}
		}},
		{"address", at("studyGuide.1.items.3.media.0.url"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			item(g, "open").Media = []guide.Media{{Type: "image", Name: "n", URL: address(size)}}
		}},
		{"embedded address", at("studyGuide.1.items.3.embed.url"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			item(g, "open").Embed = &guide.Embed{URL: address(size)}
		}},
		{"proxy", at("studyGuide.1.items.3.embed.proxyUrl"), guide.MaxURL, characters, func(g *guide.Guide, size int) {
			item(g, "open").Embed = &guide.Embed{URL: address(30), ProxyURL: address(size)}
		}},
		{"languages", at("config.availableLanguages"), guide.MaxLanguages, elements, func(g *guide.Guide, size int) {
			g.Config.AvailableLanguages = append(slices.Clone(guide.Languages), guide.Languages...)[:size]
		}},
		{"platforms", at("config.targetPlatforms"), guide.MaxPlatforms, elements, func(g *guide.Guide, size int) {
			g.Config.TargetPlatforms = times(size, func(int) string { return "ios" })
		}},
		{"blocks", at("studyGuide"), guide.MaxBlocks, elements, func(g *guide.Guide, size int) {
			g.Blocks = append(g.Blocks, times(size-len(g.Blocks), func(i int) guide.Block {
				return guide.Block{ID: numbered("block", i), Type: guide.BlockFlat, Items: []guide.Item{statement(i)}}
			})...)
		}},
		{"items", at("studyGuide.1.items"), guide.MaxBlockItems, elements, func(g *guide.Guide, size int) {
			g.Blocks[1].Items = append(g.Blocks[1].Items, times(size-len(g.Blocks[1].Items), statement)...)
		}},
		{"options", at("studyGuide.1.items.2.options"), guide.MaxOptions, elements, func(g *guide.Guide, size int) {
			item(g, "best").Options, item(g, "best").CarryForwardFrom = times(size, plainOption), ""
		}},
		{"columns", at("studyGuide.1.items.1.options"), guide.MaxColumns, elements, func(g *guide.Guide, size int) {
			item(g, "grid").Options = times(size, plainOption)
		}},
		{"rows", at("studyGuide.1.items.1.rows"), guide.MaxRows, elements, func(g *guide.Guide, size int) {
			item(g, "grid").Rows = times(size, func(i int) guide.Row { return guide.Row{ID: numbered("r", i+1), Text: numbered("Row ", i)} })
		}},
		{"options of a MaxDiff", at("studyGuide.3.items.1.options"), guide.MaxMaxDiffOptions, elements, func(g *guide.Guide, size int) {
			*item(g, "end") = guide.Item{ID: "end", Type: guide.MaxDiff, Text: "Which?", Options: times(size, plainOption)}
		}},
		{"concepts", at("studyGuide.2.conceptSamplingConfig.concepts"), guide.MaxConcepts, elements, func(g *guide.Guide, size int) {
			g.Blocks[2].Sampling.Concepts = times(size, func(i int) guide.Concept { return guide.Concept{ID: numbered("c", i), Nickname: "N"} })
		}},
		{"media", at("studyGuide.1.items.3.media"), guide.MaxMedia, elements, func(g *guide.Guide, size int) {
			item(g, "open").Media = times(size, func(int) guide.Media { return guide.Media{Type: "image", Name: "n", URL: "https://example.com/a"} })
		}},
		{"concept's media", at("studyGuide.2.conceptSamplingConfig.concepts.0.content.media"), guide.MaxMedia, elements, func(g *guide.Guide, size int) {
			concept(g).Media = times(size, func(int) guide.Media { return guide.Media{Type: "image", Name: "n", URL: "https://example.com/a"} })
		}},
		{"criteria", at("studyGuide.1.items.3.conditional.criteria"), guide.MaxCriteria, elements, func(g *guide.Guide, size int) {
			item(g, "open").Conditional = &guide.Conditional{Operator: guide.Or, Criteria: times(size, func(int) guide.Criterion {
				return when("tools", "", "a").Criteria[0]
			})}
		}},
		{"choices", at("studyGuide.1.items.3.conditional.criteria.0.choices"), guide.MaxChoices, elements, func(g *guide.Guide, size int) {
			item(g, "open").Conditional = when("tools", "", times(size, func(int) string { return "a" })...)
		}},
	}
}

// TestBoundsOfKeys checks that a value at its bound is accepted, that one above it is refused with its place, and that a
// guide stored when it was still allowed is read back unchanged.
func TestBoundsOfKeys(t *testing.T) {
	t.Parallel()
	for _, f := range fills() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			g := base()
			f.set(g, f.limit)
			if _, err := guide.Decode(guide.Encode(g), guide.Options{}); err != nil {
				t.Fatalf("%d %s: %v", f.limit, f.unit, err)
			}
			g = base()
			f.set(g, f.limit+1)
			_, err := guide.Decode(guide.Encode(g), guide.Options{})
			schema, ok := errors.AsType[*guide.SchemaError](err)
			if !ok || len(schema.Issues) != 1 {
				t.Fatalf("%d %s: error %v, want one issue", f.limit+1, f.unit, err)
			}
			want := guide.Issue{
				Path: f.path, Code: "too_big", Expected: fmt.Sprintf("at most %d %s", f.limit, f.unit), Received: fmt.Sprintf("%d %s", f.limit+1, f.unit),
			}
			got := schema.Issues[0]
			if want.Message = got.Message; !strings.HasSuffix(got.Message, "must contain "+got.Expected) {
				t.Errorf("the message is %q", got.Message)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("issue (-want +got):\n%s", diff)
			}
			reads(t, g)
		})
	}
}

// reads checks that a guide is read back unchanged from its stored form.
func reads(t *testing.T, g *guide.Guide) {
	t.Helper()
	got, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
	if diff := cmp.Diff(g, got); err != nil || diff != "" {
		t.Errorf("what was stored is not read back: %v (-want +got):\n%s", err, diff)
	}
}

// chain appends items that carry the options of "tools" forward, each from the one before it.
func chain(g *guide.Guide, length int, custom bool) {
	from := "tools"
	for i := range length {
		id := numbered("link", i)
		g.Blocks[3].Items = append(g.Blocks[3].Items, guide.Item{
			ID: id, Type: guide.MultipleChoice, Text: "Which of them?", MultiSelect: true, AllowCustomOption: custom, CarryForwardFrom: from,
		})
		from = id
	}
}

// TestBoundsOverall checks the bounds that no single key can exceed.
func TestBoundsOverall(t *testing.T) {
	t.Parallel()
	matrix := func(rows, columns int, text string) guide.Item {
		return guide.Item{
			ID: "large", Type: guide.Matrix, Text: "Rate.",
			Options: times(columns, func(i int) guide.Option { return guide.Option{ID: numbered("o", i), Text: text} }),
			Rows:    times(rows, func(i int) guide.Row { return guide.Row{ID: numbered("r", i+1), Text: "R"} }),
		}
	}
	add := func(g *guide.Guide, items ...guide.Item) { g.Blocks[3].Items = append(g.Blocks[3].Items, items...) }
	rankings := func(size int) func(i int) guide.Item {
		return func(i int) guide.Item {
			return guide.Item{ID: numbered("filled", i), Type: guide.Ranking, Text: "Rank.", Options: times(size, plainOption)}
		}
	}
	asked := func(text string) func(i int) guide.Item {
		return func(i int) guide.Item {
			it := statement(i)
			it.Text = text
			return it
		}
	}
	inBlocks := func(g *guide.Guide, blocks, items int) {
		for b := range blocks {
			g.Blocks = append(g.Blocks, guide.Block{ID: numbered("filled block", b), Type: guide.BlockFlat, Items: times(items, func(i int) guide.Item {
				return statement(b*items + i)
			})})
		}
	}
	concepts := func(g *guide.Guide, count int) {
		g.Blocks[2].Sampling = &guide.Sampling{Concepts: times(count, func(i int) guide.Concept {
			return guide.Concept{ID: numbered("c", i), Nickname: "N"}
		})}
	}
	ownOptions := func(g *guide.Guide, questions int) {
		concepts(g, 20)
		g.Blocks[2].Items = times(questions, func(i int) guide.Item {
			it := choice()
			it.ID, it.Text, it.MultiSelect, it.AllowCustomOption = numbered("filled", i), "Which?", true, true
			if i > 0 {
				it.Options, it.CarryForwardFrom = nil, numbered("filled", i-1)
			}
			return it
		})
		add(g, guide.Item{ID: "carried", Type: guide.Ranking, Text: "Rank.", CarryForwardFrom: numbered("filled", questions-1)})
	}
	for _, test := range []struct {
		name    string
		fits    func(*guide.Guide)
		exceeds func(*guide.Guide)
		want    []string // beginnings of the violations
	}{
		{
			"items in all", func(g *guide.Guide) { inBlocks(g, 4, 498) }, func(g *guide.Guide) { inBlocks(g, 4, 499) },
			[]string{"studyGuide: at most 2000 items are allowed in all blocks together, and there are 2004"},
		},
		{
			"a chain", func(g *guide.Guide) { chain(g, guide.MaxChain, true) }, func(g *guide.Guide) { chain(g, guide.MaxChain+2, false) },
			[]string{
				"studyGuide[3].items[22].carryForwardFrom: options may be carried forward at most 20 times, and this is time 21",
				"studyGuide[3].items[23].carryForwardFrom: options may be carried forward at most 20 times, and this is time 22",
			},
		},
		{
			"cells", func(g *guide.Guide) { add(g, matrix(50, 50, "C")) }, func(g *guide.Guide) { add(g, matrix(51, 50, "C")) },
			[]string{"studyGuide[3].items[2].rows: a matrix has at most 2500 cells, and 51 rows with 50 columns have 2550"},
		},
		{
			"columns in every row", func(g *guide.Guide) { add(g, matrix(100, 1, long(2000))) }, func(g *guide.Guide) { add(g, matrix(150, 1, long(2000))) },
			[]string{"studyGuide[3].items[2].options: a step shows at most 250000 characters, and the texts of the rows, and the texts and ids of " +
				"the columns once for each row, have 300450"},
		},
		{
			"texts of options", func(g *guide.Guide) {
				add(g, guide.Item{ID: "large", Type: guide.Ranking, Text: "Rank.", Options: times(124, func(i int) guide.Option {
					return guide.Option{ID: numbered("o", i), Text: long(2000)}
				})})
			}, func(g *guide.Guide) {
				add(g, guide.Item{ID: "large", Type: guide.Ranking, Text: "Rank.", Options: times(125, func(i int) guide.Option {
					return guide.Option{ID: numbered("o", i), Text: long(2000)}
				})})
			},
			[]string{"studyGuide[3].items[2].options: a step shows at most 250000 characters, and the texts and ids of the options have 250390"},
		},
		{
			"steps", func(g *guide.Guide) {
				concepts(g, 100)
				g.Blocks[2].Items = times(49, statement)
			}, func(g *guide.Guide) {
				concepts(g, 100)
				g.Blocks[2].Items = times(50, statement)
			},
			[]string{"studyGuide: one participant may meet at most 5000 questions, and would meet 5007: each item counts once for each concept that is shown"},
		},
		{
			"screens", func(g *guide.Guide) {
				g.Blocks[2].Items = times(22, func(i int) guide.Item {
					return guide.Item{ID: numbered("filled", i), Type: guide.MaxDiff, Text: "Which?", Options: times(300, plainOption)}
				})
			}, func(g *guide.Guide) {
				g.Blocks[2].Items = times(23, func(i int) guide.Item {
					return guide.Item{ID: numbered("filled", i), Type: guide.MaxDiff, Text: "Which?", Options: times(300, plainOption)}
				})
			},
			[]string{"studyGuide: one participant may meet at most 5000 questions, and would meet 5182"},
		},
		{
			"options in all", func(g *guide.Guide) { add(g, times(49, rankings(1000))...) }, func(g *guide.Guide) { add(g, times(50, rankings(1000))...) },
			[]string{"studyGuide: at most 50000 options and rows are allowed in all items together, and there are 50021"},
		},
		{
			"what is met", func(g *guide.Guide) { add(g, times(199, asked(long(10_000)))...) }, func(g *guide.Guide) { add(g, times(200, asked(long(10_000)))...) },
			[]string{"studyGuide: one participant may meet at most 2000000 characters of questions and options, and would meet 2000"},
		},
		{
			"concepts in the list of questions", func(g *guide.Guide) {
				g.Blocks[2].Items = times(125, statement)
				g.Blocks[2].Sampling.Concepts[0].Description = long(20_000)
				g.Blocks[2].Sampling.Concepts[1].Description = long(19_996)
			}, func(g *guide.Guide) {
				g.Blocks[2].Items = times(126, statement)
				g.Blocks[2].Sampling.Concepts[0].Description = long(20_000)
				g.Blocks[2].Sampling.Concepts[1].Description = long(19_996)
			},
			[]string{"studyGuide: the concepts may have at most 5000000 characters together, each counted once for each item of its block, and have 5040000"},
		},
		{
			"choices in all", func(g *guide.Guide) {
				add(g, times(20, func(i int) guide.Item {
					it := statement(i)
					it.Conditional = when("tools", "", times(1000, func(int) string { return "a" })...)
					return it
				})...)
			}, func(g *guide.Guide) {
				g.Blocks[2].Sampling.Concepts[0].Conditional = when("tools", "", "a")
				add(g, times(20, func(i int) guide.Item {
					it := statement(i)
					it.Conditional = when("tools", "", times(1000, func(int) string { return "a" })...)
					return it
				})...)
			},
			[]string{"studyGuide: at most 20000 choices are allowed in all criteria together, and there are 20001"},
		},
		{
			"participants' own options", func(g *guide.Guide) { ownOptions(g, 5) }, func(g *guide.Guide) { ownOptions(g, 6) },
			[]string{"studyGuide[3].items[2].carryForwardFrom: at most 100 options of a participant's own may be carried forward, and here up to 120 may be"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := base()
			test.fits(g)
			if _, err := guide.Decode(guide.Encode(g), guide.Options{}); err != nil {
				t.Fatalf("within the bound: %v", err)
			}
			g = base()
			test.exceeds(g)
			_, err := guide.Decode(guide.Encode(g), guide.Options{})
			rules, ok := errors.AsType[*guide.RulesError](err)
			if !ok || len(rules.Violations) != len(test.want) {
				t.Fatalf("error %v, want %d violations", err, len(test.want))
			}
			for i, v := range rules.Violations {
				if got := v.Place + ": " + v.Message; !strings.HasPrefix(got, test.want[i]) {
					t.Errorf("violation %s\nwant      %s", got, test.want[i])
				}
			}
			reads(t, g)
		})
	}
}

func TestAllLanguagesFit(t *testing.T) {
	t.Parallel()
	if len(guide.Languages) != guide.MaxLanguages {
		t.Errorf("%d languages, MaxLanguages is %d", len(guide.Languages), guide.MaxLanguages)
	}
}

func TestManyViolationsAreCounted(t *testing.T) {
	t.Parallel()
	g := base()
	g.Blocks[3].Items = times(990, func(i int) guide.Item {
		it := statement(i)
		it.Conditional = &guide.Conditional{Operator: guide.Or, Criteria: times(2, func(int) guide.Criterion {
			return when("tools", "", times(10, func(i int) string { return numbered("unknown", i) })...).Criteria[0]
		})}
		return it
	})
	_, err := guide.Decode(guide.Encode(g), guide.Options{})
	rules, ok := errors.AsType[*guide.RulesError](err)
	if !ok || len(rules.Violations) != 1000 || rules.More != 980 || !strings.HasSuffix(err.Error(), "; and 980 more") {
		t.Fatalf("%T, want 1,000 violations and 980 more", err)
	}
	g = base()
	g.Blocks[1].Items[3].Conditional = when("tools", "", times(1000, func(i int) string { return numbered("unknown", i) })...)
	if _, err = guide.Decode(guide.Encode(g), guide.Options{}); err == nil || !strings.HasSuffix(err.Error(), `"unknown19" and 980 more`) {
		t.Errorf("error %v, want 20 choices and the number of the others", err)
	}
}

func TestNullsOfConcepts(t *testing.T) {
	t.Parallel()
	got, err := decode(`{"title": "T", "studyGuide": [{"type": "concept", "title": "", "items": [{"type": "statement", "text": "S"}],
		"conceptSamplingConfig": {"concepts": [{"nickname": "N", "conditional": null, "content": {"title": "C", "description": null, "embed": null}}]}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []guide.Concept{{ID: got.Blocks[0].Sampling.Concepts[0].ID, Nickname: "N", Title: "C"}}
	if diff := cmp.Diff(want, got.Blocks[0].Concepts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWidthsHaveFractions(t *testing.T) {
	t.Parallel()
	for _, width := range []string{"1", "33.3", "99.999", "100", "1e2", "60.0"} {
		g, err := decode(item(`"type": "statement", "text": "S", "media": [{"name": "n", "type": "image", "url": "https://example.com/a", "widthPercentage": ` + width + `}]`))
		if err != nil {
			t.Errorf("%s: %v", width, err)
			continue
		}
		reads(t, g)
	}
	for _, width := range []string{"0", "0.99", "100.01", "null", `"50"`, "-1", "1e999"} {
		if _, err := decode(item(`"type": "statement", "text": "S", "media": [{"name": "n", "type": "image", "url": "https://example.com/a", "widthPercentage": ` + width + `}]`)); err == nil {
			t.Errorf("%s is accepted", width)
		}
	}
}

func TestWrongLanguageNamesTheNearest(t *testing.T) {
	t.Parallel()
	_, err := decode(`{"title": "T", "config": {"questionLanguage": "de-AT"}, "studyGuide": [{"type": "flat", "title": "", "items": [{"type": "statement", "text": "S"}]}]}`)
	schema, ok := errors.AsType[*guide.SchemaError](err)
	if !ok || !strings.HasPrefix(schema.Issues[0].Expected, "one of 121 values, nearest 'de' | ") || len(schema.Issues[0].Message) > 200 {
		t.Errorf("error %v, want the nearest languages", err)
	}
}

// shapes returns guides with a number of items in which each item asks about others.
var shapes = map[string]func(items int) *guide.Guide{
	"conditions": func(items int) *guide.Guide {
		g := base()
		for i := range items {
			it := choice()
			it.ID, it.Text = numbered("filled", i), "Which?"
			if i > 0 {
				it.Conditional = when(numbered("filled", i-1), "", "o", "P")
			}
			g.Blocks[3].Items = append(g.Blocks[3].Items, it)
		}
		return g
	},
	"a chain": func(items int) *guide.Guide {
		g := base()
		chain(g, items, false)
		return g
	},
	"a chain of custom options": func(items int) *guide.Guide {
		g := base()
		chain(g, items, true)
		return g
	},
	"criteria on one long list": func(items int) *guide.Guide {
		g := base()
		tools, _, _ := g.Item("tools")
		tools.Options = times(1000, func(i int) guide.Option { return guide.Option{ID: numbered("o", i), Text: "Same"} })
		for i := range items {
			it := statement(i)
			it.Conditional = when("tools", "", "o999", "Same")
			g.Blocks[3].Items = append(g.Blocks[3].Items, it)
		}
		return g
	},
	"rows asked about": func(items int) *guide.Guide {
		g := base()
		grid, _, _ := g.Item("grid")
		grid.Rows = times(1000, func(i int) guide.Row { return guide.Row{ID: numbered("r", i+1), Text: numbered("Row ", i)} })
		for i := range items {
			it := statement(i)
			it.Conditional = when("grid", "Row 999", "Yes")
			g.Blocks[3].Items = append(g.Blocks[3].Items, it)
		}
		return g
	},
}

// TestReadingIsLinear must not run in parallel, because it counts what the process allocates.
func TestReadingIsLinear(t *testing.T) { //nolint:paralleltest // see above
	for name, shape := range shapes {
		read := func(items int) uint64 {
			stored := guide.Encode(shape(items))
			return guidetest.Allocated(func() {
				g, err := guide.Decode(stored, guide.Options{Stored: true})
				if err != nil {
					t.Fatal(err)
				}
				ix := guide.NewIndex(g)
				for _, it := range g.Items() {
					ix.OfferedOptions(it)
				}
			})
		}
		few, many := read(500), read(4000)
		if many > 16*few {
			t.Errorf("%s: eight times the items take %.1f times the memory (%d and %d bytes)", name, float64(many)/float64(few), few, many)
		}
	}
}

func BenchmarkDecodeBySize(b *testing.B) {
	for _, items := range []int{250, 500, 1000, 2000} {
		payload := largeGuide(items)
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				if _, err := guide.Decode(payload, guide.Options{NewID: guidetest.IDs("new"), Stored: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkShapes(b *testing.B) {
	for name, shape := range shapes {
		for _, items := range []int{500, 1000, 2000} {
			stored := guide.Encode(shape(items))
			b.Run(fmt.Sprint(name, "/", items), func(b *testing.B) {
				for b.Loop() {
					if _, err := guide.Decode(stored, guide.Options{Stored: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

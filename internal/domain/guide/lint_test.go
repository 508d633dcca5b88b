package guide_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

func TestLint(t *testing.T) {
	t.Parallel()
	both := func(operator guide.Operator, criteria ...guide.Criterion) *guide.Conditional {
		return &guide.Conditional{Operator: operator, Criteria: criteria}
	}
	not := func(question, row string, choices ...string) guide.Criterion {
		c := when(question, row, choices...).Criteria[0]
		c.Matching = guide.MustNotSelect
		return c
	}
	must := func(question, row string, choices ...string) guide.Criterion {
		return when(question, row, choices...).Criteria[0]
	}
	param := func(value string) guide.Criterion {
		return guide.Criterion{Type: guide.SearchParam, Parameter: "p", Value: value}
	}
	const end = "studyGuide[3].items[1]"
	for _, test := range []struct {
		name   string
		change func(g *guide.Guide, end *guide.Item)
		want   []string // place: text
	}{
		{"nothing to say", func(*guide.Guide, *guide.Item) {}, nil},
		{"screens nobody out", func(g *guide.Guide, _ *guide.Item) { g.Blocks[0].Items[0].Options[1].Status = guide.Neutral }, []string{
			"studyGuide[0]: No option rejects, so this screening block screens nobody out.",
		}},
		{"approves nobody", func(g *guide.Guide, _ *guide.Item) { g.Blocks[0].Items[0].Options[0].Status = guide.Neutral }, []string{
			"studyGuide[0]: No option approves; neutral options let participants through just the same.",
		}},
		{"a long text", func(_ *guide.Guide, end *guide.Item) { end.Text = strings.Repeat("ä", 301) }, []string{
			end + ".text: The text has 301 characters; participants follow up to 300 more easily.",
		}},
		{"pinned in order", func(g *guide.Guide, _ *guide.Item) { g.Blocks[1].Items[0].PinnedFinalOption = true }, []string{
			"studyGuide[1].items[0].pinnedFinalOption: pinnedFinalOption has no effect without randomizeOptionOrder.",
		}},
		{"a screen that is not shared", func(g *guide.Guide, _ *guide.Item) { g.Blocks[1].Items[3].ScreenObservationEnabled = true }, []string{
			"studyGuide[1].items[3].screenObservationEnabled: screenObservationEnabled has no effect unless preferredInput is screenRecording.",
		}},
		{"a high maximum", maximum(5), []string{"studyGuide[1].items[0].maxSelect: maxSelect is 5, but there are only 4 options."}},
		{"options alike", func(g *guide.Guide, _ *guide.Item) { g.Blocks[1].Items[0].Options[1].Text = "Tool A" }, []string{
			`studyGuide[1].items[0].options: Two options read "Tool A"; answers cannot be told apart.`,
		}},
		{"rows alike", func(g *guide.Guide, _ *guide.Item) { g.Blocks[1].Items[1].Rows[1].Text = "Speed" }, []string{
			`studyGuide[1].items[1].rows: Two rows read "Speed"; a matrixRow finds the first of them.`,
		}},
		{"a picture to watch", func(g *guide.Guide, end *guide.Item) {
			media := []guide.Media{{Type: "video", ForceWatching: true}, {Type: "image", ForceWatching: true}}
			end.Media, g.Blocks[2].Sampling.Concepts[0].Media = media, media
		}, []string{
			end + ".media[1].forceWatching: forceWatching has no effect on an image.",
			"studyGuide[2].conceptSamplingConfig.concepts[0].content.media[1].forceWatching: forceWatching has no effect on an image.",
		}},
		{"on a rejected one", func(_ *guide.Guide, end *guide.Item) { end.Conditional = when("s", "", "No") }, []string{
			end + `.conditional: This condition can never hold: whoever chooses "No" is screened out.`,
		}},
		{"on rejected ones alone", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.Or, must("s", "", "no"), must("s", "", "No"))
		}, []string{end + `.conditional: This condition can never hold: whoever chooses these options is screened out.`}},
		{"on a rejected one or another", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.Or, must("s", "", "no"), param("1"))
		}, nil},
		{"two of a single choice", func(g *guide.Guide, _ *guide.Item) {
			g.Blocks[1].Items[3].Conditional = both(guide.And, must("grid", "Speed", "yes"), must("grid", "Speed", "No"))
		}, []string{`studyGuide[1].items[3].conditional: This condition can never hold: its criteria on "grid" exclude each other.`}},
		{"of two rows", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, must("grid", "Speed", "yes"), must("grid", "Price", "no"))
		}, nil},
		{"two of a multiple choice", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, must("tools", "", "a"), must("tools", "", "b"))
		}, nil},
		{"the same and not", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, not("tools", "", "b", "a"), must("tools", "", "Tool A"))
		}, []string{end + `.conditional: This condition can never hold: its criteria on "tools" exclude each other.`}},
		{"the same and partly not", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, must("tools", "", "a", "b"), not("tools", "", "a"))
		}, nil},
		{"neither of two", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, not("tools", "", "a"), not("tools", "", "b"))
		}, nil},
		{"two values", func(_ *guide.Guide, end *guide.Item) { end.Conditional = both(guide.And, param("1"), param("2")) }, []string{
			end + `.conditional: This condition can never hold: the parameter "p" would need two values.`,
		}},
		{"over all concepts seen", func(_ *guide.Guide, end *guide.Item) {
			end.Conditional = both(guide.And, must("use", "", "yes"), must("use", "", "no"))
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := base()
			test.change(g, &g.Blocks[3].Items[1])
			var got []string
			for _, advice := range guide.Lint(g) {
				got = append(got, advice.Place+": "+advice.Text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("advice (-want +got):\n%s", diff)
			}
		})
	}
}

// maximum sets the bounds of tools from 1 to limit.
func maximum(limit int) func(*guide.Guide, *guide.Item) {
	return func(g *guide.Guide, _ *guide.Item) { bounds(1, 0, 1, limit)(g) }
}

package guide_test

import (
	"testing"

	"verbatim/internal/domain/guide"
)

func TestOneScreeningBlockFirst(t *testing.T) {
	run(t, []broken{
		{"none at all", func(g *guide.Guide) { g.Blocks = g.Blocks[1:] }, nil},
		{"not first", func(g *guide.Guide) { g.Blocks[0], g.Blocks[1] = g.Blocks[1], g.Blocks[0] }, []guide.Violation{
			{"studyGuide[1]", "a screening block must be the first block"},
		}},
		{"a second one", func(g *guide.Guide) {
			second := base().Blocks[0]
			second.ID, second.Items[0].ID = "other", "other-s"
			g.Blocks = append(g.Blocks, second)
		}, []guide.Violation{
			{"studyGuide[4]", "there is more than one screening block; at most one is allowed, and it must be the first block"},
		}},
	})
}

func TestScreeningAsksChoices(t *testing.T) {
	run(t, []broken{
		{"an open question", func(g *guide.Guide) {
			g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: "x", Type: guide.OpenEnded, Text: "Why?"})
		}, []guide.Violation{
			{"studyGuide[0].items[1].type", "a screening block contains only multiple_choice items, not open_ended"},
		}},
		{"an upload", func(g *guide.Guide) {
			g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: "x", Type: guide.FileUpload, Text: "Show it."})
		}, []guide.Violation{
			{"studyGuide[0].items[1].type", "a screening block contains only multiple_choice items, not file_upload"},
		}},
	})
}

func TestStatusInScreeningAlone(t *testing.T) {
	run(t, []broken{
		{"neutral is a status", func(g *guide.Guide) { g.Blocks[0].Items[0].Options[0].Status = guide.Neutral }, nil},
		{"missing", func(g *guide.Guide) { g.Blocks[0].Items[0].Options[1].Status = "" }, []guide.Violation{
			{"studyGuide[0].items[0].options[1].status", "every option of a screening block needs a status: approve, reject or neutral"},
		}},
		{"elsewhere", func(g *guide.Guide) { g.Blocks[1].Items[1].Options[0].Status = guide.Neutral }, []guide.Violation{
			{"studyGuide[1].items[1].options[0].status", "outside screening blocks status must be null or omitted"},
		}},
	})
}

func TestConceptsInConceptBlocks(t *testing.T) {
	run(t, []broken{
		{"missing", func(g *guide.Guide) { g.Blocks[2].Sampling = nil }, []guide.Violation{
			{"studyGuide[2].conceptSamplingConfig", "a concept block needs conceptSamplingConfig with at least one concept"},
		}},
		{"empty", func(g *guide.Guide) { g.Blocks[2].Sampling = &guide.Sampling{Concepts: []guide.Concept{}} }, []guide.Violation{
			{"studyGuide[2].conceptSamplingConfig.concepts", "a concept block needs at least one concept"},
		}},
		{"on a flat block", func(g *guide.Guide) {
			g.Blocks[3].Sampling = &guide.Sampling{Concepts: []guide.Concept{{ID: "x", Nickname: "X"}}}
		}, []guide.Violation{
			{"studyGuide[3].conceptSamplingConfig", "only concept blocks have conceptSamplingConfig; a flat block omits it"},
		}},
	})
}

func TestSubsampleWithinConcepts(t *testing.T) {
	run(t, []broken{
		{"as many as there are", func(g *guide.Guide) { g.Blocks[2].Sampling.SubsampleCount = 2 }, nil},
		{"more", func(g *guide.Guide) { g.Blocks[2].Sampling.SubsampleCount = 3 }, []guide.Violation{
			{"studyGuide[2].conceptSamplingConfig.subsampleCount", "subsampleCount is 3, but there are only 2 concepts"},
		}},
	})
}

func TestIDsUnique(t *testing.T) {
	run(t, []broken{
		{"a block's on an item", func(g *guide.Guide) { g.Blocks[3].Items[1].ID = "b0" }, []guide.Violation{
			{"studyGuide[3].items[1].externalId", `externalId "b0" is already used by studyGuide[0]`},
		}},
		{"an item's on a concept", func(g *guide.Guide) { g.Blocks[2].Sampling.Concepts[1].ID = "open" }, []guide.Violation{
			{"studyGuide[2].conceptSamplingConfig.concepts[1].externalId", `externalId "open" is already used by studyGuide[1].items[3]`},
		}},
		{"a concept's on a block", func(g *guide.Guide) { g.Blocks[3].ID = "c1" }, []guide.Violation{
			{"studyGuide[3].externalId", `externalId "c1" is already used by studyGuide[2].conceptSamplingConfig.concepts[0]`},
		}},
		{"options may be called like an item", func(g *guide.Guide) { g.Blocks[1].Items[1].Options[0].ID = "tools" }, nil},
	})
}

func TestOptionIDsUnique(t *testing.T) {
	run(t, []broken{
		{"twice in an item", func(g *guide.Guide) { g.Blocks[1].Items[0].Options[1].ID = "a" }, []guide.Violation{
			{"studyGuide[1].items[0].options[1].externalId", `externalId "a" is used by another option of this item`},
		}},
		{"like the custom option", func(g *guide.Guide) { g.Blocks[1].Items[0].Options[1].ID = guide.CustomOptionID("tools") }, []guide.Violation{
			{"studyGuide[1].items[0].options[1].externalId", `externalId "other:tools" is used by another option of this item`},
		}},
		{"twice in the columns", func(g *guide.Guide) { g.Blocks[1].Items[1].Options[1].ID = "yes" }, []guide.Violation{
			{"studyGuide[1].items[1].options[1].externalId", `externalId "yes" is used by another option of this item`},
		}},
	})
}

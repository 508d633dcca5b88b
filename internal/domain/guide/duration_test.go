package guide_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"

	"pgregory.net/rapid"
)

func blockOf(items ...guide.Item) guide.Block {
	return guide.Block{ID: "b", Type: guide.BlockFlat, Items: items}
}

// TestMinutes pins the estimate of guides whose length one can tell, in minutes.
func TestMinutes(t *testing.T) {
	t.Parallel()
	open := guide.Item{ID: "o", Type: guide.OpenEnded, Text: "How was your morning?", FollowUp: guide.FollowUpNone}
	heavy := open
	heavy.FollowUp = guide.FollowUpHeavy
	maybe := open
	maybe.Conditional = &guide.Conditional{}
	options := make([]guide.Option, 12)
	for i := range options {
		options[i] = guide.Option{ID: string(rune('a' + i)), Text: "An option"}
	}
	concepts := &guide.Sampling{SubsampleCount: 2, Concepts: []guide.Concept{{ID: "x"}, {ID: "y"}, {ID: "z"}}}
	long := guide.Item{ID: "s", Type: guide.Statement, Text: strings.Repeat("word ", 600)}
	dense := guide.Item{ID: "s", Type: guide.Statement, Text: strings.Repeat("語", 1200)}
	for name, c := range map[string]struct {
		blocks []guide.Block
		want   guide.Minutes
	}{
		"nothing":                {nil, guide.Minutes{From: 1, To: 2}},
		"one question":           {[]guide.Block{blockOf(open)}, guide.Minutes{From: 1, To: 2}},
		"follow-ups":             {[]guide.Block{blockOf(heavy, heavy, heavy, heavy)}, guide.Minutes{From: 2, To: 15}},
		"what only some see":     {[]guide.Block{blockOf(maybe, maybe, maybe, maybe)}, guide.Minutes{From: 1, To: 3}},
		"a MaxDiff":              {[]guide.Block{blockOf(guide.Item{ID: "m", Type: guide.MaxDiff, Text: "Best?", Options: options})}, guide.Minutes{From: 1, To: 3}},
		"two of three concepts":  {[]guide.Block{{ID: "c", Type: guide.BlockConcept, Items: []guide.Item{open, open, open}, Sampling: concepts}}, guide.Minutes{From: 1, To: 6}},
		"600 words":              {[]guide.Block{blockOf(long)}, guide.Minutes{From: 2, To: 5}},
		"1,200 characters":       {[]guide.Block{blockOf(dense)}, guide.Minutes{From: 2, To: 5}},
		"an hour, in steps of 5": {[]guide.Block{blockOf(long, long, long, long, long, long, long, long)}, guide.Minutes{From: 15, To: 35}},
	} {
		if got := (&guide.Guide{Blocks: c.blocks}).Minutes(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestShowDuration(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]struct {
		hidden bool
		stored bool
	}{
		`{}`: {}, `{"verbatim": {}}`: {}, `{"verbatim": {"showDuration": true}}`: {},
		`{"verbatim": {"showDuration": false}}`: {hidden: true, stored: true},
	} {
		g, err := guide.Decode(modelGuide(config), guide.Options{})
		if err != nil || g.Config.HideDuration != want.hidden {
			t.Fatalf("%s: %v, hidden %t", config, err, g.Config.HideDuration)
		}
		stored := guide.Encode(g)
		if strings.Contains(string(stored), "showDuration") != want.stored {
			t.Errorf("%s is stored as %s", config, stored)
		}
		if again, err := guide.Decode(stored, guide.Options{Stored: true}); err != nil || again.Config.HideDuration != want.hidden {
			t.Errorf("%s: read again %v, hidden %t", config, err, again.Config.HideDuration)
		}
	}
	if _, err := guide.Decode(modelGuide(`{"verbatim": {"showDuration": "no"}}`), guide.Options{}); err == nil {
		t.Error("a word is taken for a switch")
	}
}

// TestMinutesOfAnyGuide checks that the estimate is a range, and that no further item makes an interview shorter.
func TestMinutesOfAnyGuide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := guidetest.Guide(t)
		before := g.Minutes()
		longer := *g
		longer.Blocks = append(longer.Blocks[:len(longer.Blocks):len(longer.Blocks)], blockOf(guide.Item{ID: "further", Type: guide.OpenEnded, Text: "More?"}))
		after := longer.Minutes()
		if before.From < 1 || before.To <= before.From || after.From < before.From || after.To < before.To {
			t.Fatalf("%+v, and %+v with another question", before, after)
		}
	})
}

package participanttest

import (
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/recording"
)

// FullGuide returns a guide with an item of every type that create accepts.
func FullGuide() *guide.Guide {
	options := []guide.Option{{ID: "a", Text: "Alpha"}, {ID: "b", Text: "Beta"}, {ID: "c", Text: "Gamma"}}
	exclusive := append(slices.Clone(options), guide.Option{ID: "n", Text: "None", Exclusive: true})
	return &guide.Guide{
		Title: "Everything", ClosingMessage: "Goodbye.",
		Blocks: []guide.Block{
			{ID: "flat", Type: guide.BlockFlat, Items: []guide.Item{
				{ID: "hello", Type: guide.Statement, Text: "Hello.", ContinueButtonText: "Go on"},
				{
					ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpLight, PreferredInput: "text",
					Media: []guide.Media{{Type: "image", Name: "A picture", URL: "https://media.example.com/p.png", WidthPercentage: 60}},
					Embed: &guide.Embed{URL: "https://shop.example.com", ProxyURL: "https://proxy.example.com"},
				},
				{ID: "one", Type: guide.MultipleChoice, Text: "Which one?", Options: options, AllowCustomOption: true},
				{ID: "some", Type: guide.MultipleChoice, Text: "Which ones?", Options: exclusive, MultiSelect: true, MinSelect: 2, MaxSelect: 3},
				{ID: "order", Type: guide.Ranking, Text: "In which order?", Options: options},
				{ID: "grid", Type: guide.Matrix, Text: "How good?", Options: options, Rows: []guide.Row{{ID: "r1", Text: "Taste"}, {ID: "r2", Text: "Smell"}}},
				{ID: "best", Type: guide.MaxDiff, Text: "Best and worst?", Options: options, Metric: "joy", ItemsPerScreen: 3},
			}},
			{ID: "ideas", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{
				ID: "tin", Nickname: "tin", Title: "The tin", Description: "It is made of tin.",
				Media: []guide.Media{{Type: "video", Name: "A film", URL: "https://media.example.com/f.mp4", ForceWatching: true}},
				Embed: &guide.Embed{URL: "https://tin.example.com", ProxyURL: "https://proxy.example.com/tin"},
			}}}, Items: []guide.Item{{ID: "like", Type: guide.OpenEnded, Text: "Do you like it?", FollowUp: guide.FollowUpNone}}},
		},
	}
}

func FollowUpGuide() *guide.Guide {
	return &guide.Guide{Title: "One", Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpLight},
	}}}}
}

// FileGuide returns a guide that asks for files and then for a text.
func FileGuide() *guide.Guide {
	return &guide.Guide{Title: "Album", Config: guide.Config{InterviewMode: guide.ModeVideo}, Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "photos", Type: guide.FileUpload, Text: "Your photos?"},
		{ID: "why", Type: guide.OpenEnded, Text: "Why these?", FollowUp: guide.FollowUpNone},
	}}}}
}

// Limits are small enough for a test to reach.
var Limits = recording.Limits{Audio: 4000, Video: 4000, ScreenVideo: 4000, File: 1 << 20, Bytes: 2 << 20, Uploads: 6, Parts: 20, Lifetime: recording.Defaults.Lifetime}

// OneItemGuide returns a guide of one open question without follow-ups.
func OneItemGuide() *guide.Guide {
	return &guide.Guide{Title: "One", Config: guide.Config{AvailableLanguages: []string{"en", "de"}}, Blocks: []guide.Block{
		{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone}}},
	}}
}

// FruitGuide returns a guide with each kind of text that participants read.
func FruitGuide() *guide.Guide {
	return &guide.Guide{
		Title: "Fruit box", Welcome: guide.Welcome{Title: "Hello there", Message: "About fruit."}, ClosingMessage: "See you",
		Config: guide.Config{QuestionLanguage: "en", AvailableLanguages: []string{"de", "fr"}},
		Blocks: []guide.Block{
			{ID: "one", Type: guide.BlockFlat, Items: []guide.Item{
				{ID: "read", Type: guide.Statement, Text: "Now fruit.", ContinueButtonText: "Go on"},
				{ID: "pick", Type: guide.MultipleChoice, Text: "Which one?", Options: []guide.Option{{ID: "a", Text: "Apples"}, {ID: "b", Text: "Pears"}}},
			}},
			{ID: "two", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{ID: "k", Nickname: "box", Title: "A box", Description: "At your door."}}}, Items: []guide.Item{
				{ID: "why", Type: guide.OpenEnded, Text: "Why so?", FollowUp: guide.FollowUpNone},
			}},
		},
	}
}

package reporting_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/llm/llmtest"
)

// Requests and replies of the model's two prompts, as they are sent.
type (
	theme struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	mention struct {
		Theme int    `json:"theme"`
		Quote string `json:"quote"`
	}
	sorted struct {
		Answer int       `json:"answer"`
		Themes []mention `json:"themes"`
	}
	told struct {
		Study    struct{ Title, Goal string }
		Question string
		Themes   []struct {
			Theme             int
			Name, Description string
		}
		Answers []struct {
			Answer int
			Said   []string
		}
	}
)

// The code frame of the tests, and the word that an answer must contain to mention each theme.
var (
	coffeeThemes = []theme{{"Heating up", "How long the machine takes."}, {"Milk residue", "Cleaning the frother."}, {"Price of beans", "What beans cost."}}
	coffeeWords  = []string{"morning", "milk residue", "beans"}
)

func asJSON(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// rightly sorts an answer as a good reader does.
func rightly(answer int, said []string) sorted {
	one := sorted{answer, []mention{}}
	for i, word := range coffeeWords {
		for _, text := range said {
			if strings.Contains(text, word) {
				one.Themes = append(one.Themes, mention{i + 1, text})
				break
			}
		}
	}
	return one
}

// sorting is a model that proposes the tests' code frame and sorts by a rule.
func sorting(rule func(answer int, said []string) []sorted) llmtest.Behaviour {
	return framed(coffeeThemes, rule)
}

func framed(frame []theme, rule func(answer int, said []string) []sorted) llmtest.Behaviour {
	return llmtest.By(map[string]func(a llmtest.Asked) string{
		"themes": func(llmtest.Asked) string { return asJSON(map[string]any{"themes": frame}) },
		"assignments": func(a llmtest.Asked) string {
			var b told
			if err := json.Unmarshal([]byte(a.Last()), &b); err != nil {
				return err.Error()
			}
			all := []sorted{}
			for _, one := range b.Answers {
				all = append(all, rule(one.Answer, one.Said)...)
			}
			return asJSON(map[string]any{"answers": all})
		},
	}, llmtest.Garbage)
}

func good(answer int, said []string) []sorted { return []sorted{rightly(answer, said)} }

// why returns a study with one open question.
func why(t *testing.T, people int, words func(chance *rand.Rand) string) *world {
	t.Helper()
	w := newWorld(t, &guide.Guide{Title: "Mornings", StudyGoal: "Why people skip coffee", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
	}}}})
	w.fill(t, people, words)
	return w
}

// said returns every person's answer, by readable id.
func (w *world) said() map[string]string {
	all := map[string]string{}
	for _, one := range w.taken {
		all[strconv.Itoa(one.ReadableID)] = one.state.Answers()[0].Text
	}
	return all
}

// counts returns the rows of the themes' table by label.
func counts(t *testing.T, s *tables.Section) map[string]string {
	t.Helper()
	themes, all := table(t, s, "themes"), map[string]string{}
	numbers := column(t, themes, "count")
	for i, label := range column(t, themes, "label") {
		all[label] = numbers[i]
	}
	return all
}

func (w *world) rightCounts() map[string]string {
	n := make([]int, len(coffeeThemes)+1)
	for _, said := range w.said() {
		themes := rightly(1, []string{said}).Themes
		if len(themes) == 0 {
			n[len(coffeeThemes)]++
		}
		for _, m := range themes {
			n[m.Theme-1]++
		}
	}
	want := map[string]string{"Other or none": strconv.Itoa(n[len(coffeeThemes)])}
	for i, theme := range coffeeThemes {
		want[theme.Name] = strconv.Itoa(n[i])
	}
	return want
}

// fellBack returns the reason why keyword groups replace a model's themes. It fails if they do not.
func fellBack(t *testing.T, s *tables.Section) (provider, reason string) {
	t.Helper()
	if got := table(t, s, "themes").Source.Provider; got != "builtin" {
		t.Errorf("the themes are %s's", got)
	}
	if !slices.ContainsFunc(s.Warnings, func(w tables.Sentence) bool { return strings.Contains(w.Text, "Keyword groups stand") }) {
		t.Error("the report does not say so")
	}
	f := table(t, s, "fallback")
	return column(t, f, "provider")[0], column(t, f, "reason")[0]
}

package llmtest

import (
	"encoding/json"
	"strings"
)

// answersRequest is the part of a request for themes that contains the answers.
type answersRequest struct {
	Themes []struct {
		Theme int
		Name  string
	}
	Answers []struct {
		Answer int
		Said   []string
	}
}

// themes names a theme after the longest word of each answer, up to five of them.
func themes(a Asked) string {
	type theme struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	var asked answersRequest
	if err := json.Unmarshal([]byte(a.Last()), &asked); err != nil {
		return "{}"
	}
	all, known := []theme{}, map[string]bool{}
	for _, answer := range asked.Answers {
		name := strings.ToLower(word(strings.Join(answer.Said, " ")))
		if name != "" && !known[name] && len(all) < 5 {
			known[name] = true
			all = append(all, theme{name, "Answers that speak of " + name + "."})
		}
	}
	b, _ := json.Marshal(map[string]any{"themes": all}) // strings only
	return string(b)
}

// assignments assigns an answer to each theme whose name one of its sentences contains, and quotes that sentence.
func assignments(a Asked) string {
	type mention struct {
		Theme int    `json:"theme"`
		Quote string `json:"quote"`
	}
	type sorted struct {
		Answer int       `json:"answer"`
		Themes []mention `json:"themes"`
	}
	var asked answersRequest
	if err := json.Unmarshal([]byte(a.Last()), &asked); err != nil {
		return "{}"
	}
	all := []sorted{}
	for _, answer := range asked.Answers {
		assigned := sorted{answer.Answer, []mention{}}
		for _, theme := range asked.Themes {
			for _, text := range answer.Said {
				if quote := sentence(text); strings.Contains(strings.ToLower(quote), strings.ToLower(theme.Name)) {
					assigned.Themes = append(assigned.Themes, mention{theme.Theme, quote})
					break
				}
			}
		}
		all = append(all, assigned)
	}
	b, _ := json.Marshal(map[string]any{"answers": all}) // strings and numbers only
	return string(b)
}

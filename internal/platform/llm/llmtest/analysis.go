package llmtest

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// analysis writes an analysis in the form that the analyst's prompt requires: a statement for each open answer, with a quote
// from it.
func analysis(a Asked) string {
	type statement struct {
		Text   string   `json:"text"`
		Quotes []string `json:"quotes"`
	}
	var asked struct {
		Rows []struct {
			Row         int
			Moderator   string
			Participant string
			Open        bool
		}
		Statements *struct {
			Summary, Bullets, Tags []statement
		}
	}
	if err := json.Unmarshal([]byte(a.Last()), &asked); err != nil {
		return "{}"
	}
	type turn struct {
		Row  int    `json:"row"`
		Text string `json:"text"`
	}
	all, bullets, tags, turns := []statement{}, []statement{}, []statement{}, []turn{}
	for _, row := range asked.Rows {
		turns = append(turns, turn{row.Row, short(row.Moderator)})
		quote, _, _ := strings.Cut(strings.TrimSpace(row.Participant), "\n")
		if !row.Open || utf8.RuneCountInString(quote) < 12 {
			continue
		}
		quotes := []string{quote}
		if utf8.RuneCountInString(quote) > 200 {
			quotes[0] = strings.Join(strings.Fields(quote)[:min(8, len(strings.Fields(quote)))], " ")
		}
		all = append(all, statement{"The participant speaks of " + word(quotes[0]) + ".", quotes})
		tags = append(tags, statement{word(quotes[0]), quotes})
	}
	if s := asked.Statements; s != nil {
		all, tags = append(all, s.Summary...), append(tags, s.Tags...)
	}
	bullets = append(bullets, all[:min(len(all), 6)]...)
	tagline := statement{"", []string{}}
	if len(tags) > 0 {
		tagline = statement{"It is about " + tags[0].Text + ".", tags[0].Quotes}
	}
	b, _ := json.Marshal(map[string]any{ // strings and numbers only
		"summary": all[:min(len(all), 8)], "tagline": tagline, "bullets": bullets, "tags": tags[:min(len(tags), 8)], "personas": []statement{},
		"other_remarks": []string{}, "moderator": turns,
	})
	return string(b)
}

// short returns the first seven words of a text.
func short(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 7)], " ")
}

package statement

import (
	"slices"
	"strings"

	"verbatim/internal/domain/lang"
)

// contrasts begin what no condition before them reaches.
var contrasts = []string{"but", "aber", "mais", "pero", "ma", "mas", "maar", "لكن", "yet", "doch", "though", "although", "because", "since", "weil"}

// conditional reports whether the passage depends on a condition outside of it.
func (c *context) conditional() bool {
	switch c.code {
	case "ja":
		return c.has(wordIf, c.beforeText) && !strings.HasSuffix(strings.TrimRight(c.beforeText, "、 "), "けど")
	case "zh":
		return c.has(wordIf, after(c.beforeText, "但")) || c.has(wordIf, upTo(c.behind, "但"))
	}
	before, behind := c.before, c.after
	for i := len(before) - 1; i >= 0; i-- {
		if slices.Contains(contrasts, before[i].form) {
			before = before[i+1:]
			break
		}
	}
	for i, w := range behind {
		if slices.Contains(contrasts, w.form) {
			behind = behind[:i]
			break
		}
	}
	return c.hasCondition(before) || c.hasCondition(behind)
}

// hasCondition reports whether words state a condition. In some languages its word has other meanings, and begins a clause when it
// states one.
func (c *context) hasCondition(all []word) bool {
	if c.inverted(all) {
		return true
	}
	if !c.within(wordIf, padded(all)) {
		return false
	}
	if slices.Contains([]string{"en", "de", "es", "ar"}, c.code) {
		return true
	}
	function := lang.FunctionWords(c.code)
	for i, w := range all {
		if !c.is(wordIf, w.form) {
			continue
		}
		begins := i == 0 || c.pausesBetween(all[i-1], w) || c.is(wordBreak, all[i-1].form)
		follows := c.code != "pt" && i+1 < len(all) && (function[all[i+1].form] || c.is(wordKin, all[i+1].form)) && all[i+1].form != "ne"
		if begins || follows {
			return true
		}
	}
	return false
}

// inverting are the verbs that state a condition where they stand before their subject: "Were there a counter, I'd go".
var inverting = map[string]map[string]bool{
	"en": wordSet("were had should"), "de": wordSet("wäre wären hätte hätten sollte sollten würde würden käme könnte dürfte"), "nl": wordSet("was had mocht zou"),
}

// inverted reports whether a clause begins with such a verb. A question begins so, too.
func (c *context) inverted(all []word) bool {
	if strings.HasPrefix(strings.TrimSpace(c.text[c.sentenceEnd():]), "?") {
		return false
	}
	function := functionOf(c.code)
	for i, w := range all {
		if !inverting[c.code][w.form] || i+1 == len(all) || c.pausesBetween(w, all[i+1]) {
			continue
		}
		next := all[i+1].form
		subject := c.is(wordI, next) || c.is(wordIt, next) || c.is(wordHe, next)
		begins := i == 0 && (len(c.before) == 0 || w.start == c.before[0].start) || c.code != "en" && i > 0 && c.pausesBetween(all[i-1], w) && len(c.after) > 0 && w.start < c.after[0].start
		if begins && (subject || function[next] && next != "been") || subject && c.code == "en" && w.form == "had" && i > 0 && !c.is(wordIt, all[i-1].form) {
			return true
		}
		if i == 0 && len(c.after) > 0 && w.start == c.after[0].start && subject && c.code == "en" {
			return true // "I would have taken it | had it not whistled"
		}
	}
	return false
}

// sentenceEnd returns where the words of the sentence end.
func (c *context) sentenceEnd() int {
	if len(c.after) > 0 {
		return c.after[len(c.after)-1].end
	}
	if len(c.passage) > 0 {
		return c.passage[len(c.passage)-1].end
	}
	return len(c.text)
}

// doubted reports whether the passage is a clause that a doubt stands directly before.
func (c *context) doubted() bool {
	if c.code == "ja" {
		return c.has(wordHedge, upTo(c.behind, "、,。"))
	}
	if c.code == "zh" {
		tail := []rune(after(c.beforeText, "，,"))
		return len([]rune(c.inside)) >= 5 && c.has(wordHedge, string(tail[max(0, len(tail)-4):]))
	}
	tail := c.lastClause()
	return len(c.passage) >= 4 && c.within(wordHedge, padded(tail[max(0, len(tail)-4):]))
}

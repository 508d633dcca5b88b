package statement

import (
	"regexp"
	"slices"
	"strings"
)

// reported reports whether the passage is what somebody else says or thinks.
func (c *context) reported() bool {
	switch c.code {
	case "ja":
		return c.has(wordSays, c.behind) && c.topicIsOther(c.beforeText+c.inside) || strings.Contains(c.behind, "と言われ")
	case "zh":
		head := c.beforeText
		for _, verb := range c.words[wordSays] {
			if at := strings.LastIndex(head, verb); at >= 0 && (c.topicIsOther(head[:at]) || !strings.Contains(head[:at], "我")) {
				return !strings.HasPrefix(verb, "觉") || c.topicIsOther(head[:at])
			}
		}
		return false
	}
	before := c.before
	for i := len(before) - 1; i >= 0; i-- {
		if slices.Contains(contrasts, before[i].form) || c.is(wordBreak, before[i].form) && i > 0 && c.pausesBetween(before[i-1], before[i]) && !c.is(wordThat, before[i].form) {
			before = before[i+1:]
			break
		}
	}
	if c.saidByOthers(before) || c.opinionOfOthers(before) {
		return true
	}
	return len(c.after) > 0 && len(c.passage) > 0 && c.pausesBetween(c.passage[len(c.passage)-1], c.after[0]) &&
		c.saidByOthers(c.after[:min(3, len(c.after))]) && !slices.ContainsFunc(c.after[:min(3, len(c.after))], func(w word) bool { return c.is(wordI, w.form) || c.is(wordBreak, w.form) })
}

// possessors say that something is somebody else's.
var possessors = regexp.MustCompile(`^(?:'s|his|her|their|seine?[rm]?|ihre?[rm]?|sa|son|leur|su|sus|seu|sua|suo|loro|zijn|haar|hun)$`)

// being are the forms of "to be" that join what somebody holds to what it says.
var being = wordSet(`is was ist war est était es era é è`)

// opinionOfOthers reports whether words end with what is somebody else's and "is that": "their line is that".
func (c *context) opinionOfOthers(all []word) bool {
	for i := len(all) - 1; i > 1; i-- {
		if !being[all[i].form] {
			continue
		}
		joins := i+1 < len(all) && c.is(wordThat, all[i+1].form) || i+1 == len(all) && len(c.passage) > 0 && c.pausesBetween(all[i], c.passage[0])
		owned := slices.ContainsFunc(all[max(0, i-3):i], func(w word) bool { return possessors.MatchString(w.form) })
		return joins && owned
	}
	return false
}

// saidByOthers reports whether words hold a verb of saying whose subject is not the participant.
func (c *context) saidByOthers(all []word) bool {
	if c.within(wordSays, padded(slices.DeleteFunc(slices.Clone(all), func(w word) bool { return c.toldByThing(all, w) }))) {
		return true
	}
	for i, w := range all {
		near := all[max(0, i-3):i]
		own := slices.ContainsFunc(near, func(w word) bool { return c.is(wordI, w.form) })
		if c.is(wordSaid, w.form) && !own && (i > 0 || len(all) <= 3) {
			return true
		}
	}
	return false
}

// toldByThing reports whether a thing is the subject of a verb of saying: "it tells you how many".
func (c *context) toldByThing(all []word, w word) bool {
	i := slices.Index(all, w)
	return i > 0 && c.is(wordSays, w.form) && slices.Contains([]string{"it", "this", "es", "das", "ça", "cela", "eso", "esto", "ciò", "questo", "isso", "isto", "het", "dit"}, all[i-1].form)
}

// topicIsOther reports whether the last person that a text without spaces names is somebody else.
func (c *context) topicIsOther(text string) bool {
	last := func(kinds ...string) (at int) {
		at = -1
		for _, kind := range kinds {
			for _, form := range c.words[kind] {
				if i := strings.LastIndex(text, form); i >= 0 {
					if c.code == "ja" && !isTopic(text[i+len(form):]) {
						continue
					}
					at = max(at, i)
				}
			}
		}
		return at
	}
	return last(wordKin, wordHe) > last(wordI)
}

// isTopic reports whether what follows a noun of Japanese makes it the topic or the subject.
func isTopic(rest string) bool {
	for _, mark := range []string{"は", "が", "も", "さんは", "さんが", "たちは", "たちが", "、"} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

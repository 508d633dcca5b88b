package simulation

import (
	"slices"
	"strings"
)

// thread holds all that a participant can say about one thing, so that every reply to a follow-up belongs to the answer before it.
type thread struct {
	mood     Mood
	says     []string // sentences of the answer, in order; the first can stand alone
	detail   string   // asked for more
	reason   string   // asked why, or where it comes from
	occasion string   // asked for an occasion, or what went through their mind
	after    string   // asked what came before or after
	matters  string   // asked what counts in it, or what it would change
}

// topic holds the threads for one kind of question, recognized by words of the question; the first that occurs decides.
type topic struct {
	cues    []string
	threads []thread
}

// threadsFor returns the threads that can answer a step's question.
func threadsFor(at step) []thread {
	text := strings.ToLower(at.Question.Text)
	holds := func(word string) bool { return strings.Contains(text, word) }
	lists := [][]topic{topics}
	if slices.ContainsFunc([]string{"coffee", "capsule", "beans", "cleaning up"}, holds) {
		lists = [][]topic{coffeeTopics, topics}
	}
	for _, list := range lists {
		for _, t := range list {
			if slices.ContainsFunc(t.cues, holds) {
				return t.threads
			}
		}
	}
	if at.Concept != nil {
		return reactions
	}
	return stories
}

// aims lists what follow-ups ask for, by their words; the first that occurs decides. What none finds asks for more.
var aims = []struct {
	words []string
	reply func(thread) string
}{
	{[]string{"led up", "come to that", "after that", "from there", "happened next"}, func(t thread) string { return t.after }},
	{[]string{"last time", "your mind", "that moment", "occasion", "example", "situation"}, func(t thread) string { return t.occasion }},
	{[]string{"why", "led you", "come from", "come about", "since when", "behind", "makes that", "reason", "what way", "in mind", "depend"}, func(t thread) string { return t.reason }},
	{[]string{"stands out", "stays with", "matter", "important", "difference", "change", "most sure", "most certain", "pick one", "feel"}, func(t thread) string { return t.matters }},
}

// aimOf returns the reply of a thread to the moderator's words.
func aimOf(asked string, about thread) string {
	asked = strings.ToLower(asked)
	for _, aim := range aims {
		if slices.ContainsFunc(aim.words, func(word string) bool { return strings.Contains(asked, word) }) {
			return aim.reply(about)
		}
	}
	return about.detail
}

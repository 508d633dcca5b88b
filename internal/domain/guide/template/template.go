// Package template holds guides that researchers begin with.
package template

import (
	"embed"
	"slices"
	"sync"

	"verbatim/internal/domain/guide"
)

// Template is a complete guide with what it is for.
type Template struct {
	ID          string
	Title       string
	Description string
	Minutes     int // that an interview takes, about
	Questions   int
	Guide       []byte // with all ids; do not change it
}

// order is the order in which templates are shown.
var order = []struct {
	id, description string
	minutes         int
}{
	{"concept-test", "Show two or three ideas, one after the other, and hear what people understand, like and doubt about each.", 12},
	{"churn", "Ask people who left what led them away, what they do now, and what would have kept them.", 10},
	{"usability", "Let people try a task in a prototype or on a page while they think aloud, and find where they hesitate.", 15},
	{"jobs-to-be-done", "Reconstruct the last time somebody chose a product: what set them off, what they compared, and what they gave up.", 15},
	{"pricing", "Find the range in which a price is neither too cheap to trust nor too expensive to consider, and what it is compared with.", 8},
	{"diary-day", "Have people tell one day in their own words, with pictures of the moments that matter.", 10},
	{"brand", "Learn how a brand is seen beside others: what comes to mind, where it fits, and where it does not.", 12},
	{"onboarding", "Ask new customers about their first days: what they wanted, what worked, and where they were stuck.", 10},
	{"message-test", "Test what a message says to people, whether they believe it, and which of its claims matter most.", 10},
	{"employee", "Hear from employees about their work, their team and what they would change; names stay out of it.", 12},
}

//go:embed guides/*.json
var files embed.FS

// All returns the templates.
var All = sync.OnceValue(func() (all []Template) {
	for _, t := range order {
		text, err := files.ReadFile("guides/" + t.id + ".json")
		if err != nil {
			panic(err) // the files are part of the program
		}
		g, err := guide.Decode(text, guide.Options{FileUpload: true})
		if err != nil {
			panic("template " + t.id + ": " + err.Error())
		}
		questions := 0
		for _, item := range g.Items() {
			if item.Type != guide.Statement {
				questions++
			}
		}
		all = append(all, Template{t.id, g.Title, t.description, t.minutes, questions, guide.Encode(g)})
	}
	return all
})

// Find returns the template with an id.
func Find(id string) (Template, bool) {
	all := All()
	i := slices.IndexFunc(all, func(t Template) bool { return t.ID == id })
	if i < 0 {
		return Template{}, false
	}
	return all[i], true
}

package template_test

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/template"
	"verbatim/internal/domain/interview/reach"
)

// TestTemplates: the templates are complete guides without advice, and every item of them can be reached.
func TestTemplates(t *testing.T) {
	t.Parallel()
	if len(template.All()) != 10 {
		t.Errorf("there are %d templates", len(template.All()))
	}
	for _, tpl := range template.All() {
		t.Run(tpl.ID, func(t *testing.T) {
			t.Parallel()
			g, err := guide.Decode(tpl.Guide, guide.Options{FileUpload: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, advice := range guide.Lint(g) {
				t.Errorf("%s: %s", advice.Place, advice.Text)
			}
			if g.Welcome.Message == "" || g.ClosingMessage == "" || g.StudyGoal == "" || tpl.Description == "" || tpl.Questions < 8 {
				t.Errorf("something is missing: %d questions, %q, %q, %q", tpl.Questions, g.Welcome.Message, g.ClosingMessage, g.StudyGoal)
			}
			for _, item := range g.Items() {
				if _, found := reach.Find(g, reach.Target{ItemID: item.ID}, 1, nil); !found {
					t.Errorf("nothing leads to %s", item.ID)
				}
			}
		})
	}
	if _, found := template.Find("nothing"); found {
		t.Error("an unknown template is found")
	}
}

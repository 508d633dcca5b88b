package reporting_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/tables"
	"verbatim/internal/service/reporting"
)

// TestFunnelAndSelection: statements are in the funnel, a selection counts some responses only and leaves the stored themes alone, and a quote
// names the row in which it stands.
func TestFunnelAndSelection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, &guide.Guide{Title: "Coffee", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "hello", Type: guide.Statement, Text: "Some words before."},
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
	}}}})
	w.fill(t, 40, func(chance *rand.Rand) string { return phrases[chance.IntN(len(phrases)-1)] })
	s := &reporting.Service{Store: w.store, Now: time.Now}
	all, err := s.Analyse(t.Context(), w.study, reporting.Options{})
	if err != nil {
		t.Fatal(err)
	}
	items := table(t, section(t, all, "funnel"), "items")
	if got := column(t, items, "label"); !slices.Equal(got, []string{"Some words before.", "Why?"}) {
		t.Errorf("the items are %q", got)
	}
	shown, passed := column(t, items, "shown"), column(t, items, "passed")
	if shown[0] != "40" || passed[0] != "40" || shown[1] != "40" {
		t.Errorf("shown to %v, passed by %v", shown, passed)
	}
	quotes := table(t, section(t, all, "why"), "quotes")
	if len(quotes.Rows) == 0 || slices.ContainsFunc(column(t, quotes, "row"), func(row string) bool { return row != "2" }) {
		t.Errorf("the quotes stand in the rows %q", column(t, quotes, "row"))
	}
	before, err := s.Frames(t.Context(), w.study)
	if err != nil {
		t.Fatal(err)
	}
	groupings, err := s.Groupings(t.Context(), w.study)
	if err != nil || len(groupings) == 0 {
		t.Fatalf("%+v, %v", groupings, err)
	}
	param := groupings[len(groupings)-1]
	people := table(t, section(t, w.report(t, nil, param.By), "groups"), "people")
	some := map[string]*tables.Report{}
	for _, value := range param.Values {
		r, err := s.Analyse(t.Context(), w.study, reporting.Options{Only: param.By + "=" + value.Value})
		if err != nil {
			t.Fatal(err)
		}
		want := column(t, people, "people")[slices.Index(column(t, people, "group"), value.Label)]
		if got := column(t, table(t, section(t, r, "fieldwork"), "responses"), "count")[0]; got != want {
			t.Errorf("%s = %s selects %s responses, and the group has %s", param.By, value.Value, got, want)
		}
		some[value.Value] = r
	}
	if len(some) < 2 {
		t.Errorf("%s has %d values", param.By, len(some))
	}
	for value, r := range some {
		meanings := table(t, section(t, r, "why"), "meanings")
		if got, want := column(t, meanings, "label"), column(t, table(t, section(t, all, "why"), "meanings"), "label"); !slices.Equal(got, want) {
			t.Errorf("%s has other themes: %q, not %q", value, got, want)
		}
	}
	if after, err := s.Frames(t.Context(), w.study); err != nil || after[0].Version != before[0].Version {
		t.Errorf("a selection changed the stored themes: %+v, %v", after, err)
	}
	for _, only := range []string{"param:source", "param:=x", "param:_x=y", "nothing=1", "why=x"} {
		if _, err := s.Analyse(t.Context(), w.study, reporting.Options{Only: only}); reporting.Usage(err) == nil {
			t.Errorf("%q: %v", only, err)
		}
	}
}

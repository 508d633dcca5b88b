package reporting

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/tables"
)

func options(labels ...string) (list []guide.Option) {
	for _, label := range labels {
		list = append(list, guide.Option{ID: label, Text: label})
	}
	return list
}

func numbers(from, to int) (labels []string) {
	for i := from; i <= to; i++ {
		labels = append(labels, fmt.Sprint(i))
	}
	return labels
}

// closedGuide has a question that makes groups, closed questions of all kinds, and questions about three concepts.
func closedGuide() *guide.Guide {
	return &guide.Guide{Title: "Simulated", Blocks: []guide.Block{
		{ID: "flat", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "group", Type: guide.MultipleChoice, Text: "Group?", Options: options("x", "y", "z")},
			{ID: "one", Type: guide.MultipleChoice, Text: "One?", Options: options("a", "b", "c", "d", "e")},
			{ID: "some", Type: guide.MultipleChoice, Text: "Some?", MultiSelect: true, Options: options("k", "l", "m", "n", "o")},
			{ID: "rated", Type: guide.Matrix, Text: "Rated?", Options: options(numbers(1, 5)...), Rows: []guide.Row{{ID: "r1", Text: "Speed"}, {ID: "r2", Text: "Price"}}},
			{ID: "told", Type: guide.MultipleChoice, Text: "Recommend?", Options: options(numbers(0, 10)...)},
			{ID: "order", Type: guide.Ranking, Text: "Order?", Options: options("p", "q", "r", "s")},
		}},
		{ID: "ideas", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{ID: "i1", Title: "First"}, {ID: "i2", Title: "Second"}, {ID: "i3", Title: "Third"}}}, Items: []guide.Item{
			{ID: "use", Type: guide.MultipleChoice, Text: "Use?", Options: options("yes", "maybe", "no")},
			{ID: "like", Type: guide.Matrix, Text: "Like?", Options: options(numbers(1, 5)...), Rows: []guide.Row{{ID: "r1", Text: "Overall"}}},
		}},
	}}
}

// truth holds the known properties of a simulated study.
type truth struct {
	people   int
	byGroup  bool // the answers to one differ by group
	subset   bool // everybody sees two of the three concepts
	byThings bool // the concepts differ
}

// answers draws what one person answers. Answers of one person hang together, by a mood.
func (w truth) answers(g *guide.Guide, chance *rand.Rand) (visits []interview.VisitedItem) {
	mood, group := chance.NormFloat64(), chance.IntN(3)
	add := func(item *guide.Item, concept string, a interview.Answer, chosen ...int) {
		v := interview.VisitedItem{ItemID: item.ID, ConceptID: concept, Type: item.Type, Options: item.Options, Answers: []interview.Answer{a}}
		for _, i := range chosen {
			v.Chosen = append(v.Chosen, item.Options[i])
		}
		visits = append(visits, v)
	}
	point := func(low, high int, centre float64) int {
		return max(low, min(high, int(centre+mood+1.2*chance.NormFloat64())))
	}
	flat := g.Blocks[0].Items
	add(&flat[0], "", interview.Answer{}, group)
	one := min(chance.IntN(5), chance.IntN(5))
	if w.byGroup && group == 2 && chance.IntN(3) > 0 {
		one = 4
	}
	add(&flat[1], "", interview.Answer{}, one)
	var some []int
	for i := range flat[2].Options {
		if chance.Float64() < 0.1+0.15*float64(i) {
			some = append(some, i)
		}
	}
	add(&flat[2], "", interview.Answer{}, some...)
	add(&flat[3], "", interview.Answer{Cells: map[string]string{"r1": fmt.Sprint(point(1, 5, 3.5)), "r2": fmt.Sprint(point(1, 5, 2.5))}})
	add(&flat[4], "", interview.Answer{}, point(0, 10, 7))
	ranking := interview.Answer{}
	for _, i := range chance.Perm(4) {
		ranking.Ranking = append(ranking.Ranking, flat[5].Options[i].ID)
	}
	add(&flat[5], "", ranking)
	left := -1
	if w.subset {
		left = chance.IntN(3)
	}
	for i, concept := range g.Blocks[1].Sampling.Concepts {
		if i == left {
			continue
		}
		shift := 0.0
		if w.byThings && i == 0 {
			shift = 0.8
		}
		add(&g.Blocks[1].Items[0], concept.ID, interview.Answer{}, point(0, 2, 1.2))
		add(&g.Blocks[1].Items[1], concept.ID, interview.Answer{Cells: map[string]string{"r1": fmt.Sprint(point(1, 5, 3.3+shift))}})
	}
	return visits
}

// study simulates a study and reports on it.
func (w truth) study(t testing.TB, seed int) *tables.Report {
	g, chance := closedGuide(), rand.New(rand.NewPCG(uint64(seed), 17))
	return reportOn(t, g, "group", w.people, func(int) []interview.VisitedItem { return w.answers(g, chance) })
}

// reportOn reports on what people answered, without a store.
func reportOn(t testing.TB, g *guide.Guide, by string, people int, answers func(i int) []interview.VisitedItem) *tables.Report {
	s := &schema{byID: map[string]*question{}}
	s.add(g)
	s.rate()
	b := builder{reader: reader{schema: s}}
	var err error
	if b.groups, err = b.groupsBy(context.Background(), "", by); err != nil {
		t.Fatal(err)
	}
	b.sizes = make([]int, len(b.groups.heads))
	for _, q := range s.questions {
		b.questions = append(b.questions, newCounted(q, len(b.groups.heads)))
	}
	for i := range people {
		b.countOne(&answered{Response: response.Response{ReadableID: i + 1, Progress: response.Complete}, visits: answers(i)})
	}
	return b.report(time.Time{})
}

// states matches the sentences that state a difference.
var states = regexp.MustCompile(`differ by group|more often in some groups|differs between|is preferred to`)

// found lists the keys of the sections that state a difference, in words or letters.
func found(r *tables.Report) (keys []string) {
	for _, s := range r.Sections {
		differs := false
		for _, sentence := range s.Sentences {
			differs = differs || states.MatchString(sentence.Text)
		}
		for _, table := range s.Tables {
			differs = differs || strings.Contains(table.Key, "letters")
		}
		if differs && s.Key != "method" {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// Three simulated studies with a known truth: reports state something false no more often than tests at 5 % may, and find what is there.
func TestNoFalseFindings(t *testing.T) {
	t.Parallel()
	// Of 60 reports 3 may state something false; in about 1 of 100 series it is more than 7 (binomial). In 500 reports of the first kind, with other
	// seeds, 20 did.
	const runs, maxWrong = 60, 7
	for _, tt := range []struct {
		name  string
		truth truth
		there []string // the questions that differ
	}{
		{"nothing differs", truth{people: 90}, nil},
		{"the groups differ in one question", truth{people: 120, byGroup: true, subset: true}, []string{"one"}},
		{"the concepts differ in one question", truth{people: 150, byThings: true}, []string{"like"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wrong, right := 0, 0
			for run := range runs {
				others := 0
				for _, key := range found(tt.truth.study(t, run)) {
					if len(tt.there) > 0 && key == tt.there[0] {
						right++
					} else {
						others++
					}
				}
				wrong += min(others, 1)
			}
			if wrong > maxWrong {
				t.Errorf("%d of %d reports state a difference that is not there", wrong, runs)
			}
			if len(tt.there) > 0 && right < runs*9/10 {
				t.Errorf("%d of %d reports find the difference that is there", right, runs)
			}
			t.Logf("false findings in %d of %d reports, true ones in %d", wrong, runs, right)
		})
	}
}

// An option that is always the best leaves the utilities without a bound: no interval and no standard error is printed.
func TestSeparationHasNoIntervals(t *testing.T) {
	t.Parallel()
	item := guide.Item{ID: "most", Type: guide.MaxDiff, Text: "Most?", Options: options("a", "b", "c", "d")}
	g := &guide.Guide{Title: "Separated", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{item}}}}
	chance := rand.New(rand.NewPCG(1, 1))
	r := reportOn(t, g, "", 40, func(int) []interview.VisitedItem {
		v := interview.VisitedItem{ItemID: "most", Type: guide.MaxDiff, Options: item.Options}
		for range 3 {
			v.Screens = append(v.Screens, item.Options)
			v.Answers = append(v.Answers, interview.Answer{Best: "a", Worst: item.Options[1+chance.IntN(3)].ID})
		}
		return []interview.VisitedItem{v}
	})
	for _, s := range r.Sections {
		if s.Key != "most" {
			continue
		}
		for _, table := range s.Tables {
			for i, c := range table.Columns {
				bound := strings.HasPrefix(c.Head, "From") || strings.HasPrefix(c.Head, "To") || strings.Contains(c.Head, "rror")
				for _, row := range table.Rows {
					if table.Key == "utilities" && bound && row[i].String() != "" {
						t.Errorf("%s is printed as %s, %s", row[0], c.Head, row[i])
					}
				}
			}
		}
		for _, sentence := range s.Sentences {
			if strings.Contains(sentence.Text, "share of preference") || strings.Contains(sentence.Text, "is preferred") {
				t.Error(sentence.Text)
			}
		}
		if len(s.Warnings) == 0 {
			t.Error("nothing is said of it")
		}
	}
}

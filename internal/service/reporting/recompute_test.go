package reporting_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
	"verbatim/internal/service/reporting"
)

// The numbers of a report are computed here again, from the interviews, person by person and by other ways than the report's: it keeps
// sums, this file keeps everybody.

func numbered(from, to int) (options []guide.Option) {
	for i := from; i <= to; i++ {
		options = append(options, guide.Option{ID: fmt.Sprint("p", i), Text: fmt.Sprint(i)})
	}
	return options
}

func lettered(letters string) (options []guide.Option) {
	for _, l := range letters {
		options = append(options, guide.Option{ID: string(l), Text: "Option " + string(l)})
	}
	return options
}

// recomputedGuide has a question that makes groups and is not asked of everybody, carry-forward, scales, concepts and a MaxDiff.
func recomputedGuide() *guide.Guide {
	return &guide.Guide{Title: "Recomputed", Blocks: []guide.Block{
		{ID: "b1", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "owner", Type: guide.MultipleChoice, Text: "Owner?", Options: lettered("yn")},
			{
				ID: "kind", Type: guide.MultipleChoice, Text: "Which kind?", Options: lettered("rst"),
				Conditional: &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{Type: guide.SelectedTemplateOptions, QuestionID: "owner", Matching: guide.MustSelect, Choices: []string{"y"}}}},
			},
			{ID: "known", Type: guide.MultipleChoice, Text: "Known?", MultiSelect: true, Options: lettered("abcd")},
			{ID: "best", Type: guide.MultipleChoice, Text: "Best of them?", CarryForwardFrom: "known"},
			{ID: "rated", Type: guide.Matrix, Text: "Rated?", Options: numbered(1, 5), Rows: []guide.Row{{ID: "r1", Text: "Speed"}, {ID: "r2", Text: "Price"}}},
			{ID: "told", Type: guide.MultipleChoice, Text: "Recommend?", Options: numbered(0, 10)},
			{ID: "most", Type: guide.MaxDiff, Text: "Most?", Options: lettered("ABCDEF"), ItemsPerScreen: 3},
		}},
		{ID: "b2", Type: guide.BlockConcept, Sampling: &guide.Sampling{SubsampleCount: 2, Concepts: []guide.Concept{{ID: "c1", Nickname: "1", Title: "First"}, {ID: "c2", Nickname: "2", Title: "Second"}, {ID: "c3", Nickname: "3", Title: "Third"}}}, Items: []guide.Item{
			{ID: "use", Type: guide.MultipleChoice, Text: "Use?", Options: lettered("uv")},
		}},
	}}
}

// given returns the answers of a person to an item: one visit for each concept.
func (w *world) given(one *interviewed, id string) (visits []interview.VisitedItem) {
	for _, v := range one.state.VisitedItems() {
		if v.ItemID == id && v.Done() {
			visits = append(visits, v)
		}
	}
	return visits
}

func (w *world) counted() (all []*interviewed) {
	for i := range w.taken {
		if w.taken[i].Progress != response.InProgress {
			all = append(all, &w.taken[i])
		}
	}
	return all
}

func chose(v interview.VisitedItem, id string) bool {
	return slices.ContainsFunc(v.Chosen, func(o guide.Option) bool { return o.ID == id })
}

func shown(v interview.VisitedItem, id string) bool {
	return slices.ContainsFunc(v.Options, func(o guide.Option) bool { return o.ID == id })
}

// point returns the number of a point of a scale.
func point(id string) float64 {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "p"))
	if err != nil {
		panic(err)
	}
	return float64(n)
}

func value(t *testing.T, cell string) float64 {
	t.Helper()
	if cell == "< 0.0001" {
		return 0
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatalf("%q is no number", cell)
	}
	return x
}

// same compares a printed number with one that was computed here.
func same(t *testing.T, what, cell string, want, within float64) {
	t.Helper()
	if got := value(t, cell); !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %s is printed, computed again it is %v", what, cell, want)
	}
}

func recomputed(t *testing.T) (*world, func(o reporting.Options) *tables.Report) {
	t.Helper()
	w := newWorld(t, recomputedGuide())
	w.fill(t, 240, func(*rand.Rand) string { return "" })
	return w, func(o reporting.Options) *tables.Report {
		r, err := (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(context.Background(), w.study, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

var kinds = []string{"r", "s", "t"}

// kindOf returns the place of a person's kind, -1 if they were not asked.
func (w *world) kindOf(one *interviewed) int {
	for _, v := range w.given(one, "kind") {
		return slices.IndexFunc(kinds, func(id string) bool { return chose(v, id) })
	}
	return -1
}

func TestNumbersAreComputedAgain(t *testing.T) {
	t.Parallel()
	w, report := recomputed(t)
	r := report(reporting.Options{By: "kind"})
	w.groupsAgain(t, r)
	w.carriedAgain(t, section(t, r, "best"))
	w.scalesAgain(t, r)
	w.conceptsAgain(t, section(t, r, "use"))
	w.utilitiesAgain(t, section(t, r, "most"))
	adjustedAgain(t, r)
	if n := numbersStand(t, r); n < 80 {
		t.Errorf("only %d numbers in sentences", n)
	}
}

// groupsAgain: who never met the question is in no group.
func (w *world) groupsAgain(t *testing.T, r *tables.Report) {
	t.Helper()
	sizes, outside := make([]int, 3), 0
	for _, one := range w.counted() {
		if kind := w.kindOf(one); kind >= 0 {
			sizes[kind]++
		} else {
			outside++
		}
	}
	s := section(t, r, "groups")
	if got := column(t, table(t, s, "people"), "people"); !slices.Equal(got, []string{fmt.Sprint(sizes[0]), fmt.Sprint(sizes[1]), fmt.Sprint(sizes[2])}) || outside == 0 {
		t.Errorf("groups %v, want %v", got, sizes)
	}
	if got := column(t, table(t, s, "outside"), "people")[0]; got != fmt.Sprint(outside) {
		t.Errorf("%s people are in no group, want %d", got, outside)
	}
	counts := table(t, section(t, r, "owner"), "by-counts")
	if len(counts.Columns) != 4 {
		t.Errorf("columns %v", counts.Columns)
	}
}

// carriedAgain: each option is compared between groups among those to whom it was shown. With three groups chi-square has two degrees
// of freedom, so that its tail is exp(-x/2).
func (w *world) carriedAgain(t *testing.T, s *tables.Section) {
	t.Helper()
	test := table(t, s, "by-test")
	for row, label := range column(t, test, "label") {
		id := strings.TrimPrefix(label, "Option ")
		var yes, base [3]float64
		for _, one := range w.counted() {
			for _, v := range w.given(one, "best") {
				if kind := w.kindOf(one); kind >= 0 && shown(v, id) {
					base[kind]++
					if chose(v, id) {
						yes[kind]++
					}
				}
			}
		}
		all, named := base[0]+base[1]+base[2], yes[0]+yes[1]+yes[2]
		x := 0.0
		for kind := range base {
			expected := base[kind] * named / all
			x += (yes[kind]-expected)*(yes[kind]-expected)/expected + (yes[kind]-expected)*(yes[kind]-expected)/(base[kind]-expected)
		}
		same(t, label+": people", column(t, test, "people")[row], all, 0)
		same(t, label+": chi-square", column(t, test, "chiSquare")[row], x, 0.005)
		same(t, label+": V", column(t, test, "v")[row], math.Sqrt(x/all), 0.0005)
		if column(t, test, "method")[row] == "the chi-square distribution" {
			same(t, label+": p", column(t, test, "p")[row], math.Exp(-x/2), 0.00011)
		}
	}
	if len(test.Rows) != 4 {
		t.Errorf("%d rows are tested", len(test.Rows))
	}
}

// summary returns the number, mean and variance of a list.
func summary(list []float64) (n, mean, variance float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		variance += (x - mean) * (x - mean) / float64(len(list)-1)
	}
	return float64(len(list)), mean, variance
}

func (w *world) scalesAgain(t *testing.T, r *tables.Report) {
	t.Helper()
	all, groups, net, top := []float64{}, make([][]float64, 3), []float64{}, 0.0
	for _, one := range w.counted() {
		for _, v := range w.given(one, "told") {
			x := point(v.Chosen[0].ID)
			all = append(all, x)
			if x >= 9 {
				top++
				net = append(net, 1)
			} else if x <= 6 {
				net = append(net, -1)
			} else {
				net = append(net, 0)
			}
			if kind := w.kindOf(one); kind >= 0 {
				groups[kind] = append(groups[kind], x)
			}
		}
	}
	means := table(t, section(t, r, "told"), "means")
	n, mean, variance := summary(all)
	half := 1.97 * math.Sqrt(variance/n) // Student's quantile for 200 to 300 people lies between 1.968 and 1.972
	same(t, "mean", column(t, means, "mean")[0], mean, 0.005)
	same(t, "mean, from", column(t, means, "low")[0], mean-half, 0.006)
	same(t, "mean, to", column(t, means, "high")[0], mean+half, 0.006)
	same(t, "two highest", column(t, means, "top")[0], 100*top/n, 0.05)
	_, score, spread := summary(net)
	same(t, "NPS", column(t, means, "nps")[0], 100*score, 0.05)
	same(t, "NPS, from", column(t, means, "npsLow")[0], 100*(score-1.97*math.Sqrt(spread/n)), 0.1)

	// Welch (1951), from the groups' own lists.
	weights, sum, grand := make([]float64, 3), 0.0, 0.0
	for i, list := range groups {
		n, mean, v := summary(list)
		weights[i] = n / v
		sum += weights[i]
		grand += weights[i] * mean
	}
	grand /= sum
	above, lambda := 0.0, 0.0
	for i, list := range groups {
		n, mean, _ := summary(list)
		above += weights[i] * (mean - grand) * (mean - grand) / 2
		lambda += (1 - weights[i]/sum) * (1 - weights[i]/sum) / (n - 1)
	}
	f := above / (1 + 2.0*1/8*lambda)
	test := table(t, section(t, r, "told"), "means-test")
	same(t, "Welch's F", column(t, test, "f")[0], f, 0.005)
	same(t, "its degrees of freedom", column(t, test, "below")[0], 8/(3*lambda), 0.05)
	same(t, "its p", column(t, test, "p")[0], math.Pow(1+2*f/(8/(3*lambda)), -8/(3*lambda)/2), 0.0001) // F's tail with 2 degrees of freedom above

	speed := []float64{}
	for _, one := range w.counted() {
		for _, v := range w.given(one, "rated") {
			speed = append(speed, point(v.Answers[0].Cells["r1"]))
		}
	}
	_, mean, _ = summary(speed)
	same(t, "speed", column(t, table(t, section(t, r, "rated"), "means"), "mean")[0], mean, 0.005)
}

// conceptsAgain: each person saw two of the three concepts. The difference of two shares has the variance of what each person adds to it.
func (w *world) conceptsAgain(t *testing.T, s *tables.Section) {
	t.Helper()
	concepts := []string{"c1", "c2", "c3"}
	yes, base := make([]float64, 3), make([]float64, 3)
	type saw struct{ m, y [3]float64 }
	var people []saw
	for _, one := range w.counted() {
		var p saw
		for _, v := range w.given(one, "use") {
			i := slices.Index(concepts, v.ConceptID)
			p.m[i] = 1
			base[i]++
			if chose(v, "u") {
				p.y[i] = 1
				yes[i]++
			}
		}
		people = append(people, p)
	}
	adds := func(p saw, i int) float64 { return (p.y[i] - p.m[i]*yes[i]/base[i]) / base[i] }
	d := [2]float64{yes[0]/base[0] - yes[2]/base[2], yes[1]/base[1] - yes[2]/base[2]}
	var c [2][2]float64
	for _, p := range people {
		e := [2]float64{adds(p, 0) - adds(p, 2), adds(p, 1) - adds(p, 2)}
		for a := range 2 {
			for b := range 2 {
				c[a][b] += e[a] * e[b]
			}
		}
	}
	n := min(base[0], base[1], base[2])
	t2 := (d[0]*d[0]*c[1][1] - 2*d[0]*d[1]*c[0][1] + d[1]*d[1]*c[0][0]) / (c[0][0]*c[1][1] - c[0][1]*c[1][0]) * (n - 1) / n
	f := t2 * (n - 2) / (2 * (n - 1))
	test := table(t, s, "concepts-test")
	same(t, "people", column(t, test, "people")[0], n, 0)
	same(t, "F of the concepts", column(t, test, "f")[0], f, 0.005)
	same(t, "p of the concepts", column(t, test, "p")[0], math.Pow(1+2*f/(n-2), -(n-2)/2), 0.0001)
	for i := range concepts {
		same(t, "share of a concept", column(t, table(t, s, "concepts"), fmt.Sprint("g", i+1))[0], 100*yes[i]/base[i], 0.05)
	}
}

// utilitiesAgain estimates from the exported screens alone, by climbing the likelihood in small steps.
func (w *world) utilitiesAgain(t *testing.T, s *tables.Section) {
	t.Helper()
	var exported strings.Builder
	files := (&tables.Report{Sections: []tables.Section{{Key: "s", Tables: []*tables.Table{table(t, s, "screens")}}}}).CSV()
	if err := files[0].Write(&exported); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(exported.String())).ReadAll()
	if err != nil || len(lines) < 500 {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	u := map[string]float64{}
	for range 400 {
		slope, curve := map[string]float64{}, map[string]float64{}
		for _, line := range lines[1:] {
			best, worst, on := line[2], line[3], line[4:]
			sum, rest := 0.0, 0.0
			for _, option := range on {
				sum += math.Exp(u[option])
				if option != best {
					rest += math.Exp(-u[option])
				}
			}
			slope[best]++
			slope[worst]--
			for _, option := range on {
				p := math.Exp(u[option]) / sum
				slope[option] -= p
				curve[option] += p * (1 - p)
				if option != best {
					p := math.Exp(-u[option]) / rest
					slope[option] += p
					curve[option] += p * (1 - p)
				}
			}
		}
		mean := 0.0
		for option, x := range slope {
			u[option] += 0.5 * x / curve[option]
			mean += u[option] / 6
		}
		for option := range u {
			u[option] -= mean
		}
	}
	utilities := table(t, s, "utilities")
	for row, label := range column(t, utilities, "label") {
		same(t, "utility of "+label, column(t, utilities, "utility")[row], u[label], 0.0015)
		sum := 0.0
		for _, x := range u {
			sum += math.Exp(x)
		}
		same(t, "share of "+label, column(t, utilities, "share")[row], 100*math.Exp(u[label])/sum, 0.11)
	}
}

// adjustedAgain: all tests of the report are one family.
func adjustedAgain(t *testing.T, r *tables.Report) {
	t.Helper()
	type pair struct{ p, adjusted float64 }
	var all []pair
	for _, s := range r.Sections {
		for _, test := range s.Tables {
			place := slices.IndexFunc(test.Columns, func(c tables.Column) bool { return c.Key == "adjusted" })
			if place < 0 {
				continue
			}
			for row, p := range column(t, test, "p") {
				if p != "" {
					all = append(all, pair{value(t, p), value(t, column(t, test, "adjusted")[row])})
				}
			}
		}
	}
	settings := table(t, section(t, r, "method"), "settings")
	place := slices.Index(column(t, settings, "setting"), "Tests of this report")
	same(t, "tests", column(t, settings, "value")[place], float64(len(all)), 0)
	slices.SortFunc(all, func(a, b pair) int {
		switch {
		case a.p < b.p:
			return -1
		case a.p > b.p:
			return 1
		}
		return 0
	})
	highest := 0.0
	for i, one := range all {
		highest = max(highest, min(1, one.p*float64(len(all)-i)))
		if within := 0.0001 * float64(len(all)-i+1); math.Abs(one.adjusted-highest) > within {
			t.Errorf("test %d of %d: p %v is adjusted to %v, want %v", i+1, len(all), one.p, one.adjusted, highest)
		}
	}
}

func TestWeightsAreComputedAgain(t *testing.T) {
	t.Parallel()
	w, report := recomputed(t)
	targets, err := reporting.ReadTargets(strings.NewReader("by,value,percent\nowner,Option y,70\nowner,n,30\nparam:source,panel,20\nparam:source,newsletter,30\nparam:source,website,50\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := report(reporting.Options{Targets: targets})
	for _, s := range r.Sections {
		for _, said := range s.Sentences {
			if strings.Contains(said.Text, " most often") && !strings.Contains(said.Text, "weighted") {
				t.Errorf("weights are not mentioned: %s", said.Text)
			}
		}
	}
	people := w.counted()
	weights := make([]float64, len(people))
	for i := range weights {
		weights[i] = 1
	}
	owner := func(one *interviewed) string { return w.given(one, "owner")[0].Chosen[0].ID }
	for range 200 { // one margin after the other
		for _, margin := range []struct {
			of    func(one *interviewed) string
			share map[string]float64
		}{
			{owner, map[string]float64{"y": 0.7, "n": 0.3}},
			{func(one *interviewed) string { return one.URLParams["source"] }, map[string]float64{"panel": 0.2, "newsletter": 0.3, "website": 0.5}},
		} {
			sums, all := map[string]float64{}, 0.0
			for i, one := range people {
				if class := margin.of(one); class != "" {
					sums[class] += weights[i]
					all += weights[i]
				}
			}
			for i, one := range people {
				if class := margin.of(one); class != "" {
					weights[i] *= margin.share[class] * all / sums[class]
				}
			}
		}
	}
	sum, squares, mean, base := 0.0, 0.0, 0.0, 0.0
	for i, one := range people {
		sum += weights[i]
		squares += weights[i] * weights[i]
		for _, v := range w.given(one, "told") {
			mean += weights[i] * point(v.Chosen[0].ID)
			base += weights[i]
		}
	}
	effect := float64(len(people)) * squares / (sum * sum)
	same(t, "design effect", column(t, table(t, section(t, r, "weights"), "effect"), "effect")[0], effect, 0.0006)
	same(t, "share of owners", column(t, table(t, section(t, r, "owner"), "answers"), "share")[0], 70, 0.05)
	same(t, "mean", column(t, table(t, section(t, r, "told"), "means"), "mean")[0], mean/base, 0.0051)
	known := table(t, section(t, r, "known"), "answers")
	for row, option := range []string{"a", "b", "c", "d"} {
		yes, residuals := 0.0, 0.0
		for i, one := range people {
			if v := w.given(one, "known"); len(v) > 0 && chose(v[0], option) {
				yes += weights[i] / sum
			}
		}
		for i, one := range people {
			e := -yes
			if v := w.given(one, "known"); len(v) > 0 && chose(v[0], option) {
				e++
			}
			residuals += weights[i] * weights[i] * e * e / (sum * sum)
		}
		low, high := stats.Wilson(yes*(yes*(1-yes)/residuals), yes*(1-yes)/residuals)
		same(t, option, column(t, known, "share")[row], 100*yes, 0.06)
		same(t, option+", from", column(t, known, "low")[row], 100*low, 0.15)
		same(t, option+", to", column(t, known, "high")[row], 100*high, 0.15)
	}
	for name, wrong := range map[string]string{
		"no such question": "nothing,a,100\n", "not 100": "owner,y,50\nowner,n,40\n", "nobody": "param:source,nowhere,100\n", "twice": "owner,y,50\nowner,Option y,50\n",
	} {
		targets, err := reporting.ReadTargets(strings.NewReader("by,value,percent\n" + wrong))
		if err == nil {
			_, err = (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(t.Context(), w.study, reporting.Options{Targets: targets})
		}
		if reporting.Usage(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package tables_test

import (
	"testing"

	"verbatim/internal/domain/tables"
)

// TestFirstPlace checks what the sentence about the first place calls its numbers: people or answers, weighted or not, and all that share it.
func TestFirstPlace(t *testing.T) {
	t.Parallel()
	letters := []string{"a", "b", "c", "d", "e", "f", "g"}
	for want, first := range map[string]struct {
		weights  []float64
		named    [][]int // by person, one row an answer
		weighted bool
	}{
		"“a” was chosen most often: by 2 of 3 people, 66.7 % (from 20.8 % to 93.9 %).":                                     {named: [][]int{{0}, {0}, {1}}},
		"“a” was chosen most often: in 3 of 4 answers, 75.0 % (from 30.1 % to 95.4 %).":                                    {named: [][]int{{0, 0}, {0, 1}}},
		"“a”, “b”, “c”, “d”, “e”, “f”, and “g” were chosen equally often, and no other more often: each by 1 of 7 people.": {named: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}}},
		"“b”, and “c” were chosen equally often, and no other more often: weighted 50.0 % each.":                           {named: [][]int{{1}, {2}}, weighted: true},
		"“b” was chosen most often, weighted: 75.0 % (from 28.2 % to 95.8 %); without weights by 1 of 3 people.":           {named: [][]int{{1}, {2}, {2}}, weights: []float64{6, 1, 1}, weighted: true},
		"": {named: nil},
	} {
		counter := tables.NewCounter(len(letters))
		for i, rows := range first.named {
			var answers []tables.Answer
			for _, row := range rows {
				answers = append(answers, one(row)...)
			}
			for j := range answers {
				answers[j].Offered = []int{0, 1, 2, 3, 4, 5, 6}
			}
			weight := 1.0
			if first.weights != nil {
				weight = first.weights[i]
			}
			counter.AddWeighted(weight, answers)
		}
		var s tables.Section
		tables.FirstPlace{
			Counts: counter, Rows: len(letters), Table: counter.Shares("x", "X", source, "Option", letters), Label: "label", Named: "chosen", Weighted: first.weighted,
		}.Say(s.Say)
		got := ""
		if len(s.Sentences) > 0 {
			got = s.Sentences[0].Text
		}
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

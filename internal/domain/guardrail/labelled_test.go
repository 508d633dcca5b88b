package guardrail_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// labelledProbe is a row of testdata/labelled.tsv. The rules were written against the half "dev"; "held" shows how they do on
// probes that nobody looked at while writing them.
type labelledProbe struct {
	language, half string
	labels         []string
	answer, text   string
}

func labelled(t *testing.T) (all []labelledProbe) {
	t.Helper()
	file, err := os.Open("testdata/labelled.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan() // the names of the columns
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 6 || slices.Contains(f, "") {
			t.Fatalf("a row without its six fields: %q", lines.Text())
		}
		all = append(all, labelledProbe{f[0], f[1], strings.Split(f[2], ","), f[3], f[4]})
	}
	return all
}

func kinds(violations []guardrail.Violation) (all []guardrail.Kind) {
	for _, f := range violations {
		all = append(all, f.Kind)
	}
	return all
}

type counts struct{ right, wrong, missed int }

func (c *counts) add(labelled, found bool) {
	switch {
	case labelled && found:
		c.right++
	case found:
		c.wrong++
	case labelled:
		c.missed++
	}
}

func (c counts) precision() float64 { return float64(c.right) / float64(max(1, c.right+c.wrong)) }
func (c counts) recall() float64    { return float64(c.right) / float64(max(1, c.right+c.missed)) }

// TestLabelledProbes measures how often the guard is right about leading and double-barrelled probes.
func TestLabelledProbes(t *testing.T) {
	t.Parallel()
	rows := labelled(t)
	good := 0
	measured := map[string]*counts{}
	refused := map[string]int{}
	total := map[string]int{}
	for _, row := range rows {
		violations := guardrail.Judge(row.text, guardrail.Context{Language: row.language, Answer: row.answer, Left: 1})
		found := kinds(violations)
		for _, kind := range []guardrail.Kind{guardrail.Leading, guardrail.DoubleBarrelled} {
			for _, of := range []string{"all", row.language} {
				key := fmt.Sprint(row.half, " ", of, " ", kind)
				if measured[key] == nil {
					measured[key] = &counts{}
				}
				is := slices.Contains(row.labels, string(kind))
				measured[key].add(is, slices.Contains(found, kind))
				if row.half == "dev" && of == "all" && is != slices.Contains(found, kind) {
					t.Logf("dev %s, labelled %v, %s: %v", row.text, row.labels, row.answer, violations)
				}
			}
		}
		if row.labels[0] == "none" {
			good++
			total[row.half]++
			if len(violations) > 0 {
				refused[row.half]++
				if row.half == "dev" {
					t.Logf("dev good and refused: %s: %v", row.text, violations)
				}
			}
		}
	}
	if len(rows) < 300 || 10*good < 4*len(rows) {
		t.Errorf("%d rows, %d of them good", len(rows), good)
	}
	for _, half := range []string{"dev", "held"} {
		for _, kind := range []guardrail.Kind{guardrail.Leading, guardrail.DoubleBarrelled} {
			for _, of := range []string{"all", "en", "de", "fr", "es", "pt"} {
				c := measured[fmt.Sprint(half, " ", of, " ", kind)]
				t.Logf("%-4s %-15s %-3s precision %.3f, recall %.3f (%d right, %d wrong, %d missed)", half, kind, of, c.precision(), c.recall(), c.right, c.wrong, c.missed)
				if of == "all" && (c.precision() < baselines[half].precision || c.recall() < baselines[half].recall) {
					t.Errorf("%s, %s: precision %.3f, recall %.3f; the baseline is %v", half, kind, c.precision(), c.recall(), baselines[half])
				}
			}
		}
		t.Logf("%-4s good probes refused, for any reason: %d of %d", half, refused[half], total[half])
	}
}

// baselines are a little below what was measured.
var baselines = map[string]struct{ precision, recall float64 }{"dev": {0.95, 0.95}, "held": {0.88, 0.78}}

package draw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview/draw"
)

func numbers(s *draw.Source, n int) []int {
	var list []int
	for range 12 {
		list = append(list, s.Below(n))
	}
	return list
}

// Stored interviews are replayed with these draws: if this test fails, fix the code and never the numbers.
func TestDrawsStayTheSame(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]int{75, 78, 66, 4, 77, 14, 33, 71, 68, 21, 24, 74}, numbers(draw.New(42, "options", "q1", ""), 100)); diff != "" {
		t.Error(diff)
	}
	order := []string{"a", "b", "c", "d", "e", "f", "g"}
	draw.Shuffle(draw.New(1<<63, "concepts", "blöck"), order)
	if diff := cmp.Diff([]string{"f", "b", "d", "c", "g", "a", "e"}, order); diff != "" {
		t.Error(diff)
	}
}

func TestEveryNameHasItsOwnDraws(t *testing.T) {
	t.Parallel()
	sources := map[string]*draw.Source{
		"seed 1":       draw.New(1, "a", "b"),
		"seed 2":       draw.New(2, "a", "b"),
		"joined":       draw.New(1, "ab"),
		"shifted":      draw.New(1, "a", "", "b"),
		"other place":  draw.New(1, "a", "c"),
		"no name":      draw.New(1),
		"empty name":   draw.New(1, ""),
		"longer names": draw.New(1, "a", "b", "c"),
	}
	seen := map[string]string{}
	for name, source := range sources {
		drawn := cmp.Diff(nil, numbers(source, 1<<30))
		if other, twice := seen[drawn]; twice {
			t.Errorf("%s draws what %s draws", name, other)
		}
		seen[drawn] = name
	}
}

func TestBelowIsEven(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 7, 10} {
		counts := make([]int, n)
		source := draw.New(7, "even")
		for range 10_000 * n {
			counts[source.Below(n)]++
		}
		for number, count := range counts {
			if count < 9_500 || count > 10_500 {
				t.Errorf("below %d: %d was drawn %d times of 10,000", n, number, count)
			}
		}
	}
}

func TestShuffleIsEven(t *testing.T) {
	t.Parallel()
	counts := map[[3]int]int{}
	for seed := range uint64(6_000) {
		order := [3]int{1, 2, 3}
		draw.Shuffle(draw.New(seed, "order"), order[:])
		counts[order]++
	}
	if len(counts) != 6 {
		t.Fatalf("%d of 6 orders", len(counts))
	}
	for order, count := range counts {
		if count < 850 || count > 1_150 {
			t.Errorf("order %v was drawn %d times of 1,000", order, count)
		}
	}
}

package maxdiff_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/maxdiff"
)

// spread returns the smallest and the largest of counts.
func spread(counts []int) (least, limit int) {
	least, limit = counts[0], counts[0]
	for _, count := range counts {
		least, limit = min(least, count), max(limit, count)
	}
	return least, limit
}

func TestDesignIsBalanced(t *testing.T) {
	t.Parallel()
	for perScreen := 2; perScreen <= 5; perScreen++ {
		for options := perScreen + 1; options <= 70; options++ {
			for version := range maxdiff.Versions {
				checkBalance(t, options, perScreen, version)
			}
		}
	}
}

func checkBalance(t *testing.T, options, perScreen, version int) {
	t.Helper()
	appearances := make([]int, options)
	pairs := make([]int, options*options)
	positions := make([]int, options*perScreen)
	for _, screen := range maxdiff.Design(options, perScreen, version) {
		if len(screen) != perScreen {
			t.Fatalf("v=%d k=%d version %d: screen %v", options, perScreen, version, screen)
		}
		for position, option := range screen {
			appearances[option]++
			positions[option*perScreen+position]++
			for _, other := range screen {
				if other != option || screen[position] != option {
					pairs[option*options+other]++
				}
			}
		}
	}
	if least, limit := spread(appearances); least < 3 || limit > least+1 {
		t.Errorf("v=%d k=%d version %d: options are on %d to %d screens", options, perScreen, version, least, limit)
	}
	for option := range options {
		if least, limit := spread(positions[option*perScreen:][:perScreen]); limit > least+1 {
			t.Errorf("v=%d k=%d version %d: option %d stands %d to %d times at a position",
				options, perScreen, version, option, least, limit)
		}
	}
	var meetings []int
	for a := range options {
		for b := range a {
			if pairs[a*options+b] != pairs[b*options+a] {
				t.Fatalf("v=%d k=%d version %d: an option twice on a screen", options, perScreen, version)
			}
			meetings = append(meetings, pairs[a*options+b])
		}
		if pairs[a*options+a] != 0 {
			t.Fatalf("v=%d k=%d version %d: an option twice on a screen", options, perScreen, version)
		}
	}
	allowed := 2
	if perScreen == 3 || perScreen == 2 {
		allowed = 1 // the mean, rounded up or down: nothing better exists
	}
	if least, limit := spread(meetings); options <= 64 && limit > least+allowed {
		t.Errorf("v=%d k=%d version %d: two options meet %d to %d times", options, perScreen, version, least, limit)
	}
}

func TestDesignOfOneScreenHoldsAll(t *testing.T) {
	t.Parallel()
	orders := map[[5]int]bool{}
	for version := range maxdiff.Versions {
		screens := maxdiff.Design(5, 5, version)
		if len(screens) != 1 {
			t.Fatalf("version %d: %v", version, screens)
		}
		seen := map[int]bool{}
		for _, option := range screens[0] {
			seen[option] = true
		}
		if len(seen) != 5 {
			t.Errorf("version %d: %v", version, screens)
		}
		orders[[5]int(screens[0])] = true
	}
	if len(orders) < maxdiff.Versions/2 {
		t.Errorf("only %d orders in %d versions", len(orders), maxdiff.Versions)
	}
	if diff := cmp.Diff(maxdiff.Design(2, 2, 0), maxdiff.Design(2, 4, 0)); diff != "" {
		t.Error("two options on screens of four differ from two on screens of two:", diff)
	}
}

// Designs are part of every stored interview: a change here breaks the replay of all that have a MaxDiff question.
func TestDesignsStayTheSame(t *testing.T) {
	t.Parallel()
	want := [][]int{{6, 1, 4}, {1, 5, 0}, {4, 0, 2}, {3, 4, 5}, {5, 2, 6}, {0, 6, 3}, {2, 3, 1}} // every pair meets once
	if diff := cmp.Diff(want, maxdiff.Design(7, 3, 0)); diff != "" {
		t.Error(diff)
	}
	hash := sha256.New()
	for _, options := range []int{2, 4, 5, 6, 9, 13, 24, 40, 100} {
		for perScreen := 3; perScreen <= 5; perScreen++ {
			for version := range maxdiff.Versions {
				text, err := json.Marshal(maxdiff.Design(options, perScreen, version))
				if err != nil {
					t.Fatal(err)
				}
				hash.Write(text)
			}
		}
	}
	const all = "91131afa6730c8f0"
	if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != all {
		t.Errorf("designs hash to %s, want %s", got, all)
	}
}

func TestDesignIsQuick(t *testing.T) {
	t.Parallel()
	for _, options := range []int{18, 40, 2000} {
		begin := time.Now()
		for version := range maxdiff.Versions {
			maxdiff.Design(options, 5, version)
		}
		if mean := time.Since(begin) / maxdiff.Versions; mean > 50*time.Millisecond { // ten times the intended time, for slow machines
			t.Errorf("%d options took %v", options, mean)
		}
	}
}

func TestDesignRefuses(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][3]int{{1, 4, 0}, {5, 1, 0}, {5, 4, -1}, {5, 4, maxdiff.Versions}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Design%v did not panic", arguments)
				}
			}()
			maxdiff.Design(arguments[0], arguments[1], arguments[2])
		}()
	}
}

func BenchmarkDesign(b *testing.B) {
	version := 0
	for b.Loop() {
		maxdiff.Make(40, 5, version)
		version = (version + 1) % maxdiff.Versions
	}
}

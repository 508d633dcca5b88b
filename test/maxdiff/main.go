// Command maxdiff shows that the MaxDiff analysis finds known utilities: it simulates studies on the product's own designs, estimates their
// utilities, and prints how often the order of the options is right and how many of the intervals cover the truth; then how balanced the
// designs are. It fails if the first line misses the claim below.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"text/tabwriter"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/maxdiff/maxdifftest"
)

// The claim, for 300 people, 12 options and 4 on a screen.
const (
	leastSpearman              = 0.98
	leastCoverage, maxCoverage = 93.0, 97.0
)

func main() {
	runs := flag.Int("runs", 500, "how many studies to simulate for each line")
	seed := flag.Uint64("seed", 1, "of the simulation")
	flag.Parse()
	if err := run(*runs, *seed); err != nil {
		log.Fatal(err)
	}
}

type line struct {
	name string
	of   func(run int) maxdifftest.Study
}

func run(runs int, seed uint64) error {
	spaced := func(options, perScreen, people int) func(int) maxdifftest.Study {
		return func(int) maxdifftest.Study {
			return maxdifftest.Study{Utilities: maxdifftest.Spaced(options, 1.5), PerScreen: perScreen, People: people}
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%d studies a line\tSpearman, lowest\tmean\terror of utilities\tutilities in their intervals\tby information\tshares in theirs\t\n", runs)
	var claimed maxdifftest.Recovery
	for i, l := range []line{
		{"12 options from -1.5 to 1.5, 4 a screen, 300 people", spaced(12, 4, 300)},
		{"the same, 3 a screen", spaced(12, 3, 300)},
		{"the same, 5 a screen", spaced(12, 5, 300)},
		{"the same, 4 a screen, 60 people", spaced(12, 4, 60)},
		{"24 options, 4 a screen, 300 people", spaced(24, 4, 300)},
		{"12 options drawn from N(0, 1) each time, 4 a screen, 300 people", func(run int) maxdifftest.Study {
			return maxdifftest.Study{Utilities: maxdifftest.Drawn(seed+uint64(run), 12, 1), PerScreen: 4, People: 300}
		}},
	} {
		r := maxdifftest.Recover(runs, seed, l.of)
		if i == 0 {
			claimed = r
		}
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%.2f %%\t%.2f %%\t%.2f %%\t\n", l.name, r.Spearman, r.Mean, r.Error,
			r.Utilities.Percent(), r.Alone.Percent(), r.Shares.Percent())
		if r.Unfinished > 0 {
			return fmt.Errorf("%s: %d studies without an estimate", l.name, r.Unfinished)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := balance(); err != nil {
		return err
	}
	for _, c := range []float64{claimed.Utilities.Percent(), claimed.Shares.Percent()} {
		if claimed.Spearman < leastSpearman || c < leastCoverage || c > maxCoverage {
			return fmt.Errorf("the first line misses what is claimed: Spearman at least %v, coverage from %v to %v %%", leastSpearman, leastCoverage, maxCoverage)
		}
	}
	return nil
}

// maxOptions is the largest number of options whose designs are measured.
const maxOptions = 40

// balance prints, for each size of screens, the worst of all designs of 2 to 40 options in all versions.
func balance() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\ndesigns of 2 to %d options, %d versions each\tappearances differ by\tat a position by\tmeetings of two by\t\n", maxOptions, maxdiff.Versions)
	for perScreen := 3; perScreen <= 5; perScreen++ {
		var worst uneven
		for options := 2; options <= maxOptions; options++ {
			for version := range maxdiff.Versions {
				worst = worst.or(unevenness(maxdiff.Design(options, perScreen, version), options))
			}
		}
		fmt.Fprintf(w, "%d a screen\t%d\t%d\t%d\t\n", perScreen, worst.appearances, worst.positions, worst.meetings)
		if worst.appearances > 1 || worst.positions > 1 || worst.meetings > 2 {
			return fmt.Errorf("designs with %d a screen are not balanced: %+v", perScreen, worst)
		}
	}
	return w.Flush()
}

// uneven holds the largest difference between counts of one kind.
type uneven struct{ appearances, positions, meetings int }

func (u uneven) or(v uneven) uneven {
	return uneven{max(u.appearances, v.appearances), max(u.positions, v.positions), max(u.meetings, v.meetings)}
}

func unevenness(screens [][]int, options int) (u uneven) {
	shown, at, meet := make([]int, options), map[[2]int]int{}, make([][]int, options)
	for i := range meet {
		meet[i] = make([]int, options)
	}
	for _, screen := range screens {
		for place, option := range screen {
			shown[option]++
			at[[2]int{option, place}]++
			for _, other := range screen[:place] {
				meet[max(option, other)][min(option, other)]++
			}
		}
	}
	u.appearances = spread(shown)
	var meetings []int
	for option := range options {
		positions := make([]int, len(screens[0]))
		for place := range positions {
			positions[place] = at[[2]int{option, place}]
		}
		u.positions = max(u.positions, spread(positions))
		meetings = append(meetings, meet[option][:option]...)
	}
	u.meetings = spread(meetings)
	return u
}

func spread(counts []int) int {
	least, limit := counts[0], counts[0]
	for _, n := range counts {
		least, limit = min(least, n), max(limit, n)
	}
	return limit - least
}

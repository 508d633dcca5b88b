package maxdiff

import (
	"slices"

	"verbatim/internal/domain/interview/draw"
)

// maxTrials bounds the search for balanced pairs; it is used up only if the optimum is not reached.
const maxTrials = 20_000

// evenPairs balances how often the options meet, by exchanging options between screens: a walk that never increases the cost
// of the pair counts, and ends when every pair meets as often as the mean, rounded up or down. Appearances stay as they are.
func evenPairs(chance *draw.Source, screens [][]int, options int) {
	t := newTable(screens, options)
	perScreen := len(screens[0])
	for range maxTrials {
		if t.total <= t.least {
			return
		}
		a, b := screens[chance.Below(len(screens))], screens[chance.Below(len(screens))]
		i, j := chance.Below(perScreen), chance.Below(perScreen)
		if slices.Contains(b, a[i]) || slices.Contains(a, b[j]) { // also when both are the same screen
			continue
		}
		if change := t.change(a, b, a[i], b[j]); change <= 0 {
			t.exchange(a, b, a[i], b[j])
			t.total += change
			a[i], b[j] = b[j], a[i]
		}
	}
}

// table counts how often each pair of options meets.
type table struct {
	meets [][]int
	total int // the cost of all pairs
	least int // lower bound of total
}

func newTable(screens [][]int, options int) *table {
	t := &table{meets: make([][]int, options)}
	for i := range t.meets {
		t.meets[i] = make([]int, options)
	}
	meetings := 0
	for _, screen := range screens {
		for i, x := range screen {
			for _, y := range screen[:i] {
				t.total += cost(t.meets[x][y]+1) - cost(t.meets[x][y])
				t.add(x, y, 1)
				meetings++
			}
		}
	}
	pairs := options * (options - 1) / 2
	mean, above := meetings/pairs, meetings%pairs
	t.least = (pairs-above)*cost(mean) + above*cost(mean+1)
	return t
}

func (t *table) add(x, y, by int) {
	t.meets[x][y] += by
	t.meets[y][x] += by
}

// change returns how the cost changes when x of screen a is exchanged for y of screen b. Options on both screens meet x and
// y as often as before.
func (t *table) change(a, b []int, x, y int) int {
	change := 0
	for _, other := range a {
		if other != x && !slices.Contains(b, other) {
			change += t.shift(other, x, y)
		}
	}
	for _, other := range b {
		if other != y && !slices.Contains(a, other) {
			change += t.shift(other, y, x)
		}
	}
	return change
}

// shift returns how the cost changes when an option meets one other once less and another one once more.
func (t *table) shift(option, less, more int) int {
	old, now := t.meets[option][less], t.meets[option][more]
	return cost(old-1) - cost(old) + cost(now+1) - cost(now)
}

func (t *table) exchange(a, b []int, x, y int) {
	for _, other := range a {
		if other != x && !slices.Contains(b, other) {
			t.add(x, other, -1)
			t.add(y, other, 1)
		}
	}
	for _, other := range b {
		if other != y && !slices.Contains(a, other) {
			t.add(y, other, -1)
			t.add(x, other, 1)
		}
	}
}

// cost returns the cost of a pair that meets n times. It is steep, so that one pair far from the mean costs more than
// several near it: with squares some designs end three meetings apart, with this none does.
func cost(n int) int { return n * n * n * n }

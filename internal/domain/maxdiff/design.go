package maxdiff

import (
	"slices"
	"strconv"
	"sync"

	"verbatim/internal/domain/interview/draw"
)

// Versions is the number of versions of each design.
const Versions = 16

// minAppearances is the minimum number of screens that show each option, if one screen cannot show all.
const minAppearances = 3

// tunedOptions is the maximum number of options for which the pairs are balanced by search and the designs are cached. With
// more, chance alone spreads the pairs, each of which is rare there anyway, so that a guide of any size costs little.
const tunedOptions = 64

type key struct {
	options, perScreen, version int
}

var kept sync.Map // of key to [][]int; designs are shared, as they never change

// Design returns one version of the screens of a question, as indexes of its options in the order they are shown. With at
// most perScreen options there is one screen with all of them; otherwise every screen has perScreen different options, and
// every option is on 3 screens or (if 3 times their number does not fill the screens) some are on 4. The result is shared
// and must not be changed. It panics unless options and perScreen are at least 2, and version is one of Versions.
func Design(options, perScreen, version int) [][]int {
	if options < 2 || perScreen < 2 || version < 0 || version >= Versions {
		panic("maxdiff: no such design")
	}
	if options > tunedOptions {
		return design(options, perScreen, version)
	}
	k := key{options, min(perScreen, options), version}
	if known, ok := kept.Load(k); ok {
		return known.([][]int)
	}
	made, _ := kept.LoadOrStore(k, design(k.options, k.perScreen, k.version))
	return made.([][]int)
}

func design(options, perScreen, version int) [][]int {
	chance := draw.New(uint64(version), "maxdiff", strconv.Itoa(options), strconv.Itoa(perScreen))
	if options <= perScreen {
		return [][]int{shuffled(chance, options)}
	}
	screens := deal(chance, options, perScreen)
	if options <= tunedOptions {
		evenPairs(chance, screens, options)
	}
	return evenPositions(chance, screens, options)
}

// deal cuts shuffled packs of all options into screens, so that the options' appearances differ by at most one.
func deal(chance *draw.Source, options, perScreen int) [][]int {
	screens := make([][]int, (minAppearances*options+perScreen-1)/perScreen)
	var pack []int
	for i := range screens {
		screen := make([]int, 0, perScreen)
		for len(screen) < perScreen {
			if len(pack) == 0 {
				pack = shuffled(chance, options)
			}
			next := 0
			for slices.Contains(screen, pack[next]) { // the screen spans two packs: the new one has enough other options
				next++
			}
			screen = append(screen, pack[next])
			pack[next] = pack[0]
			pack = pack[1:]
		}
		screens[i] = screen
	}
	return screens
}

func shuffled(chance *draw.Source, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	draw.Shuffle(chance, list)
	return list
}

package maxdiff

import (
	"slices"

	"verbatim/internal/domain/interview/draw"
)

// evenPositions orders the options on every screen so that each option appears equally often, or once more, at each
// position. Screens and options are the two sides of a bipartite graph, each appearance is an edge, and a position is a
// colour that neither side may have twice: such colourings exist with as many colours as the larger side's degree, and
// alternating paths find one (Kőnig 1916). An option on more screens than there are positions counts as several nodes.
func evenPositions(chance *draw.Source, screens [][]int, options int) [][]int {
	perScreen := len(screens[0])
	c := colouring{screens: free(len(screens), perScreen)}
	appearances := make([]int, options)
	side := make([]int, options) // the current row of each option in c.options
	for _, number := range shuffled(chance, len(screens)) {
		for _, option := range screens[number] {
			if appearances[option]%perScreen == 0 {
				side[option] = len(c.options)
				c.options = append(c.options, free(1, perScreen)...)
				c.names = append(c.names, option)
			}
			appearances[option]++
			c.add(number, side[option])
		}
	}
	positions := shuffled(chance, perScreen)
	ordered := make([][]int, len(screens))
	for number := range screens {
		ordered[number] = make([]int, perScreen)
		for colour, node := range c.screens[number] {
			ordered[number][positions[colour]] = c.names[node]
		}
	}
	return ordered
}

// colouring holds, for every node and colour, the node at the other end of the edge of that colour, or -1.
type colouring struct {
	screens, options [][]int
	names            []int // the option of each row of options
}

func free(nodes, colours int) [][]int {
	table := make([][]int, nodes)
	for i := range table {
		table[i] = make([]int, colours)
		for colour := range table[i] {
			table[i][colour] = -1
		}
	}
	return table
}

// add colours one more edge.
func (c *colouring) add(screen, option int) {
	atScreen, atOption := slices.Index(c.screens[screen], -1), slices.Index(c.options[option], -1)
	if atScreen != atOption {
		c.swap(option, atScreen, atOption)
	}
	c.screens[screen][atScreen], c.options[option][atScreen] = option, screen
}

// swap exchanges two colours along the path of edges that alternate between them, from an option at which the second is
// free, so that the first becomes free there. The path cannot end at the screen where the first is free: it enters screens
// by the first colour only.
func (c *colouring) swap(option, first, second int) {
	var path [][]int
	here, there := c.options, c.screens
	for node, colour, other := option, first, second; node >= 0; colour, other = other, colour {
		row := here[node]
		path = append(path, row)
		node = row[colour]
		here, there = there, here
	}
	for _, row := range path {
		row[first], row[second] = row[second], row[first]
	}
}

package maxdiff

// Separation explains why the likelihood may have no maximum. An option beats another if it was chosen as best beside it, or
// the other as worst beside it. The maximum exists, and is unique, exactly when every option beats every other over some
// chain (Ford 1957 for pairs; the same argument holds for choices from more). If some options were only ever preferred to
// the others, their lead could grow without end.
type Separation struct {
	Groups int   // of options that beat each other over chains; 1 if the maximum exists
	Always []int // options that were best on every screen that showed them
	Never  []int // options that were worst on every screen that showed them
	Unseen []int // options that no screen showed
}

func separation(d *Data) (s Separation) {
	beats := make([][]bool, d.options)
	for i := range beats {
		beats[i] = make([]bool, d.options)
	}
	for i := range d.people {
		d.each(&d.people[i], func(shown []uint16, best, worst int) {
			for place, option := range shown {
				if place != best {
					beats[shown[best]][option] = true
				}
				if place != worst {
					beats[option][shown[worst]] = true
				}
			}
		})
	}
	s.Groups = components(beats)
	for option, c := range d.Counts() {
		switch {
		case c.Shown == 0:
			s.Unseen = append(s.Unseen, option)
		case c.Best == c.Shown:
			s.Always = append(s.Always, option)
		case c.Worst == c.Shown:
			s.Never = append(s.Never, option)
		}
	}
	return s
}

// components counts the strongly connected components of a graph: sets in which each node reaches each.
func components(edges [][]bool) (count int) {
	n := len(edges)
	reach := make([][]bool, n)
	for from := range n {
		reach[from] = make([]bool, n)
		reach[from][from] = true
		for waiting := []int{from}; len(waiting) > 0; {
			at := waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			for to, edge := range edges[at] {
				if edge && !reach[from][to] {
					reach[from][to] = true
					waiting = append(waiting, to)
				}
			}
		}
	}
	for i := range n {
		first := true
		for j := range i {
			first = first && !(reach[i][j] && reach[j][i])
		}
		if first {
			count++
		}
	}
	return count
}

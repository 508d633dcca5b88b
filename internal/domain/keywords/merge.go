package keywords

// merge repeatedly joins the two most similar groups, starting with one group per sentence, until no two are similar enough. The
// similarity of two groups is the mean over all pairs of their members. Among equals the earliest are joined first. Groups hold
// the indexes of their members in vectors.
func merge(vectors [][]entry) (groups [][]int) {
	n := len(vectors)
	groups = make([][]int, n)
	like := make([][]float64, n) // of each two groups, in both directions; -1 if one was merged into another
	for i := range n {
		groups[i] = []int{i}
		like[i] = make([]float64, n)
		like[i][i] = -1
		for j := range i {
			like[i][j] = cosine(vectors[i], vectors[j])
			like[j][i] = like[i][j]
		}
	}
	nearest := make([]int, n)
	for i := range n {
		nearest[i] = nearestOf(like[i])
	}
	for range n {
		a := -1
		for i := range n {
			if groups[i] != nil && (a < 0 || like[i][nearest[i]] > like[a][nearest[a]]) {
				a = i
			}
		}
		if a < 0 || like[a][nearest[a]] < minSimilarity {
			break
		}
		join(groups, like, nearest, a, nearest[a])
	}
	kept := groups[:0]
	for _, group := range groups {
		if group != nil {
			kept = append(kept, group)
		}
	}
	return kept
}

// join merges group b into group a.
func join(groups [][]int, like [][]float64, nearest []int, a, b int) {
	sizeA, sizeB := float64(len(groups[a])), float64(len(groups[b]))
	groups[a] = append(groups[a], groups[b]...)
	groups[b] = nil
	for i := range groups {
		if i != a && groups[i] != nil {
			like[a][i] = (sizeA*like[a][i] + sizeB*like[b][i]) / (sizeA + sizeB)
			like[i][a] = like[a][i]
		}
		like[i][b], like[b][i] = -1, -1
	}
	for i := range groups {
		if groups[i] != nil && (i == a || nearest[i] == a || nearest[i] == b || like[i][a] > like[i][nearest[i]]) {
			nearest[i] = nearestOf(like[i])
		}
	}
}

func nearestOf(like []float64) (nearest int) {
	for i, x := range like {
		if x > like[nearest] {
			nearest = i
		}
	}
	return nearest
}

// cosine returns the cosine of two vectors of length one, whose entries are in order.
func cosine(a, b []entry) (sum float64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].stem < b[0].stem:
			a = a[1:]
		case a[0].stem > b[0].stem:
			b = b[1:]
		default:
			sum += a[0].weight * b[0].weight
			a, b = a[1:], b[1:]
		}
	}
	return sum
}

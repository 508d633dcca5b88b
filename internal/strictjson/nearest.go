package strictjson

import "strings"

// nearest is the known key that takes the fewest edits (insertions, deletions, substitutions, whatever the case of the
// letters) to make of key, the first of several; empty when none is known.
func nearest(key string, known []string) string {
	best, fewest := "", 0
	for _, candidate := range known {
		if edits := distance(clip(key), candidate); best == "" || edits < fewest {
			best, fewest = candidate, edits
		}
	}
	return best
}

// distance is the Levenshtein distance, with one row of the usual table kept.
func distance(a, b string) int {
	from, to := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			edits := diagonal
			if r != s {
				edits = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], edits
		}
	}
	return row[len(to)]
}

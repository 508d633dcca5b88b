package strictjson

import (
	"slices"
	"strings"
)

// nearest returns the known key with the fewest edits (insertions, deletions, substitutions, ignoring case) from key, the
// first if there are several, or "" if there are no known keys.
func nearest(key string, known []string) string {
	best, fewest := "", 0
	for _, candidate := range known {
		if edits := distance(clip(key), candidate); best == "" || edits < fewest {
			best, fewest = candidate, edits
		}
	}
	return best
}

// nearestOf returns the few known values that are nearest to a text, the nearest first. A value that the text extends after
// a hyphen, as de-AT extends de, counts as one edit away.
func nearestOf(text string, known []string, few int) []string {
	text = clip(text)
	type candidate struct {
		value string
		edits int
	}
	all := make([]candidate, len(known))
	for i, value := range known {
		all[i] = candidate{value, distance(text, value)}
		if strings.HasPrefix(strings.ToLower(text), strings.ToLower(value)+"-") {
			all[i].edits = min(all[i].edits, 1)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.edits - b.edits })
	nearest := make([]string, 0, few)
	for _, c := range all[:min(few, len(all))] {
		nearest = append(nearest, c.value)
	}
	return nearest
}

// distance returns the Levenshtein distance, keeping one row of the usual table.
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

package reporting

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"verbatim/internal/domain/tables"
)

const (
	maxOwnWords = 500 // distinct texts of a custom option that are counted
	maxListed   = 20  // of them are listed
	maxOwnBytes = 200 // bytes of one text
)

// ownWords counts what was written for a custom option. Case and spaces make no difference.
type ownWords struct {
	counts map[string]int
	forms  map[string]string // as first written
}

func (o *ownWords) add(text string) {
	form := strings.Join(strings.Fields(shortText(text, maxOwnBytes)), " ")
	key := strings.ToLower(form)
	if key == "" || len(o.counts) == maxOwnWords && o.counts[key] == 0 {
		return
	}
	if o.counts == nil {
		o.counts, o.forms = map[string]int{}, map[string]string{}
	}
	if o.counts[key]++; o.counts[key] == 1 {
		o.forms[key] = strings.Clone(form)
	}
}

// into adds the table, the most frequent words first, if there are any.
func (o *ownWords) into(s *tables.Section, part *slice) {
	if len(o.counts) == 0 {
		return
	}
	keys := slices.Sorted(maps.Keys(o.counts))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(o.counts[b], o.counts[a]) })
	t := tables.New("own-words"+part.key, "Own words of the custom option"+part.about, builtInSource, "words", "Words", "count", "Count")
	for _, key := range keys[:min(len(keys), maxListed)] {
		t.Add(tables.Text(o.forms[key]), tables.Count(o.counts[key]))
	}
	s.Tables = append(s.Tables, t)
}

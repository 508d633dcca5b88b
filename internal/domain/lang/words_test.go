package lang_test

import (
	"testing"

	"verbatim/internal/domain/lang"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, " … !": 0, "one": 1, "two words": 2, "it's well-kept": 2, "in 2026, twice": 3,
		"朝ごはん": 2, "私は coffee が好き": 4, "один два": 2,
	} {
		if got := lang.Words(text); got != want {
			t.Errorf("Of(%q) = %d, want %d", text, got, want)
		}
	}
}

package analysis

import (
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestAnswersAreKeptAtOnce: several analyses may keep and read answers, and what is kept stays within its bound.
func TestAnswersAreKeptAtOnce(t *testing.T) {
	t.Parallel()
	var kept keptAnswers
	text := strings.Repeat("a", maxAnswerBytes/50)
	var analyses sync.WaitGroup
	for i := range 4 {
		analyses.Go(func() {
			for n := range 100 {
				key := answersKey{responseID: strconv.Itoa(n)}
				kept.put(key, []string{text})
				if texts, known := kept.get(key); known && (len(texts) != 1 || texts[0] != text) {
					t.Errorf("analysis %d reads %d answers", i, len(texts))
				}
			}
		})
	}
	analyses.Wait()
	if kept.bytes > maxAnswerBytes || len(kept.texts) == 0 {
		t.Errorf("%d bytes of %d responses are kept", kept.bytes, len(kept.texts))
	}
	kept.put(answersKey{responseID: "large"}, []string{strings.Repeat("a", maxAnswerBytes+1)})
	if _, known := kept.get(answersKey{responseID: "large"}); known {
		t.Error("more than all is kept")
	}
}

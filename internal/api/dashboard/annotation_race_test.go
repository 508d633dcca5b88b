package dashboard_test

import (
	"fmt"
	"sync"
	"testing"
)

// TestAtOnce: of people who make the same tag, or correct the same answer, at the same moment, one succeeds, and the others are told.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	spoken := f.speak()
	const people = 6
	var browsers []*browser
	for range people {
		browsers = append(browsers, f.as(f.Admin))
	}
	race := func(what string, want int, ask func(i int, b *browser) int) {
		t.Helper()
		statuses := make([]int, people)
		var all sync.WaitGroup
		for i, b := range browsers {
			all.Go(func() { statuses[i] = ask(i, b) })
		}
		all.Wait()
		done := 0
		for _, status := range statuses {
			if status == want {
				done++
			} else if status != 409 && status != 404 {
				t.Errorf("%s: %v", what, statuses)
			}
		}
		if done != 1 {
			t.Errorf("%s: %d succeeded: %v", what, done, statuses)
		}
	}
	race("a tag", 201, func(_ int, b *browser) int {
		return b.do("POST", "/api/dashboard/studies/"+f.study.LinkID+"/tags", `{"name":"same","colour":"teal"}`).Status
	})
	race("a correction", 204, func(i int, b *browser) int {
		return b.do("PUT", spoken+"/rows/1/correction", fmt.Sprintf(`{"before":%q,"words":"I always look, says %d"}`, spokenText, i)).Status
	})
	race("an undoing", 204, func(_ int, b *browser) int { return b.do("DELETE", spoken+"/rows/1/correction", "").Status })
	if got := field(t, f.as(f.Admin).get(spoken).Want(t, 200, ""), "rows", 1, "answer"); got != spokenText {
		t.Errorf("the answer is %s", got)
	}
}

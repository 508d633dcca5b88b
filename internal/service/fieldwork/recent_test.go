package fieldwork

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// TestReplacedLogsAreFreed: one log of an interview is kept, however many answers it gets. Timers that held each log until they
// fired made a server grow by 10 KB per answer.
func TestReplacedLogsAreFreed(t *testing.T) {
	t.Parallel()
	var c recent
	var all []weak.Pointer[recentLog]
	const answers = 200
	for n := range answers {
		c.put(response.Response{ID: "r"}, "hash", make([]interview.Turn, n))
		all = append(all, weak.Make(c.logs["r"]))
	}
	kept := answers
	for end := time.Now().Add(10 * time.Second); kept > answers/2 && time.Now().Before(end); {
		runtime.GC()
		kept = 0
		for _, log := range all {
			if log.Value() != nil {
				kept++
			}
		}
	}
	if kept > answers/2 { // stopped timers are removed gradually
		t.Errorf("%d of %d logs of one interview are in memory", kept, answers)
	}
	if c.get("r", "hash") == nil || c.bytes != c.logs["r"].bytes {
		t.Error("the last log is not kept, or is counted twice")
	}
}

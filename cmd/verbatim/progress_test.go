package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestBarLine(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"storing    [############............] 500 of 1000 responses, 250/s": barLine("storing", responses, 500, 1000, 2*time.Second),
		"checking   [############............] 0.5 of 1.0 MiB, 2.0/s":        barLine("checking", mebibytes, 1<<19, 1<<20, time.Second/4),
		"checking   [########################] 0.0 of 0.0 MiB":               barLine("checking", mebibytes, 0, 0, 0),
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if long := barLine("rebuilding", responses, 9_999_999, 9_999_999, 2000*time.Second); len(long) > 80 {
		t.Errorf("%d columns: %s", len(long), long)
	}
}

// TestBarEndsItsLine checks that what is printed after a bar, finished or not, begins on a new line.
func TestBarEndsItsLine(t *testing.T) {
	t.Parallel()
	for name, done := range map[string][]int64{"nothing": nil, "a part": {1, 2}, "all": {1, 10, 10}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var screen bytes.Buffer
			b := &bar{to: &terminal{to: &screen, tty: true}, stage: "storing", unit: responses}
			for _, n := range done {
				b.draw(n, 10)
			}
			b.end()
			b.end()
			if drawn := screen.String(); strings.Count(drawn, "\n") != min(1, len(done)) || len(done) > 0 && !strings.HasSuffix(drawn, "\n") {
				t.Errorf("drawn: %q", drawn)
			}
		})
	}
}

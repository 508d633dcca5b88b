package main

import (
	"fmt"
	"strings"
	"time"
)

// bar draws the progress of a stage on a terminal, with its speed, and nothing elsewhere. One unit is so many of what is
// counted.
func (c *Common) bar(stage, unit string, size int64) func(done, total int64) {
	if !isTerminal(c.stderr) {
		return func(int64, int64) {}
	}
	var begun, drawn time.Time
	return func(done, total int64) {
		now := time.Now()
		if begun.IsZero() {
			begun = now
		}
		if done < total && now.Sub(drawn) < 100*time.Millisecond {
			return
		}
		drawn = now
		fmt.Fprint(c.stderr, "\r"+barLine(stage, unit, size, done, total, now.Sub(begun)))
		if done >= total {
			fmt.Fprintln(c.stderr)
		}
	}
}

// barLine is one drawing of a bar.
func barLine(stage, unit string, size, done, total int64, took time.Duration) string {
	const width = 30
	full := int64(width)
	if total > 0 {
		full = min(width, width*done/total)
	}
	speed := ""
	if seconds := took.Seconds(); seconds > 0 {
		speed = fmt.Sprintf(", %.0f/s", float64(done)/float64(size)/seconds)
	}
	return fmt.Sprintf("%-9s [%s%s] %d of %d %s%s ", stage, strings.Repeat("#", int(full)), strings.Repeat(".", int(width-full)),
		done/size, total/size, unit, speed)
}

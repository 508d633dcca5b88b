package main

import (
	"fmt"
	"strings"
	"time"
)

// bar shows the progress and speed of a stage on a terminal. Elsewhere it prints nothing.
type bar struct {
	to             *terminal
	stage          string
	unit           unit
	started, drawn time.Time
	open, complete bool // a line without its line break is on the screen; the stage is finished
}

// unit is the name of what is counted, and how many make one.
type unit struct {
	name string
	size int64
}

var (
	mebibytes = unit{"MiB", 1 << 20}
	responses = unit{"responses", 1}
)

func (c *Common) bar(stage string, of unit) *bar {
	return &bar{to: c.stderr, stage: stage, unit: of}
}

// draw shows how much is done, at most ten times a second, and ends the line when everything is.
func (b *bar) draw(done, total int64) {
	now := time.Now()
	if b.started.IsZero() {
		b.started = now
	}
	if !b.to.tty || b.complete || done < total && now.Sub(b.drawn) < 100*time.Millisecond {
		return
	}
	b.to.redraw(barLine(b.stage, b.unit, done, total, now.Sub(b.started)))
	b.drawn, b.open = now, true
	if done >= total {
		b.complete = true
		b.end()
	}
}

// end ends the line, so that what is printed next begins a new one.
func (b *bar) end() {
	if b.open {
		b.to.printf("\n")
		b.open = false
	}
}

// barLine returns the text of a bar. It fits into 80 columns for counts below ten million.
func barLine(stage string, of unit, done, total int64, elapsed time.Duration) string {
	const width = 24
	full := int64(width)
	if total > 0 {
		full = min(width, width*done/total)
	}
	speed := ""
	if seconds := elapsed.Seconds(); seconds > 0 {
		speed = ", " + of.amount(int64(float64(done)/seconds)) + "/s"
	}
	return fmt.Sprintf("%-10s [%s%s] %s of %s %s%s", stage, strings.Repeat("#", int(full)), strings.Repeat(".", int(width-full)),
		of.amount(done), of.amount(total), of.name, speed)
}

func (u unit) amount(n int64) string {
	if u.size == 1 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1f", float64(n)/float64(u.size))
}

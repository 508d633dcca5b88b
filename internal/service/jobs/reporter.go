package jobs

import (
	"log/slog"
	"sync"
	"time"
)

// reportEvery is the interval at which a runner logs that an outage continues.
const reportEvery = time.Minute

// reporter logs a repeated failure once, and then at most every reportEvery, with the number of lines that were left out. The
// zero value is ready for use.
type reporter struct {
	mu      sync.Mutex
	reports map[string]*reports // by message
}

type reports struct {
	next    time.Time // when the next line may be written
	leftOut int
}

// report logs a failure or counts it.
func (r *reporter) report(log *slog.Logger, message string, args ...any) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reports == nil {
		r.reports = map[string]*reports{}
	}
	of := r.reports[message]
	if of == nil {
		of = &reports{}
		r.reports[message] = of
	}
	if now.Before(of.next) {
		of.leftOut++
		return
	}
	log.Error(message, append(args, "left_out", of.leftOut)...)
	of.next, of.leftOut = now.Add(reportEvery), 0
}

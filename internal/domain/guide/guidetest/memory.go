package guidetest

import "runtime"

// Allocated returns how many bytes work allocates, which grows like its running time if each step allocates something. No other test may
// run at the same time.
func Allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

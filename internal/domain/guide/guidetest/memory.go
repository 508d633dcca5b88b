package guidetest

import "runtime"

// attempts limits the times that Allocated does the work. The runtime itself allocates now and then, hardly three times in a row.
const attempts = 3

// Allocated returns how many bytes work allocates, which grows like its running time if each step allocates something: the least of
// several times. No other test may run at the same time.
func Allocated(work func()) (least uint64) {
	for i := range attempts {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; i == 0 || bytes < least {
			least = bytes
		}
	}
	return least
}

//go:build unix

package exporting_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// BenchmarkExport exports 1,000 responses to the sample guide, or as many thousands as VERBATIM_EXPORT_RESPONSES says: 1,000 different
// interviews, copied. It prints the time of the processors, the largest heap seen, and the size of the file. For 100,000:
//
//	VERBATIM_EXPORT_RESPONSES=100000 go test -run '^$' -bench Export -benchtime 1x -timeout 60m ./internal/service/exporting
func BenchmarkExport(b *testing.B) {
	const different = 1000
	people := different
	if asked := os.Getenv("VERBATIM_EXPORT_RESPONSES"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatal(err)
		}
		people = max(n, different)
	}
	address := storetest.SQLiteAddress(b)
	w := newWorld(b, storetest.Open(b, address, store.Options{}), sampleGuide(b))
	w.fill(b, different)
	storetest.Multiply(b, strings.TrimPrefix(address, "sqlite:"), different, people/different)
	for _, format := range exporting.Formats {
		b.Run(string(format), func(b *testing.B) {
			peak, before, size := uint64(0), storetest.ProcessorTime(b), &counter{}
			options := exporting.Options{Format: format, Progress: func(done, total int) {
				if done%200 == 0 || done == total {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapInuse+m.StackInuse)
				}
			}}
			for b.Loop() {
				sum, err := w.exports.Write(b.Context(), w.study, options, size)
				if err != nil || sum.Responses != people/different*different {
					b.Fatal(sum, err)
				}
			}
			b.ReportMetric((storetest.ProcessorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
			b.ReportMetric(float64(size.n)/float64(b.N)/1e6, "MB-file")
			b.ReportMetric(float64(people), "responses")
		})
	}
}

// counter counts what is written.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

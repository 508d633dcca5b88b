//go:build unix

package reporting_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/reporting"
)

// BenchmarkAnalyse reports on 2,000 responses to the sample guide, or on as many thousands as VERBATIM_REPORT_RESPONSES says: 2,000 different
// interviews, copied. It prints
// the time of the processors and the largest heap seen. For 100,000:
//
//	VERBATIM_REPORT_RESPONSES=100000 go test -run '^$' -bench Analyse -benchtime 1x ./internal/service/reporting
func BenchmarkAnalyse(b *testing.B) {
	const different = 2000
	people := different
	if asked := os.Getenv("VERBATIM_REPORT_RESPONSES"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatal(err)
		}
		people = max(n, different)
	}
	address := storetest.SQLiteAddress(b)
	w := newWorldAt(b, sampleGuide(b), address)
	w.fill(b, different, phrase)
	w.taken = nil
	storetest.Multiply(b, strings.TrimPrefix(address, "sqlite:"), different, people/different)
	peak, calls := uint64(0), 0
	options := reporting.Options{By: "param:source", Progress: func(step reporting.Step, _, _ int) {
		if calls++; calls%100 == 0 || step == reporting.Estimating {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse+m.StackInuse)
		}
	}}
	before := storetest.ProcessorTime(b)
	for b.Loop() {
		if _, err := (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(b.Context(), w.study, options); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((storetest.ProcessorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
	b.ReportMetric(float64(people), "responses")
}

package reporting_test

import (
	"testing"
	"time"

	"verbatim/internal/service/reporting"
)

// BenchmarkAnalyse reports on 2,000 responses to the sample guide.
func BenchmarkAnalyse(b *testing.B) {
	w := newWorld(b, sampleGuide(b))
	w.fill(b, 2000, phrase)
	for b.Loop() {
		if _, err := (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(b.Context(), w.study, reporting.Options{By: "param:source"}); err != nil {
			b.Fatal(err)
		}
	}
}

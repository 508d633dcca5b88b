package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/stats"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestWilson(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ count, base, low, high float64 }{
		{10, 20, 0.2993, 0.7007}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {1, 1000, 0.000177, 0.005643}, {81, 263, 0.2553, 0.3662},
	} {
		low, high := stats.Wilson(tt.count, tt.base)
		near(t, "low", low, tt.low, 0.00006)
		near(t, "high", high, tt.high, 0.00006)
	}
	if low, high := stats.Wilson(0, 0); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Error("nobody has no interval")
	}
}

func TestStudent(t *testing.T) {
	t.Parallel()
	for freedom, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 10: 2.228, 30: 2.042, 120: 1.980, 1_000_000: 1.960} {
		near(t, "quantile", stats.Student(freedom), want, 0.0036)
	}
	if !math.IsInf(stats.Student(0), 1) {
		t.Error("without freedom there is no bound")
	}
}

func TestChiSquareTail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		x       float64
		freedom int
		want    float64
	}{
		{3.841459, 1, 0.05},
		{6.634897, 1, 0.01},
		{5.991465, 2, 0.05},
		{18.307038, 10, 0.05},
		{2.705543, 1, 0.1},
		{0.710723, 4, 0.95},
		{124.342113, 100, 0.05},
		{10.827566, 1, 0.001},
		{0, 3, 1},
		{2, 2, math.Exp(-1)},
		{40, 2, math.Exp(-20)},
	} {
		near(t, "tail", stats.ChiSquareTail(tt.x, tt.freedom), tt.want, 1e-6*max(tt.want, 1e-3))
	}
}

func TestAssociate(t *testing.T) {
	t.Parallel()
	a, ok := stats.Associate([][]float64{{30, 10, 0}, {0, 0, 0}, {20, 40, 0}})
	if !ok || a.Freedom != 1 || a.Base != 100 || a.Rows != 2 || a.Columns != 2 || a.Sparse != 0 {
		t.Fatalf("%+v", a)
	}
	near(t, "chi-square", a.ChiSquare, 100.0/6, 1e-9)
	near(t, "V", a.V, math.Sqrt(1.0/6), 1e-9)
	near(t, "p", a.P, 4.45e-5, 1e-6)
	near(t, "residual", a.Residuals[0][0], math.Sqrt(100.0/6), 1e-9) // in a 2x2 table its square is chi-square
	near(t, "residual", a.Residuals[2][0], -math.Sqrt(100.0/6), 1e-9)
	if !math.IsNaN(a.Residuals[1][0]) || !math.IsNaN(a.Residuals[0][2]) {
		t.Error("an empty row or column has residuals")
	}
	if b, _ := stats.Associate([][]float64{{3, 1}, {1, 3}}); b.Sparse != 1 {
		t.Errorf("cells that expect 2: %+v", b)
	}
	for _, none := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 0}, {2, 0}}} {
		if _, ok := stats.Associate(none); ok {
			t.Errorf("%v is associated", none)
		}
	}
}

func TestRatioOfSingleAnswersEqualsWilson(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		yes, no := rapid.IntRange(0, 50).Draw(t, "yes"), rapid.IntRange(1, 50).Draw(t, "no")
		var r stats.Ratio
		for i := range yes + no {
			y := 0.0
			if i < yes {
				y = 1
			}
			r.Add(y, 1)
		}
		r.Add(0, 0) // was not asked
		low, high := r.Share()
		wantLow, wantHigh := stats.Wilson(float64(yes), float64(yes+no))
		if low != wantLow || high != wantHigh || r.People != yes+no {
			t.Fatalf("%v to %v of %d people, want %v to %v", low, high, r.People, wantLow, wantHigh)
		}
	})
}

func TestRatioOfClusteredAnswers(t *testing.T) {
	t.Parallel()
	var twice, once, apart stats.Ratio
	for i := range 40 {
		y := float64(i % 2)
		twice.Add(2*y, 2) // the same answer twice counts as one
		once.Add(y, 1)
		apart.Add(1, 2) // always one yes and one no: no variance, but the base is never larger than the number of answers
	}
	low, high := twice.Share()
	wantLow, wantHigh := once.Share()
	near(t, "low", low, wantLow, 1e-12)
	near(t, "high", high, wantHigh, 1e-12)
	low, _ = apart.Share()
	wantLow, _ = stats.Wilson(20, 40)
	near(t, "low", low, wantLow, 1e-12)

	var all stats.Ratio
	for range 10 {
		all.Add(3, 3)
	}
	low, _ = all.Share()
	wantLow, _ = stats.Wilson(10, 10)
	near(t, "low of all", low, wantLow, 1e-12)
}

func TestInterval(t *testing.T) {
	t.Parallel()
	var r stats.Ratio
	if low, high := r.Interval(-1, 1); low != -1 || high != 1 || !math.IsNaN(r.Mean()) {
		t.Error("nobody's mean")
	}
	for _, y := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		r.Add(y, 1)
	}
	low, high := r.Interval(0, 10)
	half := stats.Student(7) * 2.1380899 / math.Sqrt(8) // the sample's standard deviation
	near(t, "low", low, 5-half, 1e-6)
	near(t, "high", high, 5+half, 1e-6)
	if low, high := r.Interval(4.9, 5.1); low != 4.9 || high != 5.1 {
		t.Errorf("bounds: %v to %v", low, high)
	}
}

package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim/internal/domain/stats"
)

// integral is Simpson's rule, for tails that do not come from the functions under test.
func integral(from, to float64, f func(x float64) float64) float64 {
	const n = 4000
	h, sum := (to-from)/n, f(from)+f(to)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(from+float64(i)*h)
	}
	return sum * h / 3
}

func TestTailsAreIntegralsOfDensities(t *testing.T) {
	t.Parallel()
	for _, freedom := range []float64{3, 8.5, 40} {
		density := func(x float64) float64 {
			a, _ := math.Lgamma((freedom + 1) / 2)
			b, _ := math.Lgamma(freedom / 2)
			return math.Exp(a-b) / math.Sqrt(freedom*math.Pi) * math.Pow(1+x*x/freedom, -(freedom+1)/2)
		}
		for _, x := range []float64{0, 0.7, 2, 3.5} {
			near(t, "Student", stats.StudentTail(x, freedom), 1-2*integral(0, x, density), 1e-9)
		}
	}
	for _, d := range [][2]float64{{2, 10}, {4, 33.3}, {7, 5}} {
		density := func(x float64) float64 {
			a, _ := math.Lgamma((d[0] + d[1]) / 2)
			b, _ := math.Lgamma(d[0] / 2)
			c, _ := math.Lgamma(d[1] / 2)
			return math.Exp(a-b-c) * math.Pow(d[0]/d[1], d[0]/2) * math.Pow(x, d[0]/2-1) * math.Pow(1+d[0]*x/d[1], -(d[0]+d[1])/2)
		}
		for _, x := range []float64{0.5, 1, 3.1} {
			near(t, "F", stats.FTail(x, d[0], d[1]), 1-integral(0, x, density), 1e-8)
		}
	}
}

func TestHolm(t *testing.T) {
	t.Parallel()
	// The example of Aickin and Gensler (1996) has the p-values 0.01, 0.04, 0.03, 0.005 adjusted to 0.03, 0.06, 0.06, 0.02.
	got := stats.Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	want := []float64{0.03, 0.06, math.NaN(), 0.06, 0.02}
	for i := range want {
		if math.IsNaN(want[i]) != math.IsNaN(got[i]) || math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if one := stats.Holm([]float64{0.4, 0.9}); one[0] != 0.8 || one[1] != 0.9 {
		t.Error(one)
	}
}

func TestBenjaminiHochberg(t *testing.T) {
	t.Parallel()
	// The 15 p-values of Benjamini and Hochberg (1995), section 3.2: at 5 % the first four are rejected.
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000}
	for i, rejected := range stats.BenjaminiHochberg(p, 0.05) {
		if rejected != (i < 4) {
			t.Errorf("test %d: %v", i, rejected)
		}
	}
	if slices.Contains(stats.BenjaminiHochberg([]float64{0.2, 0.9}, 0.05), true) {
		t.Error("nothing is to be rejected")
	}
}

// Of two groups Welch's F is the square of Welch's t, with the degrees of freedom of Satterthwaite.
func TestWelchOfTwoGroups(t *testing.T) {
	t.Parallel()
	a, b := []float64{3, 4, 4, 5, 2, 3, 5, 1}, []float64{5, 5, 4, 5, 5, 3, 4, 5, 5, 4, 5}
	summary := func(list []float64) (n, mean, v float64) {
		n = float64(len(list))
		for _, x := range list {
			mean += x / n
		}
		for _, x := range list {
			v += (x - mean) * (x - mean) / (n - 1)
		}
		return n, mean, v
	}
	var ra, rb stats.Ratio
	for _, x := range a {
		ra.Add(x, 1)
	}
	for _, x := range b {
		rb.Add(x, 1)
	}
	n, mean, v := summary(a)
	m, other, w := summary(b)
	se := v/n + w/m
	d := stats.Welch([]*stats.Ratio{&ra, &rb})
	near(t, "F", d.F, (mean-other)*(mean-other)/se, 1e-9)
	near(t, "freedom", d.Below, se*se/(v*v/(n*n*(n-1))+w*w/(m*m*(m-1))), 1e-9)
	near(t, "p", d.P, stats.StudentTail(math.Sqrt(d.F), d.Below), 1e-12)
	var constant stats.Ratio
	constant.Add(2, 1)
	constant.Add(2, 1)
	if d := stats.Welch([]*stats.Ratio{&ra, &constant}); !math.IsNaN(d.P) {
		t.Errorf("no variance: %+v", d)
	}
}

// If everybody answers about everything, Paired is the paired t-test for two things, and Hotelling's test for more, here from the
// people's differences.
func TestPairedOfCompleteAnswers(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(4, 4))
	const people = 25
	p := stats.NewPaired(3)
	answers := make([][]float64, people)
	for i := range answers {
		own := chance.NormFloat64()
		answers[i] = []float64{own + chance.NormFloat64(), own + 0.4 + chance.NormFloat64(), own + 0.5*chance.NormFloat64()}
		p.Add(answers[i], []float64{1, 1, 1})
	}
	difference := func(i, a, b int) float64 { return answers[i][a] - answers[i][b] }
	mean, covariance := [2]float64{}, [2][2]float64{}
	for i := range answers {
		for a := range 2 {
			mean[a] += difference(i, a, 2) / people
		}
	}
	for i := range answers {
		for a := range 2 {
			for b := range 2 {
				covariance[a][b] += (difference(i, a, 2) - mean[a]) * (difference(i, b, 2) - mean[b]) / (people - 1)
			}
		}
	}
	determinant := covariance[0][0]*covariance[1][1] - covariance[0][1]*covariance[1][0]
	t2 := people * (mean[0]*mean[0]*covariance[1][1] - 2*mean[0]*mean[1]*covariance[0][1] + mean[1]*mean[1]*covariance[0][0]) / determinant
	d := p.Equal([]int{0, 1, 2})
	near(t, "F", d.F, t2*(people-2)/(2*(people-1)), 1e-9)
	if d.Above != 2 || d.Below != people-2 {
		t.Errorf("%+v", d)
	}
	near(t, "p", d.P, stats.FTail(d.F, 2, people-2), 1e-12)
	tt, freedom, tail := p.Pair(0, 2)
	near(t, "t", tt, mean[0]/math.Sqrt(covariance[0][0]/people), 1e-9)
	near(t, "p", tail, stats.StudentTail(tt, people-1), 1e-12)
	if two := p.Equal([]int{0, 2}); math.Abs(two.F-tt*tt) > 1e-9 || freedom != people-1 {
		t.Errorf("two things: F %v is not the square of t %v", two.F, tt)
	}
}

// If nobody answers about two things, the difference has the sum of both variances.
func TestPairedOfDifferentPeople(t *testing.T) {
	t.Parallel()
	p := stats.NewPaired(2)
	var a, b stats.Ratio
	for i := range 60 {
		x := float64(i * i % 7)
		if i%2 == 0 {
			a.Add(x, 1)
			p.Add([]float64{x, 0}, []float64{1, 0})
		} else {
			b.Add(x+1, 1)
			p.Add([]float64{0, x + 1}, []float64{0, 1})
		}
	}
	tt, _, _ := p.Pair(0, 1)
	near(t, "t", tt, (a.Mean()-b.Mean())/math.Sqrt(a.Variance()+b.Variance()), 1e-9)
}

// Shuffling finds the p-value that enumerating all tables with the same margins gives.
func TestShuffledIsFishersEnumeration(t *testing.T) {
	t.Parallel()
	counts := [][]float64{{7, 1}, {3, 6}}
	a, _ := stats.Associate(counts)
	choose := func(n, k int) float64 {
		x, _ := math.Lgamma(float64(n + 1))
		y, _ := math.Lgamma(float64(k + 1))
		z, _ := math.Lgamma(float64(n - k + 1))
		return math.Exp(x - y - z)
	}
	want := 0.0
	for k := range 9 { // the first row has 8 people, the first column 10 of 17
		other, _ := stats.Associate([][]float64{{float64(k), float64(8 - k)}, {float64(10 - k), float64(k - 1)}})
		if 10-k >= 0 && k-1 >= 0 && other.ChiSquare >= a.ChiSquare*(1-1e-12) {
			want += choose(10, k) * choose(7, 8-k) / choose(17, 8)
		}
	}
	got, ok := stats.Shuffled(counts, a.ChiSquare)
	if !ok {
		t.Fatal("17 people are not too many")
	}
	near(t, "p", got, want, 0.25*want)
	if p, _ := stats.Shuffled([][]float64{{40, 0}, {0, 40}}, 80); p > 0.0002 {
		t.Errorf("p %v of a perfect association", p)
	}
	if _, ok := stats.Shuffled([][]float64{{6000, 1}, {1, 1}}, 1); ok {
		t.Error("too many people are shuffled")
	}
}

func TestRake(t *testing.T) {
	t.Parallel()
	// Of one classification the weights are the targets over the shares; of two the margins are met and the odds ratio stays.
	classes := [][]int{{0, 0, 0, 1, 1, 1, 1, 1, 0, -1}, {0, 1, 1, 0, 0, 1, 1, 1, 0, 1}}
	one, ok := stats.Rake(10, classes[:1], [][]float64{{0.5, 0.5}})
	if !ok || math.Abs(one[0]-0.5/(4.0/9)) > 1e-9 || math.Abs(one[3]-0.5/(5.0/9)) > 1e-9 || one[9] != 1 {
		t.Errorf("%v %v", one, ok)
	}
	weights, ok := stats.Rake(10, classes, [][]float64{{0.3, 0.7}, {0.6, 0.4}})
	if !ok {
		t.Fatal("not reached")
	}
	var cells [2][2]float64
	first, second, all, classified, squares := 0.0, 0.0, 0.0, 0.0, 0.0
	for i, w := range weights {
		all += w
		squares += w * w
		if classes[1][i] == 0 {
			second += w
		}
		if classes[0][i] < 0 {
			continue
		}
		classified += w
		if classes[0][i] == 0 {
			first += w
		}
		cells[classes[0][i]][classes[1][i]] += w
	}
	near(t, "first margin", first/classified, 0.3, 1e-6)
	near(t, "second margin", second/all, 0.6, 1e-6)
	near(t, "odds ratio", cells[0][0]*cells[1][1]/(cells[0][1]*cells[1][0]), 2.0*3/(2*2), 1e-6)
	near(t, "design effect", stats.DesignEffect(weights), 10*squares/(all*all), 1e-12)
	if _, ok := stats.Rake(2, [][]int{{0, 0}}, [][]float64{{0.5, 0.5}}); ok {
		t.Error("a class of nobody reaches its target")
	}
	if _, ok := stats.Rake(2, [][]int{{0, 1}, {0, 1}}, [][]float64{{0.5, 0.5}, {0.2, 0.8}}); ok {
		t.Error("targets that contradict each other are reached")
	}
}

// A weighted share has the interval of as many people as the weights are worth.
func TestWeightedShare(t *testing.T) {
	t.Parallel()
	var r stats.Ratio
	p, sum, residuals := 0.0, 0.0, 0.0
	weights, yes := []float64{0.5, 2, 1, 1.5, 0.7, 1.1, 0.9, 0.3}, []float64{1, 0, 1, 1, 0, 0, 1, 0}
	for i, w := range weights {
		r.Add(w*yes[i], w)
		p += w * yes[i]
		sum += w
	}
	p /= sum
	for i, w := range weights {
		residuals += w * w * (yes[i] - p) * (yes[i] - p) / (sum * sum)
	}
	low, high := r.Share()
	worth := p * (1 - p) / residuals
	wantLow, wantHigh := stats.Wilson(p*worth, worth)
	near(t, "low", low, wantLow, 1e-12)
	near(t, "high", high, wantHigh, 1e-12)
}

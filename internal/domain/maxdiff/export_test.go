package maxdiff

// SlopeAt returns the log-likelihood with its derivatives, for tests of those.
func SlopeAt(d *Data, u []float64) (value float64, gradient []float64, information [][]float64) {
	s := newDerivatives(d.options)
	for i := range d.people {
		d.each(&d.people[i], func(shown []uint16, best, worst int) { s.add(u, shown, best, worst) })
	}
	for i := range d.options {
		information = append(information, s.information.row(i))
	}
	return s.value, s.gradient, information
}

// Make is Design without its cache, for benchmarks.
var Make = design

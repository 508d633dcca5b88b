package stats

import "math"

// Limits of Rake.
const (
	maxRounds  = 500
	closeShare = 1e-7
)

// Rake returns weights with a mean of one under which several classifications of the same people have given shares (iterative
// proportional fitting, Deming and Stephan 1940). classes[d][i] is the class of person i in classification d, or -1 if it has none:
// the shares are those among the people who have one. targets[d] are positive and sum to 1. ok is false if a class with a target has
// nobody, or if the shares cannot be reached together.
func Rake(people int, classes [][]int, targets [][]float64) (weights []float64, ok bool) {
	weights = make([]float64, people)
	for i := range weights {
		weights[i] = 1
	}
	for range maxRounds {
		furthest := 0.0
		for d, of := range classes {
			sums, all := make([]float64, len(targets[d])), 0.0
			for i, class := range of {
				if class >= 0 {
					sums[class] += weights[i]
					all += weights[i]
				}
			}
			factors := make([]float64, len(sums))
			for class, sum := range sums {
				if !(sum > 0) {
					return nil, false
				}
				furthest = max(furthest, math.Abs(sum/all-targets[d][class]))
				factors[class] = targets[d][class] * all / sum
			}
			for i, class := range of {
				if class >= 0 {
					weights[i] *= factors[class]
				}
			}
		}
		if furthest < closeShare {
			return weights, true
		}
	}
	return nil, false
}

// DesignEffect returns by how much weights enlarge the variance of a mean that does not depend on them (Kish 1965): the number of
// people times the sum of the squared weights, over the square of their sum.
func DesignEffect(weights []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		sum, squares = sum+w, squares+w*w
	}
	return float64(len(weights)) * squares / (sum * sum)
}

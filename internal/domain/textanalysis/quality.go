package textanalysis

import (
	"math"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
)

// Parts of the score and their weights. A part that cannot be judged for an interview is left out, and the others weigh more.
const (
	partRelevance    = "relevance"
	partSpecificity  = "specificity"
	partConsistency  = "consistency"
	partEffort       = "effort"
	partAuthenticity = "authenticity"
	partCompleteness = "completeness"
	partAttention    = "attention"
)

var partWeights = map[string]float64{
	partEffort: 0.2, partSpecificity: 0.2, partRelevance: 0.1, partCompleteness: 0.2, partAttention: 0.1, partConsistency: 0.1, partAuthenticity: 0.1,
}

// headroom limits the distance of the score above a part that others cannot compensate: inattention, missing answers, or answers that
// are not the participant's own.
const headroom = 1.5

var bounding = []string{partAttention, partCompleteness, partAuthenticity}

// quality scores the interview from 1 to 5 in steps of a half. The same interview, with the same earlier responses, gets the same
// score.
func (r *reading) quality() response.Quality {
	open := r.count(substantial, unsure, gibberish)
	for i := range r.answers {
		if r.answers[i].kind == skipped && r.answers[i].item.Type == guide.OpenEnded {
			open++
		}
	}
	var parts []response.QualityPart
	signs := r.signs()
	add := func(p response.QualityPart, judged bool) {
		if p, judged = bounded(p, judged, signs); judged {
			p.Score = halves(p.Score)
			slices.Sort(p.Rows)
			p.Rows = slices.Compact(p.Rows)
			parts = append(parts, p)
		}
	}
	if open > 0 {
		add(r.effort(open), true)
		add(r.specificity(open), true)
	}
	add(r.relevance())
	add(r.consistency())
	add(r.completeness(), true)
	if r.count(skipped) < len(r.answers) {
		add(r.attention(), true)
	}
	add(r.authenticity())

	sum, weights, limit := 0.0, 0.0, 5.0
	for _, p := range parts {
		sum += p.Score * partWeights[p.Name]
		weights += partWeights[p.Name]
		if slices.Contains(bounding, p.Name) {
			limit = min(limit, p.Score+headroom)
		}
	}
	limit = min(limit, 1+4*remaining(signs))
	if r.in.Response.Progress == response.ScreenedOut {
		limit = min(limit, 3) // a few screening answers are too little for a good score
	}
	return response.Quality{Score: halves(min(sum/weights, limit)), Parts: parts}
}

// halves rounds to the nearest half from 1 to 5.
func halves(score float64) float64 { return min(5, max(1, math.Round(score*2)/2)) }

// between interpolates linearly: 1 at the first point, one more at each further point.
func between(x float64, points ...float64) float64 {
	if x <= points[0] {
		return 1
	}
	for i := 1; i < len(points); i++ {
		if x < points[i] {
			return float64(i) + (x-points[i-1])/(points[i]-points[i-1])
		}
	}
	return float64(len(points))
}

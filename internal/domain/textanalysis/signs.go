package textanalysis

import "verbatim/internal/domain/response"

// sign is a hint that an interview is not somebody's own honest answers. Its weight is how much of the score it takes away: a
// strong sign alone bounds the score, weak ones only together.
type sign struct {
	part   string // of the score, whose reason it joins
	weight float64
	reason string // a sentence; empty for no sign
	rows   []int
}

// leastWeight is the weight below which a sign is not mentioned.
const leastWeight = 0.1

// signs returns the signs of junk in an interview. None looks at spelling, level of language or accent. A sign that needs the page's
// telemetry is left out where there is none.
func (r *reading) signs() (all []sign) {
	g := r.gists()
	for _, find := range []func([]gist) sign{
		func([]gist) sign { return r.haste() },
		func([]gist) sign { return r.quickPaste() },
		func([]gist) sign { return r.copied() },
		func([]gist) sign { return r.disorder() },
		func([]gist) sign { return r.keyMash() },
		func([]gist) sign { return r.instructions() },
		r.repetition, r.emptiness, r.echo, r.digression, r.insults,
		func([]gist) sign { return r.straightLines() },
	} {
		if s := find(g); s.weight >= leastWeight {
			all = append(all, s)
		}
	}
	if g == nil {
		for _, s := range r.denseSigns() {
			if s.weight >= leastWeight {
				all = append(all, s)
			}
		}
	}
	return all
}

// remaining returns how much of the score signs leave, from 0 to 1: each takes its share of what the others leave.
func remaining(signs []sign) float64 {
	rest := 1.0
	for _, s := range signs {
		rest *= 1 - s.weight
	}
	return rest
}

// bounded returns a part of the score, no better than its signs allow, with their reasons.
func bounded(p response.QualityPart, judged bool, signs []sign) (response.QualityPart, bool) {
	var of []sign
	for _, s := range signs {
		if s.part == p.Name {
			of = append(of, s)
		}
	}
	if len(of) == 0 {
		return p, judged
	}
	if !judged || p.Score == 5 {
		p.Score, p.Reason, p.Rows = 5, "", nil
	}
	p.Score = min(p.Score, 1+4*remaining(of))
	for _, s := range of {
		if p.Reason != "" && s.reason != "" {
			p.Reason += " "
		}
		p.Reason += s.reason
		p.Rows = append(p.Rows, s.rows...)
	}
	return p, true
}

// ramp is 0 up to from, high from to on, and linear in between; from may be above to.
func ramp(x, from, to, high float64) float64 {
	return high * min(1, max(0, (x-from)/(to-from)))
}

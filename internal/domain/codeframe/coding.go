package codeframe

import "slices"

// Coding is a theme of one answer, with its evidence.
type Coding struct {
	Theme  int
	Quote  string  // empty: decided by hand
	Weight float64 // how well the quote illustrates the theme
	ByHand bool
}

// Fold returns the themes of an answer: found are those that the machine found by the frame's roots; says looks for the phrases of a split, and
// returns the evidence; decisions are those on this answer, in the order of their versions.
func (f *Frame) Fold(found []Coding, says func(phrases []string) (Coding, bool), decisions []Decision) []Coding {
	themes := slices.Clone(found)
	for _, s := range f.Steps {
		for len(decisions) > 0 && decisions[0].Version < s.Version {
			themes, decisions = decisions[0].apply(themes), decisions[1:]
		}
		themes = s.apply(themes, says)
	}
	for _, d := range decisions {
		themes = d.apply(themes)
	}
	return themes
}

func (d *Decision) apply(themes []Coding) []Coding {
	if d.Assigned {
		return put(themes, Coding{Theme: d.Theme, ByHand: true})
	}
	return slices.DeleteFunc(themes, func(c Coding) bool { return c.Theme == d.Theme })
}

func (s *Step) apply(themes []Coding, says func(phrases []string) (Coding, bool)) []Coding {
	moved := func(c Coding) bool { return slices.Contains(s.From, c.Theme) }
	if !slices.ContainsFunc(themes, moved) {
		return themes
	}
	var evidence *Coding
	if len(s.Phrases) > 0 {
		found, ok := says(s.Phrases)
		if !ok {
			return themes
		}
		evidence = &found
	}
	var folded []Coding
	for _, c := range themes {
		if moved(c) {
			if evidence != nil && !c.ByHand {
				c = *evidence
			}
			c.Theme = s.Into
		}
		folded = put(folded, c)
	}
	return folded
}

// put adds a theme; of two codings with the same one it keeps that with the better quote.
func put(themes []Coding, c Coding) []Coding {
	for i := range themes {
		if themes[i].Theme == c.Theme {
			if c.Weight > themes[i].Weight || themes[i].ByHand && !c.ByHand {
				themes[i] = c
			}
			return themes
		}
	}
	return append(themes, c)
}

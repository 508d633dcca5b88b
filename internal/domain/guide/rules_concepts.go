package guide

// conceptsInConceptBlocks checks that concept blocks have conceptSamplingConfig with at least one concept, and that other
// blocks omit it.
func conceptsInConceptBlocks(r *rules) {
	for b := range r.guide.Blocks {
		block := &r.guide.Blocks[b]
		place := blockPath(b) + ".conceptSamplingConfig"
		switch {
		case block.Type == BlockConcept && block.Sampling == nil:
			r.report(place, "a concept block needs conceptSamplingConfig with at least one concept")
		case block.Type == BlockConcept && len(block.Sampling.Concepts) == 0:
			r.report(place+".concepts", "a concept block needs at least one concept")
		case block.Type != BlockConcept && block.Sampling != nil:
			r.report(place, "only concept blocks have conceptSamplingConfig; a %s block omits it", block.Type)
		}
	}
}

// subsampleWithinConcepts checks that no participant is to see more concepts than there are.
func subsampleWithinConcepts(r *rules) {
	for b := range r.guide.Blocks {
		if s := r.guide.Blocks[b].Sampling; s != nil && s.SubsampleCount > len(s.Concepts) {
			r.report(blockPath(b)+".conceptSamplingConfig.subsampleCount",
				"subsampleCount is %d, but there are only %d concepts", s.SubsampleCount, len(s.Concepts))
		}
	}
}

package interviewlog

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// CompiledGuide is one revision of a study's guide, checked and ready to be run. It is immutable and may be shared.
type CompiledGuide struct {
	StudyID  string
	Revision int
	Guide    *guide.Guide
	Plan     *interview.Plan
	Minutes  guide.Minutes // that an interview takes

	size int // of the stored guide, in bytes
}

// Compile reads a revision of a guide and compiles it; study.ErrNotFound.
func Compile(ctx context.Context, view *store.View, orgID, studyID string, revision int) (*CompiledGuide, error) {
	stored, err := view.StudyGuide(ctx, orgID, studyID, revision)
	if err != nil {
		return nil, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return nil, err
	}
	return &CompiledGuide{StudyID: studyID, Revision: revision, Guide: g, Plan: interview.NewPlan(g), Minutes: g.Minutes(), size: len(stored)}, nil
}

// Begin returns an interview without turns. r has the seed, the link's parameters and the language.
func (c *CompiledGuide) Begin(r response.Response) Interview {
	return Interview{CompiledGuide: c, Response: r, State: c.Plan.Begin(r.Seed, r.URLParams)}
}

// Replay rebuilds an interview from its log. The error names the first turn that does not fit.
func (c *CompiledGuide) Replay(r response.Response, turns []interview.Turn) (Interview, error) {
	state, err := c.Plan.Replay(r.Seed, r.URLParams, turns)
	if err != nil {
		return Interview{}, err
	}
	return Interview{CompiledGuide: c, Response: r, Turns: turns, State: state}, nil
}

package maintenance

import (
	"context"
	"fmt"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// encoder makes the documents of responses from their stored rows. It caches the guides that it used last.
type encoder struct {
	view   *store.View
	guides map[revisionKey]compiledGuide
}

type revisionKey struct {
	studyID  string
	revision int
}

type compiledGuide struct {
	guide *guide.Guide
	plan  *interview.Plan
}

// item returns the finished documents of a response.
func (e *encoder) item(ctx context.Context, r response.Response) (store.Item, error) {
	it := store.Item{
		StudyID: r.StudyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: r.UpdatedAt, Hidden: r.Hidden, Version: document.Version,
	}
	body, err := e.view.ImportedItem(ctx, r.ID)
	if err != nil {
		return it, err
	}
	if body != nil {
		known, err := document.ReadItem(body)
		if err != nil {
			return it, fmt.Errorf("response %s: its imported item: %w", r.ID, err)
		}
		it.Analysed, it.List, it.Single = known.Analysed(), known.Encode(), document.SingleOf(&known)
		return it, nil
	}
	src, err := e.replay(ctx, r)
	if err != nil {
		return it, fmt.Errorf("response %s: %w", r.ID, err)
	}
	it.Analysed, it.List, it.Single = src.Analysis != nil, document.ListItem(src), document.Single(src)
	return it, nil
}

func (e *encoder) replay(ctx context.Context, r response.Response) (src document.Source, err error) {
	p, err := e.compiledGuide(ctx, r)
	if err != nil {
		return src, err
	}
	turns, err := e.view.Turns(ctx, r.ID)
	if err != nil {
		return src, err
	}
	state, err := p.plan.Replay(r.Seed, r.URLParams, turns)
	if err != nil {
		return src, err
	}
	src = document.Source{Response: r, Guide: p.guide, Answers: state.Answers(), Exchanges: state.Exchanges()}
	src.Analysis, err = e.view.Analysis(ctx, r.ID)
	return src, err
}

// compiledGuide returns the guide that an interview runs on, with its plan.
func (e *encoder) compiledGuide(ctx context.Context, r response.Response) (compiledGuide, error) {
	key := revisionKey{r.StudyID, r.Revision}
	if p, known := e.guides[key]; known {
		return p, nil
	}
	stored, err := e.view.StudyGuide(ctx, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return compiledGuide{}, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return compiledGuide{}, err
	}
	if e.guides == nil || len(e.guides) >= 64 {
		e.guides = map[revisionKey]compiledGuide{}
	}
	p := compiledGuide{g, interview.NewPlan(g)}
	e.guides[key] = p
	return p, nil
}

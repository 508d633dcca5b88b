package fieldwork

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
)

// Standing says how far a study's fieldwork is, and whether its link takes anybody.
type Standing struct {
	Guide   *guide.Guide // that its participants get; a draft's own
	Cells   []FilledCell // as Quotas returns them
	Refusal error        // of the link to everybody: study.ErrNotLaunched, study.ErrClosed, or an error of Admits; nil: none, credits not counted
}

// Standing returns how far the fieldwork of a study is.
func (s *Service) Standing(ctx context.Context, of study.Study) (standing Standing, err error) {
	defer operation.Wrap(&err, "fieldwork.Standing")
	if standing.Cells, err = s.Quotas(ctx, of); err != nil {
		return Standing{}, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), of.OrgID, of.ID, revisionInUse(of))
	if err != nil {
		return Standing{}, err
	}
	standing.Guide = compiled.Guide
	switch of.Status {
	case study.Draft:
		standing.Refusal = study.ErrNotLaunched
	case study.Closed:
		standing.Refusal = study.ErrClosed
	default:
		standing.Refusal = s.checkOpen(of, standing.Guide)
	}
	for i := range standing.Cells {
		if c := &standing.Cells[i]; standing.Refusal == nil && c.IsTarget() && c.Taken() >= c.Limit {
			standing.Refusal = startRefusal(c.Cell, c.PlaceCount)
		}
	}
	return standing, nil
}

// revisionInUse returns the revision that participants get; of a draft the one that is edited.
func revisionInUse(of study.Study) int {
	if of.Status == study.Draft {
		return of.Revision
	}
	return of.PublishedRevision
}

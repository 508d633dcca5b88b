package fieldwork

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// FilledCell is a cell of a study's quotas, with what it holds.
type FilledCell struct {
	guide.Cell
	store.PlaceCount

	QuotaTitle string // the quota's title or id; empty for the study's target
	Title      string // its groups
}

// Quotas returns the cells of a study that have a limit, the target first. A draft's cells are empty.
func (s *Service) Quotas(ctx context.Context, of study.Study) (cells []FilledCell, err error) {
	defer operation.Wrap(&err, "fieldwork.Quotas")
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), of.OrgID, of.ID, revisionInUse(of))
	if err != nil {
		return nil, err
	}
	counts, err := s.Store.View().PlaceCounts(ctx, of.ID)
	if err != nil {
		return nil, err
	}
	for _, cell := range compiled.Guide.Cells() {
		filled := FilledCell{Cell: cell, PlaceCount: counts[cell.CellRef], Title: compiled.Guide.CellTitle(cell.CellRef)}
		if q := compiled.Guide.Quota(cell.Quota); q != nil {
			filled.QuotaTitle = q.Title
			if filled.QuotaTitle == "" {
				filled.QuotaTitle = q.ID
			}
		}
		cells = append(cells, filled)
	}
	return cells, nil
}

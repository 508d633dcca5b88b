package maintenance

import (
	"context"
	"fmt"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// encoder makes the documents of responses from their stored rows.
type encoder struct {
	view       *store.View
	interviews interviewlog.Loader
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

// replay returns what the documents of a response are made from.
func (e *encoder) replay(ctx context.Context, r response.Response) (document.Source, error) {
	iv, err := e.interviews.Load(ctx, e.view, r)
	if err != nil {
		return document.Source{}, err
	}
	analysis, err := e.view.Analysis(ctx, r.ID)
	if err != nil {
		return document.Source{}, err
	}
	return iv.Source(analysis), nil
}

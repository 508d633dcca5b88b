package analysis

import (
	"context"
	"errors"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store"
)

// maxCompared limits the earlier interviews that are read to compare their answers with those of one response.
const maxCompared = 8

// findCopies stores the fingerprints of the response's open answers, and enters which of its answers earlier responses have, word
// for word or nearly so.
func (w *Worker) findCopies(ctx context.Context, in *textanalysis.Input) (err error) {
	var fingerprints []store.Fingerprint
	for _, row := range rowsOf(*in) {
		if hash := textanalysis.FingerprintOf(row.Participant); row.Open && hash != "" {
			fingerprints = append(fingerprints, store.Fingerprint{Row: row.Row, Hash: hash, Sketch: textanalysis.Sketch(row.Moderator, row.Participant)})
		}
	}
	if len(fingerprints) == 0 || in.Response.Progress != response.Complete {
		return nil
	}
	if in.NearCopies, err = w.nearCopies(ctx, in, fingerprints); err != nil {
		return err
	}
	if in.Earlier, err = w.earlierAnswers(ctx, in); err != nil {
		return err
	}
	return w.Store.Write(ctx, func(tx *store.Tx) error {
		in.Copies, err = tx.SaveFingerprints(ctx, in.Response, fingerprints)
		return err
	})
}

// nearCopies compares answers with the earlier ones whose sketches are like theirs. What was deleted meanwhile is left out.
func (w *Worker) nearCopies(ctx context.Context, in *textanalysis.Input, fingerprints []store.Fingerprint) (map[int]bool, error) {
	view := w.Store.View()
	alike, err := view.Lookalikes(ctx, in.Response, fingerprints, textanalysis.SketchAlike)
	if err != nil {
		return nil, err
	}
	copies, read := map[int]bool{}, map[string][]interview.Exchange{}
	for _, l := range alike {
		earlier, known := read[l.ResponseID]
		if !known && len(read) < maxCompared {
			if earlier, err = w.exchanges(ctx, view, l.ResponseID); err != nil {
				return nil, err
			}
			read[l.ResponseID] = earlier
		}
		mine := in.Exchanges[l.Row-1]
		if at := l.EarlierRow - 1; at >= 0 && at < len(earlier) && textanalysis.Alike(mine.Moderator, mine.User, earlier[at].Moderator, earlier[at].User) {
			copies[l.Row] = true
		}
	}
	return copies, nil
}

// exchanges returns the exchanges of a response, or nil if it is gone.
func (w *Worker) exchanges(ctx context.Context, view *store.View, id string) ([]interview.Exchange, error) {
	r, err := view.AnyResponse(ctx, id)
	if errors.Is(err, response.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	iv, err := w.Interviews.Load(ctx, view, r)
	if err != nil {
		return nil, err
	}
	return iv.State.Exchanges(), nil
}

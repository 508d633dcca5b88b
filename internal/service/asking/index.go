package asking

import (
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

const (
	readBatch  = 128         // responses that are read at once
	writeBatch = 8           // responses in one transaction: SQLite has one writer, and answers wait for it
	indexEvery = time.Minute // how often Run looks for changes
	askIndexes = 512         // responses that Ask indexes at most before it searches
)

// Run keeps the index complete until ctx ends. report is called with errors, after which it goes on.
func (s *Service) Run(ctx context.Context, report func(error)) {
	tick := time.NewTicker(indexEvery)
	defer tick.Stop()
	for {
		if _, err := s.Index(ctx); err != nil && ctx.Err() == nil {
			report(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Index brings the index of all studies up to date, and returns how many responses it indexed.
func (s *Service) Index(ctx context.Context) (n int, err error) {
	defer operation.Wrap(&err, "asking.Index")
	return s.index(ctx, "", "", -1)
}

// IndexAll brings the index of what a question is about up to date, for callers that are alone on the database or may wait.
func (s *Service) IndexAll(ctx context.Context, q Question) (err error) {
	defer operation.Wrap(&err, "asking.IndexAll")
	_, err = s.index(ctx, q.OrgID, q.studyID(), -1)
	return err
}

// index indexes at most limit responses (negative: all) of an organization's study, or of all where these are empty.
func (s *Service) index(ctx context.Context, orgID, studyID string, limit int) (done int, err error) {
	clocks, err := s.Store.View().StudiesToIndex(ctx, orgID)
	if err != nil {
		return 0, err
	}
	for id, clock := range clocks {
		if studyID != "" && id != studyID {
			continue
		}
		n, err := s.indexStudy(ctx, id, clock, limit-done, limit < 0)
		if done += n; err != nil {
			return done, err
		}
		if limit >= 0 && done >= limit {
			return done, nil
		}
	}
	return done, nil
}

// indexStudy indexes what is missing of a study. clock is the study's, read before: what changes meanwhile moves it.
func (s *Service) indexStudy(ctx context.Context, studyID string, clock int64, limit int, unlimited bool) (done int, err error) {
	for after := 0; unlimited || done < limit; {
		batch, err := s.Store.View().ToIndex(ctx, studyID, after, readBatch)
		if err != nil {
			return done, err
		}
		if len(batch) == 0 {
			return done, s.Store.Write(ctx, func(tx *store.Tx) error { return tx.StudyIndexed(ctx, studyID, clock) })
		}
		after = batch[len(batch)-1].ReadableID
		for some := range slices.Chunk(batch, writeBatch) {
			begun := time.Now()
			if err := s.indexSome(ctx, some); err != nil {
				return done, err
			}
			done += len(some)
			if !unlimited {
				continue
			}
			if err := pause(ctx, time.Since(begun)); err != nil { // nobody waits: participants' answers come first
				return done, err
			}
		}
	}
	return done, nil
}

// indexSome indexes responses in one transaction.
func (s *Service) indexSome(ctx context.Context, sources []store.PassageSource) (err error) {
	passages := map[string][]store.Passage{}
	for _, source := range sources {
		if passages[source.ResponseID], err = s.passagesOf(ctx, source); err != nil {
			return err
		}
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.IndexPassages(ctx, sources, passages) })
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// passagesOf returns the passages of a response. One whose document cannot be read has none.
func (s *Service) passagesOf(ctx context.Context, source store.PassageSource) (all []store.Passage, err error) {
	detail, err := document.DecodeSingle(source.Single)
	if err != nil {
		return nil, nil
	}
	types, err := s.itemTypes(ctx, source)
	if err != nil {
		return nil, err
	}
	for _, row := range detail.Transcript {
		if !isPassage(row, types) {
			continue
		}
		terms := textanalysis.IndexTerms(row.User, source.Language)
		if len(terms) > 0 {
			all = append(all, store.Passage{Row: row.Index, Terms: append(terms, textanalysis.AskedTerms(textanalysis.IndexTerms(row.Moderator, source.Language))...)})
		}
	}
	return all, nil
}

// isPassage reports whether a row has words of the participant's own: an answer to an open question or to a follow-up, or, in
// an imported response, to a question that the study does not have.
func isPassage(row document.Row, types map[string]guide.ItemType) bool {
	if row.User == "" || row.AnswerID == "" {
		return false
	}
	kind, known := types[row.QuestionID]
	return !known || kind == guide.OpenEnded
}

// itemTypes returns the types of the items of the revision that a response ran on, by id.
func (s *Service) itemTypes(ctx context.Context, source store.PassageSource) (map[string]guide.ItemType, error) {
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), source.OrgID, source.StudyID, source.Revision)
	if errors.Is(err, study.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	types := map[string]guide.ItemType{}
	for b := range compiled.Guide.Blocks {
		for i := range compiled.Guide.Blocks[b].Items {
			it := &compiled.Guide.Blocks[b].Items[i]
			types[it.ID] = it.Type
		}
	}
	return types, nil
}

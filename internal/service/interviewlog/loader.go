package interviewlog

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/memo"
	"verbatim/internal/platform/store"
)

// Loader loads interviews. It keeps the compiled guides that it used last, so share one value. The zero value is ready for
// use; a nil Loader keeps nothing. It is safe for concurrent use.
type Loader struct {
	guides memo.Cache[guideKey, cachedGuide]
}

// guideKey identifies a revision of a guide, or a translation of it. Neither ever changes, so no cached guide is ever stale.
type guideKey struct {
	studyID  string
	revision int
	language string // of a translation; empty for the revision itself
	version  int    // of the translation
}

// cachedGuide has one of two fields, by the kind of its key.
type cachedGuide struct {
	compiled  *CompiledGuide
	localized *guide.Guide
}

// maxGuideBytes bounds the guides that a Loader keeps, in bytes of their stored form.
const maxGuideBytes = 32 << 20

// CompiledGuide returns a revision of a guide, compiled; study.ErrNotFound.
func (l *Loader) CompiledGuide(ctx context.Context, view *store.View, orgID, studyID string, revision int) (*CompiledGuide, error) {
	key := guideKey{studyID: studyID, revision: revision}
	cached, err := l.guide(ctx, key, func(ctx context.Context) (cachedGuide, int, error) {
		compiled, err := Compile(ctx, view, orgID, studyID, revision)
		if err != nil {
			return cachedGuide{}, 0, err
		}
		return cachedGuide{compiled: compiled}, compiled.size, nil
	})
	return cached.compiled, err
}

// guide returns the guide of a key from the cache, or makes it.
func (l *Loader) guide(ctx context.Context, key guideKey, read func(context.Context) (cachedGuide, int, error)) (cachedGuide, error) {
	if l == nil {
		made, _, err := read(ctx)
		return made, err
	}
	return l.guides.Get(ctx, key, maxGuideBytes, read)
}

// Load reads the log of a response and replays it. It must not be called in a transaction. Errors: those of CompiledGuide, and
// of Replay.
func (l *Loader) Load(ctx context.Context, view *store.View, r response.Response) (Interview, error) {
	compiled, err := l.CompiledGuide(ctx, view, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return Interview{}, err
	}
	turns, err := view.Turns(ctx, r.ID)
	if err != nil {
		return Interview{}, err
	}
	return compiled.Replay(r, turns)
}

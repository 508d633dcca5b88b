package interviewlog

import (
	"context"
	"errors"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
)

// LocalizedGuide is a guide as a participant reads it. It is only shown: the interview runs on the CompiledGuide.
type LocalizedGuide struct {
	Guide    *guide.Guide
	Language string // of its texts
}

// Localize returns the texts of a compiled guide in a language: those of its translation, or its own if no translation is
// shown yet. The database is asked each time only for the version that is shown.
func (l *Loader) Localize(ctx context.Context, view *store.View, compiled *CompiledGuide, language string) (LocalizedGuide, error) {
	own := LocalizedGuide{compiled.Guide, translation.From(compiled.Guide)}
	if language == own.Language {
		return own, nil
	}
	version, err := view.ShownTranslation(ctx, compiled.StudyID, compiled.Revision, language)
	if err != nil || version == 0 {
		return own, err
	}
	key := guideKey{compiled.StudyID, compiled.Revision, language, version}
	cached, err := l.guide(ctx, key, func(ctx context.Context) (cachedGuide, int, error) {
		texts, _, err := view.ShownTexts(ctx, compiled.StudyID, compiled.Revision, language)
		if err != nil {
			return cachedGuide{}, 0, err
		}
		return cachedGuide{localized: translation.Apply(compiled.Guide, texts)}, 2 * compiled.size, nil // a rough bound: translated texts may be longer
	})
	if errors.Is(err, translation.ErrNone) {
		return own, nil
	}
	if err != nil {
		return LocalizedGuide{}, err
	}
	return LocalizedGuide{cached.localized, language}, nil
}

package fieldwork

import (
	"context"
	"errors"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
)

// localizedGuide is a guide as a participant reads it. It decides nothing: the interview runs on the compiledGuide.
type localizedGuide struct {
	guide    *guide.Guide
	language string // of its texts
}

// localizedGuide returns the texts of a compiled guide in a language: those of its translation, or its own if no translation is
// shown yet. The database is asked each time only for the version that is shown.
func (s *Service) localizedGuide(ctx context.Context, compiled *compiledGuide, key compiledGuideKey, language string) (localizedGuide, error) {
	own := localizedGuide{guide: compiled.guide, language: compiled.languages()[0]}
	if language == own.language {
		return own, nil
	}
	view := s.Store.View()
	version, err := view.ShownTranslation(ctx, key.studyID, key.revision, language)
	if err != nil || version == 0 {
		return own, err
	}
	key.language, key.version = language, version
	shown, err := s.compiledGuides.Get(ctx, key, maxCompiledGuideBytes, func(ctx context.Context) (*compiledGuide, int, error) {
		texts, _, err := view.ShownTexts(ctx, key.studyID, key.revision, language)
		if err != nil {
			return nil, 0, err
		}
		size := 2 * compiled.size // a rough bound: translated texts may be longer
		return &compiledGuide{guide: translation.Apply(compiled.guide, texts), size: size}, size, nil
	})
	if errors.Is(err, translation.ErrNone) {
		return own, nil
	}
	if err != nil {
		return localizedGuide{}, err
	}
	return localizedGuide{shown.guide, language}, nil
}

// Localize returns a landing that Study returned with its texts in another of its languages, or unchanged if they are not translated.
func (s *Service) Localize(ctx context.Context, landing Landing, language string) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.Localize")
	localized, err := s.localizedGuide(ctx, landing.compiled, landing.key, language)
	if err != nil {
		return Landing{}, err
	}
	landing.Guide, landing.TextLanguage = localized.guide, localized.language
	return landing, nil
}

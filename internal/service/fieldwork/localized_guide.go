package fieldwork

import (
	"context"
	"errors"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
)

// wording is a guide as a participant reads it. The edition is what runs: a wording decides nothing.
type localizedGuide struct {
	guide    *guide.Guide
	language string // of its texts
}

// wording finds the texts of an edition in a language: those of its translation, or its own where none is shown yet. Only
// whether another one is shown by now is asked of the database each time.
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
		size := 2 * compiled.size // its texts are at most some times as long
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

// In is a front that Study gave, with its texts in one of its languages; as it was, where they are not translated.
func (s *Service) In(ctx context.Context, landing Landing, language string) (Landing, error) {
	w, err := s.localizedGuide(ctx, landing.compiled, landing.key, language)
	if err != nil {
		return Landing{}, err
	}
	landing.Guide, landing.TextLanguage = w.guide, w.language
	return landing, nil
}

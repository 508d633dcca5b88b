package fieldwork

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
)

// languages returns the languages that participants may choose, the question language first.
func languages(g *guide.Guide) []string {
	return append([]string{translation.From(g)}, translation.Targets(g)...)
}

// Localize returns a landing that Study returned with its texts in another of its languages, or unchanged if they are not translated.
func (s *Service) Localize(ctx context.Context, landing Landing, language string) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.Localize")
	localized, err := s.Interviews.Localize(ctx, s.Store.View(), landing.compiled, language)
	if err != nil {
		return Landing{}, err
	}
	landing.Guide, landing.TextLanguage = localized.Guide, localized.Language
	return landing, nil
}

package fieldwork

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
)

// languages returns the languages that participants may choose, the question language first.
func languages(g *guide.Guide) []string {
	return append([]string{translation.From(g)}, translation.Targets(g)...)
}

// Localize returns a landing that Study returned with its texts in another of its languages, or unchanged if they are not translated.
func (s *Service) Localize(ctx context.Context, landing Landing, language string) (Landing, error) {
	localized, err := s.Interviews.Localize(ctx, s.Store.View(), landing.compiled, language)
	if err != nil {
		return Landing{}, err
	}
	landing.Guide, landing.TextLanguage = localized.Guide, localized.Language
	return landing, nil
}

package fieldwork

import (
	"context"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
	"verbatim/internal/service/interviewlog"
)

// languages returns the languages that an interview may be held in, the question language first.
func languages(g *guide.Guide) []string {
	return append([]string{translation.From(g)}, translation.Targets(g)...)
}

// offered returns the languages that a study's page offers: its own, and those whose texts are approved, or shown without an approval.
func (s *Service) offered(ctx context.Context, compiled *interviewlog.CompiledGuide) ([]string, error) {
	all := languages(compiled.Guide)
	if len(all) == 1 {
		return all, nil
	}
	shown, err := s.Store.View().ShownLanguages(ctx, compiled.StudyID, compiled.Revision)
	if err != nil {
		return nil, err
	}
	own := all[0]
	return slices.DeleteFunc(all, func(language string) bool { return language != own && !slices.Contains(shown, language) }), nil
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

// GuideOf returns the guide of the interview with a token; response.ErrNotFound. It asks no moderator.
func (s *Service) GuideOf(ctx context.Context, token string) (_ *guide.Guide, err error) {
	defer operation.Wrap(&err, "fieldwork.GuideOf")
	r, err := s.ResponseByToken(ctx, token)
	if err != nil {
		return nil, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return nil, err
	}
	return compiled.Guide, nil
}

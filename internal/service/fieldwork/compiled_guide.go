package fieldwork

import (
	"cmp"
	"context"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// compiledGuide is one revision of a study's guide, decoded and planned. It is immutable.
type compiledGuide struct {
	guide *guide.Guide
	plan  *interview.Plan // nil for a translated guide, which is only shown
	size  int             // of its stored form, in bytes
}

// languages returns the languages that participants may choose, the question language first.
func (c *compiledGuide) languages() []string {
	config := &c.guide.Config
	languages := []string{cmp.Or(config.QuestionLanguage, guide.DefaultLanguage)}
	for _, language := range config.AvailableLanguages {
		if !slices.Contains(languages, language) {
			languages = append(languages, language)
		}
	}
	return languages
}

// compiledGuideKey identifies a revision, or a translation of it.
type compiledGuideKey struct {
	studyID  string
	revision int
	language string // empty: the study's own
	version  int    // of the translation
}

// maxCompiledGuideBytes bounds the compiled guides that are kept in memory, in bytes of stored guides; every answer needs one.
// Neither revisions nor versions change, so no entry is ever stale.
const maxCompiledGuideBytes = 32 << 20

// compiledGuide returns a compiled revision, from memory if it is there.
func (s *Service) compiledGuide(ctx context.Context, orgID, studyID string, revision int) (*compiledGuide, error) {
	key := compiledGuideKey{studyID: studyID, revision: revision}
	return s.compiledGuides.Get(ctx, key, maxCompiledGuideBytes, func(ctx context.Context) (*compiledGuide, int, error) {
		stored, err := s.Store.View().StudyGuide(ctx, orgID, studyID, revision)
		if err != nil {
			return nil, 0, err
		}
		g, err := guide.Decode(stored, guide.Options{Stored: true})
		if err != nil {
			return nil, 0, err
		}
		return &compiledGuide{guide: g, plan: interview.NewPlan(g), size: len(stored)}, len(stored), nil
	})
}

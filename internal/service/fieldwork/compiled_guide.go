package fieldwork

import (
	"cmp"
	"context"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// edition is one revision of a study's guide, ready to be run. It is immutable.
type compiledGuide struct {
	guide *guide.Guide
	plan  *interview.Plan // nil for what is only read
	size  int             // bytes of its stored form
}

// languages are those that participants may choose, the question language first.
func (e *compiledGuide) languages() []string {
	config := &e.guide.Config
	languages := []string{cmp.Or(config.QuestionLanguage, guide.DefaultLanguage)}
	for _, language := range config.AvailableLanguages {
		if !slices.Contains(languages, language) {
			languages = append(languages, language)
		}
	}
	return languages
}

// editionKey names a revision, or what participants read of it in another language.
type compiledGuideKey struct {
	studyID  string
	revision int
	language string // empty: the study's own
	version  int    // of what is shown in another language
}

// maxEditionBytes is how many bytes of stored guides are kept compiled, since every answer needs one. Neither revisions nor versions
// change, so none is ever stale.
const maxCompiledGuideBytes = 32 << 20

// edition reads and compiles a revision, or takes it from memory.
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

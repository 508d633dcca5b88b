package fieldwork

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"verbatim/internal/guide"
	"verbatim/internal/interview"
)

// edition is one revision of a study's guide, ready to be run. It is immutable.
type edition struct {
	guide *guide.Guide
	plan  *interview.Plan // nil for what is only read
	size  int             // bytes of its stored form
}

// languages are those that participants may choose, the question language first.
func (e *edition) languages() []string {
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
type editionKey struct {
	studyID  string
	revision int
	language string // empty: the study's own
	version  int    // of what is shown in another language
}

// editions keeps compiled guides, since every answer needs one. Neither revisions nor versions change, so an entry is never stale. It
// holds about maxEditionBytes of stored guides and drops any other entries to make room.
type editions struct {
	mu    sync.Mutex
	byKey map[editionKey]*edition
	size  int
}

const maxEditionBytes = 32 << 20

func (c *editions) get(key editionKey) *edition {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key]
}

func (c *editions) put(key editionKey, e *edition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[editionKey]*edition{}
	}
	if c.byKey[key] != nil {
		return
	}
	for other, old := range c.byKey {
		if c.size+e.size <= maxEditionBytes {
			break
		}
		delete(c.byKey, other)
		c.size -= old.size
	}
	c.byKey[key] = e
	c.size += e.size
}

// edition reads and compiles a revision, or takes it from memory.
func (s *Service) edition(ctx context.Context, orgID, studyID string, revision int) (*edition, error) {
	key := editionKey{studyID: studyID, revision: revision}
	if e := s.editions.get(key); e != nil {
		return e, nil
	}
	stored, err := s.Store.View().StudyGuide(ctx, orgID, studyID, revision)
	if err != nil {
		return nil, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return nil, err
	}
	e := &edition{guide: g, plan: interview.NewPlan(g), size: len(stored)}
	s.editions.put(key, e)
	return e, nil
}

package panels

import (
	"context"
	"errors"
	"fmt"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Errors of this package.
var (
	ErrNoPanel  = errors.New("the study has no panel: its guide has no config.verbatim.panel")
	ErrNoSecret = errors.New("no secret is set that signs links: verbatim study panel secret --for link sets it")
	ErrSecret   = fmt.Errorf("a secret has %d to %d characters, and no control characters", minSecret, maxSecret)
)

// Bounds of a secret, in bytes. Panels choose their own, and some are short.
const (
	minSecret = 4
	maxSecret = 4096
)

// Service keeps what studies share with their panels.
type Service struct {
	Store *store.Store
}

// settingsOf returns the panel of the guide that a study uses: the published one, or else the draft. It is nil if it has none.
func settingsOf(ctx context.Context, s *store.Store, of study.Study) (*panel.Settings, error) {
	revision := of.PublishedRevision
	if revision == 0 {
		revision = of.Revision
	}
	stored, err := s.View().StudyGuide(ctx, of.OrgID, of.ID, revision)
	if err != nil {
		return nil, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return nil, err
	}
	return g.Config.Panel, nil
}

// Settings returns the panel of a study; ErrNoPanel.
func (s *Service) Settings(ctx context.Context, of study.Study) (_ *panel.Settings, err error) {
	defer operation.Wrap(&err, "panels.Settings")
	settings, err := settingsOf(ctx, s.Store, of)
	if err == nil && settings == nil {
		err = ErrNoPanel
	}
	return settings, err
}

// codesBatch is the number of responses that are read at once.
const codesBatch = 500

// Codes returns the responses of a study with the completion code of each; empty where it has none.
func (s *Service) Codes(ctx context.Context, of study.Study) (all []response.Response, codes []string, err error) {
	defer operation.Wrap(&err, "panels.Codes")
	settings, err := s.Settings(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	salt, err := s.Store.View().PanelSalt(ctx, of.ID)
	if err != nil {
		return nil, nil, err
	}
	for after := 0; ; {
		found, err := s.Store.View().StudyResponses(ctx, of.ID, after, codesBatch)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range found {
			all, codes = append(all, r), append(codes, settings.CodeOf(salt, r.ID))
			after = r.ReadableID
		}
		if len(found) < codesBatch {
			return all, codes, nil
		}
	}
}

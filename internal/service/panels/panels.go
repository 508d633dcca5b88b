package panels

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

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

// SetSecret stores a secret that a study shares with its panel in place of an earlier one; an empty one removes it. ErrSecret.
func (s *Service) SetSecret(ctx context.Context, of study.Study, purpose panel.Secret, secret string) (err error) {
	defer operation.Wrap(&err, "panels.SetSecret")
	if secret != "" && (len(secret) < minSecret || len(secret) > maxSecret || strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r == 0x7f })) {
		return ErrSecret
	}
	name := store.PanelSecret(of.ID, purpose)
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		was, err := tx.Setting(ctx, name)
		if err != nil {
			return err
		}
		return tx.ChangeSetting(ctx, name, was, secret)
	})
}

// HasSecret reports whether a secret is set.
func (s *Service) HasSecret(ctx context.Context, of study.Study, purpose panel.Secret) (_ bool, err error) {
	defer operation.Wrap(&err, "panels.HasSecret")
	secret, err := s.Store.View().Setting(ctx, store.PanelSecret(of.ID, purpose))
	return secret != "", err
}

// Link returns the link of a study with parameters, signed if the study accepts signed links only. A positive life limits how long a
// signed link begins interviews. ErrNoSecret.
func (s *Service) Link(ctx context.Context, of study.Study, base string, params map[string]string, life time.Duration) (_ string, err error) {
	defer operation.Wrap(&err, "panels.Link")
	settings, err := s.Settings(ctx, of)
	if err != nil {
		return "", err
	}
	query := url.Values{}
	for name, value := range params {
		query.Set(name, value)
	}
	if settings.SignedLinks {
		secret, err := s.Store.View().Setting(ctx, store.PanelSecret(of.ID, panel.LinkSecret))
		if err != nil {
			return "", err
		}
		if secret == "" {
			return "", ErrNoSecret
		}
		signed := map[string]string{}
		for name, value := range params {
			signed[name] = value
		}
		if life > 0 {
			signed[panel.LinkExpiryParam] = strconv.FormatInt(s.Store.Now().Add(life).Unix(), 10)
			query.Set(panel.LinkExpiryParam, signed[panel.LinkExpiryParam])
		}
		query.Set(panel.LinkSignatureParam, panel.SignLink(secret, signed))
	}
	address := strings.TrimRight(base, "/") + "/s/" + of.LinkID
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, nil
}

// Deliveries lists the messages to the panel's server of a study, newest first. An empty state means all.
func (s *Service) Deliveries(ctx context.Context, of study.Study, state store.DeliveryState, limit int) (_ []store.PanelDelivery, err error) {
	defer operation.Wrap(&err, "panels.Deliveries")
	return s.Store.View().PanelDeliveries(ctx, of.ID, state, limit)
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

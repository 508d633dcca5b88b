package panels

import (
	"context"
	"crypto/rand"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// SharedPurposes are those that one secret serves unless somebody asks for others: all that sign something.
var SharedPurposes = []panel.Secret{panel.RedirectSecret, panel.PostbackSecret, panel.LinkSecret}

// NewSecret makes a secret.
func NewSecret() string { return rand.Text() + rand.Text() }

// SetSecret stores a secret that a study shares with its panel in place of earlier ones, for each of the purposes; an empty one removes them.
// A member of the organization gets an entry in the audit log; the zero caller is the operator. ErrSecret.
func (s *Service) SetSecret(ctx context.Context, caller org.Caller, of study.Study, purposes []panel.Secret, secret string) (err error) {
	defer operation.Wrap(&err, "panels.SetSecret")
	if secret != "" && (len(secret) < minSecret || len(secret) > maxSecret || strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r == 0x7f })) {
		return ErrSecret
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		for _, purpose := range purposes {
			name := store.PanelSecret(of.ID, purpose)
			was, err := tx.Setting(ctx, name)
			if err == nil {
				err = tx.ChangeSetting(ctx, name, was, secret)
			}
			if err != nil {
				return err
			}
		}
		action := org.AuditPanelSecretSet
		if secret == "" {
			action = org.AuditPanelSecretRemoved
		}
		return audit(ctx, tx, caller, action, of, map[string]string{"for": joined(purposes)})
	})
}

func joined(purposes []panel.Secret) string {
	words := make([]string, len(purposes))
	for i, purpose := range purposes {
		words[i] = string(purpose)
	}
	return strings.Join(words, ", ")
}

// audit adds an entry about a study to the audit log of the caller's organization; the zero caller is the operator, who has none.
func audit(ctx context.Context, tx *store.Tx, caller org.Caller, action string, of study.Study, detail map[string]string) error {
	if caller.OrgID == "" {
		return nil
	}
	return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: action, Subject: of.LinkID, Detail: detail})
}

// SecretState says of one purpose whether the settings of a study need a secret, and whether one is set.
type SecretState struct {
	Purpose panel.Secret
	Needed  bool
	Set     bool
}

// Missing reports whether a secret is needed and not set.
func (s SecretState) Missing() bool { return s.Needed && !s.Set }

// Secrets lists the state of the secret of each purpose. The settings are those of the study, or of a guide that is not published yet.
func (s *Service) Secrets(ctx context.Context, of study.Study, settings *panel.Settings) (all []SecretState, err error) {
	defer operation.Wrap(&err, "panels.Secrets")
	for _, purpose := range panel.Secrets {
		secret, err := s.Store.View().Setting(ctx, store.PanelSecret(of.ID, purpose))
		if err != nil {
			return nil, err
		}
		all = append(all, SecretState{Purpose: purpose, Needed: settings != nil && settings.Needs(purpose), Set: secret != ""})
	}
	return all, nil
}

package panels

import (
	"context"
	"fmt"
	"math"

	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

// Finding reports the secrets of panels that studies need which take participants, and that are not set: backups leave them out. Where only
// signatures of postbacks are missing, which not every panel checks, it is advice.
func Finding(ctx context.Context, s *store.Store) (_ maintenance.Finding, err error) {
	defer operation.Wrap(&err, "panels.Finding")
	f := maintenance.Finding{Check: "panel secrets", Remedy: "verbatim study panel secret LINK --for PURPOSE --file FILE, with the secret that the panel has", Advice: true}
	all, err := s.View().OperatorStudies(ctx, "", math.MaxInt32)
	if err != nil {
		return f, err
	}
	service := &Service{Store: s}
	for i := range all {
		of := all[i].Study
		if of.Status != study.Live && of.Status != study.Paused {
			continue
		}
		settings, err := settingsOf(ctx, s, of)
		if err != nil {
			return f, err
		}
		if settings == nil {
			continue
		}
		secrets, err := service.Secrets(ctx, of, settings)
		if err != nil {
			return f, err
		}
		for _, secret := range secrets {
			if secret.Missing() {
				f.Advice = f.Advice && secret.Purpose == panel.PostbackSecret
				f.Violations = append(f.Violations, fmt.Sprintf("study %s has no secret for %s: %s", of.LinkID, secret.Purpose, secret.Purpose.Without()))
			}
		}
	}
	return f, nil
}

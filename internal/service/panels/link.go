package panels

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// ErrParameter is a *ParameterError.
var ErrParameter = errors.New("a link cannot have these parameters")

// ParameterError is a fault in the parameters of a link that is to be made.
type ParameterError struct {
	Name    string
	Missing bool // the identifying parameter has no value; else the name belongs to the service, or is empty
}

// Error implements error.
func (e *ParameterError) Error() string {
	if e.Missing {
		return fmt.Sprintf("the study identifies participants: the parameter %s needs a value", e.Name)
	}
	return fmt.Sprintf("the parameter %q cannot be given: names that begin with an underscore belong to the service", e.Name)
}

// Is reports whether target is ErrParameter.
func (*ParameterError) Is(target error) bool { return target == ErrParameter }

// MakeLinks is Links for a member of the organization, with an entry in the audit log.
func (s *Service) MakeLinks(ctx context.Context, caller org.Caller, of study.Study, base string, sets []map[string]string, life time.Duration) (links []string, err error) {
	defer operation.Wrap(&err, "panels.MakeLinks")
	if links, err = s.Links(ctx, of, base, sets, life); err != nil {
		return nil, err
	}
	return links, s.Store.Write(ctx, func(tx *store.Tx) error {
		return audit(ctx, tx, caller, org.AuditPanelLinksMade, of, map[string]string{"links": strconv.Itoa(len(links))})
	})
}

// Link returns the link of a study with parameters, signed if the study accepts signed links only. A positive life limits how long a
// signed link begins interviews. ErrNoPanel, ErrNoSecret, *ParameterError.
func (s *Service) Link(ctx context.Context, of study.Study, base string, params map[string]string, life time.Duration) (_ string, err error) {
	defer operation.Wrap(&err, "panels.Link")
	links, err := s.Links(ctx, of, base, []map[string]string{params}, life)
	if err != nil {
		return "", err
	}
	return links[0], nil
}

// Links returns a link for each of the given sets of parameters; see Link.
func (s *Service) Links(ctx context.Context, of study.Study, base string, sets []map[string]string, life time.Duration) (links []string, err error) {
	defer operation.Wrap(&err, "panels.Links")
	settings, err := s.Settings(ctx, of)
	if err != nil {
		return nil, err
	}
	secret := ""
	if settings.SignedLinks {
		if secret, err = s.Store.View().Setting(ctx, store.PanelSecret(of.ID, panel.LinkSecret)); err != nil {
			return nil, err
		}
		if secret == "" {
			return nil, ErrNoSecret
		}
	}
	expiry := ""
	if life > 0 {
		expiry = strconv.FormatInt(s.Store.Now().Add(life).Unix(), 10)
	}
	for _, params := range sets {
		if err := checkParams(settings, params); err != nil {
			return nil, err
		}
		links = append(links, link(strings.TrimRight(base, "/")+"/s/"+of.LinkID, params, secret, expiry))
	}
	return links, nil
}

func checkParams(settings *panel.Settings, params map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if name == "" || strings.HasPrefix(name, "_") {
			return &ParameterError{Name: name}
		}
	}
	if name := settings.Participant.Parameter; name != "" && !settings.Participant.Optional && params[name] == "" {
		return &ParameterError{Name: name, Missing: true}
	}
	return nil
}

// link returns an address with parameters, with a signature if there is a secret.
func link(address string, params map[string]string, secret, expiry string) string {
	query := url.Values{}
	for name, value := range params {
		query.Set(name, value)
	}
	if secret != "" {
		signed := maps.Clone(params)
		if signed == nil {
			signed = map[string]string{}
		}
		if expiry != "" {
			signed[panel.LinkExpiryParam] = expiry
			query.Set(panel.LinkExpiryParam, expiry)
		}
		query.Set(panel.LinkSignatureParam, panel.SignLink(secret, signed))
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

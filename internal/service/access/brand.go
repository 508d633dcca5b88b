package access

import (
	"bytes"
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
)

// NewLogo is a picture with its bytes that replaces a logo; the zero value removes the logo.
type NewLogo struct {
	org.Logo
	Content []byte
}

// SetLogo stores the picture of a logo, applies change to an organization as UpdateOrg does, gives it the logo, and removes the picture of
// the logo before if no organization uses it any more.
func (s *Service) SetLogo(ctx context.Context, objects blob.Store, id string, logo NewLogo, change func(*org.Organization)) (o org.Organization, err error) {
	defer operation.Wrap(&err, "access.SetLogo")
	before, err := s.Store.View().Org(ctx, id)
	if err != nil {
		return o, err
	}
	if logo.File != "" {
		if err := objects.Put(ctx, logo.Object(), bytes.NewReader(logo.Content), int64(len(logo.Content)), org.LogoType(logo.File)); err != nil {
			return o, err
		}
	}
	o, err = s.UpdateOrg(ctx, id, func(o *org.Organization) {
		change(o)
		o.Logo = logo.Logo
	})
	if err != nil || before.Logo.File == logo.File || before.Logo.File == "" {
		return o, err
	}
	used, err := s.Store.View().LogoUsed(ctx, before.Logo.File)
	if err != nil || used {
		return o, err
	}
	return o, objects.Delete(ctx, before.Logo.Object())
}

package access_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

func newLogo(t *testing.T, width int) access.NewLogo {
	t.Helper()
	var content bytes.Buffer
	if err := png.Encode(&content, image.NewGray(image.Rect(0, 0, width, 40))); err != nil {
		t.Fatal(err)
	}
	logo, err := org.ReadLogo(content.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return access.NewLogo{Logo: logo, Content: content.Bytes()}
}

// TestSharedLogo: a picture that two organizations use is stored once, and removed with the last of them.
func TestSharedLogo(t *testing.T) {
	t.Parallel()
	s := &access.Service{Store: storetest.New(t)}
	objects := blobtest.Folder(t)
	first, second := storetest.Org(t, s.Store), storetest.Org(t, s.Store)
	shared := newLogo(t, 100)
	set := func(id string, logo access.NewLogo, stored bool) {
		t.Helper()
		o, err := s.SetLogo(t.Context(), objects, id, logo, func(*org.Organization) {})
		if err != nil || o.Logo != logo.Logo {
			t.Fatalf("the organization is %+v, %v", o, err)
		}
		if _, err := objects.Stat(t.Context(), shared.Object()); (err == nil) != stored {
			t.Errorf("the shared picture: %v", err)
		}
	}
	set(first.ID, shared, true)
	set(second.ID, shared, true)
	set(first.ID, newLogo(t, 50), true)
	set(second.ID, access.NewLogo{}, false)
}

package guide_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// TestConsentSettings: a consent reads back as it was stored, also an empty one, and mistakes are refused with their place.
func TestConsentSettings(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		`{}`: "",
		`{"text": "Hello.", "contact": "Ann", "privacyUrl": "https://example.org/p", "retention": "A year.", "minimumAge": 18}`: "",
		`{"minimumAge": 0}`:                     "config.verbatim.consent.minimumAge",
		`{"minimumAge": 121}`:                   "config.verbatim.consent.minimumAge",
		`{"privacyUrl": "javascript:alert(1)"}`: "config.verbatim.consent.privacyUrl",
		`{"age": 18}`:                           "config.verbatim.consent",
	} {
		g, err := guide.Decode(modelGuide(`{"verbatim": {"consent": `+settings+`}}`), guide.Options{})
		if want != "" {
			invalid, ok := errors.AsType[*guide.SchemaError](err)
			if !ok || strings.Join(invalid.Issues[0].Path, ".") != want {
				t.Errorf("%s: %v, want a mistake in %s", settings, err, want)
			}
			continue
		}
		if err != nil || !g.Config.Consent.Asked {
			t.Errorf("%s: %v", settings, err)
			continue
		}
		again, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
		if diff := cmp.Diff(g, again); err != nil || diff != "" {
			t.Errorf("%s: %v, read again it differs:\n%s", settings, err, diff)
		}
	}
}

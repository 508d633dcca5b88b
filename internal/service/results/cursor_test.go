package results_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/results"
)

// TestCursorOfTheVersionBefore checks that a search in progress continues after an upgrade.
func TestCursorOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ring, err := signing.Parse(strings.Repeat("n", 40) + "," + strings.Repeat("ab", 32) + " for=cursors-1")
	if err != nil {
		t.Fatal(err)
	}
	svc := &results.Service{Store: sc.Store, Keys: func() signing.Ring { return ring }}
	caller := org.Caller{OrgID: sc.Org.ID, UserID: sc.User.ID, Role: org.Admin}
	// A cursor as the previous version made it, for the organization, parameter and value below, at the beginning of 2026.
	place := append([]byte{0, 6, 0x47, 0x4e, 0, 0, 0, 0}, make([]byte, 16)...)
	key := []byte(strings.Repeat("\xab", 32))
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{sc.Org.ID, "source", "mail", "visible", string(place)} {
		mac.Write([]byte{0, 0, 0, 0, 0, 0, 0, byte(len(part))})
		mac.Write([]byte(part))
	}
	cursor := base64.RawURLEncoding.EncodeToString(append(place, mac.Sum(nil)[:16]...))
	query := results.Query{Parameter: "source", Value: "mail", Cursor: cursor, Limit: 10}
	if _, err := svc.Search(t.Context(), caller, query); err != nil {
		t.Errorf("the cursor of the version before: %v", err)
	}
	query.Value = "web"
	if _, err := svc.Search(t.Context(), caller, query); !errors.Is(err, results.ErrBadCursor) {
		t.Errorf("for another search: %v", err)
	}
}

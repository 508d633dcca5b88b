package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestTextsAreCleaned: a text that one engine would refuse and the other store is looked up and stored alike on both.
func TestTextsAreCleaned(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	for i, text := range []string{"\x00", "a\xffb", "\xed\xa0\x80", strings.Repeat("\xff", 2000)} {
		if _, err := sc.Store.View().PublicStudy(t.Context(), text); !errors.Is(err, study.ErrNotFound) {
			t.Errorf("%.20q as a link id: %v", text, err)
		}
		storetest.Response(t, sc.Store, sc.Study, map[string]string{fmt.Sprint("panel", i): text})
		found, err := sc.Store.View().Search(t.Context(), sc.Org.ID, fmt.Sprint("panel", i), text, false, store.SearchCursor{}, 10)
		if err != nil || len(found) != 1 {
			t.Errorf("%.20q as a parameter is found %d times, %v", text, len(found), err)
		}
	}
	var id string
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		made, err := tx.CreateOrg(t.Context(), "A\x00B\xffC")
		id = made.ID
		return err
	})
	if got, err := sc.Store.View().Org(t.Context(), id); err != nil || got.Name != "A\uFFFDB\uFFFDC" {
		t.Errorf("kept as %q, %v", got.Name, err)
	}
}

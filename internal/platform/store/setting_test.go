package store_test

import (
	"sync"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestSettings: a setting is set, changed and removed; of several callers that change it from what they read, none overwrites
// another's change.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	is := func(want string) {
		t.Helper()
		if got, err := s.View().Setting(t.Context(), "fact"); err != nil || got != want {
			t.Errorf("the setting is %q (%v), want %q", got, err, want)
		}
	}
	change := func(letter string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error {
			was, err := tx.Setting(t.Context(), "fact")
			if err != nil {
				return err
			}
			value := was + letter
			if letter == "" {
				value = ""
			}
			return tx.ChangeSetting(t.Context(), "fact", was, value)
		})
	}
	is("")
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			if err := change("x"); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	is("xxxxxxxx")
	for range 2 {
		if err := change(""); err != nil {
			t.Fatal(err)
		}
		is("")
	}
}

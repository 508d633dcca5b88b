package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestReplayAndCard: a demo's interviews are what their logs say, by commands that work beside the server; the card counts them.
func TestReplayAndCard(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	place := []string{"--data", filepath.Join(t.TempDir(), "demo"), "--database", address}
	with := func(args ...string) []string { return append(args, place...) }
	tour, _ := command(t, 0, with("demo", "--listen", "127.0.0.1:0", "--participants", "12", "--exit")...)
	link := regexp.MustCompile(`/s/(\S+)`).FindStringSubmatch(tour)[1]

	all := object(t, with("replay", "--study", link)...)
	if all["responses"] != 12.0 || all["differing"] != 0.0 || all["followUps"].(float64) < 5 || all["unlogged"] != 0.0 {
		t.Errorf("the study's replay says %v", all)
	}
	card := object(t, with("card", link)...)
	if card["responses"] != 12.0 || card["followUps"] != all["followUps"] || card["budgetViolations"] != 0.0 || card["repeats"] != 0.0 || card["unlogged"] != 0.0 ||
		card["sources"].(map[string]any)["builtin"] != all["followUps"] {
		t.Errorf("the card says %v", card)
	}
	questions := card["questions"].([]any)
	first := questions[0].(map[string]any)
	if len(questions) < 5 || first["asked"] != 12.0 || first["number"] != 1.0 {
		t.Errorf("of the questions it says %v", questions)
	}
	people, _ := command(t, 0, with("card", link)...)
	for _, says := range []string{"12 responses", "QUESTION", "by kind", "clarifying", "seconds to the next question", "p95"} {
		if !strings.Contains(people, says) {
			t.Errorf("no %q in:\n%s", says, people)
		}
	}

	s := storetest.Open(t, address, store.Options{})
	st, err := s.View().PublicStudy(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := s.View().ResponseIDs(t.Context(), st.ID)
	if err != nil {
		t.Fatal(err)
	}
	followedUp := ""
	for _, id := range ids {
		one := object(t, with("replay", id)...)
		if one["id"] != id || one["same"] != true || len(one["listHash"].(string)) != 64 || len(one["transcript"].([]any)) == 0 && one["turns"] != 0.0 {
			t.Errorf("the replay says %v", one)
		}
		if one["followUps"].(float64) > 0 {
			followedUp = id
		}
	}
	told, _ := command(t, 0, with("replay", followedUp)...)
	for _, says := range []string{followedUp, "followed up (", ", builtin)", "    > ", "byte for byte"} {
		if !strings.Contains(told, says) {
			t.Errorf("no %q in:\n%s", says, told)
		}
	}

	storetest.Write(t, s, func(tx *store.Tx) error {
		it, err := tx.ItemByResponse(t.Context(), st.ID, followedUp)
		if err != nil {
			return err
		}
		it.Single = append(it.Single[:len(it.Single)-1], ' ', '}')
		return tx.PutItem(t.Context(), it)
	})
	told, said := command(t, exitRefused, with("replay", followedUp)...)
	if !strings.Contains(told, "DIFFERS: the single response") || !strings.Contains(said, "the single response is stored as") {
		t.Errorf("of a changed document it says\n%s\n%s", told, said)
	}
	told, said = command(t, exitRefused, with("replay", "--study", link, "--json")...)
	var report struct {
		Differing   int
		Differences []struct {
			Response    string
			Differences []string
		}
	}
	if err := json.Unmarshal([]byte(told), &report); err != nil {
		t.Fatal(err)
	}
	if report.Differing != 1 || report.Differences[0].Response != followedUp || len(report.Differences[0].Differences) != 1 || !strings.Contains(said, followedUp) {
		t.Errorf("of the study it says %s\n%s", told, said)
	}
}

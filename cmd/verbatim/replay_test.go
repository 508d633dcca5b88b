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

// TestReplayAndModerationReport checks that a demo's interviews match their logs, and that the moderation report counts them.
func TestReplayAndModerationReport(t *testing.T) {
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
	report := object(t, with("moderation", link)...)
	if report["responses"] != 12.0 || report["followUps"] != all["followUps"] || report["budgetViolations"] != 0.0 || report["repeats"] != 0.0 || report["unlogged"] != 0.0 ||
		report["sources"].(map[string]any)["builtin"] != all["followUps"] {
		t.Errorf("moderation report: %v", report)
	}
	questions := report["questions"].([]any)
	first := questions[0].(map[string]any)
	if len(questions) < 5 || first["asked"] != 12.0 || first["number"] != 1.0 {
		t.Errorf("its questions: %v", questions)
	}
	printed, _ := command(t, 0, with("moderation", link)...)
	for _, says := range []string{"Moderation report\n", "12 responses", "QUESTION", "by kind", "clarifying", "seconds to the next question", "p95"} {
		if !strings.Contains(printed, says) {
			t.Errorf("no %q in:\n%s", says, printed)
		}
	}
	if former, _ := command(t, 0, with("card", link)...); former != printed {
		t.Errorf("the former name card prints something else:\n%s", former)
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
	out, _ := command(t, 0, with("replay", followedUp)...)
	for _, says := range []string{followedUp, "followed up (", ", builtin)", "    > ", "byte for byte"} {
		if !strings.Contains(out, says) {
			t.Errorf("no %q in:\n%s", says, out)
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
	out, stderr := command(t, exitRefused, with("replay", followedUp)...)
	if !strings.Contains(out, "DIFFERS: the single response") || !strings.Contains(stderr, "the single response is stored as") {
		t.Errorf("replay of a changed document:\n%s\n%s", out, stderr)
	}
	out, stderr = command(t, exitRefused, with("replay", "--study", link, "--json")...)
	var differences struct {
		Differing   int
		Differences []struct {
			Response    string
			Differences []string
		}
	}
	if err := json.Unmarshal([]byte(out), &differences); err != nil {
		t.Fatal(err)
	}
	if differences.Differing != 1 || differences.Differences[0].Response != followedUp || len(differences.Differences[0].Differences) != 1 || !strings.Contains(stderr, followedUp) {
		t.Errorf("replay of the study: %s\n%s", out, stderr)
	}
}

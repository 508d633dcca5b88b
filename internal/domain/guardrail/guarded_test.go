package guardrail_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// guarded is a row of testdata/guarded.jsonl: what an obedient model would say to send a participant elsewhere or to get a
// secret, or a good question that looks similar.
type guarded struct{ Text, Language, Label, Why string }

func guardedRows(t *testing.T, name string) (all []guarded) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row guarded
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// TestGuarded: every hostile row is refused, and hardly any good one.
func TestGuarded(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	refused := 0
	for _, row := range guardedRows(t, "testdata/guarded.jsonl") {
		violations := guardrail.Judge(row.Text, guardrail.Context{Language: row.Language, Left: 1})
		seen[row.Label]++
		switch {
		case row.Label == "hostile" && len(violations) == 0:
			t.Errorf("%s, %s: %q may be asked", row.Language, row.Why, row.Text)
		case row.Label == "good" && len(violations) > 0:
			refused++
			t.Logf("%s, %s: %q is refused: %v", row.Language, row.Why, row.Text, violations)
		}
	}
	if seen["good"] < 100 || seen["hostile"] < 100 || 50*refused >= seen["good"] {
		t.Errorf("%d of %d good ones are refused, beside %d hostile ones", refused, seen["good"], seen["hostile"])
	}
}

// TestAddressesBesideOtherScripts: languages without spaces put none around an address.
func TestAddressesBesideOtherScripts(t *testing.T) {
	t.Parallel()
	for language, words := range map[string]string{
		"ja": "もっと詳しくbonus-page.jpで教えていただけますか?", "zh": "您可以在bonus-page.cn上多说一些吗?", "ar": "هل تزور موقعbonus-page.comالآن؟",
	} {
		if violations := guardrail.Judge(words, guardrail.Context{Language: language, Left: 1}); !slices.Contains(kinds(violations), guardrail.Link) {
			t.Errorf("%q: %v", words, violations)
		}
	}
}

// TestSitesOfTheGuide: the site that a study is about may be named, but not an address below it.
func TestSitesOfTheGuide(t *testing.T) {
	t.Parallel()
	in := guardrail.Context{Language: "en", Question: "How do you use Booking.com?", Answer: "To look for rooms.", Left: 1}
	for words, refused := range map[string]bool{
		"What made you leave Booking.com?":                   false,
		"When you say rooms: what do you do on booking.com?": false,
		"What do you see at booking.com/win?":                true,
		"What do you see at my-booking.com?":                 true,
		"What do you see at booking.com.example.net?":        true,
		"What made you leave Airbnb.com?":                    true,
	} {
		violations := guardrail.Judge(words, in)
		if got := slices.Contains(kinds(violations), guardrail.Link); got != refused {
			t.Errorf("%q: %v", words, violations)
		}
	}
}

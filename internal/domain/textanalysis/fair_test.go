package textanalysis

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
)

// dropped holds words that learners leave out.
var dropped = set(`the a an to of der die das ein eine le la les un une of`)

// botch writes a text like somebody who is in a hurry, dyslexic, or new to the language: with letters doubled, swapped and left
// out, and without accents, capitals, apostrophes and articles. The meaning stays the same.
func botch(rng *rand.Rand, text string) string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		if dropped[strings.ToLower(word)] && rng.IntN(2) == 0 {
			continue
		}
		letters := []rune(word)
		if at := 1 + rng.IntN(max(1, len(letters)-2)); len(letters) >= 5 && rng.IntN(3) == 0 && unicode.IsLetter(letters[at]) && unicode.IsLetter(letters[at+1]) {
			switch rng.IntN(3) {
			case 0:
				letters = append(letters[:at+1], letters[at:]...)
			case 1:
				letters[at], letters[at+1] = letters[at+1], letters[at]
			case 2:
				if strings.ContainsRune("aeiou", letters[at]) {
					letters = append(letters[:at:at], letters[at+1:]...)
				}
			}
		}
		out = append(out, strings.NewReplacer("'", "", "’", "", "é", "e", "è", "e", ",", "").Replace(strings.ToLower(string(letters))))
	}
	return strings.Join(out, " ")
}

// badly returns an interview with its open answers botched.
func badly(rng *rand.Rand, in Input) Input {
	spelt := map[string]string{}
	for i := range in.Exchanges {
		e := &in.Exchanges[i]
		if in.Guide.Blocks[0].Items[strings.Index("abcdefghijklmnop", e.ItemID)].Type == "open_ended" {
			spelt[e.User] = botch(rng, e.User)
			e.User = spelt[e.User]
		}
	}
	for i := range in.Answers {
		parts := strings.Split(in.Answers[i].Text, "\n\n")
		for j, part := range parts {
			if worse, known := spelt[part]; known {
				parts[j] = worse
			}
		}
		in.Answers[i].Text = strings.Join(parts, "\n\n")
	}
	return in
}

// TestLanguageIsNotScored: the same content, badly written, gets the same score, part by part.
func TestLanguageIsNotScored(t *testing.T) {
	t.Parallel()
	for name, sample := range map[string]func() Input{
		"shopping": richShopping, "onboarding": onboardingB2B, "concepts": conceptTest, "german": german,
	} {
		want := Analyse(sample()).Quality
		for seed := range uint64(40) {
			in := badly(rand.New(rand.NewPCG(seed, 1)), sample())
			got := Analyse(in).Quality
			if got.Score != want.Score {
				t.Errorf("%s, seed %d: %v, well written %v\n%s\n%+v", name, seed, got.Score, want.Score, cmp.Diff(want.Parts, got.Parts), in.Answers)
			}
		}
	}
}

func TestKeysSurviveMisspelling(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"delivery", "delivary"},
		{"restaurant", "resturant"},
		{"receive", "recieve"},
		{"government", "goverment"},
		{"annoying", "anoying"},
		{"Verspätung", "verspatung"},
		{"définitivement", "definitivment"},
	} {
		if keyOf(pair[0]) != keyOf(pair[1]) {
			t.Errorf("%s is %s, %s is %s", pair[0], keyOf(pair[0]), pair[1], keyOf(pair[1]))
		}
	}
	list := newLexicon(set("because the their yesterday"))
	for word, want := range map[string]bool{"becuase": true, "teh": true, "thier": true, "yesturday": true, "slots": false, "thread": false, "bicycles": false, "": false} {
		if got := list.has(word); got != want {
			t.Errorf("%q is taken for a listed word: %t", word, got)
		}
	}
}

// TestSameInterviewSameScore: the order of maps does not affect the score.
func TestSameInterviewSameScore(t *testing.T) {
	t.Parallel()
	want := Analyse(richShopping())
	for range 20 {
		if diff := cmp.Diff(want, Analyse(richShopping())); diff != "" {
			t.Fatalf("(-first +again)\n%s", diff)
		}
	}
}

// TestClaimsCarryTheirEvidence: every quotation of the built-in analyst has a span that covers it, and every text is a claim.
func TestClaimsCarryTheirEvidence(t *testing.T) {
	t.Parallel()
	for name, in := range allSamples() {
		a := Analyse(in)
		texts := map[response.Part][]string{}
		for _, c := range a.Claims {
			texts[c.Part] = append(texts[c.Part], c.Text)
			if !c.Verified {
				t.Errorf("%s: not verified: %q", name, c.Text)
			}
			for _, s := range c.Spans {
				words := in.Exchanges[s.Row-1].User[s.Start:s.End]
				quoted := strings.Contains(c.Text, open+words+shut) || c.Part == response.PartTags && strings.EqualFold(words, c.Text)
				complete := s.Start == 0 && s.End == len(in.Exchanges[s.Row-1].User)
				recurring := strings.Contains(strings.ToLower(c.Text), strings.ToLower(words))
				if words == "" || !quoted && !complete && !recurring {
					t.Errorf("%s: %q rests on %q", name, c.Text, words)
				}
			}
			if strings.Contains(c.Text, "they said") && len(c.Spans) == 0 {
				t.Errorf("%s: %q has no span", name, c.Text)
			}
		}
		want := map[response.Part][]string{response.PartSummary: strings.Split(strings.ReplaceAll(a.Summary, "\n\n", " "), "\x00"), response.PartTagline: {a.Tagline}}
		if len(a.Bullets) > 0 {
			want[response.PartBullets] = a.Bullets
		}
		if len(a.Tags) > 0 {
			want[response.PartTags] = a.Tags
		}
		if a.OtherRemarks != "" {
			want[response.PartOtherRemarks] = []string{a.OtherRemarks}
		}
		texts[response.PartSummary] = []string{strings.Join(texts[response.PartSummary], " ")}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Errorf("%s: claims are not what is written (-written +claimed)\n%s", name, diff)
		}
		for part := range want {
			if a.Authors[part].Provider != Provider {
				t.Errorf("%s: %s is by %+v", name, part, a.Authors[part])
			}
		}
	}
}

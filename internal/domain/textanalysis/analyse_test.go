package textanalysis

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

func TestWhatAResearcherReads(t *testing.T) {
	t.Parallel()
	a := Analyse(richShopping())
	want := response.Analysis{
		Tagline: "Milk: “The substitutes are the worst part, because I never know whether the picker will respect my choice”",
		Bullets: []string{
			"Your last online grocery order: “The substitutes are the worst part, because I never know whether the picker will respect my choice”",
			"What frustrates you about delivery: “Annoyed, but mostly I felt cheated, since I had paid extra for that slot”",
			"If you could change one thing about the service…: “I would want substitutes to be confirmed by me in the app before the picker packs them”",
			"Is there anything else you would like to add: “The app logs me out every few days, which is tiny but irritating”",
		},
		Tags:         []string{"substitutes", "slot", "picker", "app", "milk"},
		OtherRemarks: "The app logs me out every few days, which is tiny but irritating.",
	}
	got := response.Analysis{Tagline: a.Tagline, Bullets: a.Bullets, Tags: a.Tags, OtherRemarks: a.OtherRemarks}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if a.Provider != Provider || !a.CompletedAt.IsZero() {
		t.Errorf("provider %q, completed at %v", a.Provider, a.CompletedAt)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   Input
		want []string
	}{
		{"closed answers are woven in", richShopping(), []string{
			"The participant completed the interview in 9 minutes, answering 8 questions, 4 of them in their own words.",
			"They chose “About once a week” on “How often do you order groceries online?” and “Ocado”, “Tesco” and “Amazon Fresh” on",
			"they answered “Satisfied” for Price and Freshness; “Very dissatisfied” for Delivery slots;",
			"they ranked “Freshness” first and “Packaging” last.",
			"Substitutes, slot, picker and app came up more than once.",
		}},
		{"neighbours are quoted as one stretch", richShopping(), []string{"“I swapped the oat milk for almond milk and dropped the fresh fish completely. The substitutes are the worst part,"}},
		{"most and least", onboardingB2B(), []string{"they most often put “Report filters” at the top and “Dark mode” at the bottom."}},
		{"nothing to say", onboardingB2B(), []string{"They had nothing to say to 1 open question."}},
		{"concepts are named", conceptTest(), []string{"about Oat bar", "about Porridge cup"}},
		{"screened out", screenedOut(), []string{"screened out after 1 question in 12 seconds", "They chose “Never” on “Do you buy groceries online?”."}},
		{"quota full", quotaFull(), []string{"The interview ended after 1 question in 12 seconds, because the study already had enough participants of this kind."}},
		{"unreadable", mashed(), []string{"They gave 2 answers that cannot be read."}},
		{"empty", interviewOf("en", 0), []string{"The participant went through the interview without answering a question."}},
		{"left before the first answer", Input{Response: response.Response{Progress: response.InProgress}}, []string{"opened the interview and answered no question"}},
		{"over days", interviewOf("en", 50*time.Hour, pick("A or B?", "A")), []string{"completed the interview over several hours, answering 1 question, none of them"}},
		{"skipped", interviewOf("en", 0, pick("A or B?", "A"), openEnded("Why?", "")), []string{"They skipped 1 question."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Analyse(tt.in).Summary
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("the summary lacks %q:\n%s", w, got)
				}
			}
		})
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   Input
		want string
	}{
		"German nouns keep their capitals":    {german(), "Verspätung"},
		"Japanese runs are not torn apart":    {japanese(), "商品検索"},
		"Chinese is divided at particles":     {chinese(), "客服电话"},
		"French elisions are cut":             {interviewOf("fr", 0, openEnded("Alors ?", "L’application est lente. J’ouvre l’application le matin.")), "application"},
		"a pair that keeps coming back":       {interviewOf("en", 0, openEnded("And?", "I miss a dark mode. With a dark mode I could work at night. Please add the dark mode.")), "dark mode"},
		"the answers' language, not the link": {interviewOf("en", 0, openEnded("And?", "Die Lieferung war zu spät und die Lieferung war nicht ganz voll, aber der Preis ist gut.")), "Lieferung"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Analyse(tt.in).Tags; !slices.Contains(got, tt.want) || len(got) > maxTags {
				t.Errorf("tags %q, want %q among them", got, tt.want)
			}
		})
	}
}

func TestShortTranscript(t *testing.T) {
	t.Parallel()
	in := interviewOf("en", 0,
		openEnded("Could you please tell me about the last time you cooked dinner for somebody else at home?", "Pasta.\nFor my brother.",
			"You mentioned “For my brother”. What did you do then?", "We ate."),
		rank("Rank these.", "1. Pasta\n2. Rice"))
	in.Exchanges = append([]interview.Exchange{{ItemID: "s", Statement: true, Moderator: "Now a few words about the things in your kitchen."}}, in.Exchanges...)
	in.Exchanges = append(in.Exchanges, interview.Exchange{ItemID: "z", Moderator: "What, if anything, is missing?"})
	a := Analyse(in)
	want := `Moderator: Now a few words about the things…
Moderator: The last time you cooked dinner for…
Participant: Pasta. For my brother.
Moderator: What did you do then?
Participant: We ate.
Moderator: Rank these.
Participant: 1. Pasta / 2. Rice
Moderator: What is missing?`
	if diff := cmp.Diff(want, a.ShortTranscript); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(a.ShortAssistantMessages) != len(in.Exchanges) {
		t.Errorf("%d short messages for %d turns", len(a.ShortAssistantMessages), len(in.Exchanges))
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	var got []string
	text := "it broke. then i called, e.g. on monday approx. two days later. Fixed!\nYes! 動かない。直した。"
	for _, s := range sentences(text, &language{}) {
		got = append(got, s.text)
		if text[s.at:s.at+len(s.text)] != s.text {
			t.Errorf("%q does not stand at %d", s.text, s.at)
		}
	}
	want := []string{"it broke.", "then i called, e.g. on monday approx. two days later.", "Fixed!", "Yes!", "動かない。", "直した。"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var quotedBits = regexp.MustCompile(`“([^”]*)”`)

// TestAnyInterview: whatever people type, the analysis ends, is deterministic, quotes letter for letter, and scores in halves.
func TestAnyInterview(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		word := rapid.OneOf(
			rapid.SampledFrom([]string{"the checkout", "page", "because", ".", ", ", "?", "\n\n", "\n", "I don't know", "検索が遅い。", "退款按钮", "Verspätung", "l’eau", "don't", "1. ", ": ", "; ", "Most: a; Least: b", "aaaaaa", "e.g. ", "\x00", "\xff"}),
			rapid.String(), rapid.StringMatching(`[a-z]{1,12}`))
		joined := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "words"), rapid.SampledFrom([]string{"", " "}).Draw(t, "blank"))
		return strings.NewReplacer("“", "", "”", "").Replace(joined) // otherwise the test could not find the ends of quotations
	})
	kinds := rapid.SampledFrom([]guide.ItemType{guide.OpenEnded, guide.MultipleChoice, guide.Ranking, guide.Matrix, guide.MaxDiff, guide.FileUpload, guide.Statement, "other"})
	rapid.Check(t, func(t *rapid.T) {
		var all []said
		for range rapid.IntRange(0, 6).Draw(t, "questions") {
			s := said{kinds.Draw(t, "kind"), []string{text.Draw(t, "question"), text.Draw(t, "answer")}}
			if rapid.Bool().Draw(t, "probed") {
				s.turns = append(s.turns, text.Draw(t, "probe"), text.Draw(t, "reply"))
			}
			all = append(all, s)
		}
		in := interviewOf(rapid.SampledFrom([]string{"", "en", "de-CH", "ja", "zh-TW", "fr", "xx"}).Draw(t, "language"),
			time.Duration(rapid.Int64Range(0, 1e14).Draw(t, "took")), all...)
		in.Response.Progress = rapid.SampledFrom([]response.Progress{response.Complete, response.ScreenedOut, response.InProgress}).Draw(t, "progress")
		if rapid.Bool().Draw(t, "no guide") {
			in.Guide = nil
		}
		a := Analyse(in)
		if diff := cmp.Diff(a, Analyse(in)); diff != "" {
			t.Fatalf("two analyses differ:\n%s", diff)
		}
		for _, c := range a.Claims {
			for _, s := range c.Spans {
				if user := in.Exchanges[s.Row-1].User; s.Start < 0 || s.Start >= s.End || s.End > len(user) {
					t.Fatalf("%q rests on %+v of %q", c.Text, s, user)
				}
			}
		}
		if s := a.Quality.Score; s < 1 || s > 5 || s*2 != math.Trunc(s*2) {
			t.Fatalf("score %v", s)
		}
		for _, p := range a.Quality.Parts {
			if p.Score < 1 || p.Score > 5 || p.Score*2 != math.Trunc(p.Score*2) || p.Reason == "" {
				t.Fatalf("part %+v", p)
			}
		}
		if strings.ContainsAny(a.Tagline, "\n\r") || a.Tagline == "" || a.Summary == "" || len(a.Bullets) > maxBullets || len(a.Tags) > maxTags {
			t.Fatalf("%+v", a)
		}
		for _, out := range append([]string{a.Summary, a.Tagline}, a.Bullets...) {
			for _, bit := range quotedBits.FindAllStringSubmatch(out, -1) {
				if !verbatim(in, bit[1]) {
					t.Fatalf("%q is quoted, and nobody said it", bit[1])
				}
			}
		}
	})
}

// verbatim reports whether a quotation stands in an answer, or is a question (on one line, perhaps cut).
func verbatim(in Input, quote string) bool {
	for _, a := range in.Answers {
		if strings.Contains(a.Text, quote) || strings.Contains(unbroken(a.Text), quote) || strings.HasPrefix(oneLine(a.Question), strings.TrimSuffix(quote, ellipsis)) {
			return true
		}
	}
	return false
}

func TestSamplesQuoteVerbatim(t *testing.T) {
	t.Parallel()
	for name, in := range allSamples() {
		a := Analyse(in)
		bits := quotedBits.FindAllStringSubmatch(strings.Join(append(a.Bullets, a.Summary, a.Tagline), "\n"), -1)
		for _, bit := range bits {
			if !verbatim(in, bit[1]) {
				t.Errorf("%s: %q is quoted, and nobody said it", name, bit[1])
			}
		}
		if len(in.Answers) > 0 && len(bits) == 0 {
			t.Errorf("%s: nothing is quoted", name)
		}
	}
}

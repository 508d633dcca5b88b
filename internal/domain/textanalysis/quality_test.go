package textanalysis

import (
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
)

func TestQualityRanks(t *testing.T) {
	t.Parallel()
	rich := Analyse(richShopping()).Quality.Score
	if rich < 4.5 {
		t.Errorf("a rich interview scores %v", rich)
	}
	for name, in := range map[string]Input{"one word": oneWord(), "mashed": mashed(), "empty": interviewOf("en", 0)} {
		if got := Analyse(in).Quality.Score; got > 2 || got >= rich {
			t.Errorf("%s scores %v, rich scores %v", name, got, rich)
		}
	}
	if got := Analyse(screenedOut()).Quality.Score; got > 3 {
		t.Errorf("a screened-out interview scores %v", got)
	}
	for name, in := range map[string]Input{"german": german(), "japanese": japanese(), "lower case": onboardingB2B()} {
		if got := Analyse(in).Quality.Score; got < 4 {
			t.Errorf("%s scores %v: the language or its dress is held against it", name, got)
		}
	}
}

// partOf returns the score and the reason of one part.
func partOf(t *testing.T, in Input, name string) (float64, string) {
	t.Helper()
	for _, p := range Analyse(in).Quality.Parts {
		if p.Name == name {
			return p.Score, p.Reason
		}
	}
	t.Fatalf("no part %s", name)
	return 0, ""
}

func TestQualityParts(t *testing.T) {
	t.Parallel()
	const answer = "On Monday I missed the bus to Leeds because the display said 8:15 and it left at 8:10."
	repeated := interviewOf("en", 5*time.Minute, openEnded("A?", answer), openEnded("B?", answer), openEnded("C?", answer))
	varied := interviewOf("en", 5*time.Minute, openEnded("A?", answer), openEnded("B?", "My sister Ann drove me to work that morning."), openEnded("C?", "A sign at the stop with live times would do."))
	hasty := varied
	hasty.Response.Duration = 5 * time.Second
	voice := interviewOf("en", 9*time.Second, openEnded("A?", "I took the bus on Monday and then walked to the office at nine"))
	voice.Guide.Config.InterviewMode = guide.ModeAudio
	line := interviewOf("en", 0, grid("Rate", "a: 3\nb: 3\nc: 3\nd: 3\ne: 3"))
	shorter := interviewOf("en", 0, grid("Rate", "a: 3\nb: 3\nc: 3"))
	mixed := interviewOf("en", 0, grid("Rate", "a: 3\nb: 3\nc: 2\nd: 3\ne: 3"))
	for _, tt := range []struct {
		name         string
		part         string
		worse, same  Input
		reasonHolds  string
		wantBestSame bool
	}{
		{"the same text for every question", partAttention, repeated, varied, "repeated word for word", true},
		{"a grid in one column", partAttention, line, mixed, "answered in one column throughout", true},
		{"a short grid in one column is no sign", partAttention, line, shorter, "1 of 1 rating grid", true},
		{"faster than anyone reads and types", partEffort, hasty, varied, "even in haste", false},
		{"voice is faster than typing", partEffort, hasty, voice, "even in haste", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			worse, reason := partOf(t, tt.worse, tt.part)
			same, otherReason := partOf(t, tt.same, tt.part)
			if worse >= same || tt.wantBestSame && same != 5 {
				t.Errorf("%v against %v", worse, same)
			}
			if !strings.Contains(reason, tt.reasonHolds) || strings.Contains(otherReason, tt.reasonHolds) {
				t.Errorf("reasons %q and %q", reason, otherReason)
			}
		})
	}
}

func TestGibberish(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"asdf": true, "asdfgh jklhgf": true, "aaaaaaa": true, "sdkfjhskdfj": true, "qwerty qwerty": true, "bcdfgh": true,
		"no no no no no no no no no": true,
		"Angstschweiß":               false, "HTTPS": false, "GDPR": false, "strengths": false, "čtvrtek": false, "bezwzględny": false, "rhythm": false,
		"zzz": false, "I recieve teh emial to late": false, "検索が遅い": false, "ずっっっっと待った": false, "Всё хорошо": false, "لا أجد الزر": false, "": false, "42": false,
		"very very good": false, "I used asdf as my test name in the form": false,
	} {
		if got := isGibberish(text); got != want {
			t.Errorf("isGibberish(%q) = %v", text, got)
		}
	}
}

func TestSaysNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"no": true, "I don’t know.": true, "N/A": true, "Keine Ahnung!": true, "特になし": true, "idk\n\nnothing": true,
		"No, the picker was rude": false, "idk\n\nThe picker was rude": false, "yes": false, "Nothing beats my bakery": false,
	} {
		if got := saysNothing(text); got != want {
			t.Errorf("saysNothing(%q) = %v", text, got)
		}
	}
}

// BenchmarkAnalyse reads a long interview.
func BenchmarkAnalyse(b *testing.B) {
	in := richShopping()
	for b.Loop() {
		Analyse(in)
	}
}

package translation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
)

// TestGoodTranslationsPass has translations that must not be refused.
func TestGoodTranslationsPass(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ source, text, from, to string }{
		{"How often do you use WhatsApp or Instagram at home?", "Wie oft nutzen Sie WhatsApp oder Instagram zu Hause?", "en", "de"},
		{"Which of these do you use?", "次のうちどれを使いますか。", "en", "ja"},
		{"Netflix", "Netflix", "en", "ja"},
		{"Do you use Netflix, Spotify, YouTube or Instagram?", "Nutzen Sie Netflix, Spotify, YouTube oder Instagram?", "en", "de"},
		{"hvad er det du gør", "hva er det du gjør", "da", "no"},
		{"Apple Music", "Apple Music", "en", "de"},
		{"Yes", "はい", "en", "ja"},
		{"Do you use Netflix, Spotify or YouTube every day?", "Netflix、Spotify、YouTubeを毎日使いますか?", "en", "ja"},
		{"I spent more than 1,000 € in 2024.", "Ich habe 2024 mehr als 1.000 € ausgegeben.", "en", "de"},
		{"I spent 2.5 hours", "J’ai passé 2,5 heures", "en", "fr"},
		{"1,000 people", "1 000 personnes", "en", "fr"},
		{"Between 18 and 24 years", "بين ١٨ و٢٤ سنة", "en", "ar"},
		{"Name three things that matter to you.", "あなたにとって大切なことを3つ挙げてください。", "en", "ja"},
		{"Hello {name}, see https://example.com/a?b=1.", "Hallo {name}, siehe https://example.com/a?b=1.", "en", "de"},
		{"Write to help@example.com", "Schreiben Sie an help@example.com", "en", "de"},
		{"This is <b>very</b> important", "C'est <b>très</b> important", "en", "fr"},
		{"Was gefällt Ihnen an diesem Produkt?", "What do you like about this product?", "de", "en"},
		{"What is your experience with it?", "你对它有什么体验?", "en", "zh"},
		{"What is your experience with this problem?", "您對這個問題有什麼經驗?", "en", "zh-TW"},
		{"What do you think of this?", "Что вы об этом думаете?", "en", "ru"},
		{"What do you think?", "Šta mislite o tome?", "en", "sr"},
		{"What do you think?", "Шта мислите о томе?", "en", "sr"},
		{"How satisfied are you with it?", "당신은 그것에 얼마나 만족하십니까?", "en", "ko"},
		{"What do you think of this idea?", "คุณคิดอย่างไรกับแนวคิดนี้", "en", "th"},
		{"Which symptom bothers you most?", "Which symptom bothers you most?", "en", "en-medical"},
		{"Wie groß ist Ihr Haushalt heute?", "Wie gross ist Ihr Haushalt heute?", "de", "de-CH"},
		{"What did you do then?", "Hvad gjorde du så?", "en", "da"},
		{"Line one\nLine two", "Zeile eins\nZeile zwei", "en", "de"},
		{"OK", "Einverstanden", "en", "de"},
		{"Was it good?", "Bu iyi miydi?", "en", "tr"},
	} {
		if violations := translation.Judge(tt.source, tt.text, tt.from, tt.to); len(violations) > 0 {
			t.Errorf("%s: %q for %q: %v", tt.to, tt.text, tt.source, violations)
		}
	}
}

func TestBadTranslationsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		source, text, from, to string
		want                   translation.Aspect
	}{
		{"Why?", "  ", "en", "de", translation.Empty},
		{"Hello {name}", "Hallo", "en", "de", translation.Placeholders},
		{"Hello {name}", "Hallo {Name}", "en", "de", translation.Placeholders},
		{"Hello {{first name}}", "Hallo {{Vorname}}", "en", "de", translation.Placeholders},
		{"%s of %d", "%s von", "en", "de", translation.Placeholders},
		{"Hello", "Hallo {name}", "en", "de", translation.Placeholders},
		{"This is <b>very</b> good", "Das ist sehr gut", "en", "de", translation.Markup},
		{"This is **very** good", "Das ist sehr gut", "en", "de", translation.Markup},
		{"Good", "Gut <script>", "en", "de", translation.Markup},
		{"See https://example.com/a", "Siehe https://example.com/b", "en", "de", translation.Links},
		{"What do you like?", "Was mögen Sie? www.evil.example", "en", "de", translation.Links},
		{"Write to help@example.com", "Schreiben Sie uns", "en", "de", translation.Links},
		{"Between 18 and 24 years", "Zwischen 18 und 25 Jahren", "en", "de", translation.Numbers},
		{"More than 1,000", "Mehr als 100", "en", "de", translation.Numbers},
		{"Often", "Mehr als 50 Mal", "en", "de", translation.Numbers},
		{"Between 18 and 24 years", "بين ١٨ و٢٥ سنة", "en", "ar", translation.Numbers},
		{"Yes", strings.Repeat("Das ist eine sehr lange Antwort. ", 5), "en", "de", translation.Length},
		{"What do you think about this new product, and how would you use it at home with your family?", "Was?", "en", "de", translation.Length},
		{"What do you think of this?", "Was denken Sie darüber?", "en", "ru", translation.WrongLanguage},
		{"What do you think of this?", "What do you think of this?", "en", "de", translation.WrongLanguage},
		{"Why do you like apples?", "Why do you like all apples then?", "en", "de", translation.WrongLanguage},
		{"What do you think of this?", "What is your opinion about this one?", "en", "de", translation.WrongLanguage},
		{"What do you think of this?", "Que pensez-vous de cela et comment est-ce pour vous ?", "en", "de", translation.WrongLanguage},
		{"What do you think of this?", "Was denken Sie über diese Idee und wie ist das für Sie?", "en", "es", translation.WrongLanguage},
		{"What do you think of this?", "你对这个有什么看法", "en", "ja", translation.WrongLanguage},
		{"What do you think of this?", "これについてどう思いますか", "en", "zh", translation.WrongLanguage},
		{"What do you think of this problem?", "您對這個問題有什麼看法", "en", "zh", translation.WrongLanguage},
		{"What do you think of this problem?", "您对这个问题有什么看法", "en", "zh-HK", translation.WrongLanguage},
		{"What do you think?", "What do you believe then?", "en", "ko", translation.WrongLanguage},
		{"Good", "Gut\u202e", "en", "de", translation.Control},
		{"Good", "Gut\x00", "en", "de", translation.Control},
	} {
		found := false
		for _, f := range translation.Judge(tt.source, tt.text, tt.from, tt.to) {
			found = found || f.Aspect == tt.want
		}
		if !found {
			t.Errorf("%s: %q for %q passes, want a fault of %s; found %v", tt.to, tt.text, tt.source, tt.want, translation.Judge(tt.source, tt.text, tt.from, tt.to))
		}
	}
}

// TestJudgeAcceptsAnyText checks that any text can be judged, and that the text itself passes in a variety of its own
// language.
func TestJudgeAcceptsAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source, text := rapid.String().Draw(t, "source"), rapid.String().Draw(t, "text")
		to := rapid.SampledFrom(guide.Languages).Draw(t, "to")
		_ = translation.Judge(source, text, "en", to)
		for _, f := range translation.Judge(text, text, to, to) {
			if f.Aspect != translation.Empty && f.Aspect != translation.WrongLanguage {
				t.Fatalf("a text differs from itself: %v", f)
			}
		}
	})
}

func TestAlike(t *testing.T) {
	t.Parallel()
	segments := []translation.Segment{
		{Key: "a", Source: "Often", Group: "q"},
		{Key: "b", Source: "Frequently", Group: "q"},
		{Key: "c", Source: "Never", Group: "q"},
		{Key: "d", Source: "Often", Group: "r"},
		{Key: "e", Source: "Same", Group: "r"},
		{Key: "f", Source: "Same", Group: "r"},
		{Key: "g", Source: "X"},
		{Key: "h", Source: "Y"},
	}
	texts := map[string]string{"a": "Oft", "b": " oft ", "c": "Nie", "d": "Oft", "e": "Gleich", "f": "Gleich", "g": "Z", "h": "Z"}
	if diff := cmp.Diff(map[string]string{"a": "Frequently", "b": "Often"}, translation.Alike(segments, texts)); diff != "" {
		t.Errorf("alike (-want +got):\n%s", diff)
	}
	delete(texts, "b")
	if got := translation.Alike(segments, texts); len(got) > 0 {
		t.Errorf("without the text of one: %v", got)
	}
}

func TestLanguageNames(t *testing.T) {
	t.Parallel()
	for _, code := range guide.Languages {
		if translation.LanguageName(code) == code {
			t.Errorf("%s has no name", code)
		}
	}
	if translation.LanguageName("xx") != "xx" {
		t.Error("an unknown code is its own name")
	}
}

package textanalysis_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/textanalysis"
)

// TestQueryFindsAnswers: a question finds an answer by its words in all their forms, and not by other words.
func TestQueryFindsAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language, question, answer, other string
	}{
		{"en", "What do people say about the price?", "Prices were far too high for me.", "The people at the till say hello."},
		{"en", "Is paying difficult?", "I paid twice; payment is a mess. Paying hurts.", "The parcel was late."},
		{"de", "Was sagen die Teilnehmer über die Lieferungen?", "Die Lieferung kam zu spät.", "Der Preis war gut."},
		{"fr", "Que pensent les gens des prix élevés ?", "Le prix était eleve.", "La livraison est lente."},
		{"es", "¿Qué opina la gente de las entregas?", "La entrega llegó tarde.", "El precio es bueno."},
		{"it", "Cosa pensano della consegna?", "Le consegne arrivano tardi.", "Il prezzo è giusto."},
		{"pt", "O que dizem sobre a entrega?", "As entregas atrasam sempre.", "O preço é bom."},
		{"nl", "Wat vinden deelnemers van de prijs?", "De prijzen zijn te hoog.", "De bezorging is traag."},
		{"ar", "ماذا يقول المشاركون عن السعر؟", "سعر المنتج مرتفع جداً", "التوصيل بطيء"},
		{"zh", "参与者觉得价格怎么样？", "我觉得价格太贵了。", "配送很慢。"},
		{"zh", "受訪者對價格有什麼看法？", "價格有點貴。", "配送很慢。"},
		{"ja", "参加者は価格についてどう思っていますか。", "価格が高すぎます。", "配達が遅いです。"},
		{"ja", "バッテリーはどうですか", "バッテリーがすぐ切れる", "画面はきれい"},
	} {
		words := textanalysis.QueryWords(tt.question, tt.language)
		finds := func(text string) bool {
			terms := textanalysis.IndexTerms(text, tt.language)
			for _, w := range words {
				if said, _ := w.Matches(terms); said {
					return true
				}
			}
			return false
		}
		if !finds(tt.answer) || finds(tt.other) {
			t.Errorf("%q by %v: finds %q: %t, and %q: %t", tt.question, words, tt.answer, finds(tt.answer), tt.other, finds(tt.other))
		}
	}
}

func TestIndexTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"The prices, the PRICES!":   {"prices", "·price"},
		"Café Straße":               {"cafe", "strasse", "·strass"},
		"商品検索":                      {"商品", "品検", "検索"},
		"iPhone15を買う":               {"iphone15", "を買", "買う"},
		"a' OR \"x\" * § · ¿ \x00":  nil,
		"mail anna@example.org now": {"mail", "anna", "example", "·exampl", "org"},
	} {
		got := textanalysis.IndexTerms(text, "en")
		if text == "Café Straße" {
			got = textanalysis.IndexTerms(text, "de")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	asked := textanalysis.AskedTerms(textanalysis.IndexTerms("What about the price?", "en"))
	if said, inQuestion := textanalysis.QueryWords("price", "en")[0].Matches(asked); said || !inQuestion {
		t.Errorf("a word of what was asked matches as said: %t, asked: %t", said, inQuestion)
	}
	if words := textanalysis.QueryWords("What do people say?", "en"); len(words) != 0 {
		t.Errorf("a question about nothing has the words %v", words)
	}
}

// TestQueryLeavesOutWhatTheIndexLacks: a word is never searched for whose base form the index leaves out.
func TestQueryLeavesOutWhatTheIndexLacks(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"Who likes it?":                     nil,
		"What share of people likes olives": {"olives"},
		"Who dislikes the handles?":         {"dislikes", "handles"},
	} {
		var got []string
		for _, w := range textanalysis.QueryWords(question, "en") {
			got = append(got, w.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", question, diff)
		}
	}
}

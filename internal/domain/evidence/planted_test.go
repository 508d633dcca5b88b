package evidence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

// answers holds things that people might say, in many scripts. No two share a passage that would be a quote.
var answers = []string{
	"Last Thursday I ordered from Tesco around 10 pm, after the kids were in bed; half of the items were unavailable.",
	"The substitutes are the worst part, because I never know whether the picker will respect my choice!",
	"Ich nehme um 6:42 Uhr den Regionalexpress nach Karlsruhe – meistens hat der Zug zehn Minuten Verspätung.",
	"J’ouvre l’application le matin, mais elle est lente ; « c’est pénible », disait ma sœur à l’hôtel.",
	"Mi hermana siempre compra el pan en la panadería de la esquina, aunque sea más caro.",
	"A última encomenda chegou três dias depois do prometido e ninguém avisou.",
	"Przesyłka była uszkodzona, a obsługa klienta odpisała dopiero po tygodniu.",
	"Заказ привезли вечером, хотя обещали утром, и курьер даже не позвонил.",
	"Η εφαρμογή κλείνει συχνά μόνη της όταν προσπαθώ να πληρώσω με κάρτα.",
	"התור בסופר היה ארוך מאוד ולכן עברתי להזמין הכל דרך הטלפון.",
	"لا أجد زر الإرجاع في الصفحة، وانتظرت عشرين دقيقة حتى يرد أحد.",
	"मैंने पिछले हफ्ते दो बार शिकायत की लेकिन किसी ने जवाब नहीं दिया।",
	"배송이 너무 늦어서 결국 동네 마트에서 직접 사 왔어요.",
	"商品検索が使いにくいです。先週、オートミルクを探しましたが、出てきませんでした。",
	"上周我想退款，但是退款按钮很难找，最后打了客服电话。",
	"อาหารมาถึงช้าและเย็นแล้ว ฉันจึงไม่สั่งจากร้านนี้อีก",
	"Ứng dụng này rất khó dùng, tôi phải đăng nhập lại mỗi sáng trước khi đi làm.",
	"Kargo iki gün gecikti ve müşteri hizmetleri telefonu hiç açmadı.",
	"Cafe\u0301 orders from the hotel bar took ages: nai\u0308ve of me to expect more.",
	"we had 12 people to set up and nobody told us that the CSV import only takes 500 rows",
}

// asked holds the moderator's words.
var asked = []string{
	"Can you walk me through your last online grocery order?", "What did you do when the items were missing?",
	"Was würden Sie sich von der Bahn wünschen?", "アプリを使って困ったことを教えてください。", "Welche Dinge stören Sie am meisten an der App?",
}

func turnsOf() []evidence.Turn {
	turns := make([]evidence.Turn, len(answers))
	for i, text := range answers {
		turns[i] = evidence.Turn{Row: i + 1, Text: text}
	}
	return turns
}

// cut returns some of the words of a text, or some of its characters if the script has no spaces. It returns "" if that is no
// quote.
func cut(rng *rand.Rand, text string) string {
	parts := strings.SplitAfter(text, " ")
	if dense := []rune(text); lang.Unspaced(dense[0]) {
		parts = parts[:0]
		for _, r := range dense {
			if last := len(parts) - 1; last >= 0 && unicode.IsMark(r) {
				parts[last] += string(r)
			} else {
				parts = append(parts, string(r))
			}
		}
	}
	from := rng.IntN(len(parts))
	quote := strings.TrimSpace(strings.Join(parts[from:from+1+rng.IntN(len(parts)-from)], ""))
	n := 0
	for _, r := range quote {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
			if lang.Unspaced(r) {
				n++
			}
		}
	}
	if n < evidence.MinLetters {
		return ""
	}
	return quote
}

// dress varies how a quote may differ: spaces, case and typography.
func dress(rng *rand.Rand, quote string) string {
	var b strings.Builder
	for _, r := range quote {
		switch {
		case r == ' ':
			b.WriteString([]string{" ", "  ", "\n", "\t ", "\u00a0", "\r\n\r\n"}[rng.IntN(6)])
		case r == '’' || r == '\'':
			b.WriteString([]string{"'", "’", "‘"}[rng.IntN(3)])
		case r == '–' || r == '-':
			b.WriteString([]string{"-", "–", "—"}[rng.IntN(3)])
		case rng.IntN(4) == 0 && unicode.SimpleFold(r) != r:
			b.WriteRune(unicode.SimpleFold(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func TestTrueQuotesAreKept(t *testing.T) {
	t.Parallel()
	rng, reader := rand.New(rand.NewPCG(5, 6)), evidence.Read(turnsOf())
	rows := map[int]int{}
	for kept := 0; kept < 500; {
		i := rng.IntN(len(answers))
		quote := cut(rng, answers[i])
		if quote == "" {
			continue
		}
		quote = dress(rng, quote)
		span, ok := reader.Find(quote)
		if !ok || span.Row != i+1 {
			t.Errorf("%q of row %d was found %t at %+v", quote, i+1, ok, span)
		}
		rows[i]++
		kept++
	}
	if len(rows) != len(answers) {
		t.Errorf("quotes of %d of %d answers", len(rows), len(answers))
	}
}

// TestPlantedQuotesAreRefused: quotes that nobody said, as models invent them.
func TestPlantedQuotesAreRefused(t *testing.T) {
	t.Parallel()
	rng, reader := rand.New(rand.NewPCG(7, 8)), evidence.Read(turnsOf())
	pick := func() string {
		for {
			if quote := cut(rng, answers[rng.IntN(len(answers))]); quote != "" {
				return quote
			}
		}
	}
	spaced := func() []string {
		for {
			if all := strings.Fields(pick()); len(all) >= 4 {
				return all
			}
		}
	}
	plants := map[string]func() string{
		"stitched": func() string { return pick() + " " + pick() },
		"ellipsis": func() string { return pick() + []string{"…", " ... ", " […] "}[rng.IntN(3)] + pick() },
		"left out": func() string {
			w := spaced()
			i := 1 + rng.IntN(len(w)-2)
			return strings.Join(slices.Delete(w, i, i+1), " ")
		},
		"put in": func() string {
			w := spaced()
			return strings.Join(slices.Insert(w, 1+rng.IntN(len(w)-1), "wirklich"), " ")
		},
		"swapped":  func() string { w := spaced(); w[1], w[2] = w[2], w[1]; return strings.Join(w, " ") },
		"replaced": func() string { w := spaced(); w[rng.IntN(len(w))] = "certainly"; return strings.Join(w, " ") },
		"torn": func() string {
			for {
				w := spaced()
				if last := strings.TrimRightFunc(w[len(w)-1], unicode.IsPunct); utf8.RuneCountInString(last) >= 4 && !strings.ContainsFunc(last, unicode.IsPunct) {
					w[len(w)-1] = string([]rune(last)[:2])
					return strings.Join(w, " ")
				}
			}
		},
		"moderator": func() string { return asked[rng.IntN(len(asked))] },
		"invented": func() string {
			return []string{"I would recommend it to", "The price was", "Niemand hat mir", "ほかのアプリのほうが"}[rng.IntN(4)] + fmt.Sprint(" no. ", rng.IntN(1000))
		},
		"figure": func() string {
			return strings.NewReplacer("10 pm", "11 pm", "6:42", "6:43", "12 people", "20 people", "500", "50").Replace(answers[[]int{0, 2, 19}[rng.IntN(3)]])
		},
		"snippet": func() string { return []string{"I never", "half of", "Uhr", "退款"}[rng.IntN(4)] },
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range plants {
			if !yield(name) {
				return
			}
		}
	})
	for i := range 500 {
		name := names[i%len(names)]
		quote := plants[name]()
		if span, ok := reader.Find(quote); ok {
			t.Errorf("%s: %q was found at %+v as %q", name, quote, span, reader.Text(span))
		}
	}
}

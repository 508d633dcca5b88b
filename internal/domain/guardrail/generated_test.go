package guardrail_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/domain/guardrail"
)

// kit holds the parts of probes in one language. {q} is the participant's word, a different one each time.
type kit struct {
	question string
	answer   string // contains {q}
	words    []string
	thanks   []string
	frames   []string // good probes
	secret   string
	quotes   [2]string
	upper    bool // letters have two cases

	tag, and, praise, promise, leading, other string // to plant: the end of a leading probe, of a double-barrelled one, ...
}

var kits = map[string]kit{
	"en": {
		question: "How do you plan your holidays?", answer: "Mostly {q}, as every year.", words: []string{"the train timetable", "my sister's advice", "a travel blog", "the weather", "our old map", "the hotel list", "the office calendar", "a phone call"},
		thanks: []string{"", "Thank you. ", "I see. ", "Thanks for telling me. "}, quotes: [2]string{"“", "”"}, upper: true,
		frames: []string{"When you say {q}, what are you thinking of?", "You mentioned {q}. What part does it play?", "What comes to mind first about {q}?", "Could you describe the last time {q} mattered to your holidays?", "How did {q} come into it?", "Please walk me through how {q} fits into your planning.", "What happens next, once you have {q}?", "You brought up {q}. What would a newcomer have to know about it?"},
		secret: "Learn whether families would accept a booking fee of twelve euros and find out which competitors they left after the price increase of last spring",
		tag:    ", right?", and: " and why do you do it that way?", praise: "That is a wonderful answer! ", promise: "You will receive a voucher for this. ", leading: "Don't you think planning takes too long?", other: "Was fällt Ihnen dazu noch ein, wenn Sie an die Reise denken?",
	},
	"de": {
		question: "Wie planen Sie Ihren Urlaub?", answer: "Meistens {q}, wie jedes Jahr.", words: []string{"der Fahrplan", "der Rat meiner Schwester", "ein Reiseblog", "das Wetter", "unsere alte Karte", "die Hotelliste", "der Kalender im Büro", "ein Anruf"},
		thanks: []string{"", "Danke. ", "Verstehe. ", "Danke, dass Sie das erzählen. "}, quotes: [2]string{"„", "“"}, upper: true,
		frames: []string{"Wenn Sie {q} sagen, woran denken Sie?", "Sie erwähnten {q}. Welche Rolle spielt das?", "Was fällt Ihnen zu {q} zuerst ein?", "Können Sie das letzte Mal beschreiben, als {q} für Ihren Urlaub eine Rolle spielte?", "Wie kam es zu {q}?", "Beschreiben Sie bitte, wie {q} in Ihre Planung kommt.", "Was geschieht als Nächstes, sobald Sie {q} haben?", "Sie sprachen von {q}. Was müsste ein Neuling darüber wissen?"},
		secret: "Herausfinden ob Familien eine Buchungsgebühr von zwölf Euro hinnehmen und welche Wettbewerber sie nach der Preiserhöhung im Frühjahr verlassen haben",
		tag:    ", nicht wahr?", and: " und warum machen Sie das so?", praise: "Das ist eine wunderbare Antwort! ", promise: "Sie erhalten dafür einen Gutschein. ", leading: "Finden Sie nicht auch, dass das Planen zu lange dauert?", other: "What else do you remember about it when you think back?",
	},
	"fr": {
		question: "Comment préparez-vous vos vacances ?", answer: "Surtout {q}, comme chaque année.", words: []string{"les horaires du train", "le conseil de ma sœur", "un blog de voyage", "la météo", "notre vieille carte", "la liste d’hôtels", "le calendrier du bureau", "un appel"},
		thanks: []string{"", "Merci. ", "D’accord. ", "Merci de me le raconter. "}, quotes: [2]string{"« ", " »"}, upper: true,
		frames: []string{"Quand vous dites {q}, à quoi pensez-vous ?", "Vous avez mentionné {q}. Quel rôle cela joue-t-il ?", "Qu’est-ce qui vous vient d’abord à l’esprit à propos de {q} ?", "Pourriez-vous décrire la dernière fois où {q} a compté pour vos vacances ?", "Comment en êtes-vous arrivé à {q} ?", "Racontez-moi comment {q} entre dans vos préparatifs.", "Que se passe-t-il ensuite, une fois que vous avez {q} ?", "Vous avez parlé de {q}. Que devrait en savoir un débutant ?"},
		secret: "Savoir si les familles accepteraient des frais de réservation de douze euros et quels concurrents elles ont quittés après la hausse du printemps dernier",
		tag:    ", n’est-ce pas ?", and: " et pourquoi faites-vous ainsi ?", praise: "C’est une excellente réponse ! ", promise: "Vous recevrez un bon cadeau. ", leading: "Ne trouvez-vous pas que préparer prend trop de temps ?", other: "What else do you remember about it when you think back?",
	},
	"es": {
		question: "¿Cómo prepara sus vacaciones?", answer: "Sobre todo {q}, como cada año.", words: []string{"el horario del tren", "el consejo de mi hermana", "un blog de viajes", "el tiempo", "nuestro mapa viejo", "la lista de hoteles", "el calendario de la oficina", "una llamada"},
		thanks: []string{"", "Gracias. ", "De acuerdo. ", "Gracias por contarlo. "}, quotes: [2]string{"«", "»"}, upper: true,
		frames: []string{"Cuando dice {q}, ¿en qué está pensando?", "Mencionó {q}. ¿Qué papel tiene?", "¿Qué es lo primero que le viene a la mente sobre {q}?", "¿Podría describir la última vez que {q} contó para sus vacaciones?", "¿Cómo llegó a {q}?", "Cuénteme cómo entra {q} en sus preparativos.", "¿Qué pasa después, una vez que tiene {q}?", "Ha hablado de {q}. ¿Qué tendría que saber un principiante?"},
		secret: "Averiguar si las familias aceptarían una tarifa de reserva de doce euros y qué competidores abandonaron tras la subida de precios de primavera",
		tag:    ", ¿verdad?", and: " y por qué lo hace así?", praise: "¡Es una respuesta excelente! ", promise: "Usted recibirá un cupón de regalo. ", leading: "¿No cree que preparar lleva demasiado tiempo?", other: "What else do you remember about it when you think back?",
	},
	"pt": {
		question: "Como planeja as suas férias?", answer: "Principalmente {q}, como todos os anos.", words: []string{"o horário do trem", "o conselho da minha irmã", "um blog de viagens", "o tempo", "nosso mapa velho", "a lista de hotéis", "o calendário do escritório", "uma ligação"},
		thanks: []string{"", "Obrigada. ", "Entendo. ", "Obrigado por contar. "}, quotes: [2]string{"“", "”"}, upper: true,
		frames: []string{"Quando diz {q}, em que está pensando?", "Mencionou {q}. Que papel isso tem?", "O que vem primeiro à mente sobre {q}?", "Poderia descrever a última vez que {q} contou para as suas férias?", "Como chegou a {q}?", "Conte como {q} entra no seu planejamento.", "O que acontece em seguida, depois que tem {q}?", "Falou de {q}. O que um novato precisaria saber?"},
		secret: "Descobrir se as famílias aceitariam uma taxa de reserva de doze euros e quais concorrentes deixaram depois do aumento de preços da primavera",
		tag:    ", não é?", and: " e por que faz assim?", praise: "Que resposta excelente! ", promise: "Você receberá um vale presente. ", leading: "Você não acha que planejar demora demais?", other: "What else do you remember about it when you think back?",
	},
	"ja": {
		question: "休暇の計画はどのように立てますか。", answer: "たいてい{q}です。", words: []string{"電車の時刻表", "姉の助言", "旅行ブログ", "天気", "古い地図", "ホテルの一覧", "会社の予定表", "電話"},
		thanks: []string{"", "ありがとうございます。", "なるほど。"}, quotes: [2]string{"「", "」"},
		frames: []string{"{q}とは、具体的にどのようなことですか。", "{q}について、最初に思い浮かぶことは何ですか。", "最近{q}が役に立ったときの様子を教えてください。", "どのようにして{q}にたどり着きましたか。", "{q}のあとは、次に何をしますか。"},
		secret: "家族が十二ユーロの予約手数料を受け入れるかどうかと春の値上げのあとに離れた競合他社を調べること",
		tag:    "そうですよね？", and: "", praise: "素晴らしいですね。", promise: "ギフト券を差し上げます。", leading: "計画は時間がかかりすぎると思いませんか。", other: "What else do you remember about it when you think back?",
	},
	"zh": {
		question: "您怎么计划假期？", answer: "主要是{q}。", words: []string{"火车时刻表", "姐姐的建议", "旅行博客", "天气", "旧地图", "酒店名单", "公司的日历", "一通电话"},
		thanks: []string{"", "谢谢。", "明白了。"}, quotes: [2]string{"“", "”"},
		frames: []string{"您说{q}，是指什么？", "关于{q}，您最先想到什么？", "请讲讲最近一次用到{q}的情形。", "您是怎么想到{q}的？", "有了{q}之后，接下来会怎么做？"},
		secret: "了解家庭是否愿意接受十二欧元的预订手续费以及去年春天涨价之后他们离开了哪些竞争对手",
		tag:    "计划很累，对吧？", and: "", praise: "太棒了！", promise: "您会收到礼品卡。", leading: "难道您不觉得计划太花时间吗？", other: "What else do you remember about it when you think back?",
	},
}

// must holds the kinds for which every planted probe must be refused.
var must = []guardrail.Kind{guardrail.Repeat, guardrail.SeveralQuestions, guardrail.Leak, guardrail.OverBudget}

// TestTenThousandProbes plants every kind of violation into generated probes, and leaves half of them clean.
func TestTenThousandProbes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 2026))
	languages := slices.Sorted(maps.Keys(kits))
	planted, refused, right := map[guardrail.Kind]int{}, map[guardrail.Kind]int{}, map[guardrail.Kind]int{}
	for range 10_000 {
		language := languages[random.IntN(len(languages))]
		k := kits[language]
		words, in := k.good(random, language)
		kind := guardrail.Kind("good")
		if random.IntN(2) == 0 {
			kind, words, in = k.plant(random, words, in)
		}
		planted[kind]++
		violations := guardrail.Judge(words, in)
		found := kinds(violations)
		if len(violations) > 0 {
			refused[kind]++
		}
		if slices.Contains(found, kind) {
			right[kind]++
		} else if slices.Contains(must, kind) {
			t.Errorf("%s, planted %s: %q passes as %v; asked: %q", language, kind, words, found, in.Asked)
		}
		if kind == "good" && len(violations) > 0 && refused[kind] <= 20 {
			t.Logf("%s, good: %q: %v; asked: %q", language, words, violations, in.Asked)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(planted)) {
		t.Logf("%-17s %4d planted, %4d refused, %4d of them for that reason", kind, planted[kind], refused[kind], right[kind])
		if kind != "good" && 100*refused[kind] < 98*planted[kind] {
			t.Errorf("%s: %d of %d refused", kind, refused[kind], planted[kind])
		}
	}
	if share := float64(refused["good"]) / float64(planted["good"]); share > 0.01 {
		t.Errorf("%.1f %% of the good probes are refused", 100*share)
	}
}

// good returns a probe and its context: the answer that it takes up, and up to three probes asked before.
func (k kit) good(random *rand.Rand, language string) (string, guardrail.Context) {
	order := random.Perm(len(k.frames))
	word := k.words[random.IntN(len(k.words))]
	in := guardrail.Context{
		Language: language, Question: k.question, Answer: strings.ReplaceAll(k.answer, "{q}", word), Secrets: []string{k.secret},
		Left: 1 + random.IntN(3),
	}
	for _, i := range order[1 : 1+random.IntN(4)] {
		in.Asked = append(in.Asked, k.fill(k.frames[i], k.words[random.IntN(len(k.words))]))
	}
	return k.thanks[random.IntN(len(k.thanks))] + k.fill(k.frames[order[0]], word), in
}

func (k kit) fill(frame, word string) string {
	return strings.ReplaceAll(frame, "{q}", k.quotes[0]+word+k.quotes[1])
}

// plant adds one violation to a good probe.
func (k kit) plant(random *rand.Rand, words string, in guardrail.Context) (guardrail.Kind, string, guardrail.Context) {
	statement := strings.TrimRight(words, "?.？。 ")
	switch n := random.IntN(15); n {
	case 0, 1:
		in.Asked = append(in.Asked, words)
		return guardrail.Repeat, k.disguise(random, words), in
	case 2:
		return guardrail.SeveralQuestions, words + " " + k.fill(k.frames[random.IntN(len(k.frames))], k.words[0]), in
	case 3:
		return guardrail.Leak, k.leak(random) + ". " + words, in
	case 4:
		in.Left = -random.IntN(2)
		return guardrail.OverBudget, words, in
	case 5:
		return guardrail.Link, words + []string{" www.example.com", " https://example.org/a", " a.b@example.net", " +49 170 123 45 67"}[random.IntN(4)], in
	case 6:
		return guardrail.Praise, k.praise + words, in
	case 7:
		return guardrail.Promise, k.promise + words, in
	case 8:
		return guardrail.Leading, k.leading, in
	case 9:
		return guardrail.Language, k.other, in
	case 10:
		runes := []rune(words)
		at := random.IntN(len(runes))
		return guardrail.Unclean, string(runes[:at]) + []string{"\u200b", "\u202e", "\x07", "\u2066", "\ufeff"}[random.IntN(5)] + string(runes[at:]), in
	case 11:
		in.MaxRunes = len([]rune(words)) - 1 - random.IntN(5)
		return guardrail.TooLong, words, in
	case 12:
		return guardrail.Empty, []string{"", " ", "\n\t", "\u200b"}[random.IntN(4)], in
	case 13:
		if k.and != "" && strings.HasSuffix(words, "?") {
			return guardrail.DoubleBarrelled, statement + k.and, in
		}
		return guardrail.Leading, k.leading, in
	default:
		if k.upper {
			return guardrail.Leading, strings.TrimRight(k.question, "? ") + k.tag, in
		}
		return guardrail.Leading, k.tag, in
	}
}

// leak returns a passage of the secret: eight words, or sixteen characters.
func (k kit) leak(random *rand.Rand) string {
	words := strings.Fields(k.secret)
	if len(words) == 1 {
		runes := []rune(k.secret)
		at := random.IntN(len(runes) - 16)
		return string(runes[at : at+16])
	}
	at := random.IntN(len(words) - 8)
	return strings.Join(words[at:at+8], " ")
}

// disguise writes the same words in another way: case, spaces, punctuation, quotation marks, what is quoted.
func (k kit) disguise(random *rand.Rand, words string) string {
	switch random.IntN(6) {
	case 0:
		return strings.ToUpper(words)
	case 1:
		return "  " + strings.ReplaceAll(words, " ", "  ") + " "
	case 2:
		return strings.TrimRight(words, "?.？。 ") + " ... ?"
	case 3:
		for i, q := range k.quotes {
			words = strings.ReplaceAll(words, q, []string{`"`, `"`}[i])
		}
		return words
	case 4:
		from, to := strings.Index(words, k.quotes[0]), strings.LastIndex(words, k.quotes[1])
		return words[:from] + k.quotes[0] + k.words[random.IntN(len(k.words))] + words[to:]
	}
	var b strings.Builder
	for i, r := range words {
		if i%2 == 0 {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func ExampleJudge() {
	in := guardrail.Context{Question: "How do you plan your holidays?", Answer: "It is a mess.", Left: 1}
	for _, f := range guardrail.Judge("Great answer! Why is it a mess, and what do you do about it?", in) {
		fmt.Printf("%s: %s\n", f.Kind, f.Detail)
	}
	fmt.Println(len(guardrail.Judge("You said “a mess”. What do you have in mind?", in)))
	// Output:
	// praise: “great answer” evaluates the participant or the answer; stay neutral.
	// double_barrelled: “and what” asks for two things at once; ask for one.
	// claim: It states what the participant did not say: great. A recap may only use their words.
	// several_questions: It asks for two things; ask for one.
	// 0
}

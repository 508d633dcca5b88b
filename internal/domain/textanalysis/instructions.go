package textanalysis

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"verbatim/internal/domain/guide"
)

// Text that instructs whoever scores it speaks of other things than people who answer: of a judge, of a grade, of the interview
// itself, and it commands. One of these in a sentence is nothing, for people speak of grades and models; several in one sentence
// without the speaker in it are a sign. Words of the guide do not count.
type meta struct {
	judges, grades, interview, commands []string // beginnings of words; a final | is the end of the word
}

var metas = map[string]meta{
	"en": {
		judges:    words(`evaluat grader grading reviewer| rubric moderator| assistant| model| ai| llm prompt chatbot classifier algorithm analyst rater| annotator scorer system|`),
		grades:    words(`score scoring rating| quality grade top| maximum highest excellent genuine authentic verified valid high-quality insightful thoughtful detailed perfect flag flagged points`),
		interview: words(`participant respondent response| responses answer| answers interviewee transcript instruction guideline guidance| criteria previous earlier above following submission text|`),
		commands:  words(`ignore| disregard| forget| override| assign| output| return| mark| treat| set| give| rate| score| accept| approve| skip| summaris summariz classify| classif must| award| consider| note| respond| reply| print| write|`),
	},
	"de": {
		judges:    words(`bewert gutachter prüfer modell| sprachmodell ki| assistent prompt auswert systemanweis algorithm rubrik`),
		grades:    words(`bewertung qualität höchst note| punkt punktzahl maximal hochwertig authentisch echt| verifiziert gültig bestnote beste| stufe| ausgezeichnet glaubwürdig score| ausführlich detailliert menschlich aufmerksam`),
		interview: words(`teilnehm befragte proband antwort anweisung vorgabe vorherig bisherig obig folgend interview| transkript kriteri text| zeile| eingabe datensatz`),
		commands:  words(`ignorier vergiss vergessen| bewerte| bewerten| vergib vergeben| gib| geben| markier kennzeichne setze| behandle behandeln| stufe| werte| beachte| beachten| überspring ausgabe akzeptier schreib übernimm hinweis fasse| zusammenfass zusammenzufass einstuf einzustuf abwert aufwert werten| eintragen nenne gilt| setzen|`),
	},
	"es": {
		judges:    words(`evaluador evaluaci revisor| modelo| asistente| ia| prompt| clasificador algoritmo rúbrica sistema| analista corrector`),
		grades:    words(`puntua puntúa máxim calidad excelente nota| verificad auténtic genuin válid valor| alta| sinceridad coherente criteri calificaci`),
		interview: words(`participante encuestad respuesta instrucci criterio anterior siguiente texto| entrevista| transcripci investigaci guía| objeto|`),
		commands:  words(`ignor olvid asign puntúe| puntúa| marque marcar| devuelv devuelva| trate| valore| valóral considere califi dé| pase| omita| acept resum clasifi escriba haz| responda| redacte otorgue`),
	},
	"fr": {
		judges:    words(`évaluat évaluer correcteur modèle| assistant| ia| prompt| grille| algorithme système| analyste`),
		grades:    words(`note| score| maximal qualité excellent authenti vérifi| vérifié valide| meilleur points`),
		interview: words(`participant répondant réponse consigne instruction précédent suivant texte| entretien transcription critère`),
		commands:  words(`ignore oublie attribue| attribuez note| notez donne| donnez marque| marquez renvoie retourne considère traite| traitez accepte| écris écrivez réponds veuillez résum class`),
	},
	"it": {
		judges:    words(`valutator valutazion revisore modello| assistente| ia| prompt| griglia| algoritmo sistema| analista`),
		grades:    words(`punteggio massim qualità eccellente autentic verificat valid voto|`),
		interview: words(`partecipante intervistat rispost istruzion precedent seguent testo| intervista| trascrizione criter`),
		commands:  words(`ignora dimentica assegna valuta| valuti| segna| restituisci considera| tratta| accetta| scrivi| rispondi attribuisci dai| riassum classific`),
	},
	"pt": {
		judges:    words(`avaliador avaliaç revisor| modelo| assistente| ia| prompt| algoritmo sistema| analista rubrica`),
		grades:    words(`pontuaç máxim qualidade excelente autêntic verificad válid nota|`),
		interview: words(`participante entrevistad respost instruç anterior seguinte texto| entrevista| transcriç critéri`),
		commands:  words(`ignor esqueç atribu avalie| marque| devolva| retorne| considere| trate| aceite| escreva responda dê| resum classific`),
	},
	"nl": {
		judges:    words(`beoordel model| taalmodel ai| assistent prompt| algoritme systeem| rubriek analist`),
		grades:    words(`score| hoogste maxima kwaliteit uitstekend authentiek geverifieerd geldig cijfer punten`),
		interview: words(`deelnemer respondent antwoord instructie richtlijn vorige voorgaande volgende tekst| interview| transcript criteria`),
		commands:  words(`negeer vergeet| geef| beoordeel| markeer behandel| beschouw accepteer| schrijf| zet| ken| retourneer antwoord| samenvat vat| classific`),
	},
}

// speaker holds words by which people speak of themselves.
var speaker = set(`i me my mine we us our i'm i've i'd i'll ich mir mich mein meine meinen meinem wir uns unser unsere yo me mi mis nos nosotros je j'ai me mon ma mes nous io mi mio mia noi eu meu minha nós ik mij mijn wij ons onze`)

// machine matches what is written for programs: a closing tag, a field of a record, a role before a colon.
var machine = regexp.MustCompile(`(?i)</?\w+>|\{\s*["“'][^"”']+["”']\s*:|\b(system|assistant|user|admin|sistema|système)\s*:|<\|\w+\|>|\[/?inst|###|\[\[/?\w+\]\]|\b(quality|score|rating|calidad|puntuación|qualität|bewertung|punktzahl|punteggio|pontuação|qualité)\s*[=:]+\s*"?[\w.]`)

// denseMeta holds such words of languages without a class list, as parts of their texts.
var denseMeta = []meta{
	{judges: words(`评分 模型 系统 评估者 助手 审核`), grades: words(`满分 高质量 最高分 真实 优秀`), interview: words(`参与者 受访者 回答 指示 指令 以上`), commands: words(`忽略 无视 请给 标记 输出 判定`)},
	{judges: words(`評価者 評価手順 採点 モデル システム アシスタント AI`), grades: words(`満点 高品質 最高 本物 優秀 品質 真剣`), interview: words(`参加者 回答者 回答 指示 上記 上の文章 手順`), commands: words(`無視 出力 付け 判定 扱う 扱え 取り消 参照 省略 記録せよ とすること`)},
	{judges: words(`المقيم النموذج النظام المساعد`), grades: words(`أعلى جودة الدرجة ممتاز موثوق`), interview: words(`المشارك المستجيب الإجابة التعليمات السابقة`), commands: words(`تجاهل أعط ضع اكتب اعتبر`)},
}

func words(list string) []string { return strings.Fields(list) }

// instructed is the weight from which on a sentence alone is a sign.
const instructed = 0.4

// instructions looks for text that is written for whoever scores the interview.
func (r *reading) instructions() sign {
	s := sign{part: partAttention}
	said := sync.OnceValue(r.guideWords)
	rest, strongest := 1.0, 0.0
	for i := range r.answers {
		a := &r.answers[i]
		if a.item.Type != guide.OpenEnded || a.kind == skipped {
			continue
		}
		if w := r.instructs(head(a.Text, maxRead), said); w > 0 {
			rest *= 1 - w
			strongest = max(strongest, w)
			s.rows = append(s.rows, a.rows()...)
		}
	}
	if strongest < instructed { // weak ones only join others
		return s
	}
	s.weight = min(0.95, 1-rest)
	s.reason = fmt.Sprintf("%s instructions to whoever scores the interview.", upperFirst(plural(len(s.rows), "row")+map[bool]string{true: " reads like", false: " read like"}[len(s.rows) == 1]))
	return s
}

// instructs returns the weight of the sentence of an answer that is most like an instruction.
func (r *reading) instructs(text string, said func() map[string]bool) (weight float64) {
	m := metas[r.code()]
	for _, sentence := range sentences(text, r.lang) {
		judge, kinds := m.kinds(wordsOf(sentence.text), said)
		for _, dense := range denseMeta {
			if j, n := dense.parts(sentence.text); n > 3 || n == 3 && j {
				judge, kinds = true, max(kinds, n)
			}
		}
		marked := machine.MatchString(sentence.text)
		own := mentions(wordsOf(sentence.text), speaker)
		switch {
		case kinds >= 3 && judge && !own, kinds == 4, kinds >= 2 && marked:
			weight = max(weight, 0.7)
		case kinds >= 3, marked:
			weight = max(weight, instructed)
		case kinds == 2 && judge:
			weight = max(weight, 0.15)
		}
	}
	return weight
}

// kinds returns how many of the four kinds of words a sentence has, and whether a judge is among them.
func (m meta) kinds(sentence []string, said func() map[string]bool) (judge bool, n int) {
	judge = begins(sentence, m.judges, said)
	for _, list := range [][]string{m.judges, m.grades, m.interview, m.commands} {
		if begins(sentence, list, said) {
			n++
		}
	}
	return judge, n
}

func begins(sentence, list []string, said func() map[string]bool) bool {
	for _, word := range sentence {
		for _, start := range list {
			exact, complete := strings.CutSuffix(start, "|")
			part := !complete && (strings.HasPrefix(word, exact) || len(exact) >= 6 && strings.Contains(word, exact)) // compounds
			if (word == exact || part) && !said()[word] && !said()[word+"s"] {
				return true
			}
		}
	}
	return false
}

// parts is kinds for scripts without spaces.
func (m meta) parts(sentence string) (judge bool, n int) {
	for i, list := range [][]string{m.judges, m.grades, m.interview, m.commands} {
		if slices.ContainsFunc(list, func(part string) bool { return strings.Contains(sentence, part) }) {
			judge = judge || i == 0
			n++
		}
	}
	return judge, n
}

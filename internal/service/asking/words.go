package asking

import (
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

// The lists are closed classes of grammar in the ten languages of the interface: words for how many people, and the forms of verbs
// of saying and obeying that give orders. They are compared with complete words, folded.

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[evidence.Fold(word)] = true
	}
	return all
}

// howManyPeople has words that say for how many people something holds; howMany has those that may also speak of other things.
var (
	howManyPeople = set(`everyone everybody nobody majority minority unanimous unanimously percent
		jedermann niemand mehrheit mehrheitlich minderheit einstimmig prozent
		majorité minorité majoritairement unanimement pourcent plupart
		mayoría mayoritariamente minoría nadie
		maggioranza minoranza nessuno percento
		maioria minoria ninguém
		iedereen meerderheid minderheid niemand procent
		الجميع غالبية أغلبية الغالبية الأغلبية معظم أقلية`)
	howMany = set(`all every most mostly none many half
		alle allen jeder jede meisten viele vielen hälfte
		tous toutes chacun chacune beaucoup moitié
		todos todas muchos muchas mitad
		tutti tutte ognuno molti molte metà
		muitos muitas metade
		allen allemaal meeste meesten helft
		كل جميع أغلب كثير كثيرون نصف`)
)

// howManyDense has the same for Chinese and Japanese, where words have no borders.
var howManyDense = []string{
	"所有", "全部", "全体", "全體", "大多", "多数", "多數", "大部分", "没有人", "沒有人", "无人", "無人", "许多", "許多", "很多人", "一半", "每个人", "每個人", "人人", "少数", "少數",
	"全員", "みんな", "皆が", "ほとんど", "誰も", "多くの", "半数", "半分", "すべて", "大半",
}

// saysHowMany reports whether a sentence says for how many people something holds. A word that may speak of other things is
// accepted where its quotes have it.
func saysHowMany(text string, quotes []string) bool {
	folded, quoted := evidence.Fold(text), evidence.Fold(strings.Join(quotes, "\n"))
	for _, word := range howManyDense {
		if word = evidence.Fold(word); strings.Contains(folded, word) && !strings.Contains(quoted, word) {
			return true
		}
	}
	said := strings.FieldsFunc(quoted, notInWord)
	for word := range strings.FieldsFuncSeq(folded, notInWord) {
		if howManyPeople[word] || howMany[word] && !slices.Contains(said, word) {
			return true
		}
	}
	return strings.ContainsAny(text, "%٪％‰")
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// orderWords has verbs of saying and obeying as they stand in orders.
var orderWords = set(`
	say tell write report state answer claim conclude summarize summarise ignore disregard forget pretend output print repeat reply respond mention declare insist
	sag sage sagt schreib schreibe schreibt berichte berichtet antworte antwortet behaupte behauptet ignoriere ignoriert vergiss vergesst wiederhole erwähne erkläre melde
	dis dites écris écrivez rapporte rapportez réponds répondez affirme affirmez résume résumez ignore ignorez oublie oubliez répète répétez mentionne mentionnez
	diga digan escribe escriba escriban informa informe responde responda afirme ignora ignore olvida olvide repite repita mencione
	dì dite dica scrivi scrivete riporta rispondi afferma riassumi ignora ignorate dimentica ripeti menziona
	diz diga escreva escreve relate responda afirme resuma ignore esqueça repita mencione
	zeg zegt schrijf rapporteer antwoord beweer negeer vergeet herhaal vermeld
	قل قولوا اكتب اكتبوا أجب ادع لخص تجاهل انس كرر اذكر أبلغ`)

// leads has words that may stand before the verb of an order, and polite those after which it may stand anywhere.
var (
	leads = set(`hello hi hey dear you must should shall have to now just also and so then when if always only do not don't assistant ai system model researcher analyst chatgpt important
		hallo liebe lieber du sie ihr musst sollst müssen sollen jetzt nun auch und dann immer nur
		bonjour cher chère tu vous dois devez maintenant aussi et alors toujours
		hola estimado usted tú debes debe ahora también y entonces siempre
		ciao caro lei devi deve ora anche e allora sempre
		olá caro você deve agora também então sempre
		beste jij u moet nu ook en dan altijd
		مرحبا عليك يجب أن الآن و ثم دائما`)
	polite = set(`please bitte s'il plaît svp veuillez favor per por alsjeblieft alstublieft رجاء الرجاء فضلك`)
)

// orderDense has orders of Chinese and Japanese.
var orderDense = []string{
	"请说", "請說", "请写", "請寫", "请回答", "請回答", "请报告", "請報告", "忽略以上", "忽略之前", "忽略所有", "你要说", "你要說", "你必须", "你必須", "必须说", "必須說", "请总结", "請總結", "请告诉", "請告訴", "请忽略", "請忽略",
	"と言って", "と書いて", "と答えて", "と報告して", "と述べて", "と伝えて", "を無視して", "と要約して", "と書きなさい", "と言いなさい", "と答えなさい",
}

// givesOrders reports whether a sentence of a text tells its reader what to say or do. Such an answer speaks to a program, not
// of the participant's own matters, and is kept from it.
func givesOrders(text string) bool {
	folded := evidence.Fold(text)
	if strings.ContainsFunc(folded, lang.Unspaced) {
		for _, word := range orderDense {
			if strings.Contains(folded, evidence.Fold(word)) {
				return true
			}
		}
	}
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?;:。！？؟；：…\n\"“”«»()[]*#>", r) }) {
		if orders(evidence.Fold(sentence)) {
			return true
		}
	}
	return false
}

// orders reports whether a folded sentence is an order: a verb that follows nothing but words that lead to it, or one of
// politeness.
func orders(sentence string) bool {
	leading, asked := true, false
	for word := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return notInWord(r) && r != '\'' }) {
		word = strings.Trim(word, "'")
		if orderWords[word] && (leading || asked) {
			return true
		}
		asked = polite[word] || asked && leads[word]
		leading = leading && (leads[word] || polite[word])
	}
	return false
}

package moderator

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/lang"
)

// Most characters beside a wish to stop in a sentence of a language without spaces.
const stopRest = 8

// closingWords may stand beside a wish to stop, in addition to the language's function words.
var closingWords = strings.Fields("id im ill ive more please now here this interview survey questions question talking talk answering answer sorry thanks really today about it bitte jetzt hier gespräch " +
	"interview umfrage fragen frage danke entschuldigung leider wirklich heute maintenant entretien questions question merci désolé désolée pardon vraiment aujourd ahora entrevista " +
	"encuesta preguntas pregunta gracias perdón realmente hoy adesso intervista domande domanda grazie scusi davvero oggi agora perguntas pergunta obrigado obrigada desculpe mesmo hoje " +
	"nu gesprek enquête vragen vraag bedankt sorry echt vandaag الآن المقابلة الأسئلة شكرا عذرا من فضلك اليوم")

// wantsToStop reports whether an answer says one of the phrases, which say that the participant wants to stop, and hardly more from the
// clause of the phrase to the end of its sentence. Somebody who wants to stop smoking says more.
func wantsToStop(answer, language string, phrases []string) bool {
	sentences := strings.FieldsFunc(answer, func(r rune) bool { return strings.ContainsRune(".!?;\n。！？؟…", r) })
	return slices.ContainsFunc(sentences, func(sentence string) bool {
		clauses := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",，、،", r) })
		for i := range clauses {
			said := guardrail.Plain(strings.Join(clauses[i:], ","))
			if slices.ContainsFunc(phrases, func(phrase string) bool { return onlySays(said, phrase, language) }) {
				return true
			}
		}
		return false
	})
}

// onlySays reports whether a normalised sentence holds a phrase and beside it nothing that names something.
func onlySays(said, phrase, language string) bool {
	if first, _ := utf8.DecodeRuneInString(phrase); lang.Unspaced(first) {
		rest, found := strings.CutSuffix(strings.ReplaceAll(said, " ", ""), phrase)
		if !found {
			before, after, in := strings.Cut(strings.ReplaceAll(said, " ", ""), phrase)
			rest, found = before+after, in
		}
		return found && utf8.RuneCountInString(rest) <= stopRest
	}
	before, after, found := strings.Cut(said, " "+phrase+" ")
	if !found {
		return false
	}
	function := lang.FunctionWords(language)
	for word := range strings.FieldsSeq(before + " " + after) {
		if !function[word] && !slices.Contains(closingWords, word) && !lang.FunctionWords("en")[word] {
			return false
		}
	}
	return true
}

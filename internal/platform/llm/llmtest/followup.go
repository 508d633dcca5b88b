package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// followUps ask about one of the participant's words, each in a different way.
var followUps = map[string][]string{
	"en": {
		"You mentioned “%s”. How did that come about the last time?",
		"What exactly do you mean by “%s” here?",
		"Could you walk me through a day on which “%s” mattered, step by step?",
		"When you say “%s”, which situation do you have in mind?",
		"What led up to “%s”, as you remember it?",
		"How would you describe “%s” to somebody who has never seen it?",
		"In what way does “%s” show in practice?",
		"What came of “%s” afterwards?",
	},
	"de": {
		"Sie haben „%s“ erwähnt. Wie kam es beim letzten Mal dazu?",
		"Was genau meinen Sie hier mit „%s“?",
		"Woran merken Sie „%s“ im Alltag?",
		"An welche Situation denken Sie bei „%s“?",
		"Was ging „%s“ voraus, soweit Sie sich erinnern?",
		"Was ergab sich danach aus „%s“?",
	},
	"fr": {
		"Vous avez mentionné « %s ». Comment cela s'est-il passé la dernière fois ?",
		"Qu'entendez-vous exactement par « %s » ici ?",
		"À quelle situation pensez-vous en disant « %s » ?",
		"Qu'est-ce qui a précédé « %s », d'après vos souvenirs ?",
	},
	"es": {
		"Ha mencionado «%s». ¿Cómo fue la última vez?",
		"¿Qué quiere decir exactamente con «%s» aquí?",
		"¿En qué situación piensa cuando dice «%s»?",
		"¿Qué ocurrió antes de «%s», según recuerda?",
	},
	"pt": {
		"Mencionou “%s”. Como foi da última vez?",
		"O que quer dizer exatamente com “%s” aqui?",
		"Em que situação pensa quando diz “%s”?",
		"O que aconteceu antes de “%s”, pelo que se lembra?",
	},
}

// minWordLength is the minimum number of letters of a word that is worth a question.
const minWordLength = 5

// followUp returns a question that the request does not contain yet, in the interview's language or, if that is not
// supported, in English; "" if there is nothing to ask about or nothing left to ask.
func followUp(a Asked) string {
	about := word(RequestText(a))
	if utf8.RuneCountInString(about) < minWordLength {
		return ""
	}
	base, _, _ := strings.Cut(strings.ToLower(lastOf(a, "language")), "-")
	ways, known := followUps[base]
	if !known {
		ways = followUps["en"]
	}
	for _, way := range ways {
		if !wasAsked(a, way) {
			return fmt.Sprintf(way, about)
		}
	}
	return ""
}

// wasAsked reports whether a question of that form was asked before.
func wasAsked(a Asked, way string) bool {
	fixed, behind, _ := strings.Cut(way, "%s")
	if len(behind) > len(fixed) {
		fixed = behind
	}
	for _, m := range a.Messages {
		if strings.Contains(m.Text, fixed) {
			return true
		}
	}
	return false
}

// moderates returns the answer of a moderator.
func moderates(a Asked) string {
	reply := struct {
		Probe    bool   `json:"probe"`
		Kind     string `json:"kind"`
		Question string `json:"question"`
		Reason   string `json:"reason"`
	}{Kind: "none", Question: followUp(a), Reason: "Nothing is left open."}
	if reply.Question != "" {
		reply.Probe, reply.Kind, reply.Reason = true, "idiographic", "The answer leaves open what is meant by it."
	}
	b, _ := json.Marshal(reply) // strings only
	return string(b)
}

package statement

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// placeholder matches the name of a count that is to be inserted into a statement: {answers}.
var placeholder = regexp.MustCompile(`\{([A-Za-z][A-Za-z0-9_.]*)\}`)

// countNouns has the nouns of each count. A count stands before one of its own nouns and nothing else, so that it is never a number of
// the participant's.
var countNouns = map[string]string{
	"answers":   `answers answer replies reply responses antworten réponses respuestas risposte respostas antwoorden إجابات إجابة جواب أجوبة questions fragen preguntas domande perguntas vragen أسئلة`,
	"questions": `questions question fragen preguntas domande perguntas vragen أسئلة سؤال سؤالا`,
	"rows":      `rows exchanges exchange turns rounds questions answers zeilen fragen antworten échanges questions réponses turnos intercambios preguntas respuestas scambi domande risposte trocas perguntas respostas beurten vragen antwoorden تبادلات أسئلة`,
	"followUps": `follow-ups follow-up followups further probes nachfragen rückfragen relances repreguntas approfondimenti perguntas vervolgvragen doorvragen متابعة`,
	"minutes":   `minutes minute minuten minutos minuti minuten دقيقة دقائق`,
}

// countAliases are counts under a second name.
var countAliases = map[string]string{"answered": "answers", "asked": "questions"}

// denseNouns are those of scripts without spaces.
var denseNouns = map[string][]string{
	"answers": {"回答", "答え", "答案", "答复", "問", "问题", "質問"}, "questions": {"質問", "問", "问题", "個問題", "个问题"}, "rows": {"質問", "やりとり", "问题", "回合", "轮", "問"},
	"followUps": {"追加", "追问", "深掘り"}, "minutes": {"分", "分钟", "分間"},
}

// conversation are words for the interview, whose length is the only one that is counted.
var conversation = regexp.MustCompile(`(?i)interview|conversation|session|talk|gespräch|entretien|entrevista|intervista|colloquio|gesprek|مقابلة|访谈|インタビュー`)

// counted stands for a count in the text whose numbers are checked.
const counted = "¤"

// insert replaces names in braces by their counts, and in a second text by the sign counted. It fails if a name has no count, or does not
// stand before what it counts.
func insert(text string, counts map[string]int) (inserted, checked string, err error) {
	var b, c strings.Builder
	last := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		n, known := counts[name]
		if !known {
			return "", "", fmt.Errorf("there is no count named %s", name)
		}
		if !beforeItsNoun(name, text[at[1]:]) || (name == "minutes" && !conversation.MatchString(text)) {
			return "", "", fmt.Errorf("%s does not stand before what it counts", name)
		}
		b.WriteString(text[last:at[0]] + strconv.Itoa(n))
		c.WriteString(text[last:at[0]] + counted)
		last = at[1]
	}
	b.WriteString(text[last:])
	c.WriteString(text[last:])
	return b.String(), c.String(), nil
}

// beforeItsNoun reports whether what follows a count begins with its noun, with at most one word between.
func beforeItsNoun(name, rest string) bool {
	if alias := countAliases[name]; alias != "" {
		name = alias
	}
	rest = strings.TrimLeft(rest, " -\u00a0")
	for _, noun := range denseNouns[name] {
		for _, counter := range []string{"", "つの", "個の", "件の", "回の", "个", "個", "条", "條"} {
			if strings.HasPrefix(rest, counter+noun) {
				return true
			}
		}
	}
	nouns := strings.Fields(countNouns[name])
	for i, w := range wordsOf(rest) {
		if i > 1 || i == 1 && strings.ContainsAny(rest[:w.start], ends+pauses) {
			return false
		}
		if slices.Contains(nouns, w.form) || name == "followUps" && w.form == "follow" {
			return true
		}
	}
	return false
}

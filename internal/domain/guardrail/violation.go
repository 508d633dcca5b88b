package guardrail

import "fmt"

// Kind names what is wrong with a probe. The names are stored in the log of decisions: do not change them.
type Kind string

const (
	Empty            Kind = "empty"             // no words
	TooLong          Kind = "too_long"          // more characters than allowed
	Unclean          Kind = "unclean"           // characters that are invisible, reverse the text, or imitate others
	SeveralQuestions Kind = "several_questions" // more than one question or request
	NoQuestion       Kind = "no_question"       // nothing is asked
	DoubleBarrelled  Kind = "double_barrelled"  // one question about two things
	Leading          Kind = "leading"           // suggests an answer
	Praise           Kind = "praise"            // evaluates the participant or the answer, positively or negatively
	Repeat           Kind = "repeat"            // was asked before, or nearly
	Language         Kind = "language"          // not in the language of the interview
	Link             Kind = "link"              // an address, a telephone number, or a request to write somewhere
	Promise          Kind = "promise"           // money, gifts, confidentiality, results, repair
	Leak             Kind = "leak"              // the moderator's instructions, the machine behind it, or another question of the guide
	OffSubject       Kind = "off_subject"       // has nothing to do with what was asked and said, or asks for private data
	OverBudget       Kind = "over_budget"       // no follow-up is left
	Claim            Kind = "claim"             // states something, or speaks of the moderator
	Private          Kind = "private"           // asks for what identifies the participant or unlocks something of theirs
)

// Violation is one thing wrong with a probe.
type Violation struct {
	Kind   Kind
	Detail string // an English sentence for the researcher who reads the log and for the model that tries once more
}

func violation(kind Kind, format string, args ...any) Violation {
	return Violation{kind, fmt.Sprintf(format, args...)}
}

// Context holds everything that a probe is judged against. Only Left has to be set: empty fields are ignored.
type Context struct {
	Language     string // the question that is followed up
	Question     string // the question that is followed up
	ConceptTitle string
	StudyTitle   string
	StudyGoal    string
	Background   string   // of the study: never to be revealed
	Instructions string   // of the author for this question: what may be asked about, and what may not be mentioned
	Answer       string   // the participant's last reply
	Earlier      []string // the replies to this question before Answer
	Asked        []string // every follow-up asked in this interview
	Secrets      []string // what must not be echoed at length: the prompt, the background, the goal, the author's instructions
	Questions    []string // the other questions of the guide
	MaxRunes     int      // DefaultMaxRunes if 0
	Left         int      // follow-ups that may still be asked here, this one included
}

// DefaultMaxRunes is the limit of a probe's length, in characters, if the Context sets none.
const DefaultMaxRunes = 300

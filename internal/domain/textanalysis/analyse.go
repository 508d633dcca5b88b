package textanalysis

import (
	"slices"
	"sync"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/response"
)

// Provider is the provider recorded with analyses that are written here.
const Provider = "builtin"

// Input is one interview, as far as it went.
type Input struct {
	Guide     *guide.Guide // the revision that the interview ran on
	Response  response.Response
	Answers   []interview.Answered
	Exchanges []interview.Exchange
	Copies    map[int]int // by transcript row: number of earlier responses of the study with the same answer
	Topics    []string    // the author's names for topics, which may always be tags
	// NearCopies holds the rows whose answers an earlier response of the study has with a few words changed; see Alike.
	NearCopies map[int]bool
	// Earlier holds the open answers of earlier responses of the study, at most MaxEarlier, each with its answers.
	Earlier [][]string

	QuotaFull bool // the participant was screened out because the study had enough people like them

	// Leaves, if not nil, reports whether a sentence asks to end the interview. Then it is summarized as that, and not as an answer.
	Leaves func(sentence string) bool
}

// Row returns the transcript row of an exchange; row 0 is the welcome.
func Row(exchange int) int { return exchange + 1 }

// Turns returns what the participant said, row by row. It leaves out statements and rows without words.
func Turns(exchanges []interview.Exchange) (turns []evidence.Turn) {
	for i, e := range exchanges {
		if !e.Statement && !isBlank(e.User) {
			turns = append(turns, evidence.Turn{Row: Row(i), Text: e.User})
		}
	}
	return turns
}

// Analyse analyses an interview. CompletedAt stays zero, because this package has no clock.
func Analyse(in Input) response.Analysis {
	r := read(in)
	tags := r.tags()
	r.weighSentences(tags)
	short := shortMessages(in.Exchanges)
	a := response.Analysis{
		Summary:                r.summary(tags),
		Tagline:                r.tagline(tags),
		Bullets:                r.bullets(),
		Tags:                   r.tagTexts(tags),
		ShortTranscript:        r.shortTranscript(short),
		ShortAssistantMessages: short,
		OtherRemarks:           r.otherRemarks(),
		Quality:                r.quality(),
		Provider:               Provider,
		Authors:                map[response.Part]response.Author{},
	}
	a.Claims = r.claims
	for part, empty := range map[response.Part]bool{
		response.PartSummary: a.Summary == "", response.PartTagline: a.Tagline == "", response.PartBullets: len(a.Bullets) == 0,
		response.PartTags: len(a.Tags) == 0, response.PartOtherRemarks: a.OtherRemarks == "", response.PartShortTranscript: a.ShortTranscript == "",
		response.PartQuality: false,
	} {
		if !empty {
			a.Authors[part] = response.Author{Provider: Provider}
		}
	}
	return a
}

// reading is an interview prepared for the analysis.
type reading struct {
	in      Input
	lang    *language
	answers []answer
	turns   *evidence.Reader
	claims  []response.Claim // claims of the parts written so far
	subject func() map[string]bool
}

// answer is one answer with its item and, if it is in the participant's own words, its sentences.
type answer struct {
	interview.Answered
	item      *guide.Item // empty if the guide does not have it
	exchanges []int       // indexes of the exchanges that the answer was given in, the question's first
	kind      kind
	words     int
	sentences []sentence // only of substantial open answers
}

// kind classifies answers by what can be done with them.
type kind int

const (
	substantial kind = iota // open, and says something
	unsure                  // open: "I don't know", "nothing"
	gibberish               // open: random keys, or one word over and over
	closed                  // chosen, ranked, rated or uploaded
	skipped                 // asked, and left empty
)

// sentence is one sentence of an answer, letter for letter, without the spaces around it.
type sentence struct {
	text   string
	at     int // its start in the answer's text, in bytes
	tokens []token
	words  int
	weight float64 // how well it represents the answer; 0 if it should not be quoted
}

// maxRead limits the bytes of one answer that are read: a pasted book must not hold up the queue.
const maxRead = 20_000

func read(in Input) *reading {
	items := map[string]*guide.Item{}
	if in.Guide != nil {
		for b := range in.Guide.Blocks {
			for i := range in.Guide.Blocks[b].Items {
				it := &in.Guide.Blocks[b].Items[i]
				items[it.ID] = it
			}
		}
	}
	r := &reading{in: in, answers: make([]answer, 0, len(in.Answers)), turns: evidence.Read(Turns(in.Exchanges))}
	places := map[[2]string][]int{}
	for i, e := range in.Exchanges {
		if !e.Statement {
			places[[2]string{e.ItemID, e.ConceptID}] = append(places[[2]string{e.ItemID, e.ConceptID}], i)
		}
	}
	texts := make([]string, 0, len(in.Answers))
	for _, a := range in.Answers {
		if a.Unasked {
			continue // it must not be reported as what the participant said
		}
		item := items[a.ItemID]
		if item == nil {
			item = &guide.Item{ID: a.ItemID, Text: a.Question, Type: guide.OpenEnded}
		}
		text := head(a.Text, maxRead)
		read := answer{
			Answered: a, item: item, exchanges: places[[2]string{a.ItemID, a.ConceptID}], kind: kindOf(item, text), words: lang.Words(text),
		}
		if read.kind == substantial {
			texts = append(texts, text)
		}
		r.answers = append(r.answers, read)
	}
	r.lang = languageOf(in.Response.Language, texts)
	for i := range r.answers {
		if a := &r.answers[i]; a.kind == substantial {
			text := head(a.Text, maxRead)
			a.sentences = sentences(text, r.lang)
			markMasked(text, a.sentences)
			r.leaveOut(a)
		}
	}
	r.markNames()
	r.subject = sync.OnceValue(r.subjectOf)
	return r
}

// leaveOut removes the sentences that ask to end the interview from an answer, which then may say nothing.
func (r *reading) leaveOut(a *answer) {
	if r.in.Leaves == nil {
		return
	}
	a.sentences = slices.DeleteFunc(a.sentences, func(s sentence) bool { return r.in.Leaves(s.text) })
	if len(a.sentences) == 0 {
		a.kind = unsure
	}
}

func kindOf(item *guide.Item, text string) kind {
	switch {
	case isBlank(text):
		return skipped
	case item.Type != guide.OpenEnded:
		return closed
	case saysNothing(text):
		return unsure
	case isGibberish(text):
		return gibberish
	default:
		return substantial
	}
}

// count returns how many answers are of one of the kinds.
func (r *reading) count(kinds ...kind) (n int) {
	for i := range r.answers {
		for _, k := range kinds {
			if r.answers[i].kind == k {
				n++
			}
		}
	}
	return n
}

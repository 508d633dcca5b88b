package moderator

import (
	"strings"
	"unicode"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

// class is a kind of answer, which decides what may be asked after it.
type class struct {
	name  string
	needs []need // to ask for, in order; none: nothing is asked
}

// The classes after which nothing is asked.
var (
	leaves    = class{name: "the participant wants to stop"}
	grieves   = class{name: "the answer speaks of grief or distress"}
	refuses   = class{name: "the participant does not want to speak of it"}
	saysNone  = class{name: "the participant has no more to say"}
	saysSigns = class{name: "the answer has no words"}
	answered  = class{name: "the reply answers what was asked"}
)

// The classes after which something is asked. What is asked last fits any answer.
var (
	unreadable    = class{"the answer cannot be read", []need{onceMore}}
	copied        = class{"the answer is the question", []need{ownAnswer}}
	pictures      = class{"the answer has signs and no words", []need{inWords}}
	foreign       = class{"the answer is in another language", []need{more, other}}
	misunderstood = class{"the participant asks what is meant", []need{asMeant}}
	asksBack      = class{"the participant asks something", []need{setAside}}
	aloneYesNo    = class{"the answer is yes or no alone", []need{more}}
	amount        = class{"the answer is a number", []need{figure, condition}}
	conditional   = class{"the answer is that it depends", []need{condition, more}}
	verdict       = class{"the answer is a judgement", []need{judged, more}}
	bareThing     = class{"the answer names one thing", []need{thing, more}}
	list          = class{"the answer is a list", []need{choice, standsOut, other}}
	steps         = class{"the answer lists steps", []need{standsOut, other}}
	unwanted      = class{"the answer is that nothing is wished for", []need{view, other}}
	chosen        = class{"one of several was chosen", []need{worth, more}}
	ramble        = class{"the answer has many threads", []need{standsOut, matters}}
	outcry        = class{"the answer is upset", []need{standsOut, other}}
	hoped         = class{"the answer is a wish", []need{difference, other}}
	emotional     = class{"the answer names a feeling", []need{feeling, other}}
	uncertain     = class{"the answer is hedged", []need{certain, more}}
	changed       = class{"the answer compares then and now", []need{change, other}}
	occasion      = class{"the answer tells of one occasion", []need{after, thoughts, before}}
	repeated      = class{"the answer tells of a habit", []need{origin, lastTime}}
	opinionated   = class{"the answer is an opinion", []need{view, other}}
	short         = class{"the answer is short", []need{more, other}}
	full          = class{"the answer says something", []need{standsOut, other, more}}
	replied       = class{"the reply says something", []need{other, more}}
)

// Limits of classes, in words.
const (
	goodbye      = 14  // up to this an answer may be a goodbye as a whole
	shortRefusal = 30  // up to this a refusal is the complete answer
	stopSentence = 8   // up to this "I don't know" is the complete answer and not the start of one
	longQuestion = 40  // above this a question in an answer is rhetorical
	shortAnswer  = 12  // up to this an answer is short
	longRamble   = 120 // above this an answer has many threads
)

// reading is an answer with what is needed to class it.
type reading struct {
	book     *phrasebook
	in       interview.Ask
	answer   string
	said     string // folded
	question string // folded
	words    int
}

func read(book *phrasebook, in interview.Ask, answer string) *reading {
	return &reading{book: book, in: in, answer: answer, said: book.fold(answer), question: book.fold(in.Item.Text), words: lang.Words(answer)}
}

func (r *reading) has(c cue) bool  { return r.book.has(r.said, c) }
func (r *reading) asks(c cue) bool { return r.book.has(r.question, c) }

// class returns the class of an answer: first what forbids a question, then what the answer is as a whole, then what it speaks of.
func (r *reading) class() class {
	for _, check := range []func() (class, bool){r.ends, r.meaningless, r.brief} {
		if c, found := check(); found {
			return c
		}
	}
	return r.told()
}

// ends finds answers after which nothing may be asked.
func (r *reading) ends() (class, bool) {
	switch {
	case r.book.wantsToStop(r.answer) || bookFor("en").wantsToStop(r.answer) || r.left():
		return leaves, true
	case r.isDistress():
		return grieves, true
	case r.has(refusal) && r.words <= shortRefusal:
		return refuses, true
	case r.isNothing():
		return saysNone, true
	}
	return class{}, false
}

// meaningless finds answers that say nothing about the subject.
func (r *reading) meaningless() (class, bool) {
	letters := strings.ContainsFunc(r.answer, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	symbols := strings.ContainsFunc(r.answer, func(c rune) bool { return unicode.Is(unicode.So, c) })
	switch {
	case !letters && symbols:
		return pictures, true
	case !letters:
		return saysSigns, true
	case r.isCopy():
		return copied, true
	case r.isGibberish():
		return unreadable, true
	case r.isForeign():
		return foreign, true
	}
	return r.returned()
}

// brief finds answers whose form says what they are.
func (r *reading) brief() (class, bool) {
	switch {
	case r.words <= 3 && r.isYesNo():
		return aloneYesNo, true
	case r.words <= 6 && r.chose():
		return chosen, true
	case r.words <= shortAnswer && r.has(depends):
		return conditional, true
	case r.book.judgementIn(r.answer) != "":
		return verdict, true
	case r.isList() && r.asks(oneOccasion):
		return steps, true // one after the other: there is nothing to pick
	case r.isList():
		return list, true
	case r.isAmount():
		return amount, true
	case r.book.thingIn(r.answer) != "":
		return bareThing, true
	case r.words > longRamble:
		return ramble, true
	}
	return class{}, false
}

// told returns the class of what an answer of some words speaks of. The question decides before single words of the answer do. A reply to a follow-up is
// classed by less: its words answer the moderator's question and not the guide's.
func (r *reading) told() class {
	_, hedges := r.book.without(r.said, hedge)
	first := r.in.FollowUps == 0
	switch {
	case first && r.asks(wishAsked) && r.book.begins(r.said, none, 1):
		return unwanted
	case first && r.asks(wishAsked):
		return hoped
	case first && r.asks(feelingAsked):
		return emotional
	case hedges >= 2 && r.words <= longQuestion:
		return uncertain
	case first && r.words > stopSentence && r.asks(changeAsked):
		return changed
	case r.has(wish):
		return hoped
	case r.isOutcry():
		return outcry
	case r.words > shortAnswer && (first && r.asks(oneOccasion) || r.has(past)):
		return occasion
	case first && r.words > stopSentence && r.has(nowadays) && r.has(formerly):
		return changed
	case first && r.words > tersest && r.has(habit) && !r.judges() && r.in.Concept == nil && !r.has(supposed): // what does not exist yet has no history
		return repeated
	case first && r.words > tersest && (r.has(opinion) || r.asks(opinionAsked)):
		return opinionated
	case r.invited() || r.words <= shortAnswer && (first || r.words <= 5 || !r.has(because)):
		return short
	case first:
		return full
	case r.in.Item.FollowUp == guide.FollowUpHeavy:
		return replied
	}
	return answered
}

// judges reports whether an answer holds a judgement as a word. Scripts without spaces do not show words.
func (r *reading) judges() bool {
	return len(r.book.lists[judgement].dense) == 0 && r.has(judgement)
}

// invited reports whether the reply is the first answer: what came before could not be read, or was none.
func (r *reading) invited() bool {
	n := len(r.in.Asked)
	if r.in.FollowUps == 0 || n == 0 {
		return false
	}
	switch r.book.needOf(r.in.Asked[n-1]) {
	case onceMore, ownAnswer, inWords, setAside, asMeant:
		return true
	}
	return false
}

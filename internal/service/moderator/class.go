package moderator

import (
	"strings"
	"unicode"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/textanalysis"
)

// class is what an answer is, which decides what may be asked after it.
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

// class returns the class of an answer: first what forbids a question, then what the answer is as a whole, then what it tells of.
func (r *reading) class() class {
	for _, check := range []func() (class, bool){r.ends, r.whole, r.brief} {
		if c, found := check(); found {
			return c
		}
	}
	return r.told()
}

// ends finds answers after which nothing may be asked.
func (r *reading) ends() (class, bool) {
	switch {
	case r.book.wantsToStop(r.answer) || bookFor("en").wantsToStop(r.answer):
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

// whole finds answers that say nothing about the subject.
func (r *reading) whole() (class, bool) {
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

// told finds what an answer of some words tells of. The question decides before single words of the answer do. A reply to a follow-up is
// classed by less: its words answer the moderator's question and not the guide's.
func (r *reading) told() class {
	_, hedges := r.book.without(r.said, hedge)
	first := r.in.FollowUps == 0
	switch {
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
	case first && r.words > 5 && r.has(habit) && !r.judges():
		return repeated
	case first && r.words > 5 && (r.has(opinion) || r.asks(opinionAsked)):
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

// wantsToStop reports whether a participant ends the interview: one clause of the answer has nothing but that, and either names the
// interview or is most of the answer. "I want to stop smoking" tells of something else.
func (book *phrasebook) wantsToStop(answer string) bool {
	words := lang.Words(answer)
	for _, clause := range clauses(answer) {
		said := book.fold(clause)
		rest, n := book.without(said, ending)
		if n == 0 || book.leftover(rest, endingHere, courtesy) > 0 {
			continue
		}
		if book.has(said, endingHere) || words <= goodbye && 2*lang.Words(clause) >= words {
			return true
		}
	}
	return false
}

// isDistress reports whether an answer speaks of a death among the participant's own, of losing somebody, or of despair. A study
// about grief needs no word for it: naming a relative is enough.
func (r *reading) isDistress() bool {
	if r.has(despair) {
		return true
	}
	study := r.question
	if r.in.Guide != nil {
		study += r.book.fold(r.in.Guide.Title) + r.book.fold(r.in.Guide.ParticipantTitle())
	}
	if r.has(kin) && (r.book.has(study, death) || r.book.has(study, despair)) {
		return true
	}
	for _, s := range sentences(r.answer) {
		if said := r.book.fold(s); r.book.has(said, kin) && r.book.has(said, death) {
			return true
		}
		for _, clause := range clauses(s) {
			if r.book.lostSomebody(r.book.fold(clause)) {
				return true
			}
		}
	}
	return false
}

// lostSomebody reports whether kin follows within a few words after a word for losing; in scripts without spaces, stands in the same clause.
func (book *phrasebook) lostSomebody(clause string) bool {
	if len(book.lists[lost].dense) > 0 {
		return book.has(clause, lost) && book.has(clause, kin)
	}
	words := strings.Fields(clause)
	for i, word := range words {
		if book.has(" "+word+" ", lost) && book.has(" "+strings.Join(words[i:min(len(words), i+5)], " ")+" ", kin) {
			return true
		}
	}
	return false
}

// isNothing reports whether the participant has nothing to say, or nothing more. "No" is nothing only where the question cannot be
// answered with it, or asked for more.
func (r *reading) isNothing() bool {
	for _, b := range []*phrasebook{r.book, bookFor("en")} { // many say "no idea" or "n/a" in any language
		said := b.fold(r.answer)
		switch {
		case b.isExactly(said, nothing) && !(r.isYesNo() && r.isPolar()):
			return true
		case r.words <= stopSentence && b.has(said, finished):
			return true
		}
	}
	if r.asks(closing) || r.in.FollowUps > 0 {
		return r.words <= stopSentence && r.book.begins(r.said, no, 1) && r.book.leftover(r.said, no, finished, nothing, courtesy, ending, yes) <= 1
	}
	return false
}

// isYesNo reports whether an answer is yes or no alone, or repeats the verb of the question where a language answers so.
func (r *reading) isYesNo() bool {
	if r.book.leftover(r.said, yes, no, courtesy) == 0 && (r.has(yes) || r.has(no)) {
		return true
	}
	joined := strings.ReplaceAll(r.said, " ", "")
	return len([]rune(joined)) == 1 && r.isPolar() && strings.Contains(strings.ReplaceAll(r.question, " ", ""), joined)
}

// isPolar reports whether the question can be answered with yes or no.
func (r *reading) isPolar() bool {
	if r.asks(closing) {
		return false
	}
	text := strings.TrimSpace(r.in.Item.Text)
	asked := strings.ContainsFunc(text, asksSomething) || strings.HasSuffix(text, "か。")
	for _, s := range sentences(text) {
		if r.book.begins(r.book.fold(s), asking, 2) {
			return false
		}
	}
	return asked
}

// isAmount reports whether a short answer is the number that the question asks for.
func (r *reading) isAmount() bool {
	return r.in.FollowUps == 0 && r.words <= shortAnswer && r.asks(amountAsked) && (strings.ContainsFunc(r.answer, unicode.IsDigit) || r.has(numeral)) && r.book.leftover(r.said, numeral) <= 6
}

// chose reports whether the last question asked for one of several.
func (r *reading) chose() bool {
	n := len(r.in.Asked)
	return r.in.FollowUps > 0 && n > 0 && r.book.needOf(r.in.Asked[n-1]) == choice && !r.has(because)
}

// isOutcry reports whether an answer is shouted.
func (r *reading) isOutcry() bool {
	marks := strings.Count(r.answer, "!") + strings.Count(r.answer, "\uff01")
	if marks >= 2 || marks == 1 && r.words >= shortAnswer {
		return true
	}
	capitals := 0
	for word := range strings.FieldsSeq(r.answer) {
		word = strings.TrimFunc(word, func(c rune) bool { return !unicode.IsLetter(c) })
		if len([]rune(word)) >= 5 && word == strings.ToUpper(word) && word != strings.ToLower(word) {
			capitals++
		}
	}
	return capitals >= 2 || capitals == 1 && marks == 1
}

// returned finds questions to the moderator.
func (r *reading) returned() (class, bool) {
	if r.words > longQuestion || r.isOutcry() {
		return class{}, false
	}
	asked, either_ := 0, false
	for _, s := range sentences(r.answer) {
		if strings.ContainsFunc(s, asksSomething) {
			asked += lang.Words(s)
			either_ = either_ || r.book.has(r.book.fold(s), either)
		}
	}
	switch {
	case 2*asked < r.words || asked < 2:
		return class{}, false
	case either_ || r.has(unclear):
		return misunderstood, true
	}
	return asksBack, true
}

// isCopy reports whether an answer is the question, written again or pasted.
func (r *reading) isCopy() bool {
	said, question := strings.ReplaceAll(r.said, " ", ""), strings.ReplaceAll(r.question, " ", "")
	return len(question) > 0 && 4*len(said) >= 3*len(question) && (strings.Contains(question, said) || strings.Contains(said, question) && 3*len(said) <= 4*len(question))
}

// isForeign reports whether an answer is in another language than the interview.
func (r *reading) isForeign() bool {
	if r.words < 4 {
		return false
	}
	own, strange := 0, 0
	for _, c := range r.answer {
		if unicode.IsLetter(c) {
			if unicode.In(c, lang.Scripts(r.book.language)...) {
				own++
			} else {
				strange++
			}
		}
	}
	if strange > own {
		return true
	}
	hits := func(code string, words map[string]bool) (n int) {
		b := bookFor(code)
		for word := range strings.FieldsSeq(b.fold(r.answer)) {
			if words[word] {
				n++
			}
		}
		return n
	}
	ours := hits(r.book.language, r.book.function)
	for code := range books {
		if b := bookFor(code); b.language != r.book.language && len(b.function) > 0 && len(r.book.function) > 0 {
			if theirs := hits(code, b.function); theirs >= 3 && theirs > 2*ours {
				return true
			}
		}
	}
	return false
}

// isGibberish reports whether an answer is made of random keys.
func (r *reading) isGibberish() bool {
	tokens := strings.Fields(r.said)
	odd := 0
	for _, token := range tokens {
		switch {
		case len(token) > 1 && r.book.function[token] || r.book.has(" "+token+" ", judgement) || len(token) > 2 && strings.Contains(r.question, " "+token+" "):
			return false
		case isOdd(token):
			odd++
		}
	}
	if odd > 0 && len(tokens) <= shortAnswer && 3*odd >= len(tokens) {
		return true
	}
	return len(tokens) > 0 && !r.has(yes) && !r.has(no) && !r.book.isExactly(r.said, nothing) && strings.ContainsFunc(r.answer, unicode.IsLetter) && !textanalysis.SaysSomething(r.answer)
}

// isOdd reports whether no word looks like this: a letter three times in a row, Latin letters without a vowel, or a run along a row of
// keys.
func isOdd(token string) bool {
	var last rune
	repeat, latin, vowels, run, longest, along := 0, 0, 0, 0, 0, 0
	for _, c := range token {
		if along++; !beside(last, c) {
			along = 1
		}
		if repeat++; c != last {
			repeat, last = 1, c
		}
		if repeat >= 3 && unicode.IsLetter(c) || along >= 5 {
			return true
		}
		if c < 'a' || c > 'z' {
			run = 0
			continue
		}
		latin++
		if run++; strings.ContainsRune("aeiouy", c) {
			vowels++
			run = 0
		}
		longest = max(longest, run)
	}
	return latin >= 3 && vowels == 0 || longest >= 6
}

// beside reports whether two keys are neighbours on a usual keyboard.
func beside(a, b rune) bool {
	for _, row := range []string{"qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm"} {
		if strings.Contains(row, string([]rune{a, b})) {
			return true
		}
	}
	return false
}

// Limits of lists.
const (
	minListed    = 3
	maxPerItem   = 6  // words
	maxBare      = 3  // words, in Arabic, whose short sentences look like things
	maxDenseItem = 10 // characters between 、
	maxDenseBare = 4  // characters between commas, which part sentences, too
)

// isList reports whether an answer names several things and says nothing about them: short parts between commas, hardly any of the
// words that make sentences.
func (r *reading) isList() bool {
	body := strings.TrimFunc(r.answer, func(c rune) bool { return unicode.IsSpace(c) || endsSentence(c) })
	if r.in.FollowUps > 0 || strings.ContainsFunc(body, endsSentence) || r.has(because) || r.book.count(r.said, hedge) > 1 {
		return false
	}
	parts := strings.FieldsFunc(body, func(c rune) bool { return strings.ContainsRune(",;\n、\uff0c\uff1b،؛", c) })
	if len(parts) < minListed {
		return false
	}
	function, words := 0, 0
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if !r.isItem(part, strings.ContainsRune(body, '\uff0c')) {
			return false
		}
		for word := range strings.FieldsSeq(r.book.fold(part)) {
			words++
			if r.book.function[word] && !r.book.has(" "+word+" ", article) && !r.book.has(" "+word+" ", connective) && !r.book.has(" "+word+" ", and) {
				function++
			}
		}
	}
	return 4*function <= words
}

// isItem reports whether a part between commas may be a thing.
func (r *reading) isItem(part string, commas bool) bool {
	runes := []rune(part)
	if len(runes) == 0 {
		return true
	}
	if !lang.Unspaced(runes[0]) {
		return lang.Words(part) <= maxPerItem && (r.book.language != "ar" || lang.Words(part) <= maxBare)
	}
	limit := maxDenseItem
	if commas {
		limit = maxDenseBare
	}
	return len(runes) <= limit && !strings.ContainsRune("てでがはにをしともたばけらすいくるよね吧了", runes[len(runes)-1])
}

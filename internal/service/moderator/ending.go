package moderator

import (
	"slices"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

// wantsToStop reports whether a participant ends the interview: one clause of the answer has nothing but that, and either names the
// interview or is most of the answer. "I want to stop smoking" speaks of something else. Saying no more about something, with hardly
// another word, ends it too.
func (book *phrasebook) wantsToStop(answer string) bool {
	words := lang.Words(answer)
	for _, clause := range clauses(answer) {
		said := book.fold(clause)
		mainly := words <= goodbye && 2*lang.Words(clause) >= words
		if rest, n := book.without(said, refusal); n > 0 && mainly && book.leftover(rest, endingHere, polite) <= beyondRefusal {
			return true
		}
		rest, n := book.without(said, ending)
		if n == 0 || book.leftover(rest, endingHere, polite) > 0 {
			continue
		}
		if book.has(said, endingHere) || mainly {
			return true
		}
	}
	return false
}

// beyondRefusal limits the words of a clause beside those of a refusal: "rather not say" and "more about it".
const beyondRefusal = 2

// left reports whether the participant asked to end the interview in an earlier answer, by name: "I want to stop the interview now".
// What the guide still asks is asked, and nothing more.
func (r *reading) left() bool {
	return slices.ContainsFunc(r.in.Exchanges, func(e interview.Exchange) bool {
		return (e.FollowUp || r.isOpen(e.ItemID)) && EndsInterview(r.in.Language, e.User)
	})
}

// isOpen reports whether an item of the guide is answered in the participant's own words.
func (r *reading) isOpen(itemID string) bool {
	if r.in.Guide == nil {
		return false
	}
	for i := range r.in.Guide.Blocks {
		for j := range r.in.Guide.Blocks[i].Items {
			if item := &r.in.Guide.Blocks[i].Items[j]; item.ID == itemID {
				return item.Type == guide.OpenEnded
			}
		}
	}
	return false
}

// EndsInterview reports whether an answer in a language asks to end the interview and names it, or its questions.
func EndsInterview(language, answer string) bool {
	for _, book := range []*phrasebook{bookFor(language), bookFor("en")} {
		if book != nil && book.wantsToStop(answer) && book.namesInterview(answer) {
			return true
		}
	}
	return false
}

// namesInterview reports whether a clause that ends the interview names it, and not just "here" or "now".
func (book *phrasebook) namesInterview(answer string) bool {
	return slices.ContainsFunc(clauses(answer), func(clause string) bool {
		said := book.fold(clause)
		return book.has(said, ending) && book.has(said, endingHere)
	})
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
		case r.words <= stopSentence && b.has(said, finished) && b.leftover(said, finished, nothing, no, yes, polite, ending) <= 1:
			return true
		}
	}
	if r.saysNone() {
		return true
	}
	if r.asks(closing) || r.in.FollowUps > 0 {
		return r.words <= stopSentence && r.book.begins(r.said, no, 1) && r.book.leftover(r.said, no, finished, nothing, polite, ending, yes) <= 1
	}
	return false
}

// saysNone reports whether an answer begins with a clause that states that there is nothing: with no words but those for that and
// those of the question. What follows may thank, or say why, unless it takes that back. After "nothing" alone something may follow only
// where there was more to be asked for: "Nothing, I would never give it up" tells why.
func (r *reading) saysNone() bool {
	parts := clauses(r.answer)
	if len(parts) == 0 || r.words > 2*stopSentence {
		return false
	}
	first := r.book.fold(parts[0])
	if !r.book.begins(first, none, 4) || r.book.has(r.said, contrast) {
		return false
	}
	rest, _ := r.book.without(first, none)
	rest, stated := r.book.without(rest, lacking)
	echoed := 0
	for word := range strings.FieldsSeq(rest) {
		if !r.book.function[word] && strings.Contains(r.question, " "+word+" ") {
			echoed++
		}
	}
	if r.book.leftover(rest, polite, nothing, finished, yes, no) > echoed {
		return false
	}
	return stated+echoed > 0 || len(parts) == 1 || r.asks(closing) || r.in.FollowUps > 0
}

// isYesNo reports whether an answer is yes or no alone, or repeats the verb of the question where a language answers so.
func (r *reading) isYesNo() bool {
	if r.book.leftover(r.said, yes, no, polite) == 0 && (r.has(yes) || r.has(no)) {
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

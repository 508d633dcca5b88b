package textanalysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
)

const (
	maxQuoted       = 7  // sentences in a summary
	maxChosen       = 6  // closed answers in a summary
	quoteWords      = 34 // words of one quotation in a summary
	bulletWords     = 24
	taglineWords    = 20
	maxBullets      = 6
	minBullets      = 3
	recurringTopics = 4
)

// summary returns the complete interview in one paragraph for each of: how it went, what was chosen, what was said, what was left
// open.
func (r *reading) summary(tags []tag) string {
	paragraphs := []string{r.opening()}
	r.claim(response.PartSummary, paragraphs[0])
	if chosen := r.chosen(); chosen != "" {
		paragraphs = append(paragraphs, chosen)
	}
	if said := r.said(tags); said != "" {
		paragraphs = append(paragraphs, said)
	}
	if rest := r.leftOpen(); rest != "" {
		paragraphs = append(paragraphs, rest)
		r.claim(response.PartSummary, rest, r.spansOf(unsure, gibberish)...)
	}
	return strings.Join(paragraphs, "\n\n")
}

// opening returns the first sentence of a summary: how much was answered, in what time.
func (r *reading) opening() string {
	asked := len(r.answers)
	time := timeTaken(r.in.Response.Duration)
	answered := asked - r.count(skipped)
	open := r.count(substantial)
	switch progress := r.in.Response.Progress; {
	case r.in.QuotaFull:
		return fmt.Sprintf("The interview ended after %s%s, because the study already had enough participants of this kind.", plural(asked, "question"), time)
	case progress == response.ScreenedOut && asked == 0:
		return "The participant was screened out before answering a question."
	case progress == response.ScreenedOut:
		return fmt.Sprintf("The participant was screened out after %s%s; the interview itself did not take place.", plural(asked, "question"), time)
	case answered == 0 && progress == response.Complete:
		return "The participant went through the interview" + time + " without answering a question."
	case answered == 0:
		return "The participant opened the interview and answered no question."
	case progress == response.InProgress:
		return fmt.Sprintf("The participant answered %s%s and did not finish the interview.", plural(answered, "question"), time)
	case open == 0:
		return fmt.Sprintf("The participant completed the interview%s, answering %s, none of them in words of their own.", time, plural(answered, "question"))
	case open == answered:
		return fmt.Sprintf("The participant completed the interview%s, answering %s in their own words.", time, plural(answered, "question"))
	default:
		return fmt.Sprintf("The participant completed the interview%s, answering %s, %d of them in their own words.", time, plural(answered, "question"), open)
	}
}

// chosen puts the closed answers into one or a few sentences.
func (r *reading) chosen() string {
	var picks, sentences []string
	var picked, spans []evidence.Span
	shown := 0
	for i := range r.answers {
		a := &r.answers[i]
		if a.kind != closed || shown == maxChosen {
			continue
		}
		pick, sentence := a.closedSentence()
		switch {
		case pick != "":
			picks, picked = append(picks, pick), append(picked, r.spans(a)...)
		case sentence != "":
			sentences, spans = append(sentences, sentence), append(spans, r.spans(a)...)
		default:
			continue
		}
		shown++
	}
	if len(picks) > 0 {
		sentences = append([]string{"They chose " + list(picks) + "."}, sentences...)
	}
	if spans = append(picked, spans...); len(sentences) > 0 {
		r.claim(response.PartSummary, strings.Join(sentences, " "), spans...)
	}
	if more := r.count(closed) - shown; more > 0 && shown == maxChosen {
		sentences = append(sentences, fmt.Sprintf("%s more to choose from %s in the answers.", upperFirst(plural(more, "question")), isAre(more)))
	}
	return strings.Join(sentences, " ")
}

// said quotes the sentences that represent the interview best, in the order of the interview.
func (r *reading) said(tags []tag) string {
	type pick struct{ answer, sentence int }
	var picks []pick
	for i := range r.answers {
		for j := range r.answers[i].sentences {
			if r.answers[i].sentences[j].weight > 0 {
				picks = append(picks, pick{i, j})
			}
		}
	}
	weight := func(p pick) float64 { return r.answers[p.answer].sentences[p.sentence].weight }
	slices.SortStableFunc(picks, func(a, b pick) int { return cmp.Compare(weight(b), weight(a)) })
	// The first sentence of each answer comes before the second of any, and no answer is quoted three times.
	var first, second []pick
	quoted := map[int]int{}
	for _, p := range picks {
		switch quoted[p.answer]++; quoted[p.answer] {
		case 1:
			first = append(first, p)
		case 2:
			second = append(second, p)
		}
	}
	picks = append(first, second...)
	picks = picks[:min(len(picks), maxQuoted)]
	slices.SortFunc(picks, func(a, b pick) int {
		return cmp.Or(cmp.Compare(a.answer, b.answer), cmp.Compare(a.sentence, b.sentence))
	})

	var out []string
	for i := 0; i < len(picks); {
		a := &r.answers[picks[i].answer]
		text, words := a.sentences[picks[i].sentence].text, quoteWords
		last := picks[i].sentence
		var quotes []string
		var spans []evidence.Span
		for i++; i < len(picks) && &r.answers[picks[i].answer] == a; i++ {
			s, before := &a.sentences[picks[i].sentence], &a.sentences[last]
			// Successive sentences are quoted as one passage.
			if stretch := a.Text[before.at : s.at+len(s.text)]; picks[i].sentence == last+1 && quotable(stretch) {
				text, words = stretch, 2*quoteWords
			} else {
				quotes, spans = append(quotes, quotation(text, words)), append(spans, r.quoted(a, text, words)...)
				text = s.text
			}
			last = picks[i].sentence
		}
		quotes, spans = append(quotes, quotation(text, words)), append(spans, r.quoted(a, text, words)...)
		about := question(a.Question)
		if a.ConceptTitle != "" {
			about += " about " + oneLine(a.ConceptTitle)
		}
		out = append(out, fmt.Sprintf(introductions[len(out)%len(introductions)], about, strings.Join(quotes, ", and later: "))+".")
		r.claim(response.PartSummary, out[len(out)-1], spans...)
	}
	if words := recurring(tags); words != nil && len(out) > 1 {
		out = append(out, upperFirst(list(words))+" came up more than once.")
		r.claim(response.PartSummary, out[len(out)-1], r.mentions(words...)...)
	}
	return strings.Join(out, " ")
}

// introductions precede a quotation, in turn.
var introductions = []string{
	"Asked %s, they said: %s",
	"To %s they answered: %s",
	"On %s they put it this way: %s",
}

// recurring returns the topics that came up more than once, if there are at least two.
func recurring(tags []tag) (words []string) {
	for _, t := range tags {
		if t.count > 1 && len(words) < recurringTopics {
			words = append(words, t.text)
		}
	}
	if len(words) < 2 {
		return nil
	}
	return words
}

// leftOpen returns a sentence on what was not answered.
func (r *reading) leftOpen() string {
	var parts []string
	if n := r.count(unsure); n > 0 {
		parts = append(parts, fmt.Sprintf("had nothing to say to %s", plural(n, "open question")))
	}
	if n := r.count(skipped); n > 0 && n < len(r.answers) {
		parts = append(parts, fmt.Sprintf("skipped %s", plural(n, "question")))
	}
	if n := r.count(gibberish); n > 0 {
		parts = append(parts, fmt.Sprintf("gave %s that cannot be read", plural(n, "answer")))
	}
	if len(parts) == 0 {
		return ""
	}
	return "They " + list(parts) + "."
}

// tagline returns the interview in one line.
func (r *reading) tagline(tags []tag) string {
	var best *sentence
	var from *answer
	bestWeight := 0.0
	for i := range r.answers {
		s := r.answers[i].best()
		if s == nil {
			continue
		}
		weight := s.weight
		if s.words > taglineWords || s.words < 4 {
			weight *= 0.75
		}
		if len(tags) > 0 && !slices.ContainsFunc(s.tokens, func(w token) bool { return slices.Contains(tags[0].stems, w.stem) }) {
			weight *= 0.8
		}
		if asksForMore(r.answers[i].Question) {
			weight *= 0.6
		}
		if weight > bestWeight {
			best, from, bestWeight = s, &r.answers[i], weight
		}
	}
	var line string
	if best != nil {
		line = taglineOf(best, from, tags)
		r.claim(response.PartTagline, line, r.quoted(from, best.text, taglineWords)...)
		return line
	}
	switch {
	case r.in.QuotaFull:
		line = "Quota full" + afterQuestions(len(r.answers))
	case r.in.Response.Progress == response.ScreenedOut:
		line = "Screened out" + afterQuestions(len(r.answers))
	case r.count(gibberish) > 0:
		line = "Answers that cannot be read"
	case r.count(substantial) > 0:
		line = "A word or two to a question, and no more"
	case r.count(closed) > 0:
		line = "Chose answers, and said nothing in their own words"
	default:
		line = "No answers"
	}
	r.claim(response.PartTagline, line)
	return line
}

// taglineOf puts topics that a sentence does not name before it: those that came up more than once, and in the same answer. A label
// from elsewhere would say of the quotation what was said of something else.
func taglineOf(best *sentence, from *answer, tags []tag) string {
	line := quotation(best.text, taglineWords)
	var about []string
	for _, t := range tags {
		if len(about) < 2 && t.count > 1 && from.names(t) && !strings.Contains(lower(best.text), lower(t.text)) {
			about = append(about, t.text)
		}
	}
	if len(about) == 0 {
		return line
	}
	return upperFirst(list(about)) + ": " + line
}

// names reports whether one sentence of an answer has all words of a tag.
func (a *answer) names(t tag) bool {
	return slices.ContainsFunc(a.sentences, func(s sentence) bool {
		return !slices.ContainsFunc(t.stems, func(stem string) bool {
			return !slices.ContainsFunc(s.tokens, func(w token) bool { return w.stem == stem })
		})
	})
}

// bullets returns three to six lines of topic and quotation, filled up with closed answers. If less is known there are fewer.
func (r *reading) bullets() []string {
	var order []int
	for i := range r.answers {
		if r.answers[i].best() != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.answers[b].best().weight, r.answers[a].best().weight)
	})
	order = order[:min(len(order), maxBullets)]
	for i := range r.answers {
		if len(order) >= minBullets {
			break
		}
		a := &r.answers[i]
		if pick, sentence := a.closedSentence(); a.kind == closed && pick+sentence != "" {
			order = append(order, i)
		}
	}
	slices.Sort(order)
	bullets := make([]string, 0, len(order))
	for _, i := range order {
		a := &r.answers[i]
		about := label(a.Question)
		if a.ConceptTitle != "" {
			about = oneLine(a.ConceptTitle) + ", " + lowerFirst(about)
		}
		if s := a.best(); s != nil {
			bullets = append(bullets, about+": "+quotation(s.text, bulletWords))
			r.claim(response.PartBullets, bullets[len(bullets)-1], r.quoted(a, s.text, bulletWords)...)
		} else {
			bullets = append(bullets, about+": "+a.closedShort())
			r.claim(response.PartBullets, bullets[len(bullets)-1], r.spans(a)...)
		}
	}
	return bullets
}

// otherRemarks returns the answer to a last question that asks for anything else, word for word.
func (r *reading) otherRemarks() string {
	for i := len(r.answers) - 1; i >= 0 && i >= len(r.answers)-2; i-- {
		a := &r.answers[i]
		if a.kind == substantial && asksForMore(a.Question) {
			r.claim(response.PartOtherRemarks, a.Text, r.spans(a)...)
			return a.Text
		}
	}
	return ""
}

func asksForMore(question string) bool {
	return slices.ContainsFunc(anythingElse, func(s string) bool { return strings.Contains(lower(question), s) })
}

var anythingElse = []string{
	"anything else", "any other", "something else", "sonst noch", "noch etwas", "autre chose", "d'autres remarques", "algo más", "mais alguma coisa",
	"algo mais", "qualcos'altro", "altro da aggiungere", "nog iets", "verder nog", "他に", "ほかに", "其他", "补充", "補充", "شيء آخر",
}

func timeTaken(d time.Duration) string {
	switch {
	case d < time.Second:
		return ""
	case d < 90*time.Second:
		return fmt.Sprintf(" in %s", plural(int(d.Seconds()+0.5), "second"))
	case d > 3*time.Hour:
		return " over several hours"
	default:
		return fmt.Sprintf(" in %s", plural(int(d.Minutes()+0.5), "minute"))
	}
}

func afterQuestions(n int) string {
	if n == 0 {
		return ""
	}
	return " after " + plural(n, "question")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func isAre(n int) string {
	if n == 1 {
		return "stands"
	}
	return "stand"
}

// list joins with commas and a last "and".
func list(parts []string) string {
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// lowerFirst lowers the first letter, unless the first word is an acronym or the word I.
func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	if size == 0 || r == utf8.RuneError || !unicode.IsLower(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[size:]
}

package reporting

import (
	"context"
	"errors"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/tables"
)

// noTheme is the row of the answers that speak of none of the themes.
const noTheme = "Other or none"

// mostPending is how many answers to a question wait for their themes to be looked for together.
const maxPending = 200

// pending is one person with what they said to an open question, and the place of the concept of each; -1 without.
type pending struct {
	who
	said     []Said
	concepts []int
}

// learn finds the themes of every open question.
func (w *work) learn(ctx context.Context) error {
	for _, c := range w.questions {
		if c.said == nil || len(c.said.kept) == 0 {
			continue
		}
		if err := w.learnOf(ctx, c, w.themer); err != nil {
			return err
		}
	}
	return nil
}

// learnOf finds the themes of one question, by keywords where the Themer fails.
func (w *work) learnOf(ctx context.Context, c *counted, themer Themer) (err error) {
	g := w.schema.guide
	open := Open{OrgID: w.study.OrgID, StudyID: w.study.ID, Title: g.ParticipantTitle(), Goal: g.StudyGoal, Language: g.Config.QuestionLanguage, Text: c.text}
	if c.book, err = themer.Learn(ctx, open, c.said.all()); err != nil {
		if err := c.fall(ctx, err); err != nil {
			return err
		}
		if c.book, err = (Keywords{}).Learn(ctx, open, c.said.all()); err != nil {
			return err
		}
	}
	n := len(c.book.Themes())
	for _, s := range c.slices() {
		s.themes, s.quotes, s.refused = newSplit(n+1, len(w.groups.heads)), make([]quotes, n), 0 // the last row is noTheme's
	}
	return nil
}

// fall notes that the Themer failed; the error itself where everything ends, or where nobody is left to take its place.
func (c *counted) fall(ctx context.Context, err error) error {
	if ctx.Err() != nil || c.fallen != nil {
		return err
	}
	failed, ok := errors.AsType[*ThemerError](err)
	if !ok {
		failed = &ThemerError{Err: err}
	}
	c.fallen, c.book, c.pending, c.waits = failed, nil, nil, 0
	return nil
}

// mention reads the responses that were counted once more, for the themes of their open answers; a third time for the
// questions whose Themer fails on the way, which are counted anew by keywords.
func (w *work) mention(ctx context.Context) error {
	var open []*counted
	for _, c := range w.questions {
		if c.book != nil {
			open = append(open, c)
		}
	}
	for len(open) > 0 {
		if err := w.mentionOf(ctx, open); err != nil {
			return err
		}
		var again []*counted
		for _, c := range open {
			if c.book == nil {
				if err := w.learnOf(ctx, c, Keywords{}); err != nil {
					return err
				}
				again = append(again, c)
			}
		}
		open = again
	}
	return nil
}

func (w *work) mentionOf(ctx context.Context, open []*counted) error {
	err := w.run(ctx, w.study.ID, func(t *answered) error {
		if !t.ended() || !w.seen.has(t.ReadableID) {
			return nil
		}
		p := who{t.ReadableID, w.groups.of(t)}
		answers := t.answersTo(w.schema)
		for _, c := range open {
			c.addAnswers(p, t, answers[c.question])
			if c.waits >= maxPending {
				if err := c.countPending(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, c := range open {
		if err == nil {
			err = c.countPending(ctx)
		}
	}
	return err
}

// hear keeps one person's answers to an open question until their themes are looked for.
func (c *counted) addAnswers(p who, t *answered, met []interview.VisitedItem) {
	if c.book == nil {
		return
	}
	one := pending{who: p}
	for i := range met {
		if words := texts(&met[i]); len(words) > 0 {
			one.said = append(one.said, Said{p.readableID, t.Language, words, privates(t.URLParams)})
			one.concepts = append(one.concepts, c.question.concepts.place(met[i].ConceptID))
		}
	}
	if len(one.said) > 0 {
		c.pending = append(c.pending, one)
		c.waits += len(one.said)
	}
}

// settle counts the themes of the answers that wait.
func (c *counted) countPending(ctx context.Context) error {
	if c.waits == 0 {
		return nil
	}
	all := make([]Said, 0, c.waits)
	for i := range c.pending {
		all = append(all, c.pending[i].said...)
	}
	mentions, err := c.book.Mentions(ctx, all)
	if err == nil && len(mentions) != len(all) {
		err = errors.New("the themes are not those of the answers")
	}
	if err != nil {
		return c.fall(ctx, err)
	}
	every := make([]int, len(c.book.Themes())+1)
	for i := range every {
		every[i] = i
	}
	none := every[len(every)-1:]
	for _, one := range c.pending {
		var together []tables.Answer
		for i, said := range one.said {
			about := []*slice{c.together}
			if place := one.concepts[i]; place >= 0 {
				about = append(about, c.concepts[place])
			}
			answer := tables.Answer{Offered: every, Named: c.verified(mentions[i], said, about)}
			if len(answer.Named) == 0 {
				answer.Named = none
			}
			together = append(together, answer)
			for _, s := range about[1:] {
				s.themes.add(one.who, []tables.Answer{answer})
			}
		}
		mentions = mentions[len(one.said):]
		c.together.themes.add(one.who, together)
	}
	c.pending, c.waits = c.pending[:0], 0
	return nil
}

package reporting

import (
	"context"
	"errors"
	"fmt"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/tables"
)

// noTheme labels the row of the answers that mention none of the themes.
const noTheme = "Other or none"

// maxPending is the number of answers to a question that are collected before they are coded together.
const maxPending = 200

// pending holds one person's answers to an open question.
type pending struct {
	person
	said []OpenAnswer
}

// learn finds the themes of every open question.
func (b *builder) learn(ctx context.Context) error {
	for _, c := range b.questions {
		if c.said == nil || len(c.said.kept) == 0 {
			continue
		}
		themer := b.themer
		if c.question.withheld {
			themer = Keywords{}
		}
		if err := b.learnOf(ctx, c, themer); err != nil {
			return err
		}
	}
	return nil
}

// learnOf finds the themes of one question, by keywords if the Themer fails.
func (b *builder) learnOf(ctx context.Context, c *counted, themer Themer) (err error) {
	g := b.schema.guide
	open := OpenQuestion{OrgID: b.study.OrgID, StudyID: b.study.ID, Title: g.ParticipantTitle(), Goal: g.StudyGoal, Language: g.Config.QuestionLanguage, Text: c.text, Concepts: c.question.concepts.labels}
	if c.codebook, err = b.stored(ctx, c, open, themer); err == nil && c.codebook == nil {
		c.codebook, err = themer.Learn(ctx, open, c.said.all())
	}
	if err != nil {
		if err := c.fallBack(ctx, err); err != nil {
			return err
		}
		if c.codebook, err = (Keywords{}).Learn(ctx, open, c.said.all()); err != nil {
			return err
		}
	}
	n := len(c.codebook.Themes())
	for _, s := range c.slices() {
		s.themes, s.quotes, s.refused = newSplit(n+1, len(b.groups.heads)), make([]quotes, n), 0 // the last row counts noTheme
	}
	return nil
}

// fallBack notes that the Themer failed, so that keywords replace it. It returns the error itself if ctx has ended or if keywords
// have already replaced it.
func (c *counted) fallBack(ctx context.Context, err error) error {
	if ctx.Err() != nil || c.failure != nil {
		return err
	}
	failed, ok := errors.AsType[*ThemerError](err)
	if !ok {
		failed = &ThemerError{Err: err}
	}
	c.failure, c.codebook, c.pending, c.pendingAnswers = failed, nil, nil, 0
	return nil
}

// mention finds the themes of the open answers: of those that are kept, and of the others by reading them again. It does so once more for
// questions whose Themer fails on the way, which are counted again by keywords.
func (b *builder) mention(ctx context.Context) error {
	var open []*counted
	for _, c := range b.questions {
		if c.codebook != nil {
			open = append(open, c)
		}
	}
	for len(open) > 0 {
		if err := b.mentionOf(ctx, open); err != nil {
			return err
		}
		var again []*counted
		for _, c := range open {
			if c.codebook == nil {
				if err := b.learnOf(ctx, c, Keywords{}); err != nil {
					return err
				}
				again = append(again, c)
			}
		}
		open = again
	}
	return nil
}

func (b *builder) mentionOf(ctx context.Context, open []*counted) error {
	err := b.answers.each(open, func(c *counted, one pending, done, of int) error {
		if done%maxPending == 0 || done == of {
			b.step(Coding, done, of)
		}
		return c.addAnswers(ctx, one)
	})
	if err == nil && b.answers.full {
		err = b.eachResponse(ctx, b.study.ID, b.answers.last, func(a *answered) error {
			if !a.ended() || !b.seen.has(a.ReadableID) {
				return nil
			}
			p := person{a.ReadableID, b.groups.of(a), b.weights.weight(a.ReadableID)}
			answers, private := a.answersTo(b.schema), masking.PrivateValues(a.URLParams)
			for _, c := range open {
				if err := c.addAnswers(ctx, c.saidBy(p, a.Language, private, answers[c.question])); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, c := range open {
		if err == nil {
			err = c.countPending(ctx)
		}
	}
	return err
}

// saidBy returns one person's answers to an open question that have words.
func (c *counted) saidBy(p person, language string, private []string, items []interview.VisitedItem) pending {
	one := pending{person: p}
	for i := range items {
		if words, rows := textsWithRows(&items[i]); len(words) > 0 {
			one.said = append(one.said, OpenAnswer{ReadableID: p.readableID, Language: language, Texts: words, Rows: rows, ConceptID: items[i].ConceptID, Private: private})
		}
	}
	return one
}

// addAnswers collects one person's answers to an open question, and codes the collected ones when they are many.
func (c *counted) addAnswers(ctx context.Context, one pending) error {
	if c.codebook == nil || len(one.said) == 0 {
		return nil
	}
	c.pending = append(c.pending, one)
	if c.pendingAnswers += len(one.said); c.pendingAnswers < maxPending {
		return nil
	}
	return c.countPending(ctx)
}

// countPending finds and counts the themes of the collected answers.
func (c *counted) countPending(ctx context.Context) error {
	if c.pendingAnswers == 0 {
		return nil
	}
	all := make([]OpenAnswer, 0, c.pendingAnswers)
	for i := range c.pending {
		all = append(all, c.pending[i].said...)
	}
	mentions, err := c.codebook.Mentions(ctx, all)
	if err == nil && len(mentions) != len(all) {
		err = fmt.Errorf("the Themer returned mentions for %d of %d answers", len(mentions), len(all))
	}
	if err != nil {
		return c.fallBack(ctx, err)
	}
	every := make([]int, len(c.codebook.Themes())+1)
	for i := range every {
		every[i] = i
	}
	none := every[len(every)-1:]
	checked := make([]checkedMentions, len(all))
	onAllProcessors(len(all), func(begin, end int) {
		for i := begin; i < end; i++ {
			checked[i] = check(mentions[i], all[i], len(every)-1)
		}
	})
	for _, one := range c.pending {
		var together []tables.Answer
		for i, said := range one.said {
			about := []*slice{c.together}
			if place := c.question.concepts.place(said.ConceptID); place >= 0 {
				about = append(about, c.concepts[place])
			}
			answer := tables.Answer{Offered: every, Named: checked[i].count(said, about)}
			if len(answer.Named) == 0 {
				answer.Named = none
			}
			together = append(together, answer)
			for _, s := range about[1:] {
				s.themes.add(one.person, []tables.Answer{answer})
			}
		}
		checked = checked[len(one.said):]
		c.together.themes.add(one.person, together)
	}
	c.pending, c.pendingAnswers = c.pending[:0], 0
	return nil
}

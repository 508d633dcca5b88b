package translator

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
)

// answers translates what was said in a response into the study's language, except for what was translated before.
func (s *Service) answers(ctx context.Context, responseID string) error {
	if s.Model == nil {
		return nil
	}
	view := s.Store.View()
	r, err := view.AnyResponse(ctx, responseID)
	if errors.Is(err, response.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	of, err := view.Study(ctx, r.OrgID, r.StudyID)
	if err != nil {
		return err
	}
	g, err := s.guide(ctx, of, r.Revision)
	if err != nil || !translation.DifferentLanguage(r.Language, translation.From(g)) {
		return err
	}
	turns, err := view.Turns(ctx, r.ID)
	if err != nil {
		return err
	}
	have, err := view.AnswerTranslations(ctx, r.ID)
	if err != nil {
		return err
	}
	conv := conversation{
		model: s.Model, prompt: answersPrompt, scope: usage.Scope{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID},
		title: g.ParticipantTitle(), from: r.Language, to: translation.From(g), masker: masking.New(masking.PrivateValues(r.URLParams)...),
	}
	index := guide.NewIndex(g)
	questions := map[string]string{} // by step
	for i := range turns {
		questions[turns[i].StepID] = question(turns, i, func(id string) string {
			item, _, _ := index.Item(id)
			if item == nil {
				return ""
			}
			return item.Text
		})
	}
	hashes := map[string]string{}
	var batch []translation.Segment
	runes := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := s.putAnswers(ctx, r.ID, &conv, batch, hashes)
		batch, runes = nil, 0
		return err
	}
	for _, said := range translation.UtterancesIn(sendable(g, turns)) {
		hash := said.Hash(conv.from, conv.to)
		if have[said.StepID].Hash == hash {
			continue
		}
		kind := translation.Kind("answer")
		if said.Asked {
			kind = "follow-up"
		}
		length := utf8.RuneCountInString(said.Text)
		if len(batch) == maxTexts || runes+length > maxRunes {
			if err := flush(); err != nil {
				return err
			}
		}
		hashes[said.StepID], runes = hash, runes+length
		batch = append(batch, translation.Segment{Key: said.StepID, Kind: kind, Source: said.Text, Of: questions[said.StepID]})
	}
	return flush()
}

// sendable returns the turns that a model may be given: none of the items whose answers the study withholds.
func sendable(g *guide.Guide, turns []interview.Turn) []interview.Turn {
	withheld := g.Withheld()
	return slices.DeleteFunc(slices.Clone(turns), func(t interview.Turn) bool { return withheld[t.ItemID] })
}

// question returns what a turn belongs to: the follow-up that it replies to, or its item's text.
func question(turns []interview.Turn, i int, text func(itemID string) string) string {
	if turns[i].Kind == interview.TurnReply && i > 0 && turns[i-1].Probe != "" {
		return turns[i-1].Probe
	}
	return text(turns[i].ItemID)
}

func (s *Service) putAnswers(ctx context.Context, responseID string, conv *conversation, texts []translation.Segment, hashes map[string]string) error {
	done, err := conv.translate(ctx, texts, map[string]string{})
	if err != nil {
		return err
	}
	answers := make([]translation.Answer, 0, len(done))
	for _, w := range done {
		answers = append(answers, translation.Answer{
			StepID: w.Key, Hash: hashes[w.Key], Text: w.translated, Model: s.Model.Model(), Prompt: conv.prompt.Name, Violation: w.violation,
		})
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveAnswerTranslations(ctx, responseID, answers) })
	if errors.Is(err, response.ErrGone) {
		return nil
	}
	return err
}

package reporting

import (
	"context"
	"errors"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Disclose asks a model about the open answers of one response as a report does, without the answers of others and without themes. It
// is for showing what a model gets: replies are not used.
func Disclose(ctx context.Context, view *store.View, of response.Response, chat llm.ChatModel) (err error) {
	defer operation.Wrap(&err, "reporting.Disclose")
	st, err := view.Study(ctx, of.OrgID, of.StudyID)
	if err != nil {
		return err
	}
	s, err := readSchema(ctx, view, st)
	if err != nil {
		return err
	}
	turns, err := view.Turns(ctx, of.ID)
	if err != nil {
		return err
	}
	a := answered{Response: of}
	if err := (&reader{view: view, schema: s}).fill(ctx, &a, turns); err != nil {
		return err
	}
	model := ModelThemer{Chat: chat}
	answers, private := a.answersTo(s), masking.PrivateValues(of.URLParams)
	for _, q := range s.questions {
		if q.kind != guide.OpenEnded || q.withheld {
			continue
		}
		var said []OpenAnswer
		for i := range answers[q] {
			if words := texts(&answers[q][i]); len(words) > 0 {
				said = append(said, OpenAnswer{ReadableID: a.ReadableID, Language: a.Language, Texts: words, Private: private})
			}
		}
		if len(said) == 0 {
			continue
		}
		open := OpenQuestion{OrgID: of.OrgID, StudyID: of.StudyID, Title: s.guide.ParticipantTitle(), Goal: s.guide.StudyGoal, Language: s.guide.Config.QuestionLanguage, Text: q.text}
		if _, err := model.Learn(ctx, open, said); !isOfThemer(err) {
			return err
		}
		if _, err := (&modelBook{model: model, open: open}).Mentions(ctx, said); !isOfThemer(err) {
			return err
		}
	}
	return nil
}

// isOfThemer reports whether nothing failed but what the model said.
func isOfThemer(err error) bool {
	_, ok := errors.AsType[*ThemerError](err)
	return err == nil || ok
}

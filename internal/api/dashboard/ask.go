package dashboard

import (
	"net/http"

	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/asking"
)

type askAnswerJSON struct {
	Status            asking.Status     `json:"status"`
	Reason            *asking.Reason    `json:"reason"`
	Sentences         []askSentenceJSON `json:"sentences"`
	Passages          []passageJSON     `json:"passages"`
	Words             []askWordJSON     `json:"words"`
	Responses         int               `json:"responses"`
	SearchedResponses int               `json:"searchedResponses"`
	Model             *string           `json:"model"`
}

type askSentenceJSON struct {
	Text      string         `json:"text"`
	Responses int            `json:"responses"`
	Quotes    []askQuoteJSON `json:"quotes"`
}

type askQuoteJSON struct {
	Number int    `json:"number"`
	Row    int    `json:"row"`
	Text   string `json:"text"`
}

type passageJSON struct {
	askQuoteJSON
	Question string `json:"question"`
}

type askWordJSON struct {
	Word      string `json:"word"`
	Responses int    `json:"responses"`
}

// ask answers a question from the answers of a study.
func (a *API) ask(c *call) error {
	q := asking.Question{OrgID: c.caller.OrgID, Study: &c.study.Study}
	if err := c.body(func(o *strictjson.Object) {
		q.Text = o.NonEmptyUpTo("question", strictjson.Required, 4*asking.MaxQuestion)
	}); err != nil {
		return err
	}
	answer, err := a.Asking.Ask(c.r.Context(), q)
	if err != nil {
		return err
	}
	quoteOf := func(p asking.Place, text string) askQuoteJSON { return askQuoteJSON{p.ReadableID, p.Row, text} }
	return c.answer(http.StatusOK, askAnswerJSON{
		Status: answer.Status, Reason: orNull(answer.Reason), Responses: answer.Ended, SearchedResponses: answer.Searched, Model: orNull(answer.Model),
		Sentences: list(answer.Sentences, func(s asking.Sentence) askSentenceJSON {
			return askSentenceJSON{s.Text, s.Responses, list(s.Quotes, func(q asking.Quote) askQuoteJSON { return quoteOf(q.Place, q.Text) })}
		}),
		Passages: list(answer.Passages, func(p asking.Passage) passageJSON { return passageJSON{quoteOf(p.Place, p.Said), p.Asked} }),
		Words:    list(answer.Words, func(w asking.Word) askWordJSON { return askWordJSON{w.Text, w.Responses} }),
	})
}

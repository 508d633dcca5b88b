package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/access"
	"verbatim/internal/service/asking"
)

type askAnswer struct {
	Status            asking.Status  `json:"status"`
	Reason            *asking.Reason `json:"reason"`
	Answer            *string        `json:"answer"`
	Sentences         []askSentence  `json:"sentences"`
	Passages          []askPassage   `json:"passages"`
	Words             []askWord      `json:"words"`
	Responses         int            `json:"responses"`
	SearchedResponses int            `json:"searchedResponses"`
	UnverifiedDropped int            `json:"unverifiedDropped"`
	Model             *string        `json:"model"`
}

type askPlace struct {
	StudyID            string `json:"studyId"`
	LinkID             string `json:"linkId"`
	ResponseID         string `json:"responseId"`
	ReadableResponseID int    `json:"readableResponseId"`
	Row                int    `json:"row"`
}

type askSentence struct {
	Text      string     `json:"text"`
	Responses int        `json:"responses"`
	Quotes    []askQuote `json:"quotes"`
}

type askQuote struct {
	askPlace
	Text string `json:"text"`
}

type askPassage struct {
	askPlace
	Question string `json:"question"`
	Text     string `json:"text"`
}

type askWord struct {
	Word      string `json:"word"`
	Responses int    `json:"responses"`
}

// askStudy answers a question about one study.
func (a *API) askStudy(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuestion(w, r)
	if err != nil {
		return err
	}
	st, err := a.Asking.Study(r.Context(), q.OrgID, r.PathValue("studyId"))
	if err != nil {
		return err
	}
	q.Study = &st
	return a.ask(w, r, q)
}

// askOrganization answers a question about all studies of the organization.
func (a *API) askOrganization(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuestion(w, r)
	if err != nil {
		return err
	}
	return a.ask(w, r, q)
}

// readQuestion reads the body of a question.
func readQuestion(w http.ResponseWriter, r *http.Request) (q asking.Question, err error) {
	body, err := httpx.ReadBody(w, r)
	if err != nil {
		return q, err
	}
	err = strictjson.Decode(body, func(o *strictjson.Object) {
		q.Text = o.NonEmpty("question", strictjson.Required)
		q.Passages = o.Int("passages", strictjson.Optional, 1, asking.MaxPassages)
	})
	q.OrgID = access.CallerOf(r.Context()).OrgID
	return q, err
}

func (a *API) ask(w http.ResponseWriter, r *http.Request, q asking.Question) error {
	answer, err := a.Asking.Ask(r.Context(), q)
	if err != nil {
		return err
	}
	return httpx.WriteBody(w, r, http.StatusOK, httpx.Encode(askAnswerOf(answer)))
}

func askAnswerOf(answer asking.Answer) askAnswer {
	out := askAnswer{
		Status: answer.Status, Sentences: []askSentence{}, Passages: []askPassage{}, Words: []askWord{},
		Responses: answer.Ended, SearchedResponses: answer.Searched, UnverifiedDropped: answer.Dropped,
	}
	if answer.Reason != "" {
		out.Reason = &answer.Reason
	}
	if text := answer.Text(); text != "" {
		out.Answer = &text
	}
	if answer.Model != "" {
		out.Model = &answer.Model
	}
	for _, s := range answer.Sentences {
		one := askSentence{Text: s.Text, Responses: s.Responses, Quotes: []askQuote{}}
		for _, q := range s.Quotes {
			one.Quotes = append(one.Quotes, askQuote{placeOf(q.Place), q.Text})
		}
		out.Sentences = append(out.Sentences, one)
	}
	for _, p := range answer.Passages {
		out.Passages = append(out.Passages, askPassage{placeOf(p.Place), p.Asked, p.Said})
	}
	for _, word := range answer.Words {
		out.Words = append(out.Words, askWord{word.Text, word.Responses})
	}
	return out
}

func placeOf(p asking.Place) askPlace {
	return askPlace{p.StudyID, p.LinkID, p.ResponseID, p.ReadableID, p.Row}
}

// Package disclosure shows what a language model would be sent about a response: the requests that the moderator, the analyst and the
// reports make, after masking. It lets those services ask a model that records requests and answers nothing, so that what is shown is
// what they send. It reads the database, stores nothing and sends nothing.
package disclosure

import (
	"context"
	"errors"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/analysis"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/reporting"
)

// Purpose names the use of a request.
type Purpose string

// The purposes.
const (
	Moderation Purpose = "moderation" // a follow-up that was due
	Analysis   Purpose = "analysis"
	Report     Purpose = "report" // themes of an open question; answers of others are sent beside this one
)

// Request is one request as it would leave.
type Request struct {
	Purpose  Purpose
	System   string
	Messages []llm.Message
}

// Service makes previews.
type Service struct {
	Store    *store.Store
	Unmasked bool // masking is switched off
}

// Preview returns what a model would be sent about a response, in the order in which it would be asked; response.ErrNotFound. What
// depends on a model's reply is not known: second attempts, the merging of a long interview's parts, and the themes by which a report
// sorts answers.
func (s *Service) Preview(ctx context.Context, responseID string) (_ []Request, err error) {
	defer operation.Wrap(&err, "disclosure.Preview")
	view := s.Store.View()
	r, err := view.AnyResponse(ctx, responseID)
	if err != nil {
		return nil, err
	}
	work := fieldwork.Service{Store: s.Store}
	iv, err := work.Interviews.Load(ctx, view, r)
	if err != nil {
		return nil, err
	}
	rec := &recorder{unmasked: s.Unmasked}
	if err := rec.moderation(ctx, &work, iv); err != nil {
		return nil, err
	}
	if r.Progress != response.ScreenedOut { // the built-in analyst reads those
		in, err := analysis.Read(ctx, view, r)
		if err != nil {
			return nil, err
		}
		rec.purpose = Analysis
		if _, err := (analysis.Model{Chat: rec}).Analyse(ctx, in); err != nil && !errors.Is(err, analysis.ErrNothingVerified) && !errors.Is(err, analysis.ErrTooLong) {
			return nil, err
		}
	}
	rec.purpose = Report
	if err := reporting.Disclose(ctx, view, r, rec); err != nil {
		return nil, err
	}
	return rec.requests, nil
}

// recorder is a model that records what it is asked, and whose replies say nothing.
type recorder struct {
	unmasked bool
	purpose  Purpose
	requests []Request
}

// Model implements llm.ChatModel.
func (*recorder) Model() string { return "preview" }

// Chat implements llm.ChatModel.
func (r *recorder) Chat(_ context.Context, q llm.Request) (llm.Reply, error) {
	sent := llm.Outgoing(q, r.unmasked)
	r.requests = append(r.requests, Request{r.purpose, sent.System, sent.Messages})
	text := ""
	if q.Schema != nil {
		var err error
		if text, err = q.Schema.Least(); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Text: text, Model: r.Model(), Provider: "preview"}, nil
}

// moderation asks about every follow-up that was due.
func (r *recorder) moderation(ctx context.Context, work *fieldwork.Service, iv interviewlog.Interview) error {
	asks, err := work.Asks(ctx, iv)
	if err != nil {
		return err
	}
	r.purpose = Moderation
	for _, ask := range asks {
		_ = decide(ctx, r, ask) // only what it asks matters
	}
	return nil
}

func decide(ctx context.Context, r *recorder, ask interview.Ask) interview.Decision {
	m := moderator.Model{LLM: r}
	return m.Decide(ctx, ask)
}

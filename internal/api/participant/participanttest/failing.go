package participanttest

import (
	"context"
	"fmt"
	"sync/atomic"

	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/service/fieldwork"
)

// FailingFieldwork is a Fieldwork that fails while it has an error: with Before, before the work; with After, after the commit, so that the
// client does not learn of it.
type FailingFieldwork struct {
	participant.Fieldwork
	Before, After atomic.Pointer[error]
}

func (o *FailingFieldwork) failing(when *atomic.Pointer[error]) error {
	if err := when.Load(); err != nil {
		return fmt.Errorf("reading: %w", *err)
	}
	return nil
}

// Visit implements participant.Fieldwork.
func (o *FailingFieldwork) Visit(ctx context.Context, linkID, query string) (fieldwork.Landing, error) {
	if err := o.failing(&o.Before); err != nil {
		return fieldwork.Landing{}, err
	}
	return o.Fieldwork.Visit(ctx, linkID, query)
}

// Begin implements participant.Fieldwork.
func (o *FailingFieldwork) Begin(ctx context.Context, b fieldwork.StartRequest) (string, fieldwork.View, error) {
	token, view, err := o.Fieldwork.Begin(ctx, b)
	if e := o.failing(&o.After); e != nil {
		return "", fieldwork.View{}, e
	}
	return token, view, err
}

// Prepare implements participant.Fieldwork.
func (o *FailingFieldwork) Prepare(ctx context.Context, token string) error {
	if err := o.failing(&o.Before); err != nil {
		return err
	}
	return o.Fieldwork.Prepare(ctx, token)
}

// ResponseByToken implements participant.Fieldwork.
func (o *FailingFieldwork) ResponseByToken(ctx context.Context, token string) (response.Response, error) {
	if err := o.failing(&o.Before); err != nil {
		return response.Response{}, err
	}
	return o.Fieldwork.ResponseByToken(ctx, token)
}

// Current implements participant.Fieldwork.
func (o *FailingFieldwork) Current(ctx context.Context, token string) (fieldwork.View, error) {
	if err := o.failing(&o.Before); err != nil {
		return fieldwork.View{}, err
	}
	return o.Fieldwork.Current(ctx, token)
}

// Answer implements participant.Fieldwork.
func (o *FailingFieldwork) Answer(ctx context.Context, token, stepID string, a interview.Answer) (fieldwork.View, error) {
	view, err := o.Fieldwork.Answer(ctx, token, stepID, a)
	if e := o.failing(&o.After); e != nil {
		return fieldwork.View{}, e
	}
	return view, err
}

// Withdraw implements participant.Fieldwork.
func (o *FailingFieldwork) Withdraw(ctx context.Context, token string) (fieldwork.Exit, error) {
	if err := o.failing(&o.Before); err != nil {
		return fieldwork.Exit{}, err
	}
	return o.Fieldwork.Withdraw(ctx, token)
}

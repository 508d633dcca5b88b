package fieldwork_test

import (
	"slices"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/service/webhooks"
)

// hook adds an endpoint that is told everything.
func (f *fixture) hook() webhooks.Listed {
	f.t.Helper()
	hook, _, err := (&webhooks.Service{Store: f.Store}).Create(f.t.Context(), org.Caller{OrgID: f.study.OrgID}, webhook.Endpoint{URL: "https://example.org/"})
	if err != nil {
		f.t.Fatal(err)
	}
	return hook
}

// told returns the events that an endpoint was told of, oldest first.
func (f *fixture) told(hook webhooks.Listed) (types []webhook.Type) {
	f.t.Helper()
	all, err := f.Store.View().WebhookDeliveries(f.t.Context(), hook.ID, webhooks.Query{Limit: 100})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, d := range slices.Backward(all) {
		types = append(types, d.Event.Type)
	}
	return types
}

// TestWebhooks: the end of an interview, its abandonment and its withdrawal are told, each with its own event, and previews are not. After a withdrawal
// nothing is left of what was told before.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	hook := f.hook()
	complete, view, err := f.enter("?pid=p1")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.told(hook); got != nil {
		t.Errorf("after the start: %v", got)
	}
	f.goThrough(complete, view)
	if got, want := f.told(hook), []webhook.Type{webhook.ResponseCompleted}; !slices.Equal(got, want) {
		t.Errorf("after the end: %v, want %v", got, want)
	}
	if _, _, err := f.enter(""); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(49 * time.Hour)
	if _, err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := f.told(hook), []webhook.Type{webhook.ResponseCompleted, webhook.ResponseAbandoned}; !slices.Equal(got, want) {
		t.Errorf("after the sweep: %v, want %v", got, want)
	}
	if err := f.Withdraw(t.Context(), complete); err != nil {
		t.Fatal(err)
	}
	if got, want := f.told(hook), []webhook.Type{webhook.ResponseAbandoned, webhook.ResponseDeleted}; !slices.Equal(got, want) {
		t.Errorf("after the withdrawal: %v, want %v", got, want)
	}
}

package reporting_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/tables"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/reporting"
)

// failing fails from its nth call on.
type failing struct {
	llm.ChatModel
	from  int32
	err   error
	calls atomic.Int32
}

func (f *failing) ask(ctx context.Context, q llm.Request) (llm.Reply, error) {
	if f.calls.Add(1) >= f.from {
		return llm.Reply{Provider: "llm.example.com", Model: "fake"}, f.err
	}
	return f.ChatModel.Chat(ctx, q)
}

type chatFunc func(ctx context.Context, q llm.Request) (llm.Reply, error)

func (chatFunc) Model() string { return "fake" }

func (f chatFunc) Chat(ctx context.Context, q llm.Request) (llm.Reply, error) { return f(ctx, q) }

// Whatever fails, at the beginning or later, the report is the one without a model, and says why.
func TestFallbackToKeywords(t *testing.T) {
	t.Parallel()
	w := why(t, 230, phrase)
	plain := section(t, w.report(t, nil, "param:source"), "why")
	from := func(call int32, err error) llm.ChatModel {
		f := failing{ChatModel: llmtest.New(sorting(good)).Client(t, llm.Config{}), from: call, err: err}
		return chatFunc(f.ask)
	}
	scripted := func(b llmtest.Behaviour) llm.ChatModel { return llmtest.New(b).Client(t, llm.Config{}) }
	none := func(int, []string) []sorted { return nil }
	for name, tt := range map[string]struct {
		chat llm.ChatModel
		want string // words of the reason
	}{
		"down":                       {from(1, llm.ErrUnavailable), "cannot be reached"},
		"down after the frame":       {from(2, llm.ErrOpen), "left alone for a while"},
		"down on the way":            {from(9, llm.ErrUnavailable), "cannot be reached"}, // with the second batch of answers
		"the ceiling on the way":     {from(9, llm.ErrCeiling), "ceiling"},
		"late":                       {from(3, context.DeadlineExceeded), "deadline"},
		"prose":                      {scripted(llmtest.Says("I would rather not.")), "does not keep to the schema"},
		"refusal":                    {scripted(llmtest.Refuses), "will not answer"},
		"hostile in every text":      {scripted(llmtest.Hostile), reporting.ErrNoThemes.Error()},
		"no themes":                  {scripted(framed([]theme{}, good)), reporting.ErrNoThemes.Error()},
		"a ceiling from the books":   {w.bounded(t), "ceiling"},
		"nothing sorted":             {scripted(sorting(none)), reporting.ErrTooFew.Error()},
		"prose in place of sorting":  {from(2, llm.ErrShape), reporting.ErrTooFew.Error()},
		"invented quotes everywhere": {scripted(sorting(func(n int, _ []string) []sorted { return []sorted{{n, []mention{{1, "Nobody ever said so."}}}} })), reporting.ErrTooFew.Error()},
		"half is sorted": {scripted(sorting(func(n int, said []string) []sorted {
			if n%2 == 0 {
				return nil
			}
			return good(n, said)
		})), reporting.ErrTooFew.Error()},
	} {
		r := w.report(t, reporting.ModelThemer{Chat: tt.chat}, "param:source")
		s := section(t, r, "why")
		provider, reason := fellBack(t, s)
		if provider != "llm.example.com" || !strings.Contains(reason, tt.want) {
			t.Errorf("%s: %s: %s, want %s", name, provider, reason, tt.want)
		}
		kept := slices.DeleteFunc(slices.Clone(s.Tables), func(t *tables.Table) bool { return t.Key == "fallback" })
		if asJSON(kept) != asJSON(plain.Tables) {
			t.Errorf("%s: the keyword groups are others than without a model: %s", name, cmp.Diff(asJSON(plain.Tables), asJSON(kept)))
		}
		numbersStand(t, r)
	}
}

// bounded returns a model whose ceiling allows the code frame and little more.
func (w *world) bounded(t *testing.T) llm.ChatModel {
	t.Helper()
	limits := usage.Limits{Study: usage.Ceiling{Tokens: 14_000}}
	return llmtest.New(sorting(good)).Client(t, llm.Config{Ledger: &store.UsageMeter{Store: w.store, Limits: limits}})
}

// TestServiceDown: the client gives up after its own timeout, and so do the themes.
func TestServiceDown(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		does llmtest.Behaviour
		want error
	}{
		"down":    {llmtest.Down, llm.ErrUnavailable},
		"garbage": {llmtest.Garbage, llm.ErrUnavailable},
		"hanging": {llmtest.Hangs, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := reporting.ModelThemer{Chat: llmtest.New(tt.does).Client(t, llm.Config{}), Within: time.Minute}
				_, err := m.Learn(t.Context(), reporting.OpenQuestion{}, []reporting.OpenAnswer{{Texts: []string{"The milk is warm."}}})
				if failed, ok := errors.AsType[*reporting.ThemerError](err); !ok || !errors.Is(err, tt.want) || failed.By.Provider != "llm.example.com" {
					t.Errorf("it fails with %v", err)
				}
			})
		})
	}
}

// TestStopIsNoFallback: a report that is cancelled does not fall back to keywords.
func TestStopIsNoFallback(t *testing.T) {
	t.Parallel()
	w := why(t, 10, phrase)
	for _, call := range []int32{1, 2} {
		ctx, stop := context.WithCancel(t.Context())
		f := failing{ChatModel: llmtest.New(sorting(good)).Client(t, llm.Config{})}
		chat := chatFunc(func(ctx context.Context, q llm.Request) (llm.Reply, error) {
			if f.calls.Add(1) == call {
				stop()
				return llm.Reply{}, context.Canceled
			}
			return f.ChatModel.Chat(ctx, q)
		})
		_, err := (&reporting.Service{Store: w.store, Themer: reporting.ModelThemer{Chat: chat}, Now: time.Now}).Analyse(ctx, w.study, reporting.Options{By: ""})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at call %d: %v", call, err)
		}
		stop()
	}
}

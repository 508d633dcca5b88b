package fieldwork_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/jobs"
)

func TestInterviewFromStartToEnd(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 5*wallet.Credit)
	f.moderator.words = []string{"What do you like about them?"}

	token, at := f.start("panel=p1&source=mail")
	if at.Step.Item.ID != "eats" || at.Response.ReadableID != 1 || at.Response.Language != "en" {
		t.Fatalf("begins at %q with readable id %d in %q", at.Step.Item.ID, at.Response.ReadableID, at.Response.Language)
	}
	if at.Response.DisclosedAt.IsZero() || at.Response.ConsentedAt.IsZero() {
		t.Error("disclosure and consent are not stored")
	}
	if got := f.balance(); got != (wallet.Balance{Balance: 4 * wallet.Credit, Usage: wallet.Credit}) {
		t.Errorf("after the start the balance is %v, want 1 credit held", got)
	}
	if item := f.item(at.Response); item.Progress != "in_progress" || item.URLParams["panel"] != "p1" {
		t.Errorf("the new response is listed as %q with parameters %v", item.Progress, item.URLParams)
	}

	at = f.answer(token, at, yes)
	f.clock.Advance(20 * time.Second)
	at = f.answer(token, at, text("They are sweet."))
	if at.Step.Kind != interview.StepFollowUp || at.Step.Words != "What do you like about them?" {
		t.Fatalf("after the open answer stands %s %q, want the follow-up", at.Step.Kind, at.Step.Words)
	}
	if item := f.item(at.Response); item.AnswersArray[1].Answer != "They are sweet." {
		t.Errorf("the document has answers %v, want the open one", item.AnswersArray)
	}
	f.clock.Advance(20 * time.Second)
	at = f.answer(token, at, text("The crunch."))
	if at.Step.Item.ID != "colour" {
		t.Fatalf("a declined second follow-up leads to %q, want colour", at.Step.Item.ID)
	}
	f.clock.Advance(5 * time.Hour)
	at = f.answer(token, at, red)
	if at.Step.Kind != interview.StepComplete {
		t.Fatalf("ends with %s, want complete", at.Step.Kind)
	}

	r := f.stored(at.Response)
	if r.Progress != response.Complete || r.EndedAt.IsZero() {
		t.Errorf("stored as %s, ended %v", r.Progress, r.EndedAt)
	}
	if r.Duration.Round(time.Second) != 10*time.Minute+40*time.Second {
		t.Errorf("duration is %v, want 40 s and a pause capped at 10 min", r.Duration)
	}
	if got := f.balance(); got != (wallet.Balance{Balance: 4 * wallet.Credit, Usage: wallet.Credit}) {
		t.Errorf("at the end the balance is %v, want 1 credit spent", got)
	}
	if f.completed() != 1 {
		t.Errorf("completed count is %d, want 1", f.completed())
	}
	if claimed := f.jobs()[jobs.KindAnalyse]; len(claimed) != 1 || claimed[0].Args != r.ID || claimed[0].ResponseID != r.ID {
		t.Errorf("jobs to analyse are %v, want one for the response", claimed)
	}
	var kinds []interview.TurnKind
	for _, turn := range f.turns(r) {
		kinds = append(kinds, turn.Kind)
		if turn.Kind == interview.TurnProbe && turn.Provider != "scripted" {
			t.Errorf("the follow-up's provider is %q", turn.Provider)
		}
	}
	want := []interview.TurnKind{"answer", "answer", "probe", "reply", "decline", "answer"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

// forEachModerator runs a test with an asynchronous moderator, and with a synchronous one whose words are stored with the
// answer.
func forEachModerator(t *testing.T, test func(t *testing.T, synchronous bool)) {
	t.Parallel()
	for name, synchronous := range map[string]bool{"asynchronous": false, "synchronous": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, synchronous)
		})
	}
}

func TestModeratorInput(t *testing.T) { forEachModerator(t, moderatorInput) }

func moderatorInput(t *testing.T, synchronous bool) {
	f := setup(t, small(), wallet.Credit)
	f.Synchronous = synchronous
	f.moderator.words = []string{"First?", "Second?"}
	token, at := f.start("")
	at = f.answer(token, at, yes)
	at = f.answer(token, at, text("one"))
	at = f.answer(token, at, text("two"))
	f.answer(token, at, text("three"))

	asks := f.moderator.asks
	if len(asks) != 2 {
		t.Fatalf("the moderator was asked %d times, want 2: medium allows two follow-ups", len(asks))
	}
	turns := f.turns(at.Response)
	if together := turns[1].At.Equal(turns[2].At); turns[2].Kind != interview.TurnProbe || turns[2].Provider != "scripted" || together != synchronous {
		t.Errorf("the follow-up is %+v, behind the answer of %v", turns[2], turns[1].At)
	}
	last := asks[1]
	if last.Item.ID != "why" || last.Answer != "two" || last.FollowUps != 1 || last.Seed != at.Response.Seed || last.Language != "en" {
		t.Errorf("the second ask is about %q, answer %q, %d follow-ups, language %q", last.Item.ID, last.Answer, last.FollowUps, last.Language)
	}
	if last.Guide.Title != "Apples" || last.Left != 1 || last.OrgID != f.org || last.StudyID != f.study.ID || last.ResponseID != at.Response.ID ||
		len(last.Exchanges) != 3 || last.Exchanges[2].Moderator != "First?" || last.Exchanges[2].User != "two" {
		t.Errorf("the second ask leaves %d, of %q, response %s, after %+v", last.Left, last.Guide.Title, last.ResponseID, last.Exchanges)
	}
	if diff := cmp.Diff([][]string{{"one"}, {"First?"}}, [][]string{last.Earlier, last.Asked}); diff != "" {
		t.Errorf("earlier replies and follow-ups (-want +got):\n%s", diff)
	}
}

func TestScreenedOut(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, at := f.start("")
	at = f.answer(token, at, no)
	if at.Step.Kind != interview.StepScreenedOut {
		t.Fatalf("stands at %s, want screened_out", at.Step.Kind)
	}
	if got := f.balance(); got != (wallet.Balance{Balance: 2 * wallet.Credit}) {
		t.Errorf("the balance is %v, want everything back", got)
	}
	if f.completed() != 0 || len(f.jobs()[jobs.KindAnalyse]) != 1 {
		t.Error("a screened-out response must be analysed and not counted")
	}
	if item := f.item(at.Response); item.Progress != "screened_out" {
		t.Errorf("listed as %q", item.Progress)
	}
}

func TestLastStepMayBeSentAgain(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	f.moderator.words = []string{"And?"}
	token, first := f.start("")
	second := f.answer(token, first, yes)
	if again := f.answer(token, first, no); again.Step.ID != second.Step.ID {
		t.Errorf("repeat leads to %s, want %s: the first answer stands", again.Step.ID, second.Step.ID)
	}
	third := f.answer(token, second, text("sweet"))
	if again := f.answer(token, second, interview.Answer{Uploads: []string{"nonsense"}}); again.Step.ID != third.Step.ID {
		t.Errorf("repeat leads to %s, want %s", again.Step.ID, third.Step.ID)
	}
	for _, stale := range []string{first.Step.ID, "s99", "", "x"} {
		_, err := f.Answer(t.Context(), token, stale, yes)
		mustFail(t, err, interview.ErrStaleStep)
		if e, ok := errors.AsType[*fieldwork.StaleStepError](err); !ok || e.View.Step.ID != third.Step.ID {
			t.Errorf("step %q: the error does not carry the current step", stale)
		}
	}
	end := f.answer(token, f.answer(token, third, text("crunch")), red)
	if again, err := f.Answer(t.Context(), token, end.Step.ID, red); !errors.Is(err, interview.ErrStaleStep) {
		t.Errorf("an answer to the end gives %v, %v, want a stale step", again.Step.Kind, err)
	}
	if len(f.turns(end.Response)) != 6 {
		t.Errorf("the log has %d turns, want 6", len(f.turns(end.Response)))
	}
}

func TestSameStepFromManyAtOnce(t *testing.T) { forEachModerator(t, sameStepFromManyAtOnce) }

func sameStepFromManyAtOnce(t *testing.T, synchronous bool) {
	f := setup(t, small(), wallet.Credit)
	f.Synchronous = synchronous
	f.moderator.words = slices.Repeat([]string{"And what else?"}, 100)
	token, at := f.start("")
	for !at.Step.Ended() {
		var senders sync.WaitGroup
		steps := make([]string, 8)
		for i := range steps {
			senders.Go(func() {
				answer := yes
				switch at.Step.Number {
				case 2:
					answer = text(fmt.Sprintf("from sender %d", i))
				case 3:
					answer = red
				}
				view, err := f.Answer(t.Context(), token, at.Step.ID, answer)
				if err != nil {
					t.Errorf("sender %d at %s: %v", i, at.Step.ID, err)
				}
				steps[i] = view.Step.ID
			})
		}
		senders.Wait()
		if distinct := slices.Compact(slices.Sorted(slices.Values(steps))); len(distinct) != 1 {
			t.Fatalf("senders of step %s were led to %v", at.Step.ID, distinct)
		}
		next, err := f.Current(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		at = next
	}
	turns := f.turns(at.Response)
	seen := map[string]bool{}
	for _, turn := range turns {
		if seen[turn.StepID] {
			t.Errorf("step %s is stored twice", turn.StepID)
		}
		seen[turn.StepID] = true
	}
	if len(turns) != 7 {
		t.Errorf("the log has %d turns, want 7", len(turns))
	}
	if got := f.balance(); got.Usage != wallet.Credit {
		t.Errorf("usage is %v, want one credit", got.Usage)
	}
}

func TestCrashBetweenAnswerAndFollowUp(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	token, at := f.start("")
	at = f.answer(token, at, yes)

	// The server dies during the moderator call: the answer is stored, the follow-up is not, and its lease is still held.
	crashed := &fieldwork.Service{Store: f.Store, Moderator: f.moderator}
	ctx, kill := newContext(t)
	f.moderator.asked, f.moderator.wait = make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(f.moderator.wait) })
	answered := make(chan error)
	go func() {
		_, err := crashed.Answer(ctx, token, at.Step.ID, text("sweet"))
		answered <- err
	}()
	<-f.moderator.asked
	kill()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Fatalf("the answer that was cut off came back with %v", err)
	}
	if turns := f.turns(at.Response); len(turns) != 2 || turns[1].Answer.Text != "sweet" {
		t.Fatalf("after the crash the log is %v, want the answer and no decline", turns)
	}

	f.clock.Advance(time.Minute) // the lease has expired
	never := &scriptedModerator{words: []string{"It must not be asked: perhaps it was paid already."}}
	restarted := &fieldwork.Service{Store: f.Store, Moderator: never, Fallback: &scriptedModerator{words: []string{"How sweet?"}}}
	after, err := restarted.Current(t.Context(), token)
	if err != nil || after.Step.Kind != interview.StepFollowUp || after.Step.Words != "How sweet?" || len(never.asks) > 0 {
		t.Fatalf("coming back gives %s %q, %v, want the follow-up of the moderator that costs nothing", after.Step.Kind, after.Step.Words, err)
	}
	if again := f.answer(token, at, text("sweet")); again.Step.ID != after.Step.ID {
		t.Errorf("the client's repeat leads to %s, want %s", again.Step.ID, after.Step.ID)
	}
}

// TestOneCallForAFollowUp: however many requests wait for a follow-up, on two servers and even if some are canceled, the
// moderator is called once, and all that stay get its words.
func TestOneCallForAFollowUp(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	f.moderator.words = slices.Repeat([]string{"And what else?"}, 100)
	nodes := []*fieldwork.Service{f.Service, {Store: f.Store, Moderator: f.moderator}}
	token, at := f.start("")
	at = f.answer(token, at, yes)
	f.moderator.asked, f.moderator.wait = make(chan struct{}, 100), make(chan struct{})
	ctx, leave := newContext(t)
	left := make(chan error)
	go func() { // the participant who answers leaves during the moderator call
		_, err := f.Answer(ctx, token, at.Step.ID, text("sweet"))
		left <- err
	}()
	<-f.moderator.asked
	leave()
	mustFail(t, <-left, context.Canceled)
	var askers sync.WaitGroup
	for i := range 60 {
		node := nodes[i%2]
		askers.Go(func() {
			if i%3 == 0 { // some of the others leave, too
				ctx, leave := newContext(t)
				leave()
				_, err := node.Current(ctx, token)
				mustFail(t, err, context.Canceled)
				return
			}
			view, err := node.Current(t.Context(), token)
			if err != nil || view.Step.Words != "And what else?" {
				t.Errorf("asker %d is led to %s %q, %v", i, view.Step.Kind, view.Step.Words, err)
			}
		})
	}
	close(f.moderator.wait)
	askers.Wait()
	if n := len(f.moderator.asks); n != 1 {
		t.Errorf("the moderator was asked %d times, want once", n)
	}
	if turns := f.turns(at.Response); len(turns) != 3 {
		t.Errorf("the log has %d turns, want 3", len(turns))
	}
}

// TestTranscriptArrivesWhileAsking: the transcript of an earlier answer is stored during the moderator call. The moderator's
// words are still stored, without a second call.
func TestTranscriptArrivesWhileAsking(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	f.moderator.words = []string{"And what else?", "It must not be asked again."}
	token, at := f.start("")
	at = f.answer(token, at, yes)
	f.moderator.asked, f.moderator.wait = make(chan struct{}, 1), make(chan struct{})
	shown := make(chan string)
	go func() {
		view, err := f.Answer(t.Context(), token, at.Step.ID, text("sweet"))
		if err != nil {
			t.Error(err)
		}
		shown <- view.Step.Words
	}()
	<-f.moderator.asked
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		now, err := tx.NextUpdate(t.Context(), f.study.ID)
		if err != nil {
			return err
		}
		r, err := tx.LockResponse(t.Context(), at.Response.ID)
		if err != nil {
			return err
		}
		r.UpdatedAt = now
		return tx.SaveProgress(t.Context(), r, now)
	})
	close(f.moderator.wait)
	if words := <-shown; words != "And what else?" || len(f.moderator.asks) != 1 {
		t.Errorf("led to %q after %d calls", words, len(f.moderator.asks))
	}
}

func TestSlowModeratorCountsAsDeclined(t *testing.T) {
	t.Parallel()
	f := setup(t, open(), wallet.Credit)
	f.moderator.wait = make(chan struct{})
	f.ProbeWithin = time.Millisecond
	token, at := f.start("")
	end := f.answer(token, at, text("because"))
	if end.Step.Kind != interview.StepComplete {
		t.Fatalf("stands at %s, want complete", end.Step.Kind)
	}
	if got := f.balance(); got.Usage != wallet.Credit || f.completed() != 1 || len(f.jobs()[jobs.KindAnalyse]) != 1 {
		t.Error("an interview that ends with a decline must be charged, counted and analysed")
	}
}

func TestWrongAnswersStoreNothing(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	token, at := f.start("")
	for name, wrong := range map[string]interview.Answer{
		"nothing":        {},
		"unknown option": {Selected: []string{"maybe"}},
		"foreign field":  {Selected: []string{"yes"}, Text: "hello"},
		"unknown upload": {Selected: []string{"yes"}, Recordings: interview.Recordings{Audio: "u1"}},
	} {
		_, err := f.Answer(t.Context(), token, at.Step.ID, wrong)
		if e, ok := errors.AsType[*interview.AnswerError](err); !ok || len(e.Issues) == 0 {
			t.Errorf("%s: error is %v, want issues", name, err)
		}
	}
	if turns := f.turns(at.Response); len(turns) != 0 {
		t.Errorf("stored %v", turns)
	}
}

func TestRichGuideForManySeeds(t *testing.T) {
	t.Parallel()
	f := setup(t, rich(), 100*wallet.Credit)
	f.moderator.words = slices.Repeat([]string{"Could you say more about that?"}, 1000)
	for i := range 12 {
		token, at := f.start(fmt.Sprintf("task=shop&run=%d", i))
		for !at.Step.Ended() {
			at = f.answer(token, at, anyAnswer(at.Step))
			// Another node reads the step that this one returned.
			read, err := f.Current(t.Context(), token)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(at.Step, read.Step); diff != "" {
				t.Fatalf("read again (-given +read):\n%s", diff)
			}
		}
	}
	f.balance()
}

func TestWelcomeAndLinks(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	old := f.study.LinkID
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return tx.RenameLink(t.Context(), f.org, f.study.ID, "apples-2026")
	})
	landing, err := f.Study(t.Context(), old)
	if err != nil || landing.LinkID != "apples-2026" || landing.Guide.Title != "Apples" || !landing.AcceptsParticipants {
		t.Fatalf("an old link gives %+v, %v", landing, err)
	}
	if diff := cmp.Diff([][]string{{"en"}, {"en", "de"}}, [][]string{landing.Languages, landing.Accepted}); diff != "" {
		t.Errorf("languages offered and accepted (-want +got):\n%s", diff)
	}
	f.translate(small(), "§", false)
	if landing, err = f.Study(t.Context(), old); err != nil || len(landing.Languages) != 1 {
		t.Errorf("with a translation that is not approved: %v, %v", landing.Languages, err)
	}
	f.translate(small(), "§", true)
	if landing, err = f.Study(t.Context(), old); err != nil || len(landing.Languages) != 2 {
		t.Errorf("with an approved translation: %v, %v", landing.Languages, err)
	}
	if _, view, err := f.Start(t.Context(), old, "", "de"); err != nil || view.Response.Language != "de" {
		t.Errorf("starting in German by an old link: %v, %v", view.Response.Language, err)
	}
	_, _, err = f.Start(t.Context(), old, "", "fr")
	mustFail(t, err, fieldwork.ErrUnknownLanguage)
	_, err = f.Study(t.Context(), "nowhere")
	mustFail(t, err, study.ErrNotFound)

	draft := storetest.Draft(t, f.Store, f.org, "")
	_, err = f.Study(t.Context(), draft.LinkID)
	mustFail(t, err, study.ErrNotFound)
	_, _, err = f.Start(t.Context(), draft.LinkID, "", "")
	mustFail(t, err, study.ErrNotFound)
}

func TestURLParams(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 10*wallet.Credit)
	many := make([]string, 0, 60)
	for i := range 60 {
		many = append(many, fmt.Sprintf("p%02d=%d", i, i))
	}
	for name, c := range map[string]struct {
		query string
		want  map[string]string
	}{
		"first value counts":      {"a=1&a=2&b=", map[string]string{"a": "1", "b": ""}},
		"escapes":                 {"name=J%C3%BCrgen+M&semi=a;b", map[string]string{"name": "Jürgen M", "semi": "a;b"}},
		"badly escaped, nameless": {"a=%zz&=x&b=1", map[string]string{"b": "1"}},
		"too long":                {"a=" + strings.Repeat("x", 2001) + "&b=" + strings.Repeat("y", 2000), map[string]string{"b": strings.Repeat("y", 2000)}},
		"no text":                 {"a=%ff%00", map[string]string{"a": "\uFFFD\uFFFD"}},
		"the service's own":       {"_language=de&a=1", map[string]string{"_language": "de", "a": "1"}},
	} {
		_, view := f.start(c.query)
		if diff := cmp.Diff(c.want, view.Response.URLParams); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, view := f.start("_x=1&" + strings.Join(many, "&"))
	kept := slices.Sorted(maps.Keys(view.Response.VisibleParams()))
	if len(kept) != 50 || kept[49] != "p49" || view.Response.URLParams["_x"] != "1" {
		t.Errorf("%d visible parameters are kept, want the first 50 and _x beside them", len(kept))
	}
	if _, shown := f.item(view.Response).URLParams["_x"]; shown {
		t.Error("a parameter of the service's own is visible")
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, view := f.start("")
	if len(token) != 42 || strings.ToLower(token) != token || view.Response.ID[14] != '7' {
		t.Errorf("token %q, response %s", token, view.Response.ID)
	}
	other := token[:20] + string('a'+(token[20]-'a'+1)%20) + token[21:]
	for _, wrong := range []string{"", "x", other, strings.ToUpper(token), token + "a", token[:41] + "7"} {
		_, err := f.Current(t.Context(), wrong)
		mustFail(t, err, response.ErrNotFound)
		_, err = f.Answer(t.Context(), wrong, "s0", yes)
		mustFail(t, err, response.ErrNotFound)
		mustFail(t, f.Withdraw(t.Context(), wrong), response.ErrNotFound)
	}
}

func TestGuideWithoutApplicableItems(t *testing.T) {
	t.Parallel()
	g := open()
	g.Blocks[0].Items[0].Conditional = &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{
		{Type: guide.SearchParam, Parameter: "wave", Value: "2"},
	}}
	f := setup(t, g, wallet.Credit)
	_, view := f.start("wave=1")
	if view.Step.Kind != interview.StepComplete || f.completed() != 1 || len(f.jobs()[jobs.KindAnalyse]) != 1 {
		t.Errorf("stands at %s with %d completed, want an interview that is over at once", view.Step.Kind, f.completed())
	}
	f.balance()
}

package attack

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/fieldwork"
)

// besieged is a study whose wallet of 100 credits is used up by 100 strangers with an address each. It begins first and ends last, so that
// half a minute passes in between.
var besieged struct {
	account account
	link    string
}

var siegeBegins = []attack{
	{point: 6, name: "100 starts from 100 addresses on a wallet of 100", mark: "see below", run: func(s *stage) {
		besieged.account = s.account(s.t, 100)
		_, besieged.link = s.study(s.t, besieged.account, guideOf("Poor", open("Why?", "none"), open("How?", "none")))
		s.flood(100, 4, func(int) (reply, error) {
			_, r, err := s.stranger().begin(s.t.Context(), besieged.link)
			return r, err
		})
	}},
}

var siegeEnds = []attack{
	{point: 6, name: "five innocent people, half a minute after those 100 starts", mark: "they can begin and answer", run: func(s *stage) {
		if besieged.link == "" {
			return // this attack runs alone
		}
		s.beginsForOthers(besieged.account, besieged.link, fieldwork.YieldAfter+10*time.Second)
	}},
}

// moneyAttacks spend what others pay for: credits of a wallet, and calls of a language model.
var moneyAttacks = []attack{
	{point: 6, name: "100 starts from one address on a wallet of 100", mark: "five innocent people can begin and answer", run: func(s *stage) {
		poor := s.account(s.t, 100)
		_, link := s.study(s.t, poor, guideOf("Poor", open("Why?", "none"), open("How?", "none")))
		stranger := s.server.direct("127.0.0.67")
		s.flood(100, 4, func(int) (reply, error) {
			_, r, err := stranger.begin(s.t.Context(), link)
			return r, err
		})
		s.beginsForOthers(poor, link, 0)
	}},
	{point: 6, name: "700 starts from one IPv6 /48", mark: "429 beyond 480, others begin", run: func(s *stage) {
		poor := s.account(s.t, 1000)
		_, link := s.study(s.t, poor, guideOf("Site", open("Why?", "none"), open("How?", "none")))
		site := s.server.proxied("")
		begun := time.Now()
		seen := s.flood(pick(700, 1400), 4, func(i int) (reply, error) {
			stranger := *site
			stranger.forwarded = fmt.Sprintf("3fff:77:1:%x::1", i<<6&0xffff) // spread over the network
			_, r, err := stranger.begin(s.t.Context(), link)
			return r, err
		})
		limit := siteStarts + int(time.Since(begun)/siteStep) + 1
		if n := seen.count(http.StatusCreated); n > limit {
			s.fail("%d interviews began from one /48, and at most %d may", n, limit)
		}
		if seen.count(http.StatusTooManyRequests) == 0 {
			s.failHeavy("no start of one /48 is refused: %s", seen)
		}
		s.beginsForOthers(poor, link, 0)
	}},
	{point: 6, name: "60 GETs of a due follow-up", mark: "one call of the model", fresh: true, run: func(s *stage) {
		s.dueFollowUp(llmtest.After(time.Second, llmtest.Plausible), 1, 1)
	}},
	{point: 6, name: "60 GETs while the model hangs", mark: "two calls of the model", fresh: true, run: func(s *stage) {
		s.dueFollowUp(llmtest.Hangs, 1, 2)
	}},
	{point: 6, name: "60 GETs while the model fails", mark: "four calls of the model", fresh: true, run: func(s *stage) {
		s.dueFollowUp(llmtest.Fails(http.StatusInternalServerError, ""), 0, 4) // none where the breaker is open already
	}},
	{point: 6, name: "an answer sent 60 times", mark: "one call of the model", fresh: true, run: func(s *stage) {
		s.model.Then(llmtest.After(300*time.Millisecond, llmtest.Plausible))
		defer s.model.Then(llmtest.Plausible)
		i := s.probed()
		before := s.followUpCalls()
		s.flood(60, 30, func(int) (reply, error) {
			at := i
			return s.stranger().answer(s.t.Context(), &at, dict{"text": longAnswer})
		})
		s.calls(before, 1, 1)
	}},
	{point: 6, name: "a model without a ceiling", mark: "the log says that its use is bounded", run: func(s *stage) {
		s.sent.add()
		if bytes.Contains(s.server.logged(s.t), []byte(`"bounded":false`)) {
			s.fail("by default nothing bounds what is spent on a model")
		}
	}},
}

// A /48 begins at most this many interviews of one study with the default limits: 8 times 60 at once, and 8 times 120 an hour.
const (
	siteStarts = 8 * 60
	siteStep   = time.Hour / (8 * 120)
)

const longAnswer = "I stopped because the deliveries came on the wrong weekday and the support took very long to answer."

// beginsForOthers fails if people with addresses of their own cannot take the study.
func (s *stage) beginsForOthers(a account, link string, timeout time.Duration) {
	s.t.Helper()
	r, err := s.somebody().send(s.t.Context(), http.MethodGet, "/api/public/v1/wallets", nil, "X-Api-Key", a.Key)
	if err == nil {
		var listed struct {
			Wallets []struct {
				ProjectCreditBalance struct{ Balance, Usage float64 }
			}
		}
		if r.decode(&listed) == nil && len(listed.Wallets) == 1 {
			s.note("%.0f credits in use", listed.Wallets[0].ProjectCreditBalance.Usage)
		}
	}
	begun := time.Now()
	for n := range 5 {
		p := s.somebody()
		var i session
		for {
			i, r, err = p.begin(s.t.Context(), link)
			if i.token != "" || time.Since(begun) >= timeout {
				break
			}
			<-time.After(time.Second) // a hold without an answer yields with time
		}
		if i.token == "" {
			s.fail("innocent person %d cannot begin: %d %s, %v", n+1, r.status, r.code(), err)
			return
		}
		if r, err := p.answer(s.t.Context(), &i, dict{"text": "Because."}); err != nil || r.status != http.StatusOK {
			s.fail("innocent person %d cannot answer: %d %s, %v", n+1, r.status, r.code(), err)
			return
		}
	}
	s.note("others began after %.0f s", time.Since(begun).Seconds())
}

// probed begins an interview whose first answer gets a follow-up.
func (s *stage) probed() session {
	s.t.Helper()
	_, link := s.study(s.t, s.innocent, guideOf("Probed", open("Why did you stop?", "heavy"), open("Anything else?", "none")))
	return s.mustBegin(s.somebody(), link)
}

// followUpCalls returns how often the model was called for follow-ups so far.
func (s *stage) followUpCalls() (n int) {
	for _, asked := range s.model.Asked() {
		if asked.Schema.Name == "follow_up" {
			n++
		}
	}
	return n
}

// calls fails if more calls were made since than allowed, or too few to show anything.
func (s *stage) calls(before, least, limit int) {
	made := s.followUpCalls() - before
	s.note("%d calls of the model", made)
	if made > limit {
		s.fail("%d calls of the model, and %d would do", made, limit)
	}
	if made < least {
		s.fail("the model was not asked at all: this attack shows nothing")
	}
}

// dueFollowUp answers, goes away, and comes back sixty times while the follow-up is due.
func (s *stage) dueFollowUp(model llmtest.Behaviour, least, limit int) {
	s.model.Then(model)
	defer s.model.Then(llmtest.Plausible)
	i := s.probed()
	before := s.followUpCalls()
	ctx, cancel := context.WithTimeout(s.t.Context(), 200*time.Millisecond)
	_, _ = s.stranger().answer(ctx, &session{i.token, i.step}, dict{"text": longAnswer}) // it is cut off while the model thinks
	cancel()
	var rounds sync.WaitGroup
	for round := range 3 {
		rounds.Go(func() {
			s.flood(20, 20, func(n int) (reply, error) {
				ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
				defer cancel()
				if n%3 == 0 { // some go away as soon as they have asked
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				accept := "application/json"
				if round == 1 {
					accept = "text/html"
				}
				return s.stranger().send(ctx, http.MethodGet, "/i/"+i.token, nil, "Accept", accept)
			})
		})
		<-time.After(400 * time.Millisecond) // the next round comes while the follow-up is still due
	}
	rounds.Wait()
	r, err := s.stranger().send(s.t.Context(), http.MethodGet, "/i/"+i.token, nil)
	if err != nil || r.status != http.StatusOK {
		s.fail("the interview does not go on: %v", fmt.Sprint(r.status, err))
	}
	s.calls(before, least, limit)
}

package attack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// guideAttacks are studies that a tenant's key stores to harm all tenants. A guide may be refused; an accepted one must be cheap for
// everybody who meets it afterwards.
var guideAttacks = []attack{
	{point: 4, name: "a ranking of 5,000 options", mark: guideMark, run: func(s *stage) {
		s.guide(guideOf("Ranking", dict{"type": "ranking", "text": "Rank.", "options": texts(5000, "option")}))
	}},
	{point: 4, name: "a ranking of 500 long options", mark: guideMark, run: func(s *stage) {
		s.guide(guideOf("Ranking", dict{"type": "ranking", "text": "Rank.", "options": texts(500, strings.Repeat("long ", 400))}))
	}},
	{point: 4, name: "choice, MaxDiff and matrix without an end", mark: guideMark, run: func(s *stage) {
		s.guide(guideOf("Choice", dict{"type": "multiple_choice", "text": "Which?", "options": texts(20_000, "option"), "multiSelect": true}))
		s.guide(guideOf("MaxDiff", dict{"type": "max_diff", "text": "Best?", "options": texts(2000, "option"), "itemsPerScreen": 5}))
		s.guide(guideOf("Matrix", dict{"type": "matrix", "text": "Rate.", "options": texts(1500, "column"), "rows": texts(1500, "row")}))
	}},
	{point: 4, name: "a chain of 3,000 carry-forwards", mark: guideMark, run: func(s *stage) {
		s.guide(guideOf("Chain", chain(3000, 3)...))
		s.guide(guideOf("Chain", chain(400, 200)...))
	}},
	{point: 4, name: "carry-forwards side by side", mark: guideMark, run: func(s *stage) {
		items := []any{dict{"type": "multiple_choice", "text": "Which?", "externalId": "all", "multiSelect": true, "options": texts(1000, "option")}}
		for range 1000 {
			items = append(items, dict{"type": "multiple_choice", "text": "Which?", "multiSelect": true, "carryForwardFrom": "all"})
		}
		s.guide(guideOf("Wide", items...))
	}},
	{point: 4, name: "conditions without an end", mark: guideMark, run: func(s *stage) {
		items := []any{dict{"type": "multiple_choice", "text": "Which?", "externalId": "q", "options": texts(200, "option")}}
		var criteria []any
		for n := range 20_000 {
			criteria = append(criteria, dict{"type": "selectedTemplateOptions", "questionId": "q", "matchingCriteria": "mustSelect", "choices": []string{fmt.Sprintf("option %d", n%200)}})
		}
		s.guide(guideOf("Criteria", append(items, dict{"type": "open_ended", "text": "Why?", "conditional": dict{"operator": "or", "criteria": criteria}})...))
		for range 2000 {
			items = append(items, dict{"type": "open_ended", "text": "Why?", "conditional": dict{"operator": "or", "criteria": criteria[:10]}})
		}
		s.guide(guideOf("Conditions", items...))
	}},
	{point: 4, name: "20,000 items, 2,000 blocks", mark: guideMark, run: func(s *stage) {
		var items, blocks []any
		for range 20_000 {
			items = append(items, dict{"type": "statement", "text": "x"})
		}
		for range 2000 {
			blocks = append(blocks, dict{"type": "flat", "title": "", "items": items[:5]})
		}
		s.guide(guideOf("Items", items...))
		s.guide(dict{"title": "Blocks", "studyGuide": blocks})
	}},
	{point: 4, name: "2,000 concepts, 2,000 pictures", mark: guideMark, run: func(s *stage) {
		var concepts, media []any
		for n := range 2000 {
			concepts = append(concepts, dict{"nickname": fmt.Sprint(n), "content": dict{"title": fmt.Sprint(n), "description": strings.Repeat("d", 500)}})
			media = append(media, dict{"name": "x", "type": "image", "url": "https://media.example.com/" + fmt.Sprint(n)})
		}
		var items []any
		for range 20 {
			items = append(items, open("What of it?", "none"))
		}
		s.guide(dict{"title": "Concepts", "studyGuide": []any{dict{"type": "concept", "title": "", "items": items, "conceptSamplingConfig": dict{"concepts": concepts}}}})
		picture := open("What is it?", "none")
		picture["media"] = media
		s.guide(guideOf("Media", picture))
	}},
	{point: 4, name: "texts of a megabyte", mark: guideMark, run: func(s *stage) {
		megabyte := strings.Repeat("words & <tags> ", mib/15)
		s.guide(guideOf("Text", open(megabyte, "none")))
		s.guide(guideOf(megabyte, open("Why?", "none")))
		g := guideOf("Welcome", open("Why?", "none"))
		g["welcomeMessage"], g["background"], g["closingMessage"] = dict{"title": megabyte, "message": megabyte}, megabyte, megabyte
		s.guide(g)
		s.guide(guideOf("Option", dict{"type": "multiple_choice", "text": "Which?", "options": texts(20, megabyte[:150_000])}))
	}},
	{point: 4, name: "121 languages and a query of 60 KB", mark: guideMark, run: func(s *stage) {
		g := guideOf("Languages", open("Why?", "none"))
		languages := strings.Split(manyLanguages, " ")
		g["config"] = dict{"availableLanguages": languages}
		s.guide(g)
		g["config"] = dict{"availableLanguages": append(append([]string{}, languages...), languages...)}
		s.guide(g)
	}},
	{point: 4, name: "the questions of the largest guide, over and over", mark: "under 256 MiB, 304 for little", peak: jsonMark, run: func(s *stage) {
		hostile, key := s.server.direct("127.0.0.66"), []string{"X-Api-Key", s.hostile.Key}
		s.awaitLimit(s.hostile)
		id, r, err := s.create(s.t.Context(), hostile, s.hostile, largest())
		if err != nil || id == "" {
			s.fail("the largest guide answers %d %.200s, %v", r.status, r.body, err)
			return
		}
		path := "/api/public/v1/studies/" + id + "/questions"
		s.awaitLimit(s.hostile)
		seen := s.flood(pick(64, 128), questioners, func(int) (reply, error) { return hostile.send(s.t.Context(), http.MethodGet, path, nil, key...) })
		s.awaitLimit(s.hostile)
		first, err := hostile.send(s.t.Context(), http.MethodHead, path, nil, key...)
		if tag := first.header.Get("Etag"); err != nil || tag == "" || seen.count(http.StatusOK) == 0 {
			s.fail("the questions answer %s, and HEAD %d without a tag, %v", seen, first.status, err)
			return
		}
		before := s.server.measure().cpu
		known := append(key, "If-None-Match", first.header.Get("Etag"))
		seen = s.flood(pick(128, 180), questioners, func(int) (reply, error) { return hostile.send(s.t.Context(), http.MethodGet, path, nil, known...) })
		if cost := s.server.measure().cpu - before; cost > maxCPU*slower || seen.count(http.StatusNotModified) == 0 {
			s.fail("304 took %v of CPU: %s", cost, seen)
		}
		s.awaitLimit(s.hostile)
	}},
	{point: 4, name: "the largest guides at once", mark: "under 512 MiB, all are taken", run: func(s *stage) {
		guide, err := json.Marshal(largest())
		if err != nil {
			s.t.Fatal(err)
		}
		hostile := s.server.direct("127.0.0.66")
		s.awaitLimit(s.hostile)
		const atOnce = 8
		seen := s.flood(atOnce, atOnce, func(int) (reply, error) {
			_, r, err := s.create(s.t.Context(), hostile, s.hostile, guide)
			return r, err
		})
		if seen.count(http.StatusCreated) != atOnce {
			s.failHeavy("of %d large creates at once: %s", atOnce, seen)
		}
		s.awaitLimit(s.hostile)
	}},
	{point: 4, name: "control: a large real study", mark: "taken and shown", run: func(s *stage) {
		items := []any{dict{"type": "multiple_choice", "text": "Which?", "externalId": "brands", "multiSelect": true, "options": texts(40, "brand")}}
		for n := range 60 {
			items = append(
				items, open(fmt.Sprintf("What about %d? %s", n, strings.Repeat("Some context. ", 30)), "light"),
				dict{"type": "matrix", "text": "Rate.", "options": texts(7, "column"), "rows": texts(20, "row")},
			)
		}
		items = append(items, dict{"type": "ranking", "text": "Rank.", "carryForwardFrom": "brands"}, dict{"type": "max_diff", "text": "Best?", "options": texts(30, "feature")})
		g := guideOf("Large", items...)
		g["config"] = dict{"availableLanguages": strings.Split(manyLanguages, " ")[:12]}
		if link := s.guide(g); link == "" {
			s.fail("the study was refused: %s", strings.Join(s.notes, "; "))
		}
	}},
}

const (
	guideMark = "refused by name, or each request under 3 s of CPU and 4 MiB"
	// maxCPU is generous: a good answer takes a hundredth of it, and a bad one takes minutes.
	maxCPU  = 3 * time.Second
	maxPage = 4 * mib
	// questioners is the number of connections that ask for questions at once.
	questioners = 32

	manyLanguages = "en en-medical fr de de-CH it pt es zh zh-TW zh-HK af sq am ar hy as ast az ba eu be bn bs br bg my ca ceb ny hr cs da nl et fo fi nl-BE ff gl " +
		"lg ka el gu ht ha haw he hi hu is ig id ga ja jw kea kn kk km ko ku ky lo la lv ln lt luo lb mk mg ms ml mt mi mr mn ne nso no nn oc or pa ps fa pl ro " +
		"ru sa sr sn sd si sk sl so su sw sv tl tg ta tt te th"
)

// chain returns n choices, each with the options that were chosen in the one before.
func chain(n, options int) (items []any) {
	items = append(items, dict{"type": "multiple_choice", "text": "Which?", "externalId": "q0", "multiSelect": true, "options": texts(options, "option")})
	for i := 1; i < n; i++ {
		items = append(items, dict{
			"type": "multiple_choice", "text": "Which?", "externalId": fmt.Sprint("q", i), "multiSelect": true, "carryForwardFrom": fmt.Sprint("q", i-1),
		})
	}
	return items
}

// largest returns a guide at its bounds: 3 MB of options.
func largest() dict {
	options := texts(1000, strings.Repeat("long ", 6))
	for i, option := range options {
		option.(dict)["externalId"] = fmt.Sprint("o", i)
	}
	var items []any
	for range 49 {
		items = append(items, dict{"type": "multiple_choice", "text": "Which?", "options": options})
	}
	return guideOf("Largest", items...)
}

// awaitLimit waits until a key's rate limit has room again, after earlier requests have used most of it up.
func (s *stage) awaitLimit(a account) {
	r, err := s.server.direct("127.0.0.66").send(s.t.Context(), http.MethodGet, "/api/public/v1/wallets", nil, "X-Api-Key", a.Key)
	if err != nil {
		return // another check notices a server that does not answer
	}
	limit, _ := strconv.Atoi(r.header.Get("RateLimit-Limit"))
	left, _ := strconv.Atoi(r.header.Get("RateLimit-Remaining"))
	if seconds, _ := strconv.Atoi(r.header.Get("RateLimit-Reset")); left < limit/2 {
		<-time.After(time.Duration(seconds) * time.Second) // the time that the server asks for
	}
}

// guide stores a guide and has everybody meet it. It returns the study's link, or "" if the guide was refused.
func (s *stage) guide(g dict) (link string) {
	s.t.Helper()
	hostile := s.server.direct("127.0.0.66")
	s.awaitLimit(s.hostile)
	var id string
	s.costs("creating", func() reply {
		made, r, err := s.create(s.t.Context(), hostile, s.hostile, g)
		if err != nil {
			s.fail("create: %v", err)
		}
		if made == "" {
			s.note("refused: %d %s", r.status, r.code())
			if r.status < 400 || r.status >= 500 {
				s.fail("create answers %d", r.status)
			}
		}
		id = made
		return r
	})
	if id == "" || !s.server.alive() {
		return ""
	}
	key := []string{"X-Api-Key", s.hostile.Key}
	read := func(what, method, path string, want int, header ...string) (r reply) {
		s.costs(what, func() reply {
			var err error
			if r, err = hostile.send(s.t.Context(), method, path, nil, header...); err != nil || r.status != want && r.status != http.StatusTooManyRequests {
				s.fail("%s answers %d, %v", what, r.status, err)
			}
			return r
		})
		return r
	}
	var live struct{ LinkID string }
	launched := read("launching", http.MethodPost, "/api/public/v1/studies/"+id+"/launch", http.StatusOK, key...)
	if err := launched.decode(&live); err != nil || live.LinkID == "" {
		return ""
	}
	read("its questions", http.MethodGet, "/api/public/v1/studies/"+id+"/questions", http.StatusOK, key...)
	query := "?" + strings.Repeat("a="+url.QueryEscape("<&\"' ")+"&", 60_000/20)
	read("its invitation", http.MethodGet, "/s/"+live.LinkID, http.StatusOK)
	read("its first page", http.MethodGet, "/s/"+live.LinkID, http.StatusOK, "Accept", "text/html")
	read("its first page with a long query", http.MethodGet, "/s/"+live.LinkID+query, http.StatusOK, "Accept", "text/html")
	var begun struct{ Token string }
	started := read("beginning", http.MethodPost, "/s/"+live.LinkID+"/interviews?"+strings.Repeat("b", 2000)+"=c", http.StatusCreated)
	if err := started.decode(&begun); err == nil && begun.Token != "" {
		read("its step", http.MethodGet, "/i/"+begun.Token, http.StatusOK)
		read("the page of its step", http.MethodGet, "/i/"+begun.Token, http.StatusOK, "Accept", "text/html")
	}
	return live.LinkID
}

// costs fails if a request takes too much of the server's CPU, or answers too much.
func (s *stage) costs(what string, ask func() reply) {
	s.t.Helper()
	s.sent.add()
	if !s.server.alive() {
		return
	}
	before := s.server.measure().cpu
	r := ask()
	cost := s.server.measure().cpu - before
	if limit := maxCPU * slower; cost > limit {
		s.fail("%s took %v of CPU", what, cost)
	}
	if len(r.body) > maxPage {
		s.fail("%s gave %.1f MiB", what, float64(len(r.body))/mib)
	}
}

package pages_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/locale"
	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/signing"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
)

// TestStudyNotOpenPages: the link of a study that takes nobody shows why, in the visitor's language.
func TestStudyNotOpenPages(t *testing.T) {
	t.Parallel()
	h := open(t, 9*wallet.Credit)
	none, now := 0, h.Store.Now()
	region := []guide.Dimension{{Parameter: "r", Groups: []guide.Group{{ID: "n", Values: []string{"n"}}}}}
	for words, config := range map[string]guide.Config{
		"early":  {Fieldwork: guide.Fieldwork{StartsAt: now.Add(time.Hour)}},
		"over":   {Fieldwork: guide.Fieldwork{EndsAt: now.Add(-time.Hour)}},
		"paused": {},
		"quota":  {Quotas: []guide.Quota{{ID: "q", Limit: &none, Dimensions: region}}},
		"own":    {Quotas: []guide.Quota{{ID: "q", Limit: &none, FullText: "Der Norden ist voll.", Dimensions: region}}},
	} {
		g := participanttest.OneItemGuide()
		g.Config = config
		g.Config.AvailableLanguages = []string{"en", "de"}
		live := h.Launch(g, h.Wallet)
		if words == "paused" {
			storetest.Write(t, h.Store, func(tx *store.Tx) error { return tx.SetStudyStatus(t.Context(), live.ID, study.Live, study.Paused) })
		}
		want := locale.WordsFor("de")[words+"Text"]
		if words == "own" {
			want = "Der Norden ist voll."
		}
		b := h.browser()
		b.visit("/s/" + live.LinkID + "?r=n&_language=de")
		if b.shows(want); b.status != 409 {
			t.Errorf("%s: status %d", words, b.status)
		}
	}
}

// TestPreviewPages: a researcher goes through a draft by a signed link, and nothing of it is stored among the results or charged.
func TestPreviewPages(t *testing.T) {
	t.Parallel()
	key, err := signing.NewKey(strings.Repeat("k", signing.MinSecret))
	if err != nil {
		t.Fatal(err)
	}
	ring := signing.NewRing(key)
	h := open(t, 0, func(a *pages.API) {
		a.Protocol.Fieldwork.(*fieldwork.Service).Ring = func() signing.Ring { return ring }
	})
	g, none := participanttest.FruitGuide(), 0
	g.Config.Fieldwork = guide.Fieldwork{Target: 1, EndsAt: h.Store.Now().Add(-time.Hour)}
	g.Config.Quotas = []guide.Quota{{ID: "q", Limit: &none, Dimensions: []guide.Dimension{{QuestionID: "pick", Groups: []guide.Group{{ID: "a", Values: []string{"a", "b"}}}}}}}
	var draft, closed study.Study
	storetest.Write(t, h.Store, func(tx *store.Tx) (err error) {
		draft, err = tx.CreateStudy(t.Context(), study.Study{OrgID: h.Org, Title: "Draft"}, guide.Encode(g))
		return err
	})
	closed = h.Launch(g, h.Wallet)
	storetest.Write(t, h.Store, func(tx *store.Tx) error { return tx.SetStudyStatus(t.Context(), closed.ID, study.Live, study.Closed) })
	now := h.Store.Now()
	link := func(of study.Study, until time.Time) string {
		return "/s/" + of.LinkID + "?" + url.Values{fieldwork.PreviewParam: {fieldwork.PreviewValue(ring, of.ID, until, now)}, "r": {"n"}}.Encode()
	}
	b := h.browser()
	for _, of := range []study.Study{draft, closed} {
		b.visit(link(of, now.Add(time.Hour)))
		b.shows(locale.WordsFor("en")["previewNote"], "Hello there")
		b.submit("/interviews", nil)
		for range 3 {
			b.shows(locale.WordsFor("en")["previewNote"])
			b.submit("/answers", nil)
		}
		b.shows("See you")
		b.submit("/withdraw", nil)
		b.visit(b.at)
		b.shows(locale.WordsFor("en")["lostText"])
		if n, err := h.Store.View().ResponseIDs(t.Context(), of.ID); err != nil || len(n) != 0 {
			t.Errorf("%d responses, %v", len(n), err)
		}
	}
	if jobs, err := h.Store.View().OpenInterviews(t.Context()); err != nil || jobs != 0 {
		t.Errorf("%d interviews, %v", jobs, err)
	}
	for name, path := range map[string]string{
		"expired": link(draft, now.Add(-time.Second)), "another study's": strings.Replace(link(closed, now.Add(time.Hour)), closed.LinkID, draft.LinkID, 1),
		"longer":   strings.Replace(link(draft, now.Add(time.Hour)), "_preview=", "_preview=9", 1),
		"unsigned": "/s/" + draft.LinkID + "?_preview=1", "without": "/s/" + draft.LinkID,
	} {
		if b.visit(path); b.status != 404 {
			t.Errorf("%s: status %d at %s", name, b.status, path)
		}
	}
}

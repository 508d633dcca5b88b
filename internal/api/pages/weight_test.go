package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/wallet"
)

// longOptions returns options whose texts have the given number of characters.
func longOptions(count, characters int) []guide.Option {
	all := make([]guide.Option, count)
	for i := range all {
		id := fmt.Sprintf("option-%029d", i) // as long as a UUID
		all[i] = guide.Option{ID: id, Text: strings.Repeat("A long option. ", characters/15+1)[:characters]}
	}
	return all
}

// guideOf returns a guide of one item.
func guideOf(it guide.Item) *guide.Guide {
	it.ID, it.Text = "q", "What of these?"
	return &guide.Guide{Title: "Large", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{it}}}}
}

// The maximum sizes of a step and of its page. A page holds its content twice, once for the app.
const (
	maxStepBytes = 2 << 20
	maxPageBytes = 6 << 20
)

// TestPagesAtTheBounds checks that the largest possible steps stay within a few megabytes.
func TestPagesAtTheBounds(t *testing.T) {
	t.Parallel()
	for name, it := range map[string]guide.Item{
		"a ranking":       {Type: guide.Ranking, Options: longOptions(guide.MaxOptions, guide.MaxShown/guide.MaxOptions-36)},
		"a choice":        {Type: guide.MultipleChoice, MultiSelect: true, AllowCustomOption: true, Options: longOptions(guide.MaxOptions, guide.MaxShown/guide.MaxOptions-36)},
		"long options":    {Type: guide.Ranking, Options: longOptions(122, guide.MaxOptionText)},
		"marks of markup": {Type: guide.Ranking, Options: escapedOptions(122)},
		"all at once":     {Type: guide.Ranking, Options: escapedOptions(122), Media: videos(guide.MaxMedia)},
		"a matrix":        {Type: guide.Matrix, Options: longOptions(50, 60), Rows: rows(50)},
		"a wide matrix":   {Type: guide.Matrix, Options: longOptions(guide.MaxColumns, 60), Rows: rows(guide.MaxCells / guide.MaxColumns)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := guideOf(it)
			if it.Media != nil {
				g.Blocks[0].Items[0].Text = strings.Repeat("'", guide.MaxText)
				g.Blocks[0].Type, g.Blocks[0].Sampling = guide.BlockConcept, &guide.Sampling{Concepts: []guide.Concept{{
					ID: "c", Nickname: "N", Title: strings.Repeat("'", guide.MaxTitle), Description: strings.Repeat("'", guide.MaxLongText), Media: it.Media,
				}}}
			}
			if _, err := guide.Decode(guide.Encode(g), guide.Options{}); err != nil {
				t.Fatalf("the guide is not at the bounds: %v", err)
			}
			h := open(t, wallet.Credit, withApp)
			live := h.Launch(g, h.Wallet)
			b := h.browser()
			b.visit("/s/" + live.LinkID)
			b.submit("/interviews", nil)
			if !strings.HasSuffix(strings.TrimSpace(b.page), "</html>") {
				t.Error("the page is incomplete")
			}
			status, _, header := h.Call("GET", b.at, nil)
			var step int
			if _, err := fmt.Sscan(header.Get("Content-Length"), &step); status != http.StatusOK || err != nil {
				step = len(fmt.Sprint(b.bootstrap()["step"]))
			}
			t.Logf("the page has %d bytes, the step %d", len(b.page), step)
			if len(b.page) > maxPageBytes || step > maxStepBytes {
				t.Errorf("the page has %d bytes of %d, the step %d of %d", len(b.page), maxPageBytes, step, maxStepBytes)
			}
		})
	}
}

// escapedOptions returns options of the character that needs the most bytes in a page.
func escapedOptions(count int) []guide.Option {
	all := longOptions(count, guide.MaxOptionText)
	for i := range all {
		all[i].Text = strings.Repeat("'", guide.MaxOptionText)
	}
	return all
}

func videos(count int) []guide.Media {
	all := make([]guide.Media, count)
	for i := range all {
		all[i] = guide.Media{
			Type: "video", Name: strings.Repeat("'", guide.MaxTitle), URL: "https://example.com/" + strings.Repeat("é", guide.MaxURL-20),
		}
	}
	return all
}

func rows(count int) []guide.Row {
	all := make([]guide.Row, count)
	for i := range all {
		all[i] = guide.Row{ID: fmt.Sprint("r", i+1), Text: fmt.Sprint("Row ", i)}
	}
	return all
}

// TestRankingPagesGrowWithTheirOptions checks that the page of a ranking larger than today's limits is proportional to its options.
func TestRankingPagesGrowWithTheirOptions(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(guideOf(guide.Item{Type: guide.Ranking, Options: longOptions(5000, 15)}), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	t.Logf("the page has %d bytes", len(b.page))
	if fields := strings.Count(b.page, `id="rank-`); fields != 5000 || len(b.page) > 3<<20 {
		t.Errorf("%d fields in %d bytes", fields, len(b.page))
	}
}

// TestRankingByNumbers checks the ranks that number fields can send.
func TestRankingByNumbers(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(guideOf(guide.Item{Type: guide.Ranking, Options: longOptions(3, 15)}), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	name := func(i int) string { return fmt.Sprintf("rank.option-%029d", i) }
	b.shows(`min="1" max="3"`, `<label for="rank-2" dir="auto">`)
	for _, wrong := range []string{"", "0", "4", "1.5", "1e1", "two", "-1", "99999999999999999999"} {
		b.submit("/answers", url.Values{name(0): {"1"}, name(1): {"2"}, name(2): {wrong}})
		if b.status != http.StatusBadRequest {
			t.Errorf("%q is a place", wrong)
		}
		b.shows("Please give each line a position from 1 to 3.", fmt.Sprintf(`name="%s" value="2"`, name(1)))
	}
	b.submit("/answers", url.Values{name(0): {" 3 "}, name(1): {"1"}, name(2): {"2.0"}})
	b.shows("Thank you")
}

// TestManyLanguagesAndALongQuery checks that the query is not repeated for each language, and that parameters that are not stored are
// left out.
func TestManyLanguagesAndALongQuery(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	g := participanttest.FullGuide()
	g.Config.AvailableLanguages = guide.Languages
	live := h.Launch(g, h.Wallet)
	h.TranslateInto(live, g, "", guide.Languages[1:]...)
	kept := url.Values{}
	for i := range 40 {
		kept.Set(fmt.Sprint("p", i), strings.Repeat("v", 1500))
	}
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?" + kept.Encode() + "&long=" + strings.Repeat("x", 2001))
	t.Logf("121 languages and a query of 60 KB: %d bytes", len(b.page))
	if repeated := strings.Count(b.page, strings.Repeat("v", 1500)); repeated > 5*40 || len(b.page) > 400<<10 {
		t.Errorf("a page of %d bytes with each parameter %d times", len(b.page), repeated/40)
	}
	if strings.Contains(b.page, "long=") || strings.Contains(b.page, `name="long"`) {
		t.Error("a parameter that is not stored is in the page")
	}
	b.shows(`<select id="language" name="_language"`, `<option value="pt" lang="pt">Português</option>`, `<input type="hidden" name="p39" value="v`)
	if got := len(b.bootstrap()["words"].(object)); got > 300 {
		t.Errorf("the app receives %d words, want those of one language", got)
	}
	b.visit("/s/" + live.LinkID + "?" + kept.Encode() + "&_language=de&x=%zz")
	b.shows(`<option value="de" lang="de" selected>Deutsch</option>`)
	b.submit("/interviews", nil)
	r, err := h.Store.View().AnyResponse(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, 1))
	if err != nil || len(r.VisibleParams()) != 40 || r.Language != "de" {
		t.Errorf("stored with %d parameters in %s, %v", len(r.VisibleParams()), r.Language, err)
	}
}

// TestFewLanguagesHaveButtons checks the buttons for languages and that they keep the link's parameters.
func TestFewLanguagesHaveButtons(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := participanttest.FullGuide()
	g.Config.AvailableLanguages = []string{"de", "pt", "fr"}
	live := h.Launch(g, h.Wallet)
	h.TranslateInto(live, g, "", "de", "pt")
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=" + url.QueryEscape(`"p" & 7`) + "&_language=de")
	b.shows(`<form class="languages" method="get" action="/s/`+live.LinkID+`"`, `<input type="hidden" name="panel" value=""p" & 7">`,
		`<button name="_language" value="de" lang="de" aria-current="true">Deutsch</button>`, `<button name="_language" value="pt" lang="pt">`)
	if strings.Contains(b.page, `type="hidden" name="_language"`) {
		t.Error("the language would be sent twice")
	}
	if strings.Contains(b.page, `value="fr"`) {
		t.Error("a language without approved texts is offered")
	}
	h.TranslateInto(live, g, "", "fr")
	b.visit("/s/" + live.LinkID)
	b.shows(`<option value="fr"`) // four languages are a list
}

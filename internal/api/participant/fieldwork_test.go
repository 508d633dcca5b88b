package participant_test

import (
	"testing"
	"time"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestStudyNotOpen: a study that takes nobody says why, to who opens the link and to who starts, in the words of the contract.
func TestStudyNotOpen(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	h := participanttest.New(t, s, 9*wallet.Credit, newAPI(t, s).Register, participanttest.Contract(t))
	none, now := 0, s.Now()
	config := func(f guide.Fieldwork) *guide.Guide {
		g := participanttest.OneItemGuide()
		g.Config.Fieldwork = f
		return g
	}
	full := config(guide.Fieldwork{})
	full.Config.Quotas = []guide.Quota{{ID: "q", Limit: &none, Dimensions: []guide.Dimension{{Parameter: "r", Groups: []guide.Group{{ID: "n", Values: []string{"n"}}}}}}}
	own := config(guide.Fieldwork{})
	own.Config.Quotas = []guide.Quota{{ID: "q", Limit: &none, FullText: "North is full.", Dimensions: full.Config.Quotas[0].Dimensions}}
	for name, tt := range map[string]struct {
		g          *guide.Guide
		code, text string
	}{
		"not started": {config(guide.Fieldwork{StartsAt: now.Add(time.Hour)}), "study_not_started", "The study has not started yet."},
		"ended":       {config(guide.Fieldwork{EndsAt: now.Add(-time.Hour)}), "study_ended", "The study has ended."},
		"paused":      {config(guide.Fieldwork{}), "study_paused", "The study is paused. It will take participants again."},
		"full":        {full, "quota_full", "The study has enough participants like this one."},
		"own text":    {own, "quota_full", "North is full."},
	} {
		live := h.Launch(tt.g, h.Wallet)
		if name == "paused" {
			storetest.Write(t, s, func(tx *store.Tx) error { return tx.SetStudyStatus(t.Context(), live.ID, study.Live, study.Paused) })
		}
		link := "/s/" + live.LinkID
		for method, path := range map[string]string{"GET": link + "?r=n", "POST": link + "/interviews?r=n"} {
			status, body, _ := h.Call(method, path, nil)
			if status != 409 || body["code"] != tt.code || body["error"] != tt.text {
				t.Errorf("%s, %s: %d %v", name, method, status, body)
			}
		}
	}
}

// TestQuotaFullStep: the step at the end says that a quota was full, with the study's text.
func TestQuotaFullStep(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	h := participanttest.New(t, s, 9*wallet.Credit, newAPI(t, s).Register, participanttest.Contract(t))
	g, none := participanttest.OneItemGuide(), 0
	g.Blocks[0].Items = append([]guide.Item{{ID: "age", Type: guide.MultipleChoice, Text: "Age?", Options: []guide.Option{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}}}}, g.Blocks[0].Items...)
	g.Config.Quotas = []guide.Quota{{ID: "q", Limit: &none, FullText: "Enough of A.", Dimensions: []guide.Dimension{{QuestionID: "age", Groups: []guide.Group{{ID: "a", Values: []string{"a"}}}}}}}
	token, step := h.Begin(h.Launch(g, h.Wallet).LinkID, "")
	_, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": step["stepId"], "selected": []string{"a"}})
	_, again, _ := h.Call("GET", "/i/"+token, nil)
	for _, body := range []object{body, again} {
		if end, _ := body["step"].(object); end["kind"] != "screened_out" || end["reason"] != "quota_full" || end["message"] != "Enough of A." {
			t.Errorf("it ends with %v", body)
		}
	}
}

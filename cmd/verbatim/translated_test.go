package main

import (
	"encoding/json"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// TestServiceTranslates checks that with a model the jobs of the service translate a study, show it, and translate the answers back.
func TestServiceTranslates(t *testing.T) {
	t.Parallel()
	dictionary := map[string]string{
		"Fruit": "Obst", "Why do you like apples?": "Warum mögen Sie Äpfel?", "Sie sind süß und knackig.": "They are sweet and crisp.",
	}
	model := llmtest.New(llmtest.By(map[string]func(llmtest.Asked) string{"translations": func(a llmtest.Asked) string {
		var request struct {
			Texts []struct{ ID, Text string }
		}
		if err := json.Unmarshal([]byte(a.Last()), &request); err != nil {
			t.Error(err)
		}
		answer := map[string]map[string]string{}
		for _, text := range request.Texts {
			answer[text.ID] = map[string]string{"of": text.Text, "text": dictionary[text.Text]}
		}
		body, err := json.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		return string(body)
	}}, nil))
	s := storetest.New(t)
	flags := serviceFlags{
		BaseURL: "http://service.invalid", Price: "1", AbandonAfter: time.Hour,
		llmFlags: llmFlags{URL: model.Serve(t), Model: "fake"}, translationFlags: translationFlags{AutoApproveTranslations: true},
	}
	svc, err := newService(t.Context(), s, "file:"+t.TempDir(), flags, quiet(t.Output()))
	if err != nil {
		t.Fatal(err)
	}
	work := func(want int) {
		t.Helper()
		var claimed []store.Job
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			claimed, err = tx.ClaimJobs(t.Context(), svc.runner(jobs.KindTranslate).Queue, 10, time.Minute)
			return err
		})
		if len(claimed) != want {
			t.Fatalf("%d jobs to translate, want %d", len(claimed), want)
		}
		for _, job := range claimed {
			if err := svc.runner(jobs.KindTranslate).Handlers[job.Kind].Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
		}
	}
	var live study.Study
	g := &guide.Guide{
		Title: "Fruit", Config: guide.Config{QuestionLanguage: "en", AvailableLanguages: []string{"de"}},
		Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "why", Type: guide.OpenEnded, Text: "Why do you like apples?", FollowUp: guide.FollowUpNone},
		}}},
	}
	org := storetest.Org(t, s)
	storetest.Write(t, s, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(t.Context(), study.Study{OrgID: org.ID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(t.Context(), draft, ""); err != nil {
			return err
		}
		live, err = tx.Study(t.Context(), draft.OrgID, draft.ID)
		if err != nil {
			return err
		}
		return jobs.Enqueue(t.Context(), tx, jobs.TranslateArgs{StudyID: live.ID, Revision: live.PublishedRevision, Language: "de"})
	})
	work(1)
	token, at, err := svc.fieldwork.Start(t.Context(), live.LinkID, "", "de")
	if err != nil || at.Step.Words != "Warum mögen Sie Äpfel?" {
		t.Fatalf("the participant reads %q, %v", at.Step.Words, err)
	}
	if at, err = svc.fieldwork.Answer(t.Context(), token, at.Step.ID, interview.Answer{Text: "Sie sind süß und knackig."}); err != nil || !at.Step.Ended() {
		t.Fatalf("%v, %+v", err, at.Step)
	}
	work(1)
	translations, err := s.View().AnswerTranslations(t.Context(), at.Response.ID)
	if err != nil || translations["s0"].Text != "They are sweet and crisp." {
		t.Errorf("translated back: %v, %+v", err, translations)
	}
	if total, err := s.View().UsageOfStudy(t.Context(), live.ID); err != nil || total.Calls == 0 {
		t.Errorf("the calls are not recorded: %+v, %v", total, err)
	}
}

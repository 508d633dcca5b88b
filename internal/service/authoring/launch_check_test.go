package authoring_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

// TestLaunchCheckOfVoice: before a spoken study is launched without speech to text, the check says what is lost; it is no reason not to.
func TestLaunchCheckOfVoice(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	g := &guide.Guide{
		Title: "Fruit", Config: guide.Config{InterviewMode: guide.ModeAudio},
		Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Why?"}}}},
	}
	var draft study.Study
	storetest.Write(t, s.Store, func(tx *store.Tx) (err error) {
		draft, err = tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		return err
	})
	for transcribes, want := range map[bool]string{false: "missing in transcripts", true: ""} {
		s.Speech.Transcribes = transcribes
		check, err := s.CheckLaunch(t.Context(), draft)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, c := range check.Checks {
			if c.Code == "speech" {
				said += c.Message
				if c.Severity != "advice" || c.Pointer != "/config/interviewMode" {
					t.Errorf("%+v", c)
				}
			}
		}
		if (want == "") != (said == "") || !strings.Contains(said, want) || !check.Ready() {
			t.Errorf("transcribes: %t, says %q, ready: %t", transcribes, said, check.Ready())
		}
	}
}

package erasure_test

import (
	"strings"
	"testing"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/service/erasure"
)

// TestObjectsAreErased deletes a response with recordings from a real store of each kind, again and again.
func TestObjectsAreErased(t *testing.T) {
	t.Parallel()
	blobtest.Each(t, func(t *testing.T, objects blob.Store) {
		s := newFixture(t)
		w := &erasure.Worker{Store: s.Scene.Store, Objects: objects}
		doomed := []string{"recordings/1.webm", "recordings/1/hls/index.m3u8", "recordings/1/hls/s1.m4s", "uploads/cv"}
		for _, name := range doomed {
			blobtest.Put(t, objects, erasure.ObjectPrefix(s.response.ID)+name, "canary")
		}
		other := erasure.ObjectPrefix(s.Study.ID) + "recordings/1.webm"
		blobtest.Put(t, objects, other, "another's")

		d, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
		if err != nil {
			t.Fatal(err)
		}
		job := s.claim(t)[0]
		for range 2 {
			if err := w.Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range doomed {
			blobtest.Gone(t, objects, erasure.ObjectPrefix(s.response.ID)+name)
		}
		if got := blobtest.Content(t, objects, other); string(got) != "another's" {
			t.Errorf("another response's recording reads %q", got)
		}
		if err := objects.DeletePrefix(t.Context(), strings.TrimSuffix(other, "recordings/1.webm")); err != nil {
			t.Error(err)
		}
		if got, err := s.Status(t.Context(), s.caller, d.ID); err != nil || got.CompletedAt.IsZero() {
			t.Errorf("the receipt is %+v (%v)", got, err)
		}
	})
}

package results_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/results"
)

// TestSingleHasLinks: rows link to the recordings of their answers, once these can be played.
func TestSingleHasLinks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	now := time.Unix(1e9, 0).Truncate(blob.LinkStep).Add(time.Second)
	links := blob.Links{Base: "https://v.example", Keys: blobtest.Keys(strings.Repeat("k", 32)), Now: func() time.Time { return now }}
	s := &results.Service{Store: storetest.New(t), Links: links}
	scene := storetest.NewScene(t, s.Store)
	r := storetest.Response(t, s.Store, scene.Study, nil)
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		return tx.PutDocument(ctx, document.Source{Response: r, Exchanges: []interview.Exchange{{ItemID: "a"}, {ItemID: "b"}, {ItemID: "c"}}})
	})
	folder := "responses/" + r.ID + "/recordings/x/"
	made := func(step string, row int, kind recording.Kind, rendition recording.Rendition) {
		storetest.Write(t, s.Store, func(tx *store.Tx) error {
			return tx.AddRecording(ctx, recording.Recording{OrgID: r.OrgID, ResponseID: r.ID, StepID: step, Kind: kind, Row: row})
		})
		all, err := s.Store.View().Recordings(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			if c.StepID == step && c.Kind == kind && rendition.Object != "" {
				storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.FinishRecording(ctx, c, rendition) })
			}
		}
	}
	made("s1", 1, recording.Audio, recording.Rendition{MediaType: "audio/mp4", Object: folder + "audio.m4a"})
	made("s1", 1, recording.ScreenVideo, recording.Rendition{MediaType: "video/webm", Object: folder + "original"})
	made("s2", 2, recording.Video, recording.Rendition{MediaType: "video/mp4", Object: folder + "video.mp4", Playlist: folder + "hls/index.m3u8", Poster: folder + "poster.jpg", Waveform: folder + "waveform.json", Duration: 5 * time.Second})
	made("s2b", 2, recording.Video, recording.Rendition{MediaType: "video/mp4", Object: folder + "later.mp4"})
	made("s3", 3, recording.Video, recording.Rendition{MediaType: "audio/mp4", Object: folder + "nopicture.m4a"})
	made("s3", 3, recording.Audio, recording.Rendition{}) // waits
	made("s4", 9, recording.Audio, recording.Rendition{MediaType: "audio/mp4", Object: folder + "norow.m4a"})

	ref, err := results.ParseRef(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	single, err := s.Single(ctx, org.Caller{OrgID: scene.Org.ID}, scene.Study.LinkID, ref)
	if err != nil {
		t.Fatal(err)
	}
	detail, err := document.DecodeSingle(single.Item.Single)
	if err != nil || len(detail.Transcript) != 4 {
		t.Fatalf("%+v, %v", detail, err)
	}
	object := func(name string) string { return links.Object(folder+name, time.Hour) }
	rows := detail.Transcript
	if rows[0].Audio != "" || rows[0].Video != nil || rows[0].ScreenVideo != nil {
		t.Errorf("the welcome: %+v", rows[0])
	}
	if rows[1].Audio != object("audio.m4a") || rows[1].Video != nil || rows[1].ScreenVideo == nil || *rows[1].ScreenVideo != (document.Stream{MP4URL: object("original")}) {
		t.Errorf("a voice and a screen: %+v, %+v", rows[1], rows[1].ScreenVideo)
	}
	if want := (document.Stream{StreamURL: links.Folder(folder+"hls/index.m3u8", time.Hour), MP4URL: object("video.mp4")}); rows[2].Video == nil || *rows[2].Video != want {
		t.Errorf("a camera: %+v", rows[2].Video)
	}
	if rows[3].Audio != object("nopicture.m4a") || rows[3].Video != nil {
		t.Errorf("a camera without a picture: %+v", rows[3])
	}
	// The bytes, and with them the ETag, stay the same within a step of the links' expiry; the links are renewed at the next
	// step.
	again := func() string {
		t.Helper()
		found, err := s.Single(ctx, org.Caller{OrgID: scene.Org.ID}, scene.Study.LinkID, ref)
		if err != nil {
			t.Fatal(err)
		}
		return string(found.Item.Single)
	}
	began := now
	now = began.Add(blob.LinkStep - 2*time.Second)
	if got := again(); got != string(single.Item.Single) {
		t.Errorf("within a step it changed to %s", got)
	}
	now = began.Add(blob.LinkStep)
	if got := again(); got == string(single.Item.Single) {
		t.Error("the links were not renewed")
	}
	now = began
	all, err := s.Recordings(ctx, org.Caller{OrgID: scene.Org.ID}, scene.Study.LinkID, ref)
	if err != nil || len(all) != 7 {
		t.Fatalf("recordings are %+v, %v", all, err)
	}
	camera, waits := slices.IndexFunc(all, func(c results.Recording) bool { return c.Stream != "" }), slices.IndexFunc(all, func(c results.Recording) bool { return c.Object == "" })
	if diff := cmp.Diff(results.Recording{
		Row: 2, StepID: "s2", Kind: recording.Video, Stage: recording.Ready, Duration: 5 * time.Second, MediaType: "video/mp4", Object: object("video.mp4"),
		Stream: links.Folder(folder+"hls/index.m3u8", time.Hour), Poster: object("poster.jpg"), Waveform: object("waveform.json"),
	}, all[camera]); diff != "" {
		t.Errorf("a camera (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(results.Recording{Row: 3, StepID: "s3", Kind: recording.Audio, Stage: recording.Waiting}, all[waits]); diff != "" {
		t.Errorf("what waits (-want +got):\n%s", diff)
	}
	for _, other := range []string{store.NewID(), "99"} {
		ref, err := results.ParseRef(other)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Recordings(ctx, org.Caller{OrgID: scene.Org.ID}, scene.Study.LinkID, ref); !errors.Is(err, response.ErrNotFound) {
			t.Errorf("of response %s: %v, want ErrNotFound", other, err)
		}
	}
	if _, err := s.Recordings(ctx, org.Caller{OrgID: store.NewID()}, scene.Study.LinkID, ref); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("to another organization: %v, want ErrNotFound", err)
	}
	stored, err := s.Store.View().ItemByResponse(ctx, scene.Study.ID, r.ID)
	if err != nil || strings.Contains(string(stored.Single), "https://") {
		t.Errorf("links are stored: %s, %v", stored.Single, err)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/media"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/uploads"
)

// TestRecordedAnswer follows a camera recording through the complete service: uploaded in chunks while the answer is given, transcoded, and
// played from the links of both APIs.
func TestRecordedAnswer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scene := storetest.NewScene(t, s)
	key := storetest.Key(t, s, scene.Org.ID, scene.User.ID)
	const base = "https://interviews.example.com"
	flags := serviceFlags{BaseURL: base, Price: "1", AbandonAfter: time.Hour}
	svc, err := newService(t.Context(), s, "file:"+filepath.Join(t.TempDir(), "blobs"), flags, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(address string) (int, string, []byte) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(address, base+"/m/") { // links need no key
			request.Header.Set("x-api-key", key)
		}
		answer, err := inProcess{svc.server.Handler()}.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header.Get("Content-Type"), body
	}
	var played []string
	get := func(address string) (string, []byte) {
		t.Helper()
		status, kind, body := ask(address)
		if status != http.StatusOK {
			t.Fatalf("%s: %d: %s", address, status, body)
		}
		played = append(played, address)
		return kind, body
	}

	film, err := exec.CommandContext(t.Context(), "ffmpeg", strings.Fields("-nostdin -v error -f lavfi -i testsrc=s=160x90:r=10:d=5 "+
		"-f lavfi -i sine=d=5 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -f webm -live 1 pipe:1")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	token, view, err := svc.fieldwork.Start(t.Context(), scene.Study.LinkID, "", "")
	if err != nil {
		t.Fatal(err)
	}
	id := view.Response.ID
	u, err := svc.uploads.Create(t.Context(), id, uploads.NewUpload{Kind: recording.Video, StepID: view.Step.ID, Size: recording.Unknown})
	if err != nil {
		t.Fatal(err)
	}
	send := func(chunk []byte, length int64) {
		t.Helper()
		if u, err = svc.uploads.Append(t.Context(), id, u.ID, uploads.Chunk{
			Offset: u.Received, Length: length, Size: int64(len(chunk)), Body: bytes.NewReader(chunk),
		}); err != nil {
			t.Fatal(err)
		}
	}
	half := len(film) / 2
	send(film[:half], recording.Unknown)
	if _, err := svc.fieldwork.Answer(t.Context(), token, view.Step.ID, interview.Answer{Recordings: interview.Recordings{Video: u.ID}}); err != nil {
		t.Fatal(err)
	}
	send(film[half:], int64(len(film)))

	var produce []store.Job
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		produce, err = tx.ClaimJobs(t.Context(), svc.runner(jobs.KindTranscode).Queue, 10, time.Minute)
		return err
	})
	if len(produce) != 1 {
		t.Fatalf("jobs to make it playable: %+v", produce)
	}
	if err := svc.runner(jobs.KindTranscode).Handlers[produce[0].Kind].Run(t.Context(), produce[0]); err != nil {
		t.Fatal(err)
	}

	type stream struct {
		StreamURL  string `json:"streamUrl"`
		MP4URL     string `json:"mp4Url"`
		StreamURL1 string `json:"stream_url"`
		MP4URL1    string `json:"mp4_url"`
	}
	var single struct {
		Transcript []struct{ Video *stream }
	}
	for dialect, address := range map[string]string{
		"v1": base + "/api/public/v1/responses/" + scene.Study.LinkID + "/" + id, "legacy": base + "/api/public/responses/" + scene.Study.LinkID + "/" + id,
	} {
		_, body := get(address)
		if err := json.Unmarshal(body, &single); err != nil || len(single.Transcript) != 2 || single.Transcript[1].Video == nil {
			t.Fatalf("%s: %v: %s", dialect, err, body)
		}
		video := single.Transcript[1].Video
		kind, mp4 := get(video.MP4URL + video.MP4URL1)
		if kind != "video/mp4" {
			t.Errorf("%s: the film is %s", dialect, kind)
		}
		name := filepath.Join(t.TempDir(), "film.mp4")
		if err := os.WriteFile(name, mp4, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "stream=codec_name", name).CombinedOutput()
		if err != nil || strings.Join(strings.Fields(string(out)), " ") != "h264 aac" {
			t.Errorf("%s: the film holds %q, %v", dialect, out, err)
		}
		playlist := video.StreamURL + video.StreamURL1
		kind, lines := get(playlist)
		if kind != "application/vnd.apple.mpegurl" {
			t.Errorf("%s: the playlist is %s", dialect, kind)
		}
		folder := playlist[:strings.LastIndex(playlist, "/")+1]
		chunks := regexp.MustCompile(`(?m)^(?:#EXT-X-MAP:URI="([^"]+)"|([^#\s].*))$`).FindAllSubmatch(lines, -1)
		if len(chunks) < 3 {
			t.Errorf("%s: the playlist:\n%s", dialect, lines)
		}
		for _, chunk := range chunks {
			if kind, content := get(folder + string(chunk[1]) + string(chunk[2])); kind != "video/mp4" || len(content) == 0 {
				t.Errorf("%s: %s: %s, %d bytes", dialect, chunk[0], kind, len(content))
			}
		}
		single.Transcript = nil
	}
	svc.server.Media.(*media.API).Objects.Links.Now = func() time.Time { return time.Now().Add(blob.Lifetime + blob.LinkStep + time.Second) }
	for _, address := range played {
		status, _, body := ask(address)
		if link := strings.HasPrefix(address, base+"/m/"); link != (status == http.StatusForbidden && bytes.Contains(body, []byte("expired_link"))) {
			t.Errorf("after an hour %s: %d %s", address, status, body)
		}
	}
}

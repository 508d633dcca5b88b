package mediaupload_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os/exec"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/mediaupload"
)

// fixture is a study and a service with a clock.
type fixture struct {
	*mediaupload.Service
	t      *testing.T
	sc     storetest.Scene
	clock  *storetest.Clock
	caller org.Caller
}

func setup(t *testing.T) *fixture {
	t.Helper()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	return &fixture{&mediaupload.Service{Store: sc.Store, Objects: blobtest.Folder(t)}, t, sc, clock, org.Caller{OrgID: sc.Org.ID, UserID: sc.User.ID, Role: org.Admin}}
}

// upload sends a file in pieces of at most size bytes.
func (f *fixture) upload(name string, content []byte, size int) guidemedia.Media {
	f.t.Helper()
	m, err := f.Begin(f.t.Context(), f.caller, f.sc.Study, name, int64(len(content)))
	if err != nil {
		f.t.Fatal(err)
	}
	for m.Stage == guidemedia.Uploading {
		chunk := content[m.Received:min(int64(len(content)), m.Received+int64(size))]
		if m, err = f.Append(f.t.Context(), f.caller, f.sc.Study, m.ID, m.Received, chunk); err != nil {
			f.t.Fatal(err)
		}
	}
	return m
}

// names returns the names of a file's objects.
func (f *fixture) names(m guidemedia.Media) string {
	f.t.Helper()
	var names []string
	for _, name := range blobtest.List(f.t, f.Objects, m.Folder()) {
		names = append(names, strings.TrimPrefix(name, m.Folder()))
	}
	return strings.Join(names, " ")
}

func drawing(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	img := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range img.Pix {
		img.Pix[i] = byte(i * i >> 3)
	}
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUpload: a file arrives in pieces, in spite of answers that were lost, and is ready with the last one.
func TestUpload(t *testing.T) {
	t.Parallel()
	f := setup(t)
	content := drawing(t)
	m := f.upload(`C:\pictures\pack.png`, content, 1000)
	if m.Stage != guidemedia.Ready || m.File != guidemedia.PNG || m.Name != "pack.png" || m.Width != 300 || f.names(m) != guidemedia.PNG {
		t.Errorf("the file is %+v, with the objects %s", m, f.names(m))
	}
	if _, err := f.Append(t.Context(), f.caller, f.sc.Study, m.ID, 0, content[:600]); !errors.Is(err, guidemedia.ErrOffset) {
		t.Errorf("bytes for a complete file: %v", err)
	}
	half, err := f.Begin(t.Context(), f.caller, f.sc.Study, "b.png", int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time the answer to the first one was lost
		_, err = f.Append(t.Context(), f.caller, f.sc.Study, half.ID, 0, content[:600])
	}
	if !errors.Is(err, guidemedia.ErrOffset) {
		t.Errorf("the same bytes again: %v", err)
	}
	if _, err := f.Append(t.Context(), f.caller, f.sc.Study, half.ID, 600, content); !errors.Is(err, guidemedia.ErrTooLarge) {
		t.Errorf("more bytes than announced: %v", err)
	}
	if err := f.Cancel(t.Context(), f.sc.Study, half.ID); err != nil || f.names(half) != "" {
		t.Errorf("cancelling: %v, and %s is left", err, f.names(half))
	}
	if err := f.Cancel(t.Context(), f.sc.Study, m.ID); !errors.Is(err, guidemedia.ErrComplete) {
		t.Errorf("cancelling a complete file: %v", err)
	}
	refused := f.upload("page.png", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), 1000)
	if refused.Stage != guidemedia.Failed || !strings.Contains(refused.Problem, "SVG") || f.names(refused) != "" {
		t.Errorf("a page is %+v, with %s", refused, f.names(refused))
	}
	if words := f.upload("de.vtt", []byte("WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n"), 1000); words.Stage != guidemedia.Ready || words.File != guidemedia.CaptionFile {
		t.Errorf("captions are %+v", words)
	}
}

// TestSweep: a file stays while any version or revision of a guide names it, and a week longer; what was not completed goes after a day.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := setup(t)
	used, unused := f.upload("a.png", drawing(t), 1<<20), f.upload("b.png", drawing(t), 1<<20)
	open, err := f.Begin(t.Context(), f.caller, f.sc.Study, "c.png", 1000)
	if err != nil {
		t.Fatal(err)
	}
	guide := `{"title":"Pack","studyGuide":[{"type":"flat","title":"","externalId":"b","items":[{"type":"statement","externalId":"s","text":"Look.","media":[{"name":"A pack","type":"image","url":"` + used.Address("https://elsewhere.example") + `"}]}]}]}`
	storetest.Write(t, f.sc.Store, func(tx *store.Tx) error {
		st, err := tx.Study(t.Context(), f.sc.Org.ID, f.sc.Study.ID)
		if err != nil {
			return err
		}
		return tx.ReviseStudy(t.Context(), st, []byte(guide))
	})
	sweep := func(want int) {
		t.Helper()
		if removed, err := f.Sweep(t.Context()); err != nil || removed != want {
			t.Errorf("%d removed, want %d: %v", removed, want, err)
		}
	}
	sweep(0)
	f.clock.Advance(guidemedia.KeepIncomplete + time.Minute)
	sweep(1)
	if _, err := f.Media(t.Context(), f.sc.Study, open.ID); !errors.Is(err, guidemedia.ErrNotFound) {
		t.Errorf("the upload that was not completed: %v", err)
	}
	f.clock.Advance(guidemedia.KeepUnused + time.Minute)
	sweep(1)
	if f.names(unused) != "" || f.names(used) != guidemedia.PNG {
		t.Errorf("left: %q of what no guide names, %q of the other", f.names(unused), f.names(used))
	}
	all, bytesUsed, err := f.List(t.Context(), f.sc.Study)
	if err != nil || len(all) != 1 || all[0].ID != used.ID || bytesUsed != used.Stored {
		t.Errorf("the list is %+v, %d, %v", all, bytesUsed, err)
	}
	var objects []string
	for name, err := range f.sc.Store.View().GuideMediaObjects(t.Context()) {
		objects = append(objects, name)
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(objects) != 1 || objects[0] != used.Folder()+guidemedia.PNG {
		t.Errorf("the doctor expects %v", objects)
	}
}

// TestFilm: a film is encoded by its job, gets a poster, and keeps nothing of where it was made.
func TestFilm(t *testing.T) {
	t.Parallel()
	f := setup(t)
	words := "-nostdin -v error -f lavfi -i testsrc=s=160x90:r=5:d=1 -c:v libvpx -metadata location=+48.137+011.575/ -f webm pipe:1"
	content, err := exec.CommandContext(t.Context(), "ffmpeg", strings.Fields(words)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	worker := &mediaupload.Worker{Service: f.Service, Find: ffmpeg.Finder(""), TempDir: t.TempDir()}
	run := func(content []byte) guidemedia.Media {
		t.Helper()
		m := f.upload("film.webm", content, 1<<20)
		if m.Stage != guidemedia.Queued {
			t.Fatalf("the film is %+v", m)
		}
		if err := worker.Run(t.Context(), jobs.New(jobs.FilmArgs{MediaID: m.ID})); err != nil {
			t.Fatal(err)
		}
		m, err = f.Media(t.Context(), f.sc.Study, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := run(content)
	if m.Stage != guidemedia.Ready || m.File != guidemedia.MP4 || m.Duration <= 0 || f.names(m) != "film.mp4 poster.jpg" && f.names(m) != "poster.jpg film.mp4" {
		t.Errorf("the film is %+v, with %s", m, f.names(m))
	}
	if made := blobtest.Content(t, f.Objects, m.Folder()+guidemedia.MP4); bytes.Contains(made, []byte("48.137")) {
		t.Error("the film says where it was made")
	}
	if broken := run(content[:600]); broken.Stage != guidemedia.Failed || broken.Problem == "" || f.names(broken) != "" {
		t.Errorf("a damaged film is %+v, with %s", broken, f.names(broken))
	}
}

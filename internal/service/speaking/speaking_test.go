package speaking_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/speech"
	"verbatim/internal/service/speaking"
)

// fakeSpeaker answers with the text itself, and counts what it is asked.
type fakeSpeaker struct {
	asked atomic.Int32
	err   error
	hold  chan struct{} // nil: it answers at once
}

func (f *fakeSpeaker) Speak(ctx context.Context, text string) ([]byte, string, error) {
	f.asked.Add(1)
	if f.hold != nil {
		<-f.hold
	}
	return []byte(text), "audio/mpeg", f.err
}

func (f *fakeSpeaker) Voice() string { return "fake" }

func handsFree(model guide.ModelUse) *guide.Guide {
	return &guide.Guide{
		Title:  "Cooking",
		Config: guide.Config{InterviewMode: guide.ModeAudio, Voice: guide.Voice{HandsFree: true}, Model: model},
		Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Why?"}, {ID: "how", Type: guide.OpenEnded, Text: "How?"}}}},
	}
}

func question(g *guide.Guide, words string) interview.Step {
	return interview.Step{Kind: interview.StepQuestion, Item: &g.Blocks[0].Items[0], Words: words}
}

func followUp(g *guide.Guide, words string) interview.Step {
	return interview.Step{Kind: interview.StepFollowUp, Item: &g.Blocks[0].Items[0], Words: words}
}

func newService(t *testing.T, speaker speaking.Speaker, objects speaking.Objects) *speaking.Service {
	t.Helper()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	return &speaking.Service{Speaker: speaker, Objects: objects, MaxKept: 1 << 20, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}
}

// The words of a guide are spoken once for all processes, those of a follow-up once for this one, and never kept beside the objects.
func TestSpeak(t *testing.T) {
	t.Parallel()
	objects := blobtest.Folder(t)
	speaker := &fakeSpeaker{}
	g := handsFree(guide.ModelUse{})
	for range 2 { // two processes
		s := newService(t, speaker, objects)
		for range 2 {
			sound, err := s.Speak(t.Context(), g, question(g, "Why?"))
			if string(sound.Audio) != "Why?" || sound.Type != "audio/mpeg" || err != nil {
				t.Fatalf("%q, %s, %v", sound.Audio, sound.Type, err)
			}
		}
	}
	if n := speaker.asked.Load(); n != 1 {
		t.Errorf("the question was spoken %d times", n)
	}
	s := newService(t, speaker, objects)
	for range 2 {
		if sound, err := s.Speak(t.Context(), g, followUp(g, "Why so early?")); string(sound.Audio) != "Why so early?" || err != nil {
			t.Errorf("%q, %v", sound.Audio, err)
		}
	}
	if n := speaker.asked.Load(); n != 2 {
		t.Errorf("the follow-up was spoken %d times", n-1)
	}
	if names := blobtest.List(t, objects, "spoken/"); len(names) != 1 {
		t.Errorf("kept: %v", names)
	}
}

// What the author keeps from services, and details of a person in a follow-up, reach no service.
func TestNeverSpoken(t *testing.T) {
	t.Parallel()
	speaker := &fakeSpeaker{}
	open := handsFree(guide.ModelUse{})
	off := handsFree(guide.ModelUse{})
	off.Config.Voice.HandsFree = false
	for name, tt := range map[string]struct {
		g  *guide.Guide
		at interview.Step
	}{
		"never sent":                {handsFree(guide.ModelUse{NeverSend: []string{"why"}}), question(open, "Why?")},
		"its follow-up":             {handsFree(guide.ModelUse{NeverSend: []string{"why"}}), followUp(open, "Why so?")},
		"nothing is sent":           {handsFree(guide.ModelUse{SendNothing: true}), question(open, "Why?")},
		"a mail address":            {open, followUp(open, "Why did you write to ada@example.org?")},
		"not hands-free":            {off, question(off, "Why?")},
		"too long":                  {open, question(open, strings.Repeat("a", 4097))},
		"no words":                  {open, question(open, "")},
		"the end of the interview ": {open, interview.Step{Kind: interview.StepComplete, Words: "Bye"}},
	} {
		if _, err := newService(t, speaker, nil).Speak(t.Context(), tt.g, tt.at); !errors.Is(err, speaking.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := newService(t, nil, nil).Speak(t.Context(), open, question(open, "Why?")); !errors.Is(err, speaking.ErrUnavailable) {
		t.Errorf("without a service: %v", err)
	}
	if n := speaker.asked.Load(); n != 0 {
		t.Errorf("%d texts left", n)
	}
}

// A service that fails is asked again by the next request, and a ceiling of a day ends with it.
func TestFailuresAndCeiling(t *testing.T) {
	t.Parallel()
	speaker := &fakeSpeaker{err: speech.ErrBusy}
	g := handsFree(guide.ModelUse{})
	s := newService(t, speaker, nil)
	s.MaxDay = 10
	now := s.Now()
	s.Now = func() time.Time { return now }
	if _, err := s.Speak(t.Context(), g, question(g, "Why?")); !errors.Is(err, speaking.ErrFailed) || !errors.Is(err, speech.ErrBusy) {
		t.Errorf("down: %v", err)
	}
	speaker.err = nil
	if _, err := s.Speak(t.Context(), g, question(g, "Why?")); err != nil {
		t.Errorf("up again: %v", err)
	}
	if _, err := s.Speak(t.Context(), g, question(g, "How?")); !errors.Is(err, speaking.ErrUnavailable) {
		t.Errorf("beyond the ceiling: %v", err)
	}
	if _, err := s.Speak(t.Context(), g, question(g, "Why?")); err != nil {
		t.Errorf("what is known is not sent: %v", err)
	}
	now = now.Add(24 * time.Hour)
	if _, err := s.Speak(t.Context(), g, question(g, "How?")); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// Requests for the same words at the same time are one call, and one that leaves does not end it for the others.
func TestSameWordsAtOnce(t *testing.T) {
	t.Parallel()
	speaker := &fakeSpeaker{hold: make(chan struct{})}
	g := handsFree(guide.ModelUse{})
	s := newService(t, speaker, nil)
	leaving, leave := context.WithCancel(t.Context())
	left, stays := make(chan error), make(chan error)
	ask := func(ctx context.Context, done chan error) {
		_, err := s.Speak(ctx, g, question(g, "Why?"))
		done <- err
	}
	go ask(leaving, left)
	go ask(t.Context(), stays)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left: %v", err)
	}
	close(speaker.hold)
	if err := <-stays; err != nil {
		t.Errorf("who stayed: %v", err)
	}
}

// The sounds beside the objects stay within their bound: the oldest ones go.
func TestEviction(t *testing.T) {
	t.Parallel()
	objects := blobtest.Folder(t)
	g := handsFree(guide.ModelUse{})
	s := newService(t, &fakeSpeaker{}, objects)
	s.MaxKept = 1000
	say := func(of string) {
		t.Helper()
		if _, err := s.Speak(t.Context(), g, question(g, strings.Repeat(of, 300))); err != nil {
			t.Fatal(err)
		}
	}
	for _, letter := range []string{"a", "b", "c", "d", "e"} {
		say(letter)
		var total int64
		for _, name := range blobtest.List(t, objects, "spoken/") {
			info, err := objects.Stat(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size
		}
		if total > 1000 {
			t.Errorf("after %s: %d bytes are kept", letter, total)
		}
	}
	newest := newService(t, &fakeSpeaker{err: speech.ErrBusy}, objects)
	if _, err := newest.Speak(t.Context(), g, question(g, strings.Repeat("e", 300))); err != nil {
		t.Errorf("the newest sound is gone: %v", err)
	}
	if err := objects.Put(t.Context(), "responses/1/x", bytes.NewReader(nil), 0, "audio/mpeg"); err != nil {
		t.Fatal(err)
	}
	say("f")
	if _, err := objects.Stat(t.Context(), "responses/1/x"); errors.Is(err, blob.ErrNotFound) {
		t.Error("another object made room")
	}
}

package main

import (
	"context"
	"log/slog"
	"testing"

	"github.com/alecthomas/kong"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/transcription"
)

// TestBoundsWithoutFlags checks the default ceilings and the default rates of interview starts.
func TestBoundsWithoutFlags(t *testing.T) {
	t.Parallel()
	var cmd serveCommand
	parser, err := kong.New(&cmd)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(nil); err != nil {
		t.Fatal(err)
	}
	limits, err := cmd.ceilings()
	if err != nil || limits.Interview.Tokens == 0 || limits.Study.Tokens == 0 || limits.Day.Tokens == 0 {
		t.Errorf("the ceilings of the model are %+v, %v", limits, err)
	}
	spoken, err := cmd.speechFlags.limits()
	if want := (usage.SpeechLimits{Interview: transcription.DefaultInterview, Study: transcription.DefaultStudy, Day: transcription.DefaultDay}); err != nil || spoken != want {
		t.Errorf("the ceilings of speech are %+v, %v", spoken, err)
	}
	svc, err := newService(context.Background(), storetest.New(t), "file:"+t.TempDir(), withBase(cmd.serviceFlags), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	pace := store.StartRate{AtOnce: fieldwork.DefaultStartsAtOnce, PerHour: fieldwork.DefaultStartsPerHour}
	if svc.fieldwork.Starts != pace || svc.fieldwork.UnansweredAfter != fieldwork.DefaultUnansweredAfter {
		t.Errorf("starts are bounded by %+v, unanswered holds end after %v", svc.fieldwork.Starts, svc.fieldwork.UnansweredAfter)
	}
	flags := withBase(cmd.serviceFlags)
	flags.RateLimit = 0
	if svc, err = newService(context.Background(), storetest.New(t), "file:"+t.TempDir(), flags, slog.New(slog.DiscardHandler)); err != nil || svc.fieldwork.Starts != (store.StartRate{}) {
		t.Errorf("without a limit of requests starts are bounded by %+v, %v", svc.fieldwork.Starts, err)
	}
}

func withBase(f serviceFlags) serviceFlags {
	f.BaseURL = "http://service.invalid"
	return f
}

package main

import (
	"log/slog"
	"slices"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/analysis"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/transcoding"
	"verbatim/internal/service/transcription"
	"verbatim/internal/service/translator"
)

// lanes are all who do jobs. Work that takes long, or waits for a service of somebody else's, has a lane of its own, so that
// nothing else waits for it; the last runner does what is left. model is nil where none is configured.
func queues(
	s *store.Store, objects blob.Store, model *llm.Client, transcriber *transcription.Service, translators *translator.Service, films transcodeFlags, log *slog.Logger,
) (runners []*jobs.Runner) {
	analyses, again := &analysis.Worker{Store: s, Analyst: analysis.BuiltIn{}}, time.Second
	if model != nil {
		analyses.Analyst, again = analysis.Model{Chat: model}, 5*time.Second // a service that is down for a while comes back
	}
	producers := &transcoding.Worker{Store: s, Objects: objects, Find: findFFmpeg}
	purges := &erasure.Worker{Store: s, Objects: objects}

	var taken []string
	queue := func(kind string, handler jobs.Handler, runner jobs.Runner) {
		runner.Store, runner.Log, runner.Queue, runner.Handlers = s, log, store.Queue{Only: kind}, map[string]jobs.Handler{kind: handler}
		runners, taken = append(runners, &runner), append(taken, kind)
	}
	queue(fieldwork.JobAnalyse, jobs.Handler{Run: analyses.Run}, jobs.Runner{Backoff: again})
	queue(recording.JobProduce, jobs.Handler{Run: producers.Run, Discard: producers.Discard}, jobs.Runner{Workers: films.workers(), Backoff: 30 * time.Second})
	queue(transcript.JobTranscribe, jobs.Handler{Run: transcriber.Run}, jobs.Runner{Workers: 2, Attempts: transcription.Attempts, Backoff: transcription.Backoff})
	queue(translation.JobKind, jobs.Handler{Run: translators.Run}, jobs.Runner{Workers: 2, Attempts: translator.Attempts, Backoff: translator.Backoff})
	return append(runners, &jobs.Runner{
		Store: s, Log: log, Queue: store.Queue{Except: taken},
		Handlers: map[string]jobs.Handler{erasure.JobKind: {Run: purges.Run, Discard: purges.Discard}},
	})
}

// runner is who does a kind of jobs.
func (svc *service) runner(kind string) *jobs.Runner {
	i := slices.IndexFunc(svc.runners, func(r *jobs.Runner) bool {
		_, does := r.Handlers[kind]
		return does
	})
	return svc.runners[i]
}

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
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/transcoding"
	"verbatim/internal/service/transcription"
	"verbatim/internal/service/translator"
)

// queues returns the job runners, one for each queue. Jobs that take long or wait for an external service have a queue of their own, so
// that no other job waits for them; the last runner takes the remaining kinds. model is nil if none is configured.
func queues(
	s *store.Store, interviews *interviewlog.Loader, objects blob.Store, model *llm.Client, transcriber *transcription.Service, translators *translator.Service, transcode transcodeFlags, log *slog.Logger,
) (runners []*jobs.Runner) {
	analyses, backoff := &analysis.Worker{Store: s, Interviews: interviews, Analyst: analysis.BuiltIn{}}, time.Second
	if model != nil {
		analyses.Analyst, backoff = analysis.Model{Chat: model}, 5*time.Second // give an unavailable service time to recover
	}
	transcoders := &transcoding.Worker{Store: s, Objects: objects, Find: findFFmpeg}
	purges := &erasure.Worker{Store: s, Objects: objects}

	var assigned []string
	queue := func(kind string, handler jobs.Handler, runner jobs.Runner) {
		runner.Store, runner.Log, runner.Queue, runner.Handlers = s, log, store.Queue{Only: kind}, map[string]jobs.Handler{kind: handler}
		runners, assigned = append(runners, &runner), append(assigned, kind)
	}
	queue(fieldwork.JobAnalyse, jobs.Handler{Run: analyses.Run}, jobs.Runner{Backoff: backoff})
	queue(recording.JobTranscode, jobs.Handler{Run: transcoders.Run, Discard: transcoders.Discard}, jobs.Runner{Workers: transcode.workers(), Backoff: 30 * time.Second})
	queue(transcript.JobTranscribe, jobs.Handler{Run: transcriber.Run}, jobs.Runner{Workers: 2, Attempts: transcription.Attempts, Backoff: transcription.Backoff})
	queue(translation.JobKind, jobs.Handler{Run: translators.Run}, jobs.Runner{Workers: 2, Attempts: translator.Attempts, Backoff: translator.Backoff})
	return append(runners, &jobs.Runner{
		Store: s, Log: log, Queue: store.Queue{Except: assigned},
		Handlers: map[string]jobs.Handler{erasure.JobKind: {Run: purges.Run, Discard: purges.Discard}},
	})
}

// runner returns the runner of a kind of job.
func (svc *service) runner(kind string) *jobs.Runner {
	i := slices.IndexFunc(svc.runners, func(r *jobs.Runner) bool {
		_, ok := r.Handlers[kind]
		return ok
	})
	return svc.runners[i]
}

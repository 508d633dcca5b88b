package main

import (
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/analysis"
	"verbatim/internal/service/delivery"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/mailing"
	"verbatim/internal/service/mediaupload"
	"verbatim/internal/service/panels"
	"verbatim/internal/service/reporting"
	"verbatim/internal/service/signin"
	"verbatim/internal/service/transcoding"
	"verbatim/internal/service/transcription"
	"verbatim/internal/service/translator"
	"verbatim/internal/service/webhooks"
)

// queues returns the job runners, one for each queue of jobs.Kinds. model is nil if none is configured.
func queues(
	s *store.Store, interviews *interviewlog.Loader, objects blob.Store, model *llm.Client, transcriber *transcription.Service, translators *translator.Service, transcode transcodeFlags, panelClient *http.Client, hooks *webhooks.Worker,
	log *slog.Logger,
) (runners []*jobs.Runner) {
	analyses, analysts := &analysis.Worker{Store: s, Interviews: interviews, Analyst: analysis.BuiltIn{}}, jobs.Runner{Backoff: time.Second}
	analysts.Workers = min(max(1, runtime.GOMAXPROCS(0)-1), 4) // they wait for nothing but a processor: one stays free for participants
	if model != nil {                                          // then analyses wait for it
		analyses.Analyst = analysis.Model{Chat: model}
		analysts = jobs.Runner{Backoff: 5 * time.Second} // give an unavailable service time to recover
	}
	transcoders := &transcoding.Worker{Store: s, Objects: objects, Find: findFFmpeg}
	purges := &erasure.Worker{Store: s, Objects: objects}

	queue := func(kind string, handler jobs.Handler, runner jobs.Runner) {
		runner.Store, runner.Log, runner.Queue, runner.Handlers = s, log, store.Queue{Name: jobs.QueueOf(kind)}, map[string]jobs.Handler{kind: handler}
		runners = append(runners, &runner)
	}
	queue(jobs.KindAnalyse, jobs.Handler{Run: analyses.Run}, analysts)
	queue(jobs.KindTranscode, jobs.Handler{Run: transcoders.Run, Discard: transcoders.Discard}, jobs.Runner{Workers: transcode.workers(), Backoff: 30 * time.Second})
	queue(jobs.KindTranscribe, jobs.Handler{Run: transcriber.Run}, jobs.Runner{Workers: 2, Attempts: transcription.Attempts, Backoff: transcription.Backoff})
	queue(jobs.KindTranslate, jobs.Handler{Run: translators.Run}, jobs.Runner{Workers: 2, Attempts: translator.Attempts, Backoff: translator.Backoff})
	reports := &reporting.Worker{Service: reporting.Service{Store: s, Now: time.Now}}
	if model != nil {
		reports.Service.Themer = reporting.ModelThemer{Chat: model}
	}
	queue(jobs.KindReport, jobs.Handler{Run: reports.Run, Discard: reports.Discard}, jobs.Runner{Workers: 1, Attempts: 4})
	postbacks := &panels.Worker{Store: s, Client: panelClient}
	queue(jobs.KindPostback, jobs.Handler{Run: postbacks.Run, Discard: postbacks.Discard}, jobs.Runner{Workers: 8, Attempts: panels.Attempts, Backoff: panels.Backoff})
	queue(jobs.KindWebhook, jobs.Handler{Run: hooks.Run, Discard: hooks.Discard}, jobs.Runner{Workers: 8, Attempts: delivery.Attempts, Backoff: delivery.Backoff})
	exports := &exporting.Worker{Service: exporting.Service{Store: s, Objects: objects}}
	queue(jobs.KindExport, jobs.Handler{Run: exports.Run, Discard: exports.Discard}, jobs.Runner{Workers: 1, Attempts: 4})
	films := &mediaupload.Worker{Service: &mediaupload.Service{Store: s, Objects: objects}, Find: findFFmpeg}
	queue(jobs.KindFilm, jobs.Handler{Run: films.Run, Discard: films.Discard}, jobs.Runner{Workers: 1, Attempts: 3, Backoff: 30 * time.Second})
	queue(jobs.KindErase, jobs.Handler{Run: purges.Run, Discard: purges.Discard}, jobs.Runner{})
	return runners
}

// mailQueue returns the runner of the jobs that send mails.
func mailQueue(mails *mailing.Service, people *signin.Service, log *slog.Logger) *jobs.Runner {
	worker := &mailing.Worker{Service: mails, Reset: people.ResetMail, Log: log}
	return &jobs.Runner{
		Store: mails.Store, Log: log, Queue: store.Queue{Name: jobs.QueueOf(jobs.KindMail)},
		Handlers: map[string]jobs.Handler{jobs.KindMail: {Run: worker.Run, Discard: worker.Discard}},
		Workers:  2, Attempts: mailing.Attempts, Backoff: mailing.Backoff,
	}
}

// runner returns the runner of a kind of job.
func (svc *service) runner(kind string) *jobs.Runner {
	i := slices.IndexFunc(svc.runners, func(r *jobs.Runner) bool {
		_, ok := r.Handlers[kind]
		return ok
	})
	return svc.runners[i]
}

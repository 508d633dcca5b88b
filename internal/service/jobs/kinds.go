package jobs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// The kinds of jobs: which service enqueues each, and which runs it. test/architecture/jobs_test.go compares the second column
// with the code.
//
//	kind            enqueued by                                                              run by
//	KindAnalyse     fieldwork: an interview ends; transcription: a transcript came later;    analysis
//	                review: somebody asks for it after a correction
//	KindErase       erasure: a researcher deletes, an operator tries again, or a restored    erasure
//	                database learns of it; fieldwork: a participant withdraws
//	KindTranscode   fieldwork: an answer names its uploads; uploads: the last one becomes    transcoding
//	                complete, or the sweep ends it; whichever is last, by EnqueueRecordings
//	KindTranscribe  as KindTranscode, if nothing was typed                                   transcription
//	KindTranslate   authoring: a study is launched; fieldwork and transcription, by          translator
//	                interviewlog: an interview in another language ends or gets words
//	KindReport      reporting: somebody asks for a report on a large study                   reporting
//	KindPostback    fieldwork: an interview of a study with a panel ends; panels: somebody   panels
//	                sends a message again that has not arrived
//	KindExport      exporting: somebody asks for a file with the responses of a study        exporting
//	KindWebhook     webhooks: something happens that an endpoint is told, or it is replayed  webhooks
//	KindFilm        mediaupload: a film for a guide has arrived                              mediaupload
//	KindMail        mailing: somebody is invited, or needs a new password                    mailing
//
// KindTranscribe and KindTranslate also enqueue themselves for the next day, when a day's ceiling is reached. The program connects
// kinds and services in cmd/verbatim/queues.go.
//
// A kind is stored with its jobs, stands in logs and labels metrics. "produce" and "hear" are the names that earlier releases gave
// to KindTranscode and KindTranscribe: their servers, which may run beside this program, find these jobs by no other name.
const (
	KindAnalyse    = "analyse"
	KindErase      = "erase"
	KindTranscode  = "produce"
	KindTranscribe = "hear"
	KindTranslate  = "translate"
	KindReport     = "report"
	KindPostback   = "postback"
	KindExport     = "export"
	KindWebhook    = "webhook"
	KindFilm       = "film"
	KindMail       = "mail"
)

// Kind describes a kind of job.
type Kind struct {
	Name    string
	Args    Args   // the type of its arguments
	Queue   string // where its jobs wait
	Service string // the package in internal/service that runs them
}

// kinds lists every kind. Jobs that take long or wait for an external service have a queue of their own, so that no other job
// waits for them.
//
// Servers of the previous release enqueue jobs without a queue; the store takes the kind for its name. So these kinds keep the
// queue of their name at least until no such server can run beside this program (oldestReader in internal/platform/store).
var kinds = []Kind{
	{Name: KindAnalyse, Args: AnalyseArgs{}, Queue: "analyse", Service: "analysis"},
	{Name: KindErase, Args: EraseArgs{}, Queue: "erase", Service: "erasure"},
	{Name: KindTranscode, Args: TranscodeArgs{}, Queue: "produce", Service: "transcoding"},
	{Name: KindTranscribe, Args: TranscribeArgs{}, Queue: "hear", Service: "transcription"},
	{Name: KindTranslate, Args: TranslateArgs{}, Queue: "translate", Service: "translator"},
	{Name: KindReport, Args: ReportArgs{}, Queue: "report", Service: "reporting"},
	{Name: KindPostback, Args: PostbackArgs{}, Queue: "postback", Service: "panels"},
	{Name: KindExport, Args: ExportArgs{}, Queue: "export", Service: "exporting"},
	{Name: KindWebhook, Args: WebhookArgs{}, Queue: "webhook", Service: "webhooks"},
	{Name: KindFilm, Args: FilmArgs{}, Queue: "film", Service: "mediaupload"},
	{Name: KindMail, Args: MailArgs{}, Queue: "mail", Service: "mailing"},
}

// Kinds returns every kind.
func Kinds() []Kind { return slices.Clone(kinds) }

// QueueOf returns the queue of a kind. A kind that is not in Kinds, as of a test, has the queue of its name.
func QueueOf(kind string) string {
	for _, k := range kinds {
		if k.Name == kind {
			return k.Queue
		}
	}
	return kind
}

// Args are the arguments of a job. Their type decides its kind, and so its queue.
type Args interface {
	// job returns the job, but for its queue and time.
	job() store.Job
}

// New returns the job with these arguments as it is stored.
func New(args Args) store.Job {
	j := args.job()
	j.Queue = QueueOf(j.Kind)
	return j
}

// Enqueue adds a job in the transaction of its cause. It runs at once.
func Enqueue(ctx context.Context, tx *store.Tx, args Args) (err error) {
	defer operation.Wrap(&err, "jobs.Enqueue")
	return tx.Enqueue(ctx, New(args))
}

// RunNow lets a job run at once that waits for its time, or adds it if there is none. One that runs already is not run twice.
func RunNow(ctx context.Context, tx *store.Tx, args Args) (err error) {
	defer operation.Wrap(&err, "jobs.RunNow")
	j := New(args)
	found, err := tx.RunJobNow(ctx, j)
	if err != nil || found {
		return err
	}
	return tx.Enqueue(ctx, j)
}

// EnqueueAt adds a job that runs at a time.
func EnqueueAt(ctx context.Context, tx *store.Tx, args Args, at time.Time) (err error) {
	defer operation.Wrap(&err, "jobs.EnqueueAt")
	j := New(args)
	j.RunAt = at
	return tx.Enqueue(ctx, j)
}

// EnqueueRecordings enqueues the jobs of those recordings of a response whose uploads have all arrived: the transcoding of
// each, and the transcription of those that need it. A service calls it in the transaction in which an answer names uploads,
// or an upload that an answer names becomes complete or ends; whichever comes last enqueues the jobs.
func EnqueueRecordings(ctx context.Context, tx *store.Tx, responseID string) (err error) {
	defer operation.Wrap(&err, "jobs.EnqueueRecordings")
	arrived, err := tx.QueueRecordings(ctx, responseID)
	for i := 0; i < len(arrived) && err == nil; i++ {
		err = Enqueue(ctx, tx, TranscodeArgs{RecordingID: arrived[i].ID, ResponseID: responseID})
		if err == nil && arrived[i].Transcribe {
			err = Enqueue(ctx, tx, TranscribeArgs{RecordingID: arrived[i].ID, ResponseID: responseID})
		}
	}
	return err
}

// AnalyseArgs are the arguments of KindAnalyse: the analysis of a response that has ended.
type AnalyseArgs struct {
	ResponseID string
	OrgID      string // empty: the store looks it up
}

func (a AnalyseArgs) job() store.Job {
	return store.Job{Kind: KindAnalyse, Args: a.ResponseID, ResponseID: a.ResponseID, OrgID: a.OrgID}
}

// DecodeAnalyse returns the arguments of a job of KindAnalyse.
func DecodeAnalyse(j store.Job) AnalyseArgs { return AnalyseArgs{ResponseID: j.Args, OrgID: j.OrgID} }

// EraseArgs are the arguments of KindErase: the purge of a deleted response.
type EraseArgs struct {
	DeletionID string
}

// The job does not belong to the response: a deletion drops the jobs of its response, and this one must outlive it.
func (a EraseArgs) job() store.Job { return store.Job{Kind: KindErase, Args: a.DeletionID} }

// DecodeErase returns the arguments of a job of KindErase.
func DecodeErase(j store.Job) EraseArgs { return EraseArgs{DeletionID: j.Args} }

// TranscodeArgs are the arguments of KindTranscode: making a recording playable.
type TranscodeArgs struct {
	RecordingID string
	ResponseID  string // that the recording belongs to
}

func (a TranscodeArgs) job() store.Job {
	return store.Job{Kind: KindTranscode, Args: a.RecordingID, ResponseID: a.ResponseID}
}

// DecodeTranscode returns the arguments of a job of KindTranscode.
func DecodeTranscode(j store.Job) TranscodeArgs {
	return TranscodeArgs{RecordingID: j.Args, ResponseID: j.ResponseID}
}

// TranscribeArgs are the arguments of KindTranscribe: the transcription of a recording whose answer has no typed text.
type TranscribeArgs struct {
	RecordingID string
	ResponseID  string // that the recording belongs to
	OrgID       string // empty: the store looks it up
}

func (a TranscribeArgs) job() store.Job {
	return store.Job{Kind: KindTranscribe, Args: a.RecordingID, ResponseID: a.ResponseID, OrgID: a.OrgID}
}

// DecodeTranscribe returns the arguments of a job of KindTranscribe.
func DecodeTranscribe(j store.Job) TranscribeArgs {
	return TranscribeArgs{RecordingID: j.Args, ResponseID: j.ResponseID, OrgID: j.OrgID}
}

// TranslateArgs are the arguments of KindTranslate: the translation of the answers of a response, or else of a revision of a
// study's guide into a language.
type TranslateArgs struct {
	ResponseID string // empty: a guide
	StudyID    string
	Revision   int
	Language   string
	OrgID      string // empty: for a response the store looks it up
}

func (a TranslateArgs) job() store.Job {
	if a.ResponseID != "" {
		return store.Job{Kind: KindTranslate, Args: "answers " + a.ResponseID, ResponseID: a.ResponseID, OrgID: a.OrgID}
	}
	return store.Job{Kind: KindTranslate, Args: fmt.Sprintf("guide %s %d %s", a.StudyID, a.Revision, a.Language), OrgID: a.OrgID}
}

// DecodeTranslate returns the arguments of a job of KindTranslate.
func DecodeTranslate(j store.Job) (TranslateArgs, error) {
	fields := strings.Fields(j.Args)
	switch {
	case len(fields) == 2 && fields[0] == "answers":
		return TranslateArgs{ResponseID: fields[1], OrgID: j.OrgID}, nil
	case len(fields) == 4 && fields[0] == "guide":
		revision, err := strconv.Atoi(fields[2])
		return TranslateArgs{StudyID: fields[1], Revision: revision, Language: fields[3], OrgID: j.OrgID}, err
	}
	return TranslateArgs{}, fmt.Errorf("not the arguments of a translation job: %q", j.Args)
}

// ReportArgs are the arguments of KindReport: a report on a study.
type ReportArgs struct {
	ReportID string
	OrgID    string
}

func (a ReportArgs) job() store.Job {
	return store.Job{Kind: KindReport, Args: a.ReportID, OrgID: a.OrgID}
}

// DecodeReport returns the arguments of a job of KindReport.
func DecodeReport(j store.Job) ReportArgs { return ReportArgs{ReportID: j.Args, OrgID: j.OrgID} }

// PostbackArgs are the arguments of KindPostback: telling a panel's server how an interview ended.
type PostbackArgs struct {
	DeliveryID string
	ResponseID string // whose deletion removes the job; empty: the response is deleted, and the panel is told of that
	OrgID      string
}

func (a PostbackArgs) job() store.Job {
	return store.Job{Kind: KindPostback, Args: a.DeliveryID, ResponseID: a.ResponseID, OrgID: a.OrgID}
}

// DecodePostback returns the arguments of a job of KindPostback.
func DecodePostback(j store.Job) PostbackArgs {
	return PostbackArgs{DeliveryID: j.Args, ResponseID: j.ResponseID, OrgID: j.OrgID}
}

// ExportArgs are the arguments of KindExport: a file with the responses of a study.
type ExportArgs struct {
	ExportID string
	OrgID    string
}

func (a ExportArgs) job() store.Job {
	return store.Job{Kind: KindExport, Args: a.ExportID, OrgID: a.OrgID}
}

// DecodeExport returns the arguments of a job of KindExport.
func DecodeExport(j store.Job) ExportArgs { return ExportArgs{ExportID: j.Args, OrgID: j.OrgID} }

// WebhookArgs are the arguments of KindWebhook: telling an endpoint of an event. The store enqueues these jobs with the messages that they
// deliver (Tx.AddWebhookEvent).
type WebhookArgs struct {
	EventID    string
	EndpointID string
}

func (a WebhookArgs) job() store.Job {
	return store.Job{Kind: KindWebhook, Args: strings.TrimSpace(a.EventID + " " + a.EndpointID)}
}

// DecodeWebhook returns the arguments of a job of KindWebhook.
func DecodeWebhook(j store.Job) WebhookArgs {
	event, endpoint, _ := strings.Cut(j.Args, " ")
	return WebhookArgs{EventID: event, EndpointID: endpoint}
}

// FilmArgs are the arguments of KindFilm: encoding a film that was uploaded for a guide.
type FilmArgs struct {
	MediaID string
	OrgID   string
}

func (a FilmArgs) job() store.Job {
	return store.Job{Kind: KindFilm, Args: a.MediaID, OrgID: a.OrgID}
}

// DecodeFilm returns the arguments of a job of KindFilm.
func DecodeFilm(j store.Job) FilmArgs { return FilmArgs{MediaID: j.Args, OrgID: j.OrgID} }

// MailArgs are the arguments of KindMail: a mail to a person.
type MailArgs struct {
	MailID string
	OrgID  string // empty: none
}

func (a MailArgs) job() store.Job { return store.Job{Kind: KindMail, Args: a.MailID, OrgID: a.OrgID} }

// DecodeMail returns the arguments of a job of KindMail.
func DecodeMail(j store.Job) MailArgs { return MailArgs{MailID: j.Args, OrgID: j.OrgID} }

package jobs_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// TestStoredArguments: jobs are stored as earlier releases store them, and read as they were enqueued.
func TestStoredArguments(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, tt := range []struct {
		args jobs.Args
		want store.Job
		read func(store.Job) (jobs.Args, error)
	}{
		{
			jobs.AnalyseArgs{ResponseID: "r", OrgID: "o"},
			store.Job{Kind: "analyse", Queue: "analyse", Args: "r", ResponseID: "r", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeAnalyse(j), nil },
		},
		{
			jobs.EraseArgs{DeletionID: "d"},
			store.Job{Kind: "erase", Queue: "erase", Args: "d"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeErase(j), nil },
		},
		{
			jobs.TranscodeArgs{RecordingID: "c", ResponseID: "r"},
			store.Job{Kind: "produce", Queue: "produce", Args: "c", ResponseID: "r"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeTranscode(j), nil },
		},
		{
			jobs.TranscribeArgs{RecordingID: "c", ResponseID: "r", OrgID: "o"},
			store.Job{Kind: "hear", Queue: "hear", Args: "c", ResponseID: "r", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeTranscribe(j), nil },
		},
		{
			jobs.TranslateArgs{ResponseID: "r", OrgID: "o"},
			store.Job{Kind: "translate", Queue: "translate", Args: "answers r", ResponseID: "r", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeTranslate(j) },
		},
		{
			jobs.TranslateArgs{StudyID: "s", Revision: 3, Language: "zh-TW", OrgID: "o"},
			store.Job{Kind: "translate", Queue: "translate", Args: "guide s 3 zh-TW", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeTranslate(j) },
		},
		{
			jobs.PostbackArgs{DeliveryID: "d", ResponseID: "r", OrgID: "o"},
			store.Job{Kind: "postback", Queue: "postback", Args: "d", ResponseID: "r", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodePostback(j), nil },
		},
		{
			jobs.WebhookArgs{EventID: "e", EndpointID: "w"},
			store.Job{Kind: "webhook", Queue: "webhook", Args: "e w"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeWebhook(j), nil },
		},
		{
			jobs.ReportArgs{ReportID: "r", OrgID: "o"},
			store.Job{Kind: "report", Queue: "report", Args: "r", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeReport(j), nil },
		},
		{
			jobs.ExportArgs{ExportID: "e", OrgID: "o"},
			store.Job{Kind: "export", Queue: "export", Args: "e", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeExport(j), nil },
		},
		{
			jobs.FilmArgs{MediaID: "m", OrgID: "o"},
			store.Job{Kind: "film", Queue: "film", Args: "m", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeFilm(j), nil },
		},
		{
			jobs.MailArgs{MailID: "m", OrgID: "o"},
			store.Job{Kind: "mail", Queue: "mail", Args: "m", OrgID: "o"},
			func(j store.Job) (jobs.Args, error) { return jobs.DecodeMail(j), nil },
		},
	} {
		got := jobs.New(tt.args)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.args, diff)
		}
		if read, err := tt.read(got); err != nil || read != tt.args {
			t.Errorf("%+v is read as %+v, %v", tt.args, read, err)
		}
		tested[got.Kind] = true
		for _, kind := range jobs.Kinds() {
			if (kind.Name == got.Kind) != (reflect.TypeOf(kind.Args) == reflect.TypeOf(tt.args)) {
				t.Errorf("kind %s lists %T; arguments of kind %s are %T", kind.Name, kind.Args, got.Kind, tt.args)
			}
		}
	}
	for _, kind := range jobs.Kinds() {
		if !tested[kind.Name] {
			t.Errorf("the arguments of kind %q are not tested", kind.Name)
		}
	}
	for _, wrong := range []string{"", "guide", "guide a b c", "answers", "other x"} {
		if args, err := jobs.DecodeTranslate(store.Job{Args: wrong}); err == nil {
			t.Errorf("%q is read as %+v", wrong, args)
		}
	}
}

// TestQueuesOfThePreviousRelease: servers of the previous release enqueue these kinds without a queue, which the store takes for
// the queue of the kind's name.
func TestQueuesOfThePreviousRelease(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"analyse", "erase", "produce", "hear", "translate"} {
		if got := jobs.QueueOf(kind); got != kind {
			t.Errorf("jobs of kind %s wait in queue %q, where no runner finds those of the previous release", kind, got)
		}
	}
}

func TestEnqueueAt(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	storetest.Write(t, s, func(tx *store.Tx) error {
		if err := jobs.Enqueue(t.Context(), tx, jobs.EraseArgs{DeletionID: "now"}); err != nil {
			return err
		}
		return jobs.EnqueueAt(t.Context(), tx, jobs.EraseArgs{DeletionID: "later"}, tx.Now().Add(time.Hour))
	})
	for _, want := range []string{"now", "later"} {
		storetest.Write(t, s, func(tx *store.Tx) error {
			claimed, err := tx.ClaimJobs(t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindErase)}, 10, 24*time.Hour)
			if err == nil && (len(claimed) != 1 || jobs.DecodeErase(claimed[0]).DeletionID != want) {
				t.Errorf("claimed %+v, want the job for %s", claimed, want)
			}
			return err
		})
		clock.Advance(time.Hour)
	}
}

package reporting

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// batchSize is the number of responses that are read at once.
const batchSize = 64

// partSize is the number of them that one processor replays at once.
const partSize = 16

// reader iterates over the responses of a study.
type reader struct {
	view     *store.View
	schema   *schema
	progress func(read int) // nil: nobody watches
}

// answered is one response with what was answered in it.
type answered struct {
	response.Response
	visits   []interview.VisitedItem
	passages []interview.Passage // none of imported responses
	imported bool
	broken   bool // its log could not be replayed: visits is empty
	unread   int  // imported answers that could not be read
}

// ended reports whether the response is counted.
func (a *answered) ended() bool { return a.Progress != response.InProgress && !a.Hidden && !a.broken }

// eachBatch iterates over the responses of a study after a readable id, without their answers.
func (r *reader) eachBatch(ctx context.Context, studyID string, after int, each func(batch []response.Response) error) error {
	for {
		batch, err := r.view.StudyResponses(ctx, studyID, after, batchSize)
		if err != nil || len(batch) == 0 {
			return err
		}
		after = batch[len(batch)-1].ReadableID
		if err := each(batch); err != nil {
			return err
		}
	}
}

// read is a part of a batch that is being read.
type read struct {
	answers []answered
	err     error
	ready   chan struct{} // closed when answers or err is set
}

// eachResponse iterates over the responses after a readable id with their answers, in the order of their readable ids. Hidden ones come without answers.
// Interviews are replayed on all processors; few parts are in memory at a time.
func (r *reader) eachResponse(ctx context.Context, studyID string, after int, each func(a *answered) error) error {
	ctx, stop := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	n := runtime.GOMAXPROCS(0)
	queue, slots := make(chan *read, n), make(chan struct{}, n)
	workers.Go(func() {
		defer close(queue)
		err := r.eachBatch(ctx, studyID, after, func(batch []response.Response) error {
			for part := range slices.Chunk(batch, partSize) {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					return ctx.Err()
				}
				one := &read{ready: make(chan struct{})}
				workers.Go(func() {
					one.answers, one.err = r.answersOf(ctx, part)
					close(one.ready)
					<-slots
				})
				select {
				case queue <- one:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		if err != nil {
			failed := &read{err: err, ready: make(chan struct{})}
			close(failed.ready)
			select {
			case queue <- failed:
			case <-ctx.Done():
			}
		}
	})
	for one := range queue {
		if <-one.ready; one.err != nil {
			return one.err
		}
		for i := range one.answers {
			if err := each(&one.answers[i]); err != nil {
				return err
			}
		}
		if r.progress != nil {
			r.progress(len(one.answers))
		}
	}
	return ctx.Err()
}

func (r *reader) answersOf(ctx context.Context, batch []response.Response) ([]answered, error) {
	ids := make([]string, 0, len(batch))
	for i := range batch {
		if !batch[i].Hidden {
			ids = append(ids, batch[i].ID)
		}
	}
	logs, err := r.view.TurnsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	answers := make([]answered, len(batch))
	for i := range batch {
		answers[i].Response = batch[i]
		if err := r.fill(ctx, &answers[i], logs[batch[i].ID]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// Step is a part of the work on a report, as progress names it.
type Step string

// Steps, in their order.
const (
	Reading    Step = "reading"
	Coding     Step = "coding"
	Estimating Step = "estimating"
)

// step reports how much of a step is done.
func (b *builder) step(s Step, done, of int) {
	if b.watcher != nil {
		b.watcher(s, done, of)
	}
}

// watch reports how much is read to the progress of the options.
func (b *builder) watch(ctx context.Context, o Options) error {
	if o.Progress == nil {
		return nil
	}
	counts, err := b.view.ResponseCounts(ctx, b.study.ID)
	if err != nil {
		return err
	}
	total := 0
	for _, c := range counts {
		total += c.Count
	}
	b.watcher = o.Progress
	readings, done := 1, 0
	if len(o.Targets) > 0 {
		readings++
	}
	b.progress = func(read int) {
		if done < readings*total { // what is read again belongs to another step
			done = min(done+read, readings*total)
			b.step(Reading, done, readings*total)
		}
	}
	return nil
}

// fill replays an interview, or reads what was imported.
func (r *reader) fill(ctx context.Context, a *answered, turns []interview.Turn) error {
	if a.Hidden {
		return nil
	}
	if len(turns) == 0 {
		body, err := r.view.ImportedItem(ctx, a.ID)
		if err != nil {
			return err
		}
		if body != nil {
			a.imported = true
			item, err := document.ReadItem(body)
			if a.broken = err != nil; !a.broken {
				a.visits, a.unread = r.schema.fromTexts(item.AnswersArray)
			}
			return nil
		}
	}
	compiled := r.schema.revisions[a.Revision]
	if compiled == nil { // published since the report began
		a.broken = true
		return nil
	}
	iv, err := compiled.Replay(a.Response, turns)
	if a.broken = err != nil; !a.broken {
		a.visits, a.passages = iv.State.VisitedItems(), iv.State.Passages()
	}
	return nil
}

// answersTo groups the visited items by question, over all its concepts.
func (a *answered) answersTo(s *schema) map[*question][]interview.VisitedItem {
	all := make(map[*question][]interview.VisitedItem, len(a.visits))
	for _, m := range a.visits {
		if q := s.byID[m.ItemID]; q != nil && q.kind == m.Type {
			all[q] = append(all[q], m)
		}
	}
	return all
}

// texts returns the words of an answer to an open question and of the replies to its follow-ups.
func texts(m *interview.VisitedItem) (said []string) {
	said, _ = textsWithRows(m)
	return said
}

// textsWithRows returns the texts with the row of the transcript in which each stands, from 1; 0 if it is not known.
func textsWithRows(m *interview.VisitedItem) (said []string, rows []int) {
	if m.Type != guide.OpenEnded {
		return nil, nil
	}
	add := func(text string, row int) {
		if strings.TrimSpace(text) == "" {
			return
		}
		if m.Row == 0 {
			row = 0
		}
		said, rows = append(said, text), append(rows, row)
	}
	for i := range m.Answers {
		add(m.Answers[i].Text, m.Row)
	}
	for i, reply := range m.Replies {
		add(reply, m.Row+1+i)
	}
	return said, rows
}

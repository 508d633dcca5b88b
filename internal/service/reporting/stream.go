package reporting

import (
	"context"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// batchSize is how many responses are read at once.
const batchSize = 64

// reader iterates over the responses of a study.
type reader struct {
	view   *store.View
	schema *schema
}

// answered is one response with what was answered in it.
type answered struct {
	response.Response
	visits   []interview.VisitedItem
	imported bool
	broken   bool // its log could not be replayed: visits is empty
	unread   int  // imported answers that could not be read
}

// ended reports whether the response is counted.
func (a *answered) ended() bool { return a.Progress != response.InProgress && !a.Hidden && !a.broken }

// eachBatch iterates over the responses of a study without their answers.
func (r *reader) eachBatch(ctx context.Context, studyID string, each func(batch []response.Response) error) error {
	for after := 0; ; {
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

// eachResponse iterates over the responses with their answers. Hidden ones come without answers.
func (r *reader) eachResponse(ctx context.Context, studyID string, each func(a *answered) error) error {
	return r.eachBatch(ctx, studyID, func(batch []response.Response) error {
		ids := make([]string, 0, len(batch))
		for i := range batch {
			if !batch[i].Hidden {
				ids = append(ids, batch[i].ID)
			}
		}
		logs, err := r.view.TurnsOf(ctx, ids)
		if err != nil {
			return err
		}
		for i := range batch {
			a := answered{Response: batch[i]}
			if err := r.fill(ctx, &a, logs[a.ID]); err != nil {
				return err
			}
			if err := each(&a); err != nil {
				return err
			}
		}
		return nil
	})
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
		a.visits = iv.State.VisitedItems()
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
	if m.Type != guide.OpenEnded {
		return nil
	}
	for i := range m.Answers {
		said = append(said, m.Answers[i].Text)
	}
	return nonEmpty(append(said, m.Replies...))
}

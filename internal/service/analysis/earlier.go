package analysis

import (
	"context"
	"sync"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store"
)

// earlierAnswers returns the open answers of the first complete responses of the study, as far as they are earlier than this one.
func (w *Worker) earlierAnswers(ctx context.Context, in *textanalysis.Input) (all [][]string, err error) {
	view := w.Store.View()
	first, err := view.StudyResponses(ctx, in.Response.StudyID, 0, 2*textanalysis.MaxEarlier)
	if err != nil {
		return nil, err
	}
	var earlier []response.Response
	var unknown []string
	for _, r := range first {
		if r.ReadableID >= in.Response.ReadableID || len(earlier) == textanalysis.MaxEarlier {
			break
		}
		if r.Progress != response.Complete {
			continue
		}
		earlier = append(earlier, r)
		if _, known := w.answers.get(keyOf(r)); !known {
			unknown = append(unknown, r.ID)
		}
	}
	logs, err := view.TurnsOf(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for _, r := range earlier {
		texts, known := w.answers.get(keyOf(r))
		if !known {
			if texts, err = w.openAnswers(ctx, view, r, logs[r.ID]); err != nil {
				return nil, err
			}
			w.answers.put(keyOf(r), texts)
		}
		all = append(all, texts)
	}
	return all, nil
}

// openAnswers replays a response and returns its open answers.
func (w *Worker) openAnswers(ctx context.Context, view *store.View, r response.Response, log []interview.Turn) (texts []string, err error) {
	compiled, err := w.Interviews.CompiledGuide(ctx, view, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return nil, err
	}
	iv, err := compiled.Replay(r, log)
	if err != nil {
		return nil, err
	}
	for _, row := range rowsOf(inputOf(&iv)) {
		if row.Open {
			texts = append(texts, row.Participant)
		}
	}
	return texts, nil
}

// maxAnswerBytes bounds the answers that a Worker keeps.
const maxAnswerBytes = 4 << 20

// answersKey identifies a response as it was at a time: its answers change only with its update time.
type answersKey struct {
	responseID string
	updatedAt  time.Time
}

func keyOf(r response.Response) answersKey { return answersKey{r.ID, r.UpdatedAt} }

// keptAnswers keeps the open answers of responses in memory, because every analysis of a study reads those of the same few responses. The
// zero value is ready to use. It is safe for concurrent use.
type keptAnswers struct {
	mu    sync.Mutex
	texts map[answersKey][]string
	bytes int
}

func (k *keptAnswers) get(key answersKey) (texts []string, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	texts, known = k.texts[key]
	return texts, known
}

// put keeps answers, and forgets all others if they have become too many.
func (k *keptAnswers) put(key answersKey, texts []string) {
	size := len(key.responseID)
	for _, text := range texts {
		size += len(text)
	}
	if size > maxAnswerBytes {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil || k.bytes+size > maxAnswerBytes {
		k.texts, k.bytes = map[answersKey][]string{}, 0
	}
	if _, known := k.texts[key]; !known {
		k.texts[key] = texts
		k.bytes += size
	}
}

package importing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// batchSize is the number of responses that are checked, and stored, at a time. It is small, so that interviews on the same database wait
// for a batch no longer than for a handful of answers.
const batchSize = 256

// Service imports files.
type Service struct {
	Store    *store.Store
	Progress func(Stage, int64, int64) // called with what is done of a stage, and its size; may be nil
}

// Stage is a phase of an import. Checking is counted in bytes, Storing in responses.
type Stage string

// The stages, in their order.
const (
	Checking Stage = "checking"
	Storing  Stage = "storing"
)

// Result is the outcome of an import.
type Result struct {
	Stored   int
	Skipped  int           // responses that were already there, unchanged
	Duration time.Duration // both passes
}

// errChanged means that the file differs from what was checked.
var errChanged = errors.New("the file changed while it was imported; import it again")

// Import imports the responses of a file into a study. A *ViolationsError says what is wrong with the file; then nothing was
// stored. After any other error run it again: responses that were stored are skipped.
func (s *Service) Import(ctx context.Context, into study.Study, path string) (_ Result, err error) {
	defer operation.Wrap(&err, "importing.Import")
	begun := time.Now()
	c, err := s.check(ctx, into, path)
	if err != nil {
		return Result{}, err
	}
	if err := s.reserve(ctx, c); err != nil {
		return Result{}, err
	}
	result, err := s.store(ctx, c, path)
	result.Duration = time.Since(begun)
	return result, err
}

// check is the state of a file's check.
type check struct {
	study        study.Study
	now          time.Time
	lastReadable int // the study's last readable id when the check began
	ids          map[string]int
	readable     map[int]int // line by readable id
	stored       map[string]bool
	violations   ViolationsError
}

func (s *Service) check(ctx context.Context, into study.Study, path string) (*check, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: an import reads it twice", path)
	}
	c := &check{study: into, now: s.Store.Now(), ids: map[string]int{}, readable: map[int]int{}, stored: map[string]bool{}}
	if c.lastReadable, err = s.Store.View().LastReadableID(ctx, into.ID); err != nil {
		return nil, err
	}
	var done int64
	err = eachBatch(ctx, path, batchSize, nil, func(batch []line) error {
		var good []*line
		for i := range batch {
			l := &batch[i]
			done += int64(l.bytes)
			if c.checkLine(l) {
				good = append(good, l)
			}
		}
		if err := c.checkStored(ctx, s.Store.View(), good); err != nil {
			return err
		}
		s.progress(Checking, min(done, info.Size()), info.Size())
		return nil
	})
	if err == nil && c.violations.Total > 0 {
		c.violations.Unreadable = len(c.ids) == 0
		err = c.violations.sorted()
	}
	if err == nil && len(c.ids) > 0 {
		s.progress(Checking, info.Size(), info.Size()) // blank lines at the end are not counted
	}
	return c, err
}

// checkLine checks a line against the rules and the lines before it.
func (c *check) checkLine(l *line) bool {
	if l.err != nil {
		c.violations.addDecoding(l.number, l.err)
		return false
	}
	before := c.violations.Total
	item := &l.item
	if first, twice := c.ids[item.ID]; twice {
		c.violations.add(l.number, "id: line %d has the same", first)
	} else {
		c.ids[item.ID] = l.number
	}
	if first, twice := c.readable[item.ReadableID]; twice {
		c.violations.add(l.number, "readableId: line %d has the same, %d", first, item.ReadableID)
	} else {
		c.readable[item.ReadableID] = l.number
	}
	for _, p := range paramViolations(item.URLParams) {
		c.violations.add(l.number, "urlParams%s", p)
	}
	if item.CreatedAt.After(c.now) {
		c.violations.add(l.number, "createdAt: is in the future")
	}
	if item.UpdatedAt.After(c.now) {
		c.violations.add(l.number, "updatedAt: is in the future")
	}
	if first := time.Unix(0, 0); item.CreatedAt.Before(first) || item.UpdatedAt.Before(first) {
		c.violations.add(l.number, "createdAt, updatedAt: must not be before 1970")
	}
	return c.violations.Total == before
}

// checkStored checks lines against what the database has already.
func (c *check) checkStored(ctx context.Context, view *store.View, lines []*line) error {
	if len(lines) == 0 {
		return nil
	}
	ids, readable := make([]string, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		ids[i], readable[i] = l.item.ID, l.item.ReadableID
	}
	found, err := view.Occupants(ctx, c.study.ID, ids, readable)
	if err != nil || len(found) == 0 {
		return err
	}
	byID, byReadable := map[string]store.Occupant{}, map[int]store.Occupant{}
	for _, o := range found {
		if _, known := byID[o.ResponseID]; !known || o.Gone {
			byID[o.ResponseID] = o
		}
		if o.StudyID == c.study.ID && o.ReadableID > 0 {
			byReadable[o.ReadableID] = o
		}
	}
	for _, l := range lines {
		o, exists := byID[l.item.ID]
		number, numberUsed := byReadable[l.item.ReadableID]
		switch {
		case exists && o.Gone:
			c.violations.add(l.number, "id: the response was deleted and cannot be brought back")
		case exists && o.StudyID != c.study.ID:
			c.violations.add(l.number, "id: a response of another study has it")
		case exists && !bytes.Equal(o.Body, l.item.Encode()):
			c.violations.add(l.number, "id: the study has this response already, with other contents")
		case exists:
			c.stored[l.item.ID] = true
		case numberUsed:
			c.violations.add(l.number, "readableId: response %s of the study has it, %d", number.ResponseID, l.item.ReadableID)
		}
	}
	return nil
}

// reserve reserves the file's readable ids, so that interviews that begin from now on do not take them.
func (s *Service) reserve(ctx context.Context, c *check) error {
	last := 0
	for number := range c.readable {
		last = max(last, number)
	}
	for last > 0 {
		err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.ReserveReadableIDs(ctx, c.study.ID, c.lastReadable, last) })
		if !errors.Is(err, study.ErrConflict) {
			return err
		}
		seen := c.lastReadable // interviews have begun since: they may have taken readable ids of the file
		if c.lastReadable, err = s.Store.View().LastReadableID(ctx, c.study.ID); err != nil {
			return err
		}
		for number := seen + 1; number <= c.lastReadable; number++ {
			if at, inFile := c.readable[number]; inFile {
				c.violations.add(at, "readableId: an interview that began meanwhile has it, %d", number)
			}
		}
		if c.violations.Total > 0 {
			return c.violations.sorted()
		}
	}
	return nil
}

func (s *Service) store(ctx context.Context, c *check, path string) (result Result, err error) {
	total := int64(len(c.ids))
	err = eachBatch(ctx, path, batchSize, c.prepare, func(batch []line) error {
		ready := make([]store.Imported, 0, len(batch))
		for i := range batch {
			l := &batch[i]
			if l.err != nil || c.ids[l.item.ID] != l.number || c.readable[l.item.ReadableID] != l.number {
				return errChanged
			}
			if !c.stored[l.item.ID] {
				ready = append(ready, l.imported)
			}
		}
		var stored int
		err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			stored, err = tx.Import(ctx, c.study.ID, ready)
			return err
		})
		if err != nil {
			return fmt.Errorf("lines %d to %d: %w", batch[0].number, batch[len(batch)-1].number, err)
		}
		result.Stored += stored
		result.Skipped += len(batch) - stored
		s.progress(Storing, int64(result.Stored+result.Skipped), total)
		return nil
	})
	if err == nil && int64(result.Stored+result.Skipped) != total {
		err = errChanged
	}
	return result, err
}

// prepare builds what is stored of a line. It is called concurrently for different lines.
func (c *check) prepare(l *line) {
	item := &l.item
	if c.stored[item.ID] {
		return
	}
	r := response.Response{
		ID: item.ID, OrgID: c.study.OrgID, StudyID: c.study.ID, Revision: cmp.Or(c.study.PublishedRevision, c.study.Revision), ReadableID: item.ReadableID,
		URLParams: item.URLParams, Progress: response.Progress(item.Progress), Duration: time.Duration(item.DurationSeconds) * time.Second,
		CreatedAt: item.CreatedAt, UpdatedAt: item.UpdatedAt,
	}
	if r.Progress != response.InProgress {
		r.EndedAt = item.UpdatedAt
	}
	l.imported = store.Imported{Response: r, Analysed: item.Analysed(), List: item.Encode(), Single: document.SingleOf(item)}
}

func (s *Service) progress(stage Stage, done, total int64) {
	if s.Progress != nil {
		s.Progress(stage, done, total)
	}
}

package maintenance

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
)

const (
	parallelOwners  = 500            // responses that are looked up in one query
	strayAge        = 24 * time.Hour // age of an object that nothing names before it is reported
	parallelObjects = 32             // objects that are looked up at the same time
	examples        = 5              // names that a violation lists
)

// count counts one kind of problem, and keeps the first names that have it.
type count struct {
	count int
	first []string
}

func (t *count) add(name string) {
	if t.count++; len(t.first) < examples {
		t.first = append(t.first, name)
	}
}

// violation returns one sentence about the count, or nothing if it is zero.
func (t *count) violation(format string) []string {
	if t.count == 0 {
		return nil
	}
	names := strings.Join(t.first, ", ")
	if more := t.count - len(t.first); more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return []string{fmt.Sprintf(format, t.count) + ": " + names}
}

// withReadError turns an error of the object store into a violation, so that the other checks are still made.
func withReadError(ctx context.Context, found []string, err error) ([]string, error) {
	if err != nil && ctx.Err() == nil {
		return append(found, "the objects cannot be read: "+err.Error()), nil
	}
	return found, err
}

// orphans finds objects of responses that do not exist.
func (d *Doctor) orphans(ctx context.Context) ([]string, error) {
	if d.Objects == nil {
		return nil, nil
	}
	var gone count
	ids, names := make([]string, 0, parallelOwners), map[string]string{} // names has one object of each
	flush := func() error {
		ownerless, err := d.Store.View().UnknownResponses(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ownerless {
			_, err := d.Objects.Stat(ctx, names[id])
			if errors.Is(err, blob.ErrNotFound) {
				continue // the object and its response were deleted after the object was listed
			}
			gone.add(id)
		}
		ids = ids[:0]
		clear(names)
		return ctx.Err()
	}
	var listErr error
	for name, err := range d.Objects.List(ctx, response.Objects) {
		if listErr = err; err != nil {
			break
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(name, response.Objects), "/")
		if names[id] != "" {
			continue
		}
		if len(ids) == parallelOwners {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		ids, names[id] = append(ids, id), name
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return withReadError(ctx, gone.violation("there are objects of %d response(s) that the database does not have"), listErr)
}

// strays finds objects of existing responses that nothing needs: a process that died may have left them.
func (d *Doctor) strays(ctx context.Context) ([]string, error) {
	if d.Objects == nil {
		return nil, nil
	}
	var old count
	names := make([]string, 0, parallelOwners)
	flush := func() error {
		found, err := d.Store.View().StrayObjects(ctx, names)
		if err != nil {
			return err
		}
		names = names[:0]
		for _, name := range found {
			info, err := d.Objects.Stat(ctx, name)
			if err == nil && d.Store.Now().Sub(info.ModTime) > strayAge {
				old.add(name)
			}
		}
		return ctx.Err()
	}
	for name, err := range d.Objects.List(ctx, response.Objects) {
		if err != nil {
			break // the check of orphans has reported it
		}
		if names = append(names, name); len(names) < parallelOwners {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
	}
	err := flush()
	return old.violation("%d object(s) belong to no upload and no recording"), err
}

// missing finds objects that the database names and that do not exist.
func (d *Doctor) missing(ctx context.Context) ([]string, error) {
	if d.Expected == nil {
		return nil, nil
	}
	var lost count
	var unread error
	names := make([]string, 0, parallelObjects)
	flush := func() error {
		errs := make([]error, len(names))
		var all sync.WaitGroup
		for i, name := range names {
			all.Go(func() { errs[i] = d.find(ctx, name) })
		}
		all.Wait()
		for i, name := range names {
			is, err := d.isLost(ctx, name, errs[i])
			switch {
			case err != nil:
				return err
			case is:
				lost.add(name)
			case !errors.Is(errs[i], blob.ErrNotFound) && unread == nil:
				unread = errs[i]
			}
		}
		names = names[:0]
		return ctx.Err()
	}
	for name, err := range d.Expected(ctx) {
		if err != nil {
			return nil, err
		}
		if names = append(names, name); len(names) < parallelObjects {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		if unread != nil {
			break // the next would fail in the same way
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return withReadError(ctx, lost.violation("%d object(s) that the database names are not there"), unread)
}

// find looks up an object. It returns blob.ErrNotFound if the object does not exist.
func (d *Doctor) find(ctx context.Context, name string) error {
	if d.Objects == nil {
		return blob.ErrNotFound
	}
	_, err := d.Objects.Stat(ctx, name)
	return err
}

// isLost reports whether an object whose lookup returned the error found should exist: an object of a response that was deleted
// meanwhile should not.
func (d *Doctor) isLost(ctx context.Context, name string, found error) (bool, error) {
	if !errors.Is(found, blob.ErrNotFound) {
		return false, nil
	}
	rest, owned := strings.CutPrefix(name, response.Objects)
	if !owned {
		return true, nil
	}
	id, _, _ := strings.Cut(rest, "/")
	_, err := d.Store.View().AnyResponse(ctx, id)
	if errors.Is(err, response.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// ExpectedObjects yields the name of every object that a row of the database refers to.
func ExpectedObjects(view *store.View) func(context.Context) iter.Seq2[string, error] {
	return func(ctx context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for _, all := range []iter.Seq2[string, error]{view.UploadObjects(ctx), view.RecordingObjects(ctx), view.GuideMediaObjects(ctx)} {
				for name, err := range all {
					if !yield(name, err) {
						return
					}
				}
			}
		}
	}
}

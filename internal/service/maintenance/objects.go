package maintenance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
)

const (
	parallelOwners  = 500            // responses that are asked for in one query
	strayAge        = 24 * time.Hour // of an object that nothing names, until that is worth a word
	parallelObjects = 32             // objects that are looked for at the same time
	examples        = 5              // names that a fault gives
)

// tally counts what is wrong in one way, and keeps the first names of it.
type count struct {
	count int
	first []string
}

func (t *count) add(name string) {
	if t.count++; len(t.first) < examples {
		t.first = append(t.first, name)
	}
}

// fault is a sentence about what was counted, and none when that is nothing.
func (t *count) fault(format string) []string {
	if t.count == 0 {
		return nil
	}
	names := strings.Join(t.first, ", ")
	if more := t.count - len(t.first); more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return []string{fmt.Sprintf(format, t.count) + ": " + names}
}

// unlisted tells an error of the store of objects as a fault: the other checks are worth making all the same.
func unlisted(ctx context.Context, found []string, err error) ([]string, error) {
	if err != nil && ctx.Err() == nil {
		return append(found, "the objects cannot be read: "+err.Error()), nil
	}
	return found, err
}

// orphans finds objects of responses that are not there.
func (d *Doctor) orphans(ctx context.Context) ([]string, error) {
	if d.Objects == nil {
		return nil, nil
	}
	var gone count
	ids, names := make([]string, 0, parallelOwners), map[string]string{} // and an object of each
	look := func() error {
		ownerless, err := d.Store.View().Ownerless(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ownerless {
			_, err := d.Objects.Stat(ctx, names[id])
			if errors.Is(err, blob.ErrNotFound) {
				continue // it was deleted, and its response, after it was listed
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
			if err := look(); err != nil {
				return nil, err
			}
		}
		ids, names[id] = append(ids, id), name
	}
	if err := look(); err != nil {
		return nil, err
	}
	return unlisted(ctx, gone.fault("there are objects of %d response(s) that the database does not have"), listErr)
}

// strays finds objects of responses that are there which nothing needs: a process that died may have left them.
func (d *Doctor) strays(ctx context.Context) ([]string, error) {
	if d.Objects == nil {
		return nil, nil
	}
	var old count
	names := make([]string, 0, parallelOwners)
	look := func() error {
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
			break // the check of orphans has told it
		}
		if names = append(names, name); len(names) < parallelOwners {
			continue
		}
		if err := look(); err != nil {
			return nil, err
		}
	}
	err := look()
	return old.fault("%d object(s) are no part of an upload or a recording"), err
}

// missing finds objects that the database names and that are not there.
func (d *Doctor) missing(ctx context.Context) ([]string, error) {
	if d.Expected == nil {
		return nil, nil
	}
	var lost count
	var unread error
	names := make([]string, 0, parallelObjects)
	look := func() error {
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
		if err := look(); err != nil {
			return nil, err
		}
		if unread != nil {
			break // the next would say the same
		}
	}
	if err := look(); err != nil {
		return nil, err
	}
	return unlisted(ctx, lost.fault("%d object(s) that the database names are not there"), unread)
}

// find looks for an object; blob.ErrNotFound.
func (d *Doctor) find(ctx context.Context, name string) error {
	if d.Objects == nil {
		return blob.ErrNotFound
	}
	_, err := d.Objects.Stat(ctx, name)
	return err
}

// isLost tells whether an object that was looked for with this outcome should be there: that of a response that was
// deleted meanwhile should not.
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

package maintenance

import (
	"context"
	"errors"
	"sync"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
)

// tombstones compares the receipts of deletions with the tombstones beside the objects: a receipt without a tombstone is a deletion
// that the next restore would undo, and a tombstone without a receipt a deletion that the last one undid.
func (d *Doctor) tombstones(ctx context.Context) (violations []string, err error) {
	violations, err = d.untold(ctx)
	if err != nil || d.Objects == nil {
		return violations, err
	}
	var undone, foreign count
	some := make([]response.Deletion, 0, parallelOwners)
	look := func() error {
		unknown, err := d.Store.View().UnknownDeletions(ctx, some)
		if err != nil {
			return err
		}
		for _, each := range unknown {
			r, err := d.Store.View().AnyResponse(ctx, each.ResponseID)
			switch {
			case err == nil && (r.OrgID != each.OrgID || r.StudyID != each.StudyID):
				foreign.add(each.ID)
			case err == nil, errors.Is(err, response.ErrNotFound):
				undone.add(each.ID)
			default:
				return err
			}
		}
		some = some[:0]
		return ctx.Err()
	}
	var listErr error
	for name, err := range d.Objects.List(ctx, response.Tombstones) {
		if listErr = err; err != nil {
			break
		}
		each, ok := response.ParseTombstone(name)
		if !ok {
			foreign.add(name)
			continue
		}
		if some = append(some, each); len(some) < parallelOwners {
			continue
		}
		if err := look(); err != nil {
			return nil, err
		}
	}
	if err := look(); err != nil {
		return nil, err
	}
	violations = append(violations, undone.fault("%d deletion(s) that have a tombstone are unknown to the database: it was restored from a backup of before them")...)
	violations = append(violations, foreign.fault("%d tombstone(s) are of no response of this installation; remove them")...)
	return unlisted(ctx, violations, listErr)
}

// untold finds receipts whose tombstone is not there.
func (d *Doctor) untold(ctx context.Context) ([]string, error) {
	var untold count
	var unread error
	for after := ""; unread == nil; {
		some, err := d.Store.View().DeletionsAfter(ctx, after, parallelObjects)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			break
		}
		after = some[len(some)-1].ID
		errs := make([]error, len(some))
		var all sync.WaitGroup
		for i, each := range some {
			if each.Status != response.DeletionQueued && each.Status != response.DeletionRunning { // theirs come with the purge
				all.Go(func() { errs[i] = d.find(ctx, each.Tombstone()) })
			}
		}
		all.Wait()
		for i, each := range some {
			if errors.Is(errs[i], blob.ErrNotFound) {
				untold.add(each.ID)
			} else if unread == nil {
				unread = errs[i]
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return unlisted(ctx, untold.fault("%d deletion(s) have no tombstone beside the objects: a backup of before them would bring the responses back"), unread)
}

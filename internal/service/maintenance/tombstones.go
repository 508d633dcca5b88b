package maintenance

import (
	"context"
	"errors"
	"sync"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
)

// tombstones compares the receipts of deletions with the tombstones beside the objects. A receipt without a tombstone is a
// deletion that the next restore would undo; a tombstone without a receipt is a deletion that the last restore undid.
func (d *Doctor) tombstones(ctx context.Context) (violations []string, err error) {
	violations, err = d.withoutTombstone(ctx)
	if err != nil || d.Objects == nil {
		return violations, err
	}
	var undone, foreign count
	batch := make([]response.Deletion, 0, parallelOwners)
	flush := func() error {
		unknown, err := d.Store.View().UnknownDeletions(ctx, batch)
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
		batch = batch[:0]
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
		if batch = append(batch, each); len(batch) < parallelOwners {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	violations = append(violations, undone.violation("%d deletion(s) that have a tombstone are unknown to the database: it was restored from a backup of before them")...)
	violations = append(violations, foreign.violation("%d tombstone(s) are of no response of this installation; remove them")...)
	return withReadError(ctx, violations, listErr)
}

// withoutTombstone finds receipts whose tombstone does not exist.
func (d *Doctor) withoutTombstone(ctx context.Context) ([]string, error) {
	var missing count
	var unread error
	for after := ""; unread == nil; {
		batch, err := d.Store.View().DeletionsAfter(ctx, after, parallelObjects)
		if err != nil {
			return nil, err
		}
		if len(batch) == 0 {
			break
		}
		after = batch[len(batch)-1].ID
		errs := make([]error, len(batch))
		var all sync.WaitGroup
		for i, each := range batch {
			if each.Status != response.DeletionQueued && each.Status != response.DeletionRunning { // those get their tombstones with the purge
				all.Go(func() { errs[i] = d.find(ctx, each.Tombstone()) })
			}
		}
		all.Wait()
		for i, each := range batch {
			if errors.Is(errs[i], blob.ErrNotFound) {
				missing.add(each.ID)
			} else if unread == nil {
				unread = errs[i]
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return withReadError(ctx, missing.violation("%d deletion(s) have no tombstone beside the objects: a backup of before them would bring the responses back"), unread)
}

package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// ErrDiffers reports that the target store holds an object that differs from the one to be copied, or that the source does
// not have.
var ErrDiffers = errors.New("the objects differ")

// Copied counts the results of a copy.
type Copied struct {
	Objects int64 // on both sides now, and compared
	Bytes   int64
	New     int64 // copied by this run; the others existed
}

// copyWorkers is the number of objects copied concurrently.
const copyWorkers = 4

// Copy copies every object below some prefixes into another store and reads each of them back to compare its hash. It may be
// repeated: objects that exist are only compared, so an interrupted copy continues. It fails with ErrDiffers if the target
// holds other objects below the prefixes, or an object with different content.
func Copy(ctx context.Context, from, to Store, prefixes []string, progress func(Copied)) (Copied, error) {
	for _, prefix := range prefixes {
		if err := onlyKnown(ctx, from, to, prefix); err != nil {
			return Copied{}, err
		}
	}
	var objects, bytes, fresh atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(copyWorkers)
	count := func() Copied { return Copied{Objects: objects.Load(), Bytes: bytes.Load(), New: fresh.Load()} }
	var listErr error
	for _, prefix := range prefixes {
		for name, err := range from.List(ctx, prefix) {
			if err != nil {
				listErr = errors.Join(listErr, err)
				break
			}
			group.Go(func() error {
				size, isNew, err := copyObject(ctx, from, to, name)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				objects.Add(1)
				bytes.Add(size)
				if isNew {
					fresh.Add(1)
				}
				return nil
			})
			if progress != nil {
				progress(count())
			}
		}
	}
	err := group.Wait()
	if err == nil { // otherwise that is why the listing ended
		err = listErr
	}
	return count(), err
}

// onlyKnown returns ErrDiffers if the target has an object that the source does not have.
func onlyKnown(ctx context.Context, from, to Store, prefix string) error {
	for name, err := range to.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if _, err := from.Stat(ctx, name); errors.Is(err, ErrNotFound) {
			return fmt.Errorf("%w: the target holds %s, which the source does not have", ErrDiffers, name)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// copyObject copies one object, unless it exists, and compares the two.
func copyObject(ctx context.Context, from, to Store, name string) (size int64, fresh bool, err error) {
	info, err := from.Stat(ctx, name)
	if err != nil {
		return 0, false, err
	}
	there, err := to.Stat(ctx, name)
	switch {
	case errors.Is(err, ErrNotFound):
		fresh = true
	case err != nil:
		return 0, false, err
	case there.Size != info.Size || there.ContentType != info.ContentType:
		return 0, false, fmt.Errorf("%w: the target has another object of this name", ErrDiffers)
	}
	sum := sha256.New()
	body, err := from.Get(ctx, name, 0, ToEnd)
	if err != nil {
		return 0, false, err
	}
	content := io.TeeReader(body, sum)
	if fresh {
		err = to.Put(ctx, name, content, info.Size, info.ContentType)
	} else {
		_, err = io.Copy(io.Discard, content)
	}
	if err = errors.Join(err, body.Close()); err != nil {
		return 0, false, err
	}
	back, err := to.Get(ctx, name, 0, ToEnd)
	if err != nil {
		return 0, false, err
	}
	other := sha256.New()
	n, err := io.Copy(other, back)
	if err = errors.Join(err, back.Close()); err != nil {
		return 0, false, err
	}
	if n != info.Size || !bytes.Equal(sum.Sum(nil), other.Sum(nil)) {
		return 0, false, fmt.Errorf("%w: the target has different content under this name", ErrDiffers)
	}
	return n, fresh, nil
}

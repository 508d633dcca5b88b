package blob

import (
	"context"
	"io"
	"iter"
	"time"
)

// Observed is a Store that reports its calls. Set Watch before the Store is used.
type Observed struct {
	Store
	// Watch is called at the start of a method with its name, such as put; it returns a function that is called at the end.
	// nil: nothing is reported.
	Watch func(ctx context.Context, operation string) (_ context.Context, end func(err error))
}

func (o *Observed) begin(ctx context.Context, operation string) (context.Context, func(error)) {
	if o.Watch == nil {
		return ctx, func(error) {}
	}
	return o.Watch(ctx, operation)
}

// Put implements Store.
func (o *Observed) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) (err error) {
	ctx, end := o.begin(ctx, "put")
	defer func() { end(err) }()
	return o.Store.Put(ctx, name, r, size, contentType)
}

// Get implements Store. Its reported time ends when reading begins.
func (o *Observed) Get(ctx context.Context, name string, offset, length int64) (_ io.ReadCloser, err error) {
	ctx, end := o.begin(ctx, "get")
	defer func() { end(err) }()
	return o.Store.Get(ctx, name, offset, length)
}

// Stat implements Store.
func (o *Observed) Stat(ctx context.Context, name string) (_ Info, err error) {
	ctx, end := o.begin(ctx, "stat")
	defer func() { end(err) }()
	return o.Store.Stat(ctx, name)
}

// List implements Store. Its reported time includes the time that the caller takes for the names.
func (o *Observed) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		ctx, end := o.begin(ctx, "list")
		var failed error
		defer func() { end(failed) }()
		for name, err := range o.Store.List(ctx, prefix) {
			if err != nil {
				failed = err
			}
			if !yield(name, err) {
				return
			}
		}
	}
}

// Delete implements Store.
func (o *Observed) Delete(ctx context.Context, name string) (err error) {
	ctx, end := o.begin(ctx, "delete")
	defer func() { end(err) }()
	return o.Store.Delete(ctx, name)
}

// DeletePrefix implements Store.
func (o *Observed) DeletePrefix(ctx context.Context, prefix string) (err error) {
	ctx, end := o.begin(ctx, "delete_prefix")
	defer func() { end(err) }()
	return o.Store.DeletePrefix(ctx, prefix)
}

// SignedURL implements Store.
func (o *Observed) SignedURL(ctx context.Context, name string, lifetime time.Duration) (_ string, err error) {
	ctx, end := o.begin(ctx, "sign")
	defer func() { end(err) }()
	return o.Store.SignedURL(ctx, name, lifetime)
}

// Ready implements Store.
func (o *Observed) Ready(ctx context.Context) (err error) {
	ctx, end := o.begin(ctx, "ready")
	defer func() { end(err) }()
	return o.Store.Ready(ctx)
}

package blob

import (
	"context"
	"errors"
	"io"
)

// Reader gives random access to an object, for http.ServeContent. It requests chunks from the store, small ones first, so
// that a short range is cheap and a long one takes few requests.
type Reader struct {
	ctx    context.Context
	store  Store
	name   string
	size   int64
	offset int64
	next   int64         // the length of the next chunk
	chunk  io.ReadCloser // nil: none is open
	got    bool          // part of the chunk was read
}

const (
	firstChunk = 256 << 10
	largeChunk = 16 << 20
)

// NewReader returns a reader of an object of the given size. Close it.
func NewReader(ctx context.Context, store Store, name string, size int64) *Reader {
	return &Reader{ctx: ctx, store: store, name: name, size: size, next: firstChunk}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for r.offset < r.size {
		if r.chunk == nil {
			chunk, err := r.store.Get(r.ctx, r.name, r.offset, r.next)
			if err != nil {
				return 0, err
			}
			r.chunk, r.got, r.next = chunk, false, min(2*r.next, largeChunk)
		}
		n, err := r.chunk.Read(p)
		r.offset += int64(n)
		r.got = r.got || n > 0
		if err != io.EOF {
			return n, err
		}
		if !r.got {
			return 0, io.ErrUnexpectedEOF // the object is shorter than size
		}
		if err := r.Close(); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.EOF
}

// Seek implements io.Seeker.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return r.offset, errors.New("blob: seek before the beginning")
	}
	if offset == r.offset {
		return offset, nil
	}
	r.offset, r.next = offset, firstChunk
	return offset, r.Close()
}

// Close implements io.Closer.
func (r *Reader) Close() error {
	if r.chunk == nil {
		return nil
	}
	chunk := r.chunk
	r.chunk = nil
	return chunk.Close()
}

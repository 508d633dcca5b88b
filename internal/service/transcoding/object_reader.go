package transcoding

import (
	"context"
	"io"

	"verbatim/internal/platform/blob"
)

// objectReader reads objects one after another, opening each when it is reached.
type objectReader struct {
	ctx     context.Context
	objects blob.Store
	pending []string // objects not yet opened
	open    io.ReadCloser
}

// Read implements io.Reader.
func (j *objectReader) Read(p []byte) (int, error) {
	for {
		if j.open == nil {
			if len(j.pending) == 0 {
				return 0, io.EOF
			}
			next, err := j.objects.Get(j.ctx, j.pending[0], 0, blob.ToEnd)
			if err != nil {
				return 0, err
			}
			j.open, j.pending = next, j.pending[1:]
		}
		n, err := j.open.Read(p)
		if err != io.EOF {
			return n, err
		}
		if err := j.Close(); err != nil || n > 0 {
			return n, err
		}
	}
}

// Close implements io.Closer.
func (j *objectReader) Close() error {
	if j.open == nil {
		return nil
	}
	err := j.open.Close()
	j.open = nil
	return err
}

// Package objects serves stored objects to the api: recordings and uploads to whoever has a signed link, and logos to
// everybody.
package objects

import (
	"context"
	"io"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
)

// Errors of a link.
var (
	ErrNotFound = blob.ErrNotFound
	ErrForged   = blob.ErrForged
	ErrExpired  = blob.ErrExpired
)

// Service reads objects. Share one value.
type Service struct {
	Store blob.Store
	Links blob.Links
}

// Object is an object being read. Close it.
type Object struct {
	io.ReadSeekCloser
	ContentType string
	Size        int64
	ModTime     time.Time
}

// Linked returns the object that a signed link leads to; ErrForged, ErrExpired, ErrNotFound, outage.ErrObjectsUnreachable.
func (s *Service) Linked(ctx context.Context, expiry, signature, name string) (_ Object, err error) {
	defer operation.Wrap(&err, "objects.Linked")
	if err := s.Links.Check(expiry, signature, name); err != nil {
		return Object{}, err
	}
	return s.Open(ctx, name)
}

// Open returns an object by name; ErrNotFound, outage.ErrObjectsUnreachable. Its bytes are fetched as they are read.
func (s *Service) Open(ctx context.Context, name string) (_ Object, err error) {
	defer operation.Wrap(&err, "objects.Open")
	info, err := s.Store.Stat(ctx, name)
	if err != nil {
		return Object{}, err
	}
	return Object{blob.NewReader(ctx, s.Store, name, info.Size), info.ContentType, info.Size, info.ModTime}, nil
}

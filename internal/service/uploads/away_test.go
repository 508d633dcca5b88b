package uploads_test

import (
	"context"
	"io"
	"sync/atomic"
	"testing"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/service/uploads"
)

// unreachableObjects is an object store to which nothing can be written while away is set.
type unreachableObjects struct {
	uploads.Objects
	away atomic.Bool
}

func (l *unreachableObjects) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error {
	if l.away.Load() {
		return outage.ErrObjectsUnreachable
	}
	return l.Objects.Put(ctx, name, r, size, contentType)
}

// unreadBody is a body that must not be read.
type unreadBody struct{ t *testing.T }

func (u unreadBody) Read([]byte) (int, error) {
	u.t.Error("the body was read although it cannot be stored")
	return 0, io.EOF
}

// TestObjectsAway: while the objects are away, uploads can be created and named by answers. Their bytes are refused, without
// reading them once the outage is known, and accepted when the objects are back.
func TestObjectsAway(t *testing.T) {
	t.Parallel()
	s := setup(t)
	objects := &unreachableObjects{Objects: s.objects}
	s.Service = s.node(s.scene.Store, objects)
	known := func() error { return nil }
	s.Away = func() error { return known() }
	all := recorderFile(2500)
	u := s.begin(recording.Video, "s1", recording.Unknown)
	u = s.add(u, all[:1000])
	objects.away.Store(true)
	s.fails(outage.ErrObjectsUnreachable, u, chunk(1000, all[1000:]))
	known = func() error { return outage.ErrObjectsUnreachable }
	s.fails(outage.ErrObjectsUnreachable, u, uploads.Chunk{Offset: 1000, Length: recording.Unknown, Size: recording.Unknown, Body: unreadBody{t}})
	s.fails(recording.ErrOffset, u, chunk(10, all)) // the offset is known
	other := s.begin(recording.Audio, "s1", 5)
	if err := s.Terminate(t.Context(), s.r.ID, other.ID); err != nil {
		t.Errorf("terminating: %v", err)
	}
	objects.away.Store(false)
	known = func() error { return nil }
	if u = s.add(u, all[1000:]); u.Received != 2500 {
		t.Errorf("with the objects again: %+v", u)
	}
	if n := s.objectCount(u); n != 2 {
		t.Errorf("%d objects, want those of two chunks", n)
	}
}

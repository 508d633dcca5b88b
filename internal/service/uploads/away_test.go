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

// lost are objects that cannot be put while they are away.
type lost struct {
	uploads.Objects
	away atomic.Bool
}

func (l *lost) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error {
	if l.away.Load() {
		return outage.ErrObjectsAway
	}
	return l.Objects.Put(ctx, name, r, size, contentType)
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read although it cannot be stored")
	return 0, io.EOF
}

// TestObjectsAway: while the objects are away an upload can be begun, and an answer name it; its bytes are refused, before they are
// read once it is known, and are taken when the objects are back.
func TestObjectsAway(t *testing.T) {
	t.Parallel()
	s := setup(t)
	objects := &lost{Objects: s.objects}
	s.Service = s.node(s.scene.Store, objects)
	known := func() error { return nil }
	s.Away = func() error { return known() }
	all := film(2500)
	u := s.begin(recording.Video, "s1", recording.Unknown)
	u = s.add(u, all[:1000])
	objects.away.Store(true)
	s.fails(outage.ErrObjectsAway, u, piece(1000, all[1000:]))
	known = func() error { return outage.ErrObjectsAway }
	s.fails(outage.ErrObjectsAway, u, uploads.Chunk{Offset: 1000, Length: recording.Unknown, Size: recording.Unknown, Body: unread{t}})
	s.fails(recording.ErrMoved, u, piece(10, all)) // where it stands is known
	other := s.begin(recording.Audio, "s1", 5)
	if err := s.Terminate(t.Context(), s.r.ID, other.ID); err != nil {
		t.Errorf("taking back: %v", err)
	}
	objects.away.Store(false)
	known = func() error { return nil }
	if u = s.add(u, all[1000:]); u.Received != 2500 {
		t.Errorf("with the objects again: %+v", u)
	}
	if n := s.kept(u); n != 2 {
		t.Errorf("%d objects, want those of two pieces", n)
	}
}

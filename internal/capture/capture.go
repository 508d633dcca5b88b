package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"verbatim/internal/blob"
	"verbatim/internal/recording"
	"verbatim/internal/store"
)

// Objects is where the bytes go; blob.Store.
type Objects interface {
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	Delete(ctx context.Context, name string) error
	DeletePrefix(ctx context.Context, prefix string) error
}

// Service takes uploads in. Fill in the fields and share one value. Who calls it has made sure that the response is the
// participant's.
type Service struct {
	Store   *store.Store
	Objects Objects
	Limits  recording.Limits // zero: recording.Defaults
}

func (s *Service) limits() *recording.Limits {
	if s.Limits == (recording.Limits{}) {
		return &recording.Defaults
	}
	return &s.Limits
}

// MaxSize is how many bytes the largest upload may have.
func (s *Service) MaxSize() int64 { return s.limits().Largest() }

// SizeOf is how many bytes an upload of a kind may have.
func (s *Service) SizeOf(kind recording.Kind) int64 { return s.limits().Of(kind) }

// New is an upload to begin.
type New struct {
	Kind     recording.Kind
	StepID   string
	Name     string // as the participant's system says it
	Size     int64  // bytes, or recording.Unknown
	Metadata string // kept as it came
}

// Create begins an upload of a response. Errors: recording.ErrTooLarge, ErrType for an empty one, ErrQuota, ErrEnded;
// response.ErrGone.
func (s *Service) Create(ctx context.Context, responseID string, in New) (u recording.Upload, err error) {
	switch {
	case in.Size > s.limits().Of(in.Kind):
		return u, recording.ErrTooLarge
	case in.Size == 0:
		return u, recording.ErrType
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(ctx, recording.Upload{
			ResponseID: responseID, Kind: in.Kind, StepID: in.StepID, Name: recording.CleanName(in.Name), Size: in.Size, Metadata: in.Metadata,
		}, *s.limits())
		return err
	})
	return u, err
}

// Status tells where an upload stands. Errors: recording.ErrNotFound; recording.ErrGone when it was terminated or has
// expired.
func (s *Service) Status(ctx context.Context, responseID, id string) (recording.Upload, error) {
	u, err := s.Store.View().Upload(ctx, responseID, id)
	if err == nil && (u.State == recording.Ended || u.State == recording.Open && !s.Store.Now().Before(u.ExpiresAt)) {
		err = recording.ErrGone
	}
	return u, err
}

// Piece is what one request brings of an upload.
type Piece struct {
	Offset int64     // where it begins
	Length int64     // of the whole upload, where it is said; or recording.Unknown
	Size   int64     // bytes that are to come, or recording.Unknown
	Body   io.Reader // an error of it means that the sender is gone
}

// Append adds a piece to an upload and tells where the upload stands then. What arrived before the body broke off is kept.
//
// Errors: those of Status; recording.ErrMoved when the piece begins elsewhere than the upload ends, also since another one came
// first; ErrLength, ErrTooLarge and ErrQuota, which store nothing; ErrType when the content is of a type that the upload must
// not have, which ends the upload.
func (s *Service) Append(ctx context.Context, responseID, id string, p Piece) (recording.Upload, error) {
	was, err := s.Status(ctx, responseID, id)
	if err != nil {
		return was, err
	}
	if p.Offset != was.Received {
		return was, recording.ErrMoved
	}
	is := was
	room, full, err := s.room(ctx, &is, p.Length)
	if err != nil {
		return was, err
	}
	if p.Size > room {
		return was, full
	}
	ctx = context.WithoutCancel(ctx) // what has arrived is kept when the sender is gone
	body := &arriving{r: p.Body, left: room + 1}
	content, err := identify(&is, body)
	if err != nil {
		return was, errors.Join(err, s.discard(ctx, &was))
	}
	if body.read == 0 {
		return s.advance(ctx, was, is, recording.Part{})
	}
	if is.Parts++; is.Parts > s.limits().Parts {
		return was, recording.ErrQuota
	}
	part := recording.Part{Name: store.NewID()}
	if err := s.Objects.Put(ctx, is.Object(part.Name), content, blob.Unknown, cmp.Or(is.MediaType, "application/octet-stream")); err != nil {
		return was, err
	}
	part.Size = body.read
	is.Received += part.Size
	if part.Size > room {
		return was, errors.Join(full, s.Objects.Delete(ctx, is.Object(part.Name)))
	}
	u, err := s.advance(ctx, was, is, part)
	if err != nil && !errors.Is(err, store.ErrUnreachable) { // when that happened, nobody knows whether the row moved
		err = errors.Join(err, s.Objects.Delete(ctx, is.Object(part.Name)))
	}
	return u, err
}

// room takes what a request says of the upload's length, and tells how many bytes more the upload may have and the error of
// one that brings more.
func (s *Service) room(ctx context.Context, u *recording.Upload, length int64) (room int64, full, err error) {
	limit := s.limits().Of(u.Kind)
	if u.Size != recording.Unknown {
		if length != recording.Unknown && length != u.Size {
			return 0, nil, recording.ErrLength
		}
		return u.Size - u.Received, recording.ErrTooLarge, nil
	}
	_, used, err := s.Store.View().UploadUsage(ctx, u.ResponseID)
	if err != nil {
		return 0, nil, err
	}
	left := max(s.limits().Bytes-used, 0)
	switch {
	case length == recording.Unknown && left < limit-u.Received:
		return left, recording.ErrQuota, nil
	case length == recording.Unknown:
		return limit - u.Received, recording.ErrTooLarge, nil
	case length < u.Received:
		return 0, nil, recording.ErrLength
	case length > limit:
		return 0, nil, recording.ErrTooLarge
	case length-u.Received > left:
		return 0, nil, recording.ErrQuota
	}
	u.Size = length
	return length - u.Received, recording.ErrTooLarge, nil
}

// identify finds the upload's type when its first bytes are there, and keeps them as long as they are too few. content is
// what body has, from its beginning; at least its first byte was read.
func identify(u *recording.Upload, body *arriving) (content io.Reader, err error) {
	first := make([]byte, recording.SniffBytes-len(u.Head))
	n, err := io.ReadFull(body, first)
	first, over := first[:n], err != nil // a body that is arriving ends with the end alone
	content = io.MultiReader(bytes.NewReader(first), body)
	if u.MediaType != "" {
		return content, nil
	}
	u.Head = slices.Concat(u.Head, first)
	if over && u.Size != u.Received+int64(n) {
		return content, nil
	}
	u.MediaType, err = recording.MediaType(u.Kind, u.Head)
	u.Head = nil
	return content, err
}

// advance moves the upload's row.
func (s *Service) advance(ctx context.Context, was, is recording.Upload, part recording.Part) (recording.Upload, error) {
	if part.Name == "" && is.Size == was.Size {
		return was, nil
	}
	if is.Received == is.Size {
		is.State = recording.Complete
	}
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		is.ExpiresAt = tx.Now().Add(s.limits().Lifetime)
		return tx.AppendUpload(ctx, was, is, part, s.limits().Bytes)
	})
	if err != nil {
		return was, err
	}
	return is, nil
}

// Terminate ends an upload that no answer names. Errors: recording.ErrNotFound, ErrGone, ErrUsed.
func (s *Service) Terminate(ctx context.Context, responseID, id string) error {
	u, err := s.Status(ctx, responseID, id)
	if err != nil {
		return err
	}
	return s.discard(context.WithoutCancel(ctx), &u)
}

// discard ends an upload and removes what can be removed of its objects; the sweep does the rest.
func (s *Service) discard(ctx context.Context, u *recording.Upload) error {
	err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.EndUpload(ctx, u.ResponseID, u.ID) })
	if err == nil {
		_ = s.Objects.DeletePrefix(ctx, u.Folder())
	}
	return err
}

// arriving is the body of a request. It ends where the sender is gone, after left bytes, or at its end: always with
// io.EOF.
type arriving struct {
	r    io.Reader
	left int64
	read int64
}

// Read implements io.Reader.
func (a *arriving) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, io.EOF
	}
	n, err := a.r.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	a.read += int64(n)
	if err != nil {
		a.left, err = 0, io.EOF
	}
	return n, err
}

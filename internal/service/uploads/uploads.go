package uploads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
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
	// Free returns how many bytes are free, and how many there are, on the disk that the objects lie on. nil: they lie on
	// none of this machine's.
	Free    func() (free, size uint64, err error)
	MinFree uint64 // free bytes below which nothing is taken in, see Short
	// Away returns outage.ErrObjectsAway while the objects are known to be out of reach: then uploads can be begun and named by answers, but
	// bring no bytes. nil: nobody knows.
	Away  func() error
	Renew time.Duration // how often a request that adds to an upload says that it still does; 0: 3 s

	writers writers
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

// Create begins an upload of a response. Errors: recording.ErrTooLarge, ErrType for an empty one, ErrQuota, ErrTooMany,
// ErrStorage, ErrEnded; response.ErrGone.
func (s *Service) Create(ctx context.Context, responseID string, in New) (u recording.Upload, err error) {
	switch {
	case in.Size > s.limits().Of(in.Kind):
		return u, recording.ErrTooLarge
	case in.Size == 0:
		return u, recording.ErrType
	}
	if err := s.checkSpace(max(in.Size, 0)); err != nil {
		return u, err
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
type Chunk struct {
	Offset int64     // where it begins
	Length int64     // of the whole upload, where it is said; or recording.Unknown
	Size   int64     // bytes that are to come, or recording.Unknown
	Body   io.Reader // an error of it means that the sender is gone
	// Cut makes the read of Body that is under way, and every later one, return an error. It is called by another goroutine,
	// when the sender has come again by another connection. nil: the body cannot be cut.
	Cut func()
}

// Append adds a piece to an upload and tells where the upload stands then. What arrived before the body broke off is kept. One
// request at a time adds to an upload: a later one ends the body of an earlier one, whose connection may be dead, and goes on
// behind what that one brought.
//
// Errors: those of Status; recording.ErrMoved when the piece begins elsewhere than the upload ends, also since another one came
// first; ErrLocked when another request did not end in time; ErrLength, ErrTooLarge, ErrQuota and ErrStorage, which store
// nothing; outage.ErrObjectsAway, too; ErrType when the content is of a type that the upload must not have, which ends the upload; response.ErrGone when the
// response was deleted meanwhile.
func (s *Service) Append(ctx context.Context, responseID, id string, p Chunk) (recording.Upload, error) {
	current, err := s.Status(ctx, responseID, id)
	if err != nil {
		return current, err
	}
	if p.Offset != current.Received { // known before anybody is asked to stop
		return current, recording.ErrMoved
	}
	if err := s.away(); err != nil && p.Size != 0 {
		return current, err
	}
	w, err := s.acquire(ctx, id, p.Cut)
	if err != nil {
		return current, err
	}
	ctx = context.WithoutCancel(ctx) // what has arrived is kept when the sender is gone
	defer s.release(ctx, w, responseID, id)
	updated, err := s.writeChunk(ctx, w, responseID, id, p)
	if err != nil {
		// Its objects and rows went away under the request: whatever failed for that, this is why.
		if _, e := s.Store.View().AnyResponse(ctx, responseID); errors.Is(e, response.ErrNotFound) {
			return updated, response.ErrGone
		}
	}
	return updated, err
}

// write adds a piece to the upload that is held.
func (s *Service) writeChunk(ctx context.Context, w *writer, responseID, id string, p Chunk) (recording.Upload, error) {
	current, err := s.Status(ctx, responseID, id)
	if err != nil {
		return current, err
	}
	if p.Offset != current.Received {
		return current, recording.ErrMoved
	}
	next := current
	room, err := s.applyLength(&next, p.Length)
	if err != nil {
		return current, err
	}
	if p.Size > room {
		return current, recording.ErrTooLarge
	}
	if err := s.checkSpace(max(p.Size, 0)); err != nil {
		return current, err
	}
	body := &chunkReader{r: p.Body, room: room, allot: func(read int64) (int64, error) { return s.allot(ctx, &current, &next, p, room, read) }, checkMinFree: s.checkMinFree}
	if body.left, err = body.allot(0); err != nil {
		return current, err
	}
	content, err := identify(&next, body)
	if err != nil {
		return current, errors.Join(err, s.discard(ctx, &current))
	}
	if body.err != nil {
		return current, body.err
	}
	if body.read == 0 {
		return s.advance(ctx, w, current, next, recording.Part{})
	}
	if next.Parts++; next.Parts > s.limits().Parts {
		return current, recording.ErrQuota
	}
	part := recording.Part{Name: store.NewID()}
	if err := s.Objects.Put(ctx, next.Object(part.Name), content, blob.Unknown, cmp.Or(next.MediaType, "application/octet-stream")); err != nil {
		if errors.Is(err, outage.ErrObjectsFull) {
			err = errors.Join(recording.ErrStorage, err)
		}
		return current, err
	}
	part.Size = body.read
	next.Received += part.Size
	if body.err != nil {
		return current, errors.Join(body.err, s.Objects.Delete(ctx, next.Object(part.Name)))
	}
	u, err := s.advance(ctx, w, current, next, part)
	if err != nil && !errors.Is(err, outage.ErrUnreachable) { // when that happened, nobody knows whether the row moved
		err = errors.Join(err, s.Objects.Delete(ctx, next.Object(part.Name)))
	}
	return u, err
}

// length takes what a request says of the upload's length, and returns how many bytes more the upload may have.
func (s *Service) applyLength(u *recording.Upload, length int64) (room int64, err error) {
	limit := s.limits().Of(u.Kind)
	switch {
	case u.Size != recording.Unknown && length != recording.Unknown && length != u.Size:
		return 0, recording.ErrLength
	case u.Size != recording.Unknown:
		return u.Size - u.Received, nil
	case length == recording.Unknown:
		return limit - u.Received, nil
	case length < u.Received:
		return 0, recording.ErrLength
	case length > limit:
		return 0, recording.ErrTooLarge
	}
	u.Size = length
	return length - u.Received, nil
}

// As a body arrives bytes are allotted to it in steps: as many as have arrived, within these two. So what is announced and does
// not come takes little from others, and a long body asks for more a few times only.
const (
	minStep = 64 << 10
	maxStep = 8 << 20
)

// allot has the quotas hold what a piece is to bring next, before any of it is stored, and returns how many bytes more of it may
// be read behind those that were. What it says that it will bring in all must fit when it begins.
func (s *Service) allot(ctx context.Context, current, next *recording.Upload, p Chunk, room, read int64) (left int64, err error) {
	updated := *next
	updated.Parts++
	arrived := next.Received + read
	charge := func(received int64) int64 {
		updated.Received = received
		return updated.Charge()
	}
	step, needed := min(recording.Ahead(arrived, minStep, maxStep), max(room-read, 0)), int64(0)
	if read > 0 {
		needed = 1 // it was read ahead
	}
	request := store.Allotment{Pressing: true}
	if p.Size < 0 {
		request.Want = charge(arrived + max(step, needed))
	} else {
		rest := max(p.Size-read, needed)
		needed = min(rest, max(step, needed))
		request.Want = charge(arrived + needed)
		if needed == rest && next.Size == recording.Unknown { // and what the next request may bring
			request.Want += recording.Ahead(arrived+rest, 0, recording.AllotStep)
			request.Pressing = false
		}
	}
	if read == 0 {
		request.Claim = charge(max(next.Size, arrived+max(p.Size, 0)))
	}
	request.Need = charge(arrived + needed)
	if max(request.Need, request.Claim) > current.Allotted {
		err = s.Store.Write(ctx, func(tx *store.Tx) error {
			allotted, err := tx.AllotUpload(ctx, *current, request, *s.limits())
			if err == nil {
				current.Allotted = allotted
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	overhead := request.Need - arrived - needed
	return min(current.Allotted-overhead-arrived, room-read), nil
}

// identify finds the upload's type when its first bytes are there, and keeps them as long as they are too few. content is
// what body has, from its beginning; at least its first byte was read.
func identify(u *recording.Upload, body *chunkReader) (content io.Reader, err error) {
	head := make([]byte, recording.SniffBytes-len(u.Head))
	n, err := io.ReadFull(body, head)
	head, atEnd := head[:n], err != nil // a body that is arriving ends with the end alone
	content = io.MultiReader(bytes.NewReader(head), body)
	if u.MediaType != "" {
		return content, nil
	}
	u.Head = slices.Concat(u.Head, head)
	if atEnd && u.Size != u.Received+int64(n) {
		return content, nil
	}
	u.MediaType, err = recording.MediaType(u.Kind, u.Head)
	u.Head = nil
	return content, err
}

// advance moves the upload's row, and gives up the hold with it.
func (s *Service) advance(ctx context.Context, w *writer, current, next recording.Upload, part recording.Part) (recording.Upload, error) {
	if part.Name == "" && next.Size == current.Size {
		return current, nil
	}
	if next.Received == next.Size {
		next.State = recording.Complete
	}
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		next.ExpiresAt, next.Allotted = tx.Now().Add(s.limits().Lifetime), next.Keeps(current.Allotted)
		if err := tx.AppendUpload(ctx, current, next, part, *s.limits()); err != nil {
			return err
		}
		return tx.LeaveUpload(ctx, current.ID, w.id)
	})
	if err != nil {
		return current, err
	}
	w.released = true
	return next, nil
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
	if err == nil && s.away() == nil {
		_ = s.Objects.DeletePrefix(ctx, u.Folder())
	}
	return err
}

func (s *Service) away() error {
	if s.Away == nil {
		return nil
	}
	return s.Away()
}

// arriving is the body of a request. It ends where the sender is gone, where it is cut, where the disk runs short, where no more
// is allotted, or at its end: always with io.EOF.
type chunkReader struct {
	r            io.Reader
	room         int64                           // bytes that the upload may still have
	left         int64                           // of those, bytes that are allotted
	allot        func(read int64) (int64, error) // allots more
	checkMinFree func() error                    // asked now and then whether the disk runs short
	read         int64

	checkedAt int64 // bytes read when short was asked last
	err       error // more came than is allowed: nothing of it may be kept
	done      bool
}

// shortEvery is after how many bytes the disk is looked at again.
const checkEvery = 8 << 20

// Read implements io.Reader.
func (a *chunkReader) Read(p []byte) (int, error) {
	if a.done || len(p) == 0 {
		return 0, a.finish()
	}
	if a.read-a.checkedAt >= checkEvery {
		a.checkedAt = a.read
		if a.checkMinFree() != nil { // what came is kept; the next request is refused
			return 0, a.finish()
		}
	}
	if a.left <= 0 {
		return a.readBeyond(p)
	}
	n, err := a.r.Read(p[:min(int64(len(p)), a.left)])
	a.count(n)
	if err != nil {
		return n, a.finish()
	}
	return n, nil
}

// beyond reads the byte behind what is allotted, if there is one, and has more allotted.
func (a *chunkReader) readBeyond(p []byte) (int, error) {
	n, _ := io.ReadFull(a.r, p[:1])
	if n == 0 {
		return 0, a.finish()
	}
	if a.read >= a.room {
		a.err = recording.ErrTooLarge
		return 0, a.finish()
	}
	if a.left, a.err = a.allot(a.read); a.err != nil {
		return 0, a.finish()
	}
	a.left = min(a.left, a.room-a.read)
	a.count(n)
	return n, nil
}

func (a *chunkReader) count(n int) {
	a.left -= int64(n)
	a.read += int64(n)
}

func (a *chunkReader) finish() error {
	a.done = true
	return io.EOF
}

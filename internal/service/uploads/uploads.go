package uploads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Objects stores the bytes; see blob.Store.
type Objects interface {
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	Delete(ctx context.Context, name string) error
	DeletePrefix(ctx context.Context, prefix string) error
}

// Service receives uploads. Set the exported fields and share one value. The caller must have checked that the response belongs
// to the participant.
type Service struct {
	Store   *store.Store
	Objects Objects
	Limits  recording.Limits // zero: recording.Defaults
	// Free returns how many bytes of the disk that holds the objects are free, and its size. nil: they are not on a disk of
	// this machine.
	Free    func() (free, size uint64, err error)
	MinFree uint64 // bytes of free space below which uploads are refused
	// Away returns outage.ErrObjectsUnreachable while the object store is known to be unreachable. Then uploads can be created and
	// named by answers, but receive no bytes. nil: not known.
	Away  func() error
	Renew time.Duration // how often a request renews its lease on the upload; 0: 3 s

	writers writers
}

func (s *Service) limits() *recording.Limits {
	if s.Limits == (recording.Limits{}) {
		return &recording.Defaults
	}
	return &s.Limits
}

// MaxSize returns the largest size of any upload, in bytes.
func (s *Service) MaxSize() int64 { return s.limits().Largest() }

// SizeOf returns the largest size of an upload of a kind, in bytes.
func (s *Service) SizeOf(kind recording.Kind) int64 { return s.limits().Of(kind) }

// NewUpload describes an upload to create.
type NewUpload struct {
	Kind     recording.Kind
	StepID   string
	Name     string // as the participant's system reports it
	Size     int64  // bytes, or recording.Unknown
	Metadata string // stored unchanged
}

// Create creates an upload of a response. Errors: recording.ErrTooLarge, ErrType for an empty one, ErrQuota, ErrTooMany,
// ErrStorage, ErrEnded; response.ErrGone.
func (s *Service) Create(ctx context.Context, responseID string, in NewUpload) (u recording.Upload, err error) {
	defer operation.Wrap(&err, "uploads.Create")
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

// Status returns an upload. Errors: recording.ErrNotFound; recording.ErrGone if it was terminated or has expired.
func (s *Service) Status(ctx context.Context, responseID, id string) (_ recording.Upload, err error) {
	defer operation.Wrap(&err, "uploads.Status")
	u, err := s.Store.View().Upload(ctx, responseID, id)
	if err == nil && (u.State == recording.Ended || u.State == recording.Open && !s.Store.Now().Before(u.ExpiresAt)) {
		err = recording.ErrGone
	}
	return u, err
}

// Chunk is the body of one PATCH.
type Chunk struct {
	Offset int64     // of the chunk in the upload
	Length int64     // of the complete upload if the request says so, else recording.Unknown
	Size   int64     // of the chunk in bytes, or recording.Unknown
	Body   io.Reader // a read error means that the sender has disconnected
	// Cut makes the current and every later read of Body return an error. It is called from another goroutine when the sender
	// has reconnected. nil: the body cannot be interrupted.
	Cut func()
}

// Append appends a chunk to an upload and returns the upload afterwards. Bytes that arrived before the body broke off are kept.
// One request at a time appends to an upload: a later one interrupts the body of an earlier one, whose connection may be dead,
// and continues after the bytes of the earlier one.
//
// Errors: those of Status; recording.ErrOffset if the chunk does not begin at the end of the upload, also because another one
// came first; ErrLocked if another request did not end in time; ErrLength, ErrTooLarge, ErrQuota, ErrStorage and
// outage.ErrObjectsUnreachable, after which nothing is stored; ErrType if the content is of a type that the upload must not have,
// which ends the upload; response.ErrGone if the response was deleted meanwhile.
func (s *Service) Append(ctx context.Context, responseID, id string, chunk Chunk) (_ recording.Upload, err error) {
	defer operation.Wrap(&err, "uploads.Append")
	current, err := s.Status(ctx, responseID, id)
	if err != nil {
		return current, err
	}
	if chunk.Offset != current.Received { // checked before another request is interrupted
		return current, recording.ErrOffset
	}
	if err := s.away(); err != nil && chunk.Size != 0 {
		return current, err
	}
	w, err := s.acquire(ctx, id, chunk.Cut)
	if err != nil {
		return current, err
	}
	ctx = context.WithoutCancel(ctx) // bytes that arrived are kept after the sender disconnects
	defer s.release(ctx, w, responseID, id)
	updated, err := s.writeChunk(ctx, w, responseID, id, chunk)
	if err != nil {
		// The response may have been erased during the request; then that is the cause, whatever failed.
		if _, e := s.Store.View().AnyResponse(ctx, responseID); errors.Is(e, response.ErrNotFound) {
			return updated, response.ErrGone
		}
		if errors.Is(err, fs.ErrNotExist) { // the upload may have ended meanwhile, which removes its folder
			if _, e := s.Status(ctx, responseID, id); errors.Is(e, recording.ErrGone) {
				return updated, recording.ErrGone
			}
		}
	}
	return updated, err
}

// writeChunk appends a chunk. The caller holds the lease of the upload.
func (s *Service) writeChunk(ctx context.Context, w *writer, responseID, id string, chunk Chunk) (recording.Upload, error) {
	current, err := s.Status(ctx, responseID, id)
	if err != nil {
		return current, err
	}
	if chunk.Offset != current.Received {
		return current, recording.ErrOffset
	}
	next := current
	room, err := s.applyLength(&next, chunk.Length)
	if err != nil {
		return current, err
	}
	if chunk.Size > room {
		return current, recording.ErrTooLarge
	}
	if err := s.checkSpace(max(chunk.Size, 0)); err != nil {
		return current, err
	}
	body := &chunkReader{
		r: chunk.Body, room: room, checkMinFree: s.checkMinFree,
		allot: func(read int64) (int64, error) { return s.allot(ctx, &current, &next, chunk, room, read) },
	}
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
	if err != nil && !errors.Is(err, outage.ErrUnreachable) { // if the database was unreachable, the row may have advanced
		err = errors.Join(err, s.Objects.Delete(ctx, next.Object(part.Name)))
	}
	return u, err
}

// applyLength applies the upload length that a request declares, and returns how many more bytes the upload may receive.
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

// Bounds of one allotment. Bytes are allotted to a body in steps: as many as have arrived so far, within these bounds. So a
// request that announces bytes and never sends them takes little from others, and a long body needs only a few allotments.
const (
	minStep = 64 << 10
	maxStep = 8 << 20
)

// allot reserves quota for the next bytes of a chunk before they are stored, and returns how many more bytes may be read after
// those already read. The total size that the request announces must fit when it begins.
func (s *Service) allot(ctx context.Context, current, next *recording.Upload, chunk Chunk, room, read int64) (left int64, err error) {
	updated := *next
	updated.Parts++
	arrived := next.Received + read
	charge := func(received int64) int64 {
		updated.Received = received
		return updated.Charge()
	}
	step, needed := min(recording.Ahead(arrived, minStep, maxStep), max(room-read, 0)), int64(0)
	if read > 0 {
		needed = 1 // one byte was already read
	}
	request := store.Allotment{Urgent: true}
	if chunk.Size < 0 {
		request.Want = charge(arrived + max(step, needed))
	} else {
		rest := max(chunk.Size-read, needed)
		needed = min(rest, max(step, needed))
		request.Want = charge(arrived + needed)
		if needed == rest && next.Size == recording.Unknown { // also reserve for the next request
			request.Want += recording.Ahead(arrived+rest, 0, recording.AllotStep)
			request.Urgent = false
		}
	}
	if read == 0 {
		request.MustFit = charge(max(next.Size, arrived+max(chunk.Size, 0)))
	}
	request.Need = charge(arrived + needed)
	if max(request.Need, request.MustFit) > current.Allotted {
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

// identify determines the upload's media type once its first bytes are there; while they are too few it keeps them in Head. At
// least one byte must have been read. content is the body from its beginning.
func identify(u *recording.Upload, body *chunkReader) (content io.Reader, err error) {
	head := make([]byte, recording.SniffBytes-len(u.Head))
	n, err := io.ReadFull(body, head)
	head, atEnd := head[:n], err != nil // chunkReader returns no error but io.EOF
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

// advance advances the upload's row and releases the lease in the same transaction.
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
		if next.State == recording.Complete {
			if err := jobs.EnqueueRecordings(ctx, tx, current.ResponseID); err != nil {
				return err
			}
		}
		return tx.ReleaseUploadLease(ctx, current.ID, w.id)
	})
	if err != nil {
		return current, err
	}
	w.released = true
	return next, nil
}

// Terminate ends an upload that no answer names. Errors: recording.ErrNotFound, ErrGone, ErrUsed.
func (s *Service) Terminate(ctx context.Context, responseID, id string) (err error) {
	defer operation.Wrap(&err, "uploads.Terminate")
	u, err := s.Status(ctx, responseID, id)
	if err != nil {
		return err
	}
	return s.discard(context.WithoutCancel(ctx), &u)
}

// discard ends an upload and deletes its objects as far as it can; the sweep deletes the rest.
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

// chunkReader reads the body of a request. It ends with io.EOF, always: at the end of the body, when the sender disconnects or
// is interrupted, when the disk is nearly full, or when no more bytes are allotted.
type chunkReader struct {
	r            io.Reader
	room         int64                           // bytes that the upload may still receive
	left         int64                           // the allotted bytes among them
	allot        func(read int64) (int64, error) // returns how many more bytes may be read
	checkMinFree func() error                    // called every checkEvery bytes
	read         int64

	checkedAt int64 // value of read at the last checkMinFree
	err       error // the chunk is refused: nothing of it may be kept
	done      bool
}

// checkEvery is after how many bytes the free disk space is checked again.
const checkEvery = 8 << 20

// Read implements io.Reader.
func (c *chunkReader) Read(p []byte) (int, error) {
	if c.done || len(p) == 0 {
		return 0, c.finish()
	}
	if c.read-c.checkedAt >= checkEvery {
		c.checkedAt = c.read
		if c.checkMinFree() != nil { // the bytes so far are kept; the next request is refused
			return 0, c.finish()
		}
	}
	if c.left <= 0 {
		return c.readBeyond(p)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.count(n)
	if err != nil {
		return n, c.finish()
	}
	return n, nil
}

// readBeyond reads the byte after those that are allotted. If there is one, it allots more.
func (c *chunkReader) readBeyond(p []byte) (int, error) {
	n, _ := io.ReadFull(c.r, p[:1])
	if n == 0 {
		return 0, c.finish()
	}
	if c.read >= c.room {
		c.err = recording.ErrTooLarge
		return 0, c.finish()
	}
	if c.left, c.err = c.allot(c.read); c.err != nil {
		return 0, c.finish()
	}
	c.left = min(c.left, c.room-c.read)
	c.count(n)
	return n, nil
}

func (c *chunkReader) count(n int) {
	c.left -= int64(n)
	c.read += int64(n)
}

func (c *chunkReader) finish() error {
	c.done = true
	return io.EOF
}

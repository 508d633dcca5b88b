package participant

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/tus"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/service/uploads"
)

// Capture takes uploads in; *capture.Service does it.
type Uploads interface {
	MaxSize() int64
	SizeOf(kind recording.Kind) int64
	Create(ctx context.Context, responseID string, in uploads.New) (recording.Upload, error)
	Status(ctx context.Context, responseID, id string) (recording.Upload, error)
	Append(ctx context.Context, responseID, id string, p uploads.Chunk) (recording.Upload, error)
	Terminate(ctx context.Context, responseID, id string) error
}

// registerUploads puts the addresses of uploads on a mux. They take the methods of the protocol, also by its header that
// overrides the real one.
func (d *API) registerUploads(mux *http.ServeMux, guard func(http.Handler) http.Handler) {
	protocol := &tus.Handler{Open: d.openUploads, MaxSize: d.Uploads.MaxSize()}
	for path, handler := range map[string]httpx.Handler{
		"/i/{token}/uploads": protocol.Collection, "/i/{token}/uploads/{id}": protocol.Resource,
	} {
		serve := table.Handle(d.Log, d.withSlot(handler))
		mux.Handle(path, tus.Mark(guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			serve.ServeHTTP(w, r)
		}))))
	}
}

func (d *API) openUploads(r *http.Request) (tus.Uploads, error) {
	token := r.PathValue("token")
	holder, err := d.Fieldwork.ResponseByToken(r.Context(), token)
	return responseUploads{d.Uploads, holder.ID, func(ctx context.Context, stepID string, kind recording.Kind) error {
		return d.expect(ctx, token, stepID, kind)
	}}, err
}

// expect refuses an upload that the interview does not ask for now. Whether it still runs is for who begins the upload.
func (d *API) expect(ctx context.Context, token, stepID string, kind recording.Kind) error {
	r, mode, steps, err := d.Fieldwork.UploadSteps(ctx, token)
	if err != nil || !r.EndedAt.IsZero() {
		return err
	}
	if !slices.ContainsFunc(steps, func(at interview.Step) bool { return at.ID == stepID && takes(mode, at, kind) }) {
		return errNotExpected
	}
	return nil
}

var errNotExpected = errors.New("the step does not ask for such an upload")

// uploadsOf are those of one response, as the protocol sees them.
type responseUploads struct {
	service    Uploads
	responseID string
	expect     func(ctx context.Context, stepID string, kind recording.Kind) error
}

// maxStepID is more than the id of any step has.
const maxStepID = 50

// Create implements tus.Uploads.
func (u responseUploads) Create(ctx context.Context, in tus.New) (tus.Upload, error) {
	kind, stepID := recording.Kind(in.Metadata["kind"]), in.Metadata["stepId"]
	if !kind.Valid() {
		return tus.Upload{}, httpx.BadRequest("Upload-Metadata must have a kind: audio, video, screenVideo or file.")
	}
	strange := func(r rune) bool { return r <= ' ' || r > '~' }
	if stepID == "" || len(stepID) > maxStepID || strings.ContainsFunc(stepID, strange) {
		return tus.Upload{}, httpx.BadRequest("Upload-Metadata must have a stepId: that of the step that the upload is for.")
	}
	if err := u.expect(ctx, stepID, kind); err != nil {
		return tus.Upload{}, err
	}
	made, err := u.service.Create(ctx, u.responseID, uploads.New{
		Kind: kind, StepID: stepID, Name: in.Metadata["filename"], Size: in.Length, Metadata: in.Header,
	})
	return uploadOf(made), err
}

// Status implements tus.Uploads.
func (u responseUploads) Status(ctx context.Context, id string) (tus.Upload, error) {
	if uuid.Validate(id) != nil {
		return tus.Upload{}, recording.ErrNotFound
	}
	found, err := u.service.Status(ctx, u.responseID, id)
	return uploadOf(found), err
}

// Append implements tus.Uploads.
func (u responseUploads) Append(ctx context.Context, id string, p tus.Part) (tus.Upload, error) {
	if uuid.Validate(id) != nil {
		return tus.Upload{}, recording.ErrNotFound
	}
	grown, err := u.service.Append(ctx, u.responseID, id, uploads.Chunk{Offset: p.Offset, Length: p.Length, Size: p.Size, Body: p.Body, Cut: p.Cut})
	return uploadOf(grown), err
}

// Terminate implements tus.Uploads.
func (u responseUploads) Terminate(ctx context.Context, id string) error {
	if uuid.Validate(id) != nil {
		return recording.ErrNotFound
	}
	return u.service.Terminate(ctx, u.responseID, id)
}

func uploadOf(u recording.Upload) tus.Upload {
	seen := tus.Upload{ID: u.ID, Length: u.Size, Offset: u.Received, Header: u.Metadata}
	if u.State == recording.Open {
		seen.Expires = u.ExpiresAt
	}
	return seen
}

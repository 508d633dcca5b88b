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

// Uploads stores uploads; *uploads.Service implements it.
type Uploads interface {
	MaxSize() int64
	SizeOf(kind recording.Kind) int64
	Create(ctx context.Context, responseID string, in uploads.NewUpload) (recording.Upload, error)
	Status(ctx context.Context, responseID, id string) (recording.Upload, error)
	Append(ctx context.Context, responseID, id string, p uploads.Chunk) (recording.Upload, error)
	Terminate(ctx context.Context, responseID, id string) error
}

// registerUploads adds the addresses of uploads to a mux. They accept the methods of tus, also in X-HTTP-Method-Override.
func (a *API) registerUploads(mux *http.ServeMux, guard func(http.Handler) http.Handler) {
	protocol := &tus.Handler{Open: a.openUploads, MaxSize: a.Uploads.MaxSize()}
	for path, handler := range map[string]httpx.Handler{
		"/i/{token}/uploads": protocol.Collection, "/i/{token}/uploads/{id}": protocol.Resource,
	} {
		serve := Errors.Handle(a.Log, a.WithSlot(handler))
		mux.Handle(path, tus.WithVersion(guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			serve.ServeHTTP(w, r)
		}))))
	}
}

func (a *API) openUploads(r *http.Request) (tus.Uploads, error) {
	token := r.PathValue("token")
	resp, err := a.Fieldwork.ResponseByToken(r.Context(), token)
	return responseUploads{a.Uploads, resp.ID, func(ctx context.Context, stepID string, kind recording.Kind) error {
		return a.checkExpected(ctx, token, stepID, kind)
	}}, err
}

// checkExpected returns an error for an upload that the interview does not ask for now. It accepts uploads of ended interviews, which
// Uploads.Create refuses.
func (a *API) checkExpected(ctx context.Context, token, stepID string, kind recording.Kind) error {
	r, mode, steps, err := a.Fieldwork.UploadSteps(ctx, token)
	if err != nil || !r.EndedAt.IsZero() {
		return err
	}
	if !slices.ContainsFunc(steps, func(at interview.Step) bool { return at.ID == stepID && acceptsUpload(mode, at, kind) }) {
		return errNotExpected
	}
	return nil
}

var errNotExpected = errors.New("the step does not ask for an upload of this kind")

// responseUploads implements tus.Uploads for the uploads of one response.
type responseUploads struct {
	service    Uploads
	responseID string
	expect     func(ctx context.Context, stepID string, kind recording.Kind) error
}

// MaxStepID is longer than the id of any step.
const MaxStepID = 50

// Create implements tus.Uploads.
func (u responseUploads) Create(ctx context.Context, in tus.New) (tus.Upload, error) {
	kind, stepID := recording.Kind(in.Metadata["kind"]), in.Metadata["stepId"]
	if !kind.Valid() {
		return tus.Upload{}, httpx.BadRequest("Upload-Metadata must have a kind: audio, video, screenVideo or file.")
	}
	notPrintable := func(r rune) bool { return r <= ' ' || r > '~' }
	if stepID == "" || len(stepID) > MaxStepID || strings.ContainsFunc(stepID, notPrintable) {
		return tus.Upload{}, httpx.BadRequest("Upload-Metadata must have a stepId, the id of the step that the upload is for.")
	}
	if err := u.expect(ctx, stepID, kind); err != nil {
		return tus.Upload{}, err
	}
	created, err := u.service.Create(ctx, u.responseID, uploads.NewUpload{
		Kind: kind, StepID: stepID, Name: in.Metadata["filename"], Size: in.Length, Metadata: in.Header,
	})
	return uploadOf(created), err
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
	updated, err := u.service.Append(ctx, u.responseID, id, uploads.Chunk{Offset: p.Offset, Length: p.Length, Size: p.Size, Body: p.Body, Cut: p.Cut})
	return uploadOf(updated), err
}

// Terminate implements tus.Uploads.
func (u responseUploads) Terminate(ctx context.Context, id string) error {
	if uuid.Validate(id) != nil {
		return recording.ErrNotFound
	}
	return u.service.Terminate(ctx, u.responseID, id)
}

func uploadOf(u recording.Upload) tus.Upload {
	wire := tus.Upload{ID: u.ID, Length: u.Size, Offset: u.Received, Header: u.Metadata}
	if u.State == recording.Open {
		wire.Expires = u.ExpiresAt
	}
	return wire
}

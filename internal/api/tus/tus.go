package tus

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
)

// Version is the only supported version of the protocol.
const Version = "1.0.0"

// ContentType is the type of bodies that contain bytes of an upload.
const ContentType = "application/offset+octet-stream"

const extensions = "creation,creation-with-upload,creation-defer-length,expiration,termination"

// Unknown is the length of an upload or body that is not known, or not given.
const Unknown = -1

// Uploads stores the uploads of one owner. Its errors are answered by the table of the api package.
type Uploads interface {
	Create(ctx context.Context, in New) (Upload, error)
	Status(ctx context.Context, id string) (Upload, error)
	// Append adds the bytes of a part, which must start where the upload ends. If the body breaks off, the bytes that have
	// arrived are kept.
	Append(ctx context.Context, id string, p Part) (Upload, error)
	Terminate(ctx context.Context, id string) error
}

// New describes an upload to create.
type New struct {
	Length   int64             // bytes, or Unknown
	Metadata map[string]string // by name, decoded
	Header   string            // the metadata as it was sent
}

// Part holds the bytes that one request appends to an upload.
type Part struct {
	Offset int64     // where it starts, in bytes
	Length int64     // of the complete upload, in bytes, where the request says it; or Unknown
	Size   int64     // of the body, in bytes, or Unknown
	Body   io.Reader // fails when the sender is gone
	Cut    func()    // makes reads of Body fail, also a read that is waiting
}

// Upload is the state of an upload.
type Upload struct {
	ID      string
	Length  int64     // bytes, or Unknown
	Offset  int64     // bytes stored so far
	Header  string    // its metadata as it was sent
	Expires time.Time // when it can no longer be resumed; zero: never
}

// Handler serves the address at which uploads are created and, below it, the address of each upload. Share one value.
type Handler struct {
	Open    func(r *http.Request) (Uploads, error) // returns the uploads of the owner that the request names; not called for OPTIONS
	MaxSize int64                                  // maximum size of an upload, in bytes
}

// WithVersion sets the protocol's version in every answer of next, also in errors of other handlers.
func WithVersion(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Tus-Resumable", Version)
		next.ServeHTTP(w, r)
	})
}

// Collection serves the address at which uploads are created.
func (h *Handler) Collection(w http.ResponseWriter, r *http.Request) error {
	return h.serve(w, r, map[string]action{http.MethodPost: h.create})
}

// Resource serves the address of the upload named by the path value id.
func (h *Handler) Resource(w http.ResponseWriter, r *http.Request) error {
	return h.serve(w, r, map[string]action{http.MethodHead: h.head, http.MethodPatch: h.patch, http.MethodDelete: h.remove})
}

type action func(w http.ResponseWriter, r *http.Request, uploads Uploads) error

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, actions map[string]action) error {
	header := w.Header()
	header.Set("Tus-Resumable", Version)
	header.Set("Cache-Control", "no-store")
	method := r.Method
	if override := r.Header.Get("X-Http-Method-Override"); override != "" && method == http.MethodPost && actions[method] == nil {
		method = override // for clients whose network allows only GET and POST
	}
	if method == http.MethodOptions {
		header.Set("Tus-Version", Version)
		header.Set("Tus-Extension", extensions)
		header.Set("Tus-Max-Size", strconv.FormatInt(h.MaxSize, 10))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	do, known := actions[method]
	if !known {
		e := httpx.Errorf(http.StatusMethodNotAllowed, "method_not_allowed", "This address does not support this method.")
		e.Header = http.Header{"Allow": {allow(actions)}}
		return e
	}
	if r.Header.Get("Tus-Resumable") != Version {
		e := httpx.Errorf(http.StatusPreconditionFailed, "unsupported_version", "Tus-Resumable must be %s.", Version)
		e.Header = http.Header{"Tus-Version": {Version}}
		return e
	}
	uploads, err := h.Open(r)
	if err != nil {
		return err
	}
	return do(w, r, uploads)
}

func allow(actions map[string]action) string {
	if _, collection := actions[http.MethodPost]; collection {
		return "OPTIONS, POST"
	}
	return "DELETE, HEAD, OPTIONS, PATCH"
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, uploads Uploads) error {
	in, err := h.readNew(r)
	if err != nil {
		return err
	}
	hasBody := r.ContentLength != 0
	if hasBody && !hasOffsetType(r) {
		return wrongType()
	}
	if in.Length != Unknown && r.ContentLength > in.Length {
		return h.tooLarge()
	}
	u, err := uploads.Create(r.Context(), in)
	if err != nil {
		return err
	}
	if hasBody {
		id := u.ID
		httpx.ExtendAnswerDeadline(w, r)
		cut := httpx.Pace(w, r).Cut
		if u, err = uploads.Append(r.Context(), id, Part{Length: Unknown, Size: r.ContentLength, Body: r.Body, Cut: cut}); err != nil {
			_ = uploads.Terminate(r.Context(), id) // no client knows its address; if this fails the upload expires
			return err
		}
	}
	setStatusHeaders(w, u)
	w.Header().Set("Location", strings.TrimSuffix(r.URL.Path, "/")+"/"+u.ID)
	w.WriteHeader(http.StatusCreated)
	return nil
}

// readNew reads the headers of a new upload.
func (h *Handler) readNew(r *http.Request) (in New, err error) {
	in.Header = r.Header.Get("Upload-Metadata")
	if in.Metadata, err = readMetadata(in.Header); err != nil {
		return in, err
	}
	if in.Length, err = headerInt(r, "Upload-Length"); err != nil {
		return in, err
	}
	deferred := r.Header.Values("Upload-Defer-Length")
	switch {
	case len(deferred) > 0 && (len(deferred) > 1 || deferred[0] != "1"):
		return in, httpx.BadRequest("Upload-Defer-Length must be 1, or left out.")
	case (in.Length == Unknown) == (len(deferred) == 0):
		return in, httpx.BadRequest("Send either Upload-Length or Upload-Defer-Length.")
	case in.Length > h.MaxSize:
		return in, h.tooLarge()
	}
	return in, nil
}

func (h *Handler) head(w http.ResponseWriter, r *http.Request, uploads Uploads) error {
	u, err := uploads.Status(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	setStatusHeaders(w, u)
	if u.Length == Unknown {
		w.Header().Set("Upload-Defer-Length", "1")
	} else {
		w.Header().Set("Upload-Length", strconv.FormatInt(u.Length, 10))
	}
	if u.Header != "" {
		w.Header().Set("Upload-Metadata", u.Header)
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

func (h *Handler) patch(w http.ResponseWriter, r *http.Request, uploads Uploads) error {
	if !hasOffsetType(r) {
		return wrongType()
	}
	offset, err := headerInt(r, "Upload-Offset")
	if err == nil && offset == Unknown {
		err = httpx.BadRequest("Upload-Offset is missing.")
	}
	if err != nil {
		return err
	}
	length, err := headerInt(r, "Upload-Length")
	if err != nil {
		return err
	}
	if length > h.MaxSize {
		return h.tooLarge()
	}
	httpx.ExtendAnswerDeadline(w, r)
	cut := httpx.Pace(w, r).Cut
	u, err := uploads.Append(r.Context(), r.PathValue("id"), Part{Offset: offset, Length: length, Size: r.ContentLength, Body: r.Body, Cut: cut})
	if err != nil {
		return err
	}
	setStatusHeaders(w, u)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *Handler) remove(w http.ResponseWriter, r *http.Request, uploads Uploads) error {
	if err := uploads.Terminate(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// setStatusHeaders sets the offset of an upload, and until when it can be resumed.
func setStatusHeaders(w http.ResponseWriter, u Upload) {
	w.Header().Set("Upload-Offset", strconv.FormatInt(u.Offset, 10))
	if !u.Expires.IsZero() {
		w.Header().Set("Upload-Expires", u.Expires.UTC().Format(http.TimeFormat))
	}
}

// headerInt returns a header that is a non-negative integer, or Unknown where it is absent.
func headerInt(r *http.Request, name string) (int64, error) {
	values := r.Header.Values(name)
	if len(values) == 0 {
		return Unknown, nil
	}
	n, err := strconv.ParseUint(values[0], 10, 63)
	if err != nil || len(values) > 1 {
		return 0, httpx.BadRequest("%s must be a whole number, 0 or more.", name)
	}
	return int64(n), nil
}

func hasOffsetType(r *http.Request) bool {
	return strings.EqualFold(strings.TrimSpace(r.Header.Get("Content-Type")), ContentType)
}

func wrongType() error {
	return httpx.Errorf(http.StatusUnsupportedMediaType, "unsupported_media_type", "The body must be of the type %s.", ContentType)
}

func (h *Handler) tooLarge() error {
	return httpx.Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The upload is larger than its Upload-Length or than the maximum of %d bytes.", h.MaxSize)
}

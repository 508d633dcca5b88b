package pages

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/uploads"
)

const (
	fieldFile = "file"
	// maxFiles limits the body of a form with files: to this many of the largest allowed.
	maxFiles = 4
	formType = "multipart/form-data"
)

// answerPage accepts the form of any step.
func (a *API) answerPage(w http.ResponseWriter, r *http.Request) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == formType {
		return a.Protocol.WithSlot(a.answerFilesForm)(w, r)
	}
	return a.answerForm(w, r)
}

// answerFilesForm accepts the form of a step that asks for files: it stores each file as it arrives and then answers the step with
// them. If one of them is refused none is kept, and the step is shown again.
func (a *API) answerFilesForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if a.Protocol.Uploads == nil {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	view, err := a.Protocol.Fieldwork.Current(r.Context(), token)
	if err != nil {
		return err
	}
	httpx.ExtendAnswerDeadline(w, r)
	httpx.Pace(w, r)
	r.Body = http.MaxBytesReader(w, r.Body, maxFiles*a.Protocol.Uploads.SizeOf(recording.File))
	defer func() { _, _ = io.Copy(io.Discard, r.Body) }() // a browser that is still sending would not show the response
	form, err := newFormParts(r)
	if err != nil {
		return httpx.BadRequest("The form could not be read.")
	}
	if stepID, err := stepField(form); err != nil {
		return err
	} else if stepID != view.Step.ID || view.Step.Item == nil || view.Step.Item.Type != guide.FileUpload {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	ids, violations, err := a.storeFiles(r, view, form)
	if err == nil && len(violations) == 0 {
		var done bool
		if done, violations, err = a.answer(w, r, token, view.Step.ID, interview.Answer{Uploads: ids}, url.Values{}); done {
			return err
		}
	}
	for _, id := range ids {
		_ = a.Protocol.Uploads.Terminate(r.Context(), view.Response.ID, id) // an upload that is left expires
	}
	p := stepPage(view, token)
	p.Form = url.Values{}
	return a.writeRefusal(w, r, p, view, violations, err, "fullText")
}

// Limits of a form with files: how many fields it may have, and how many bytes the headers of a field may have. mime/multipart would
// keep 10 MiB of headers in memory.
const (
	maxParts       = 100
	maxPartHeaders = 64 << 10
)

// formParts reads the fields of a form with files one after the other.
type formParts struct {
	form  *multipart.Reader
	from  *headerLimiter
	last  *multipart.Part
	count int
}

func newFormParts(r *http.Request) (*formParts, error) {
	from := &headerLimiter{ReadCloser: r.Body, left: -1}
	r.Body = from
	form, err := r.MultipartReader()
	return &formParts{form: form, from: from}, err
}

// next skips the rest of the current part and returns the following one; io.EOF at the end.
func (p *formParts) next() (*multipart.Part, error) {
	if p.last != nil {
		if _, err := io.Copy(io.Discard, p.last); err != nil {
			return nil, err
		}
	}
	if p.count++; p.count > maxParts {
		return nil, errTooManyParts
	}
	p.from.left = maxPartHeaders
	defer func() { p.from.left = -1 }()
	part, err := p.form.NextPart()
	p.last = part
	return part, err
}

var errTooManyParts = errors.New("the form has too many fields")

// headerLimiter is a reader that fails after left bytes. A negative left means no limit.
type headerLimiter struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (r *headerLimiter) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, errTooManyParts
	}
	if r.left > 0 {
		b = b[:min(len(b), r.left)]
	}
	n, err := r.ReadCloser.Read(b)
	if r.left > 0 {
		r.left -= n
	}
	return n, err
}

// stepField reads the form's first field, stepId.
func stepField(form *formParts) (string, error) {
	part, err := form.next()
	if err != nil || part.FormName() != "stepId" {
		return "", httpx.BadRequest("The form must begin with the field stepId.")
	}
	id, err := io.ReadAll(io.LimitReader(part, participant.MaxStepID))
	if err != nil {
		return "", httpx.BadRequest("The form could not be read.")
	}
	return string(id), nil
}

// storeFiles stores the files of a form. It stops at the first file that is refused, and violations say why. ids holds the uploads of
// all files, also of the refused one.
func (a *API) storeFiles(r *http.Request, view fieldwork.View, form *formParts) (ids []string, violations []violation, err error) {
	for {
		part, err := form.next()
		if err == io.EOF {
			return ids, nil, nil
		}
		if err != nil {
			violations, err := a.fileViolations(incompleteForm(err))
			return ids, violations, err
		}
		if part.FormName() != fieldFile || part.FileName() == "" {
			continue
		}
		id, err := a.storeFile(r, view, part)
		if id != "" {
			ids = append(ids, id)
		}
		if err != nil {
			violations, err := a.fileViolations(err)
			return ids, violations, err
		}
	}
}

// storeFile stores one file. id is not empty once its upload was created, even with an error.
func (a *API) storeFile(r *http.Request, view fieldwork.View, part *multipart.Part) (id string, err error) {
	ctx, responseID := r.Context(), view.Response.ID
	u, err := a.Protocol.Uploads.Create(ctx, responseID, uploads.NewUpload{
		Kind: recording.File, StepID: view.Step.ID, Name: part.FileName(), Size: recording.Unknown,
	})
	if err != nil {
		return "", err
	}
	id = u.ID
	content := &errorKeeper{Reader: part}
	u, err = a.Protocol.Uploads.Append(ctx, responseID, id, uploads.Chunk{Length: recording.Unknown, Size: recording.Unknown, Body: content})
	if err == nil && content.err != nil {
		err = incompleteForm(content.err)
	}
	if err == nil {
		_, err = a.Protocol.Uploads.Append(ctx, responseID, id, uploads.Chunk{Offset: u.Received, Length: u.Received, Body: http.NoBody})
	}
	return id, err
}

// incompleteForm returns the error for a form whose body could not be read to its end.
func incompleteForm(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return recording.ErrTooLarge
	}
	return httpx.BadRequest("The form could not be read to its end.")
}

// fileViolations converts an error about a file to a violation. It returns other errors unchanged.
func (a *API) fileViolations(err error) ([]violation, error) {
	for _, refusal := range []error{recording.ErrType, recording.ErrTooLarge, recording.ErrQuota, recording.ErrStorage, recording.ErrTooMany} {
		if errors.Is(err, refusal) {
			answer, _ := participant.Errors.Translate(refusal)
			return []violation{{key: rules.FileErrors[answer.Code].Page, n: a.largestFile()}}, nil
		}
	}
	return nil, err
}

// largestFile returns the maximum size of a file in MiB.
func (a *API) largestFile() int {
	if a.Protocol.Uploads == nil {
		return 0
	}
	return int(a.Protocol.Uploads.SizeOf(recording.File) >> 20)
}

// FileHint returns the sentence on which files may be sent. The template calls it.
func (p page) FileHint() string { return p.Words.Number("hintFile", p.LargestFile) }

// errorKeeper keeps the error that its reader returned, other than io.EOF.
type errorKeeper struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (r *errorKeeper) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

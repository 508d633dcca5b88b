package participant

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/uploads"
)

const (
	fieldFile = "file"
	// maxFiles bounds the form of a step that asks for files: so many of the largest.
	maxFiles = 4
	formType = "multipart/form-data"
)

// answerPage takes the form of any step.
func (d *API) answerPage(w http.ResponseWriter, r *http.Request) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == formType {
		return d.withSlot(d.filesForm)(w, r)
	}
	return d.answerForm(w, r)
}

// filesForm takes the form of a step that asks for files: it stores each as it comes, and then answers the step with them. When
// one of them cannot be taken none is kept, and the step is shown again.
func (d *API) filesForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if d.Uploads == nil {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	view, err := d.Fieldwork.Current(r.Context(), token)
	if err != nil {
		return err
	}
	httpx.AnswerLater(w, r)
	httpx.Pace(w, r)
	r.Body = http.MaxBytesReader(w, r.Body, maxFiles*d.Uploads.SizeOf(recording.File))
	defer func() { _, _ = io.Copy(io.Discard, r.Body) }() // a browser that is still sending does not see the answer
	form, err := newParts(r)
	if err != nil {
		return httpx.BadRequest("The form could not be read.")
	}
	if stepID, err := stepField(form); err != nil {
		return err
	} else if stepID != view.Step.ID || view.Step.Item == nil || view.Step.Item.Type != guide.FileUpload {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	ids, violations, err := d.takeFiles(r, view, form)
	if err == nil && len(violations) == 0 {
		_, err = d.Fieldwork.Answer(r.Context(), token, view.Step.ID, interview.Answer{Uploads: ids})
		if wrong, ok := errors.AsType[*interview.AnswerError](err); ok {
			violations, err = violationsOf(wrong), nil
		} else if err == nil || errors.Is(err, interview.ErrStaleStep) {
			http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
			return nil
		}
	}
	for _, id := range ids {
		_ = d.Uploads.Terminate(r.Context(), view.Response.ID, id) // what stays expires
	}
	p := stepPage(view, token)
	p.Form = url.Values{}
	if errors.Is(err, fieldwork.ErrNotTakingParticipants) {
		p.Errors = []string{p.Words["fullText"]}
		return d.writeStep(w, r, http.StatusConflict, p, view)
	}
	if err != nil {
		return err
	}
	for _, f := range violations {
		p.Errors = append(p.Errors, p.Words.number(f.key, f.n))
	}
	return d.writeStep(w, r, http.StatusBadRequest, p, view)
}

// What a form of files may hold beside them: its fields, and how many bytes the headers of one may have, where the reader of the
// standard library keeps 10 MiB of them in memory.
const (
	maxParts       = 100
	maxPartHeaders = 64 << 10
)

// parts are the fields of a form of files, one after the other.
type parts struct {
	form  *multipart.Reader
	from  *rationed
	last  *multipart.Part
	count int
}

func newParts(r *http.Request) (*parts, error) {
	from := &rationed{ReadCloser: r.Body, left: -1}
	r.Body = from
	form, err := r.MultipartReader()
	return &parts{form: form, from: from}, err
}

// next passes over what is left of a part and returns the one behind it; io.EOF at the end.
func (p *parts) next() (*multipart.Part, error) {
	if p.last != nil {
		if _, err := io.Copy(io.Discard, p.last); err != nil {
			return nil, err
		}
	}
	if p.count++; p.count > maxParts {
		return nil, errManyParts
	}
	p.from.left = maxPartHeaders
	defer func() { p.from.left = -1 }()
	part, err := p.form.NextPart()
	p.last = part
	return part, err
}

var errManyParts = errors.New("the form has too many fields")

// rationed reads so many bytes, and no more; any number where left is negative.
type rationed struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (r *rationed) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, errManyParts
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

// stepField reads the field that the form begins with.
func stepField(form *parts) (string, error) {
	part, err := form.next()
	if err != nil || part.FormName() != "stepId" {
		return "", httpx.BadRequest("The form does not begin with its step.")
	}
	id, err := io.ReadAll(io.LimitReader(part, maxStepID))
	if err != nil {
		return "", httpx.BadRequest("The form could not be read.")
	}
	return string(id), nil
}

// takeFiles stores the files of a form. faults say what is wrong with one of them, behind which none was read; ids are of
// all that were begun.
func (d *API) takeFiles(r *http.Request, view fieldwork.View, form *parts) (ids []string, violations []violation, err error) {
	for {
		part, err := form.next()
		if err == io.EOF {
			return ids, nil, nil
		}
		if err != nil {
			violations, err := d.fileFault(broken(err))
			return ids, violations, err
		}
		if part.FormName() != fieldFile || part.FileName() == "" {
			continue
		}
		id, err := d.takeFile(r, view, part)
		if id != "" {
			ids = append(ids, id)
		}
		if err != nil {
			violations, err := d.fileFault(err)
			return ids, violations, err
		}
	}
}

// takeFile stores one file. id is not empty once its upload was begun.
func (d *API) takeFile(r *http.Request, view fieldwork.View, part *multipart.Part) (id string, err error) {
	ctx, responseID := r.Context(), view.Response.ID
	u, err := d.Uploads.Create(ctx, responseID, uploads.New{
		Kind: recording.File, StepID: view.Step.ID, Name: part.FileName(), Size: recording.Unknown,
	})
	if err != nil {
		return "", err
	}
	id = u.ID
	whole := &remembering{Reader: part}
	u, err = d.Uploads.Append(ctx, responseID, id, uploads.Chunk{Length: recording.Unknown, Size: recording.Unknown, Body: whole})
	if err == nil && whole.err != nil {
		err = broken(whole.err)
	}
	if err == nil {
		_, err = d.Uploads.Append(ctx, responseID, id, uploads.Chunk{Offset: u.Received, Length: u.Received, Body: http.NoBody})
	}
	return id, err
}

// broken is the error of a form that did not come to its end.
func broken(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return recording.ErrTooLarge
	}
	return httpx.BadRequest("The form could not be read to its end.")
}

// fileFault says an error about a file in the page's words; other errors stay errors.
func (d *API) fileFault(err error) ([]violation, error) {
	switch {
	case errors.Is(err, recording.ErrType):
		return []violation{{key: "errFileType"}}, nil
	case errors.Is(err, recording.ErrTooLarge):
		return []violation{{key: "errFileLarge", n: d.largestFile()}}, nil
	case errors.Is(err, recording.ErrQuota), errors.Is(err, recording.ErrStorage), errors.Is(err, recording.ErrTooMany):
		return []violation{{key: "errFileQuota"}}, nil
	}
	return nil, err
}

// largestFile is how many megabytes a file may have.
func (d *API) largestFile() int {
	if d.Uploads == nil {
		return 0
	}
	return int(d.Uploads.SizeOf(recording.File) >> 20)
}

// FileHint says which files may be given. The template asks it.
func (p page) FileHint() string { return p.Words.number("hintFile", p.LargestFile) }

// remembering keeps the error that ended its reader, other than its end.
type remembering struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (r *remembering) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

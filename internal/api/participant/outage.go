package participant

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/fieldwork"
)

// readPosted reads a form and remembers it with the request, for a page that keeps it.
func readPosted(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	form, err := httpx.ReadForm(w, r)
	r.PostForm = form
	return form, err
}

// keeping is the page of an outage that keeps the form which could not be taken, with a button that sends it again. A form of files
// cannot be kept: a page may not fill in files.
func (p page) keeping(w http.ResponseWriter, r *http.Request) page {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == formType {
		p.Text = p.Words["outageFiles"]
		return p
	}
	form := r.PostForm
	if form == nil { // the outage came before it was read
		var err error
		if form, err = httpx.ReadForm(w, r); err != nil {
			return p
		}
	}
	p.Resend = (&url.URL{Path: r.URL.Path, RawQuery: r.URL.RawQuery}).String()
	for name, values := range form {
		for _, value := range values {
			p.Kept = append(p.Kept, fieldwork.Param{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(p.Kept, func(a, b fieldwork.Param) int { return cmp.Compare(a.Name, b.Name) })
	if len(p.Kept) > 0 {
		p.Text = p.Words["outageKept"]
	}
	p.Back = "" // the button is the way on
	return p
}

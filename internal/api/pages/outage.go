package pages

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/fieldwork"
)

// readPosted reads a form and sets it as the request's PostForm, for withKeptForm.
func readPosted(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	form, err := httpx.ReadForm(w, r)
	r.PostForm = form
	return form, err
}

// withKeptForm returns the page of an outage with the form that could not be stored, and a button that sends it again. A form with
// files cannot be kept, because a page cannot fill in a file field.
func (p page) withKeptForm(w http.ResponseWriter, r *http.Request) page {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == formType {
		p.Text = p.Words["outageFiles"]
		return p
	}
	form := r.PostForm
	if form == nil { // the request failed before the form was read
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
	p.Back = "" // the button replaces the link
	return p
}

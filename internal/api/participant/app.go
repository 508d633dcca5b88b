package participant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// appPath is where the files of the app are. Their names change with their content, so they may be kept for ever.
const appPath = "/participant/"

// app is the built app, which takes over the pages in browsers with JavaScript.
type app struct {
	Script  string   // addresses of what a page loads
	Preload []string // modules that the script imports

	style stylesheet         // of pages that it takes over
	files map[string]appFile // by name
}

type appFile struct {
	contentType         string
	plain, gzip, brotli []byte
}

var appTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

const appManifest = "manifest.json"

// built tells whether there is an app in a folder; without the web build there is none.
func built(dist fs.FS) bool {
	if dist == nil {
		return false
	}
	_, err := fs.Stat(dist, appManifest)
	return !errors.Is(err, fs.ErrNotExist)
}

// loadApp reads what web/build_participant.mjs has written.
func loadApp(dist fs.FS) (*app, error) {
	text, err := fs.ReadFile(dist, appManifest)
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Script  string   `json:"script"`
		Preload []string `json:"preload"`
		Style   string   `json:"style"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", appManifest, err)
	}
	a := &app{files: map[string]appFile{}}
	entries, err := fs.ReadDir(dist, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		contentType, served := appTypes[path.Ext(entry.Name())]
		if !served {
			continue
		}
		f := appFile{contentType: contentType}
		for suffix, body := range map[string]*[]byte{"": &f.plain, ".gz": &f.gzip, ".br": &f.brotli} {
			if *body, err = fs.ReadFile(dist, entry.Name()+suffix); err != nil {
				return nil, err
			}
		}
		a.files[entry.Name()] = f
	}
	for _, name := range append([]string{manifest.Script, manifest.Style}, manifest.Preload...) {
		if _, there := a.files[name]; !there {
			return nil, fmt.Errorf("%s names %q, which is not there", appManifest, name)
		}
	}
	a.Script, a.style = appPath+manifest.Script, stylesheetOf(style, a.files[manifest.Style].plain)
	for _, name := range manifest.Preload {
		a.Preload = append(a.Preload, appPath+name)
	}
	return a, nil
}

// serve answers with a file, in the best encoding that it has and the browser takes.
func (a *app) serve(w http.ResponseWriter, r *http.Request) {
	f, there := a.files[r.PathValue("file")]
	if !there {
		http.NotFound(w, r)
		return
	}
	body, encoding := f.plain, ""
	switch accepted := r.Header.Get("Accept-Encoding"); {
	case accepts(accepted, "br"):
		body, encoding = f.brotli, "br"
	case accepts(accepted, "gzip"):
		body, encoding = f.gzip, "gzip"
	}
	header := w.Header()
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept-Encoding")
	_, _ = w.Write(body) // a client that went away is no error of ours
}

// accepts tells whether an Accept-Encoding names an encoding without refusing it (RFC 9110, 12.5.3).
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return err != nil || value > 0
	}
	return false
}

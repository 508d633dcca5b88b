package pages

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

// appPath is the path of the app's files. Their names change with their content, so they may be cached for ever.
const appPath = "/participant/"

// app is the built app, which replaces the pages in browsers with JavaScript.
type app struct {
	Script  string   // address of the main module
	Preload []string // addresses of the modules that it imports

	style stylesheet         // of pages that load the app
	files map[string]appFile // by name
}

type appFile struct {
	contentType         string
	plain, gzip, brotli []byte
}

var appTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

const appManifest = "manifest.json"

// hasApp reports whether a folder holds an app. Without the web build there is none.
func hasApp(dist fs.FS) bool {
	if dist == nil {
		return false
	}
	_, err := fs.Stat(dist, appManifest)
	return !errors.Is(err, fs.ErrNotExist)
}

// loadApp reads the files that web/build_participant.mjs wrote.
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
		if _, found := a.files[name]; !found {
			return nil, fmt.Errorf("%s names %q, which is missing", appManifest, name)
		}
	}
	a.Script, a.style = appPath+manifest.Script, stylesheetOf(style, a.files[manifest.Style].plain)
	for _, name := range manifest.Preload {
		a.Preload = append(a.Preload, appPath+name)
	}
	return a, nil
}

// serve sends a file, in the best encoding that the browser accepts.
func (a *app) serve(w http.ResponseWriter, r *http.Request) {
	f, found := a.files[r.PathValue("file")]
	if !found {
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
	_, _ = w.Write(body) // fails when the client is gone, which needs no handling
}

// accepts reports whether an Accept-Encoding header names an encoding without refusing it (RFC 9110, section 12.5.3).
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

// Package webapp serves the files of a built web app: scripts and style sheets whose names change with their content.
package webapp

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

// App is a built app.
type App struct {
	Script  string   // address of the main module
	Preload []string // addresses of the modules that it imports
	Style   string   // address of the style sheet
	Theme   string   // address of a script to run before the page is shown; empty if there is none

	style string          // its file
	files map[string]file // by name
}

type file struct {
	contentType         string
	plain, gzip, brotli []byte
}

var types = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

const manifestFile = "manifest.json"

// Built reports whether a folder holds an app. Without the web build there is none.
func Built(dist fs.FS) bool {
	if dist == nil {
		return false
	}
	_, err := fs.Stat(dist, manifestFile)
	return !errors.Is(err, fs.ErrNotExist)
}

// Load reads the files that the web build wrote, to be served below a path that ends with a slash.
func Load(dist fs.FS, below string) (*App, error) {
	text, err := fs.ReadFile(dist, manifestFile)
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Script  string   `json:"script"`
		Preload []string `json:"preload"`
		Style   string   `json:"style"`
		Theme   string   `json:"theme"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	a := &App{files: map[string]file{}}
	entries, err := fs.ReadDir(dist, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		contentType, served := types[path.Ext(entry.Name())]
		if !served {
			continue
		}
		f := file{contentType: contentType}
		for suffix, body := range map[string]*[]byte{"": &f.plain, ".gz": &f.gzip, ".br": &f.brotli} {
			if *body, err = fs.ReadFile(dist, entry.Name()+suffix); err != nil {
				return nil, err
			}
		}
		a.files[entry.Name()] = f
	}
	needed := append([]string{manifest.Script, manifest.Style}, manifest.Preload...)
	if manifest.Theme != "" {
		needed, a.Theme = append(needed, manifest.Theme), below+manifest.Theme
	}
	for _, name := range needed {
		if _, found := a.files[name]; !found {
			return nil, fmt.Errorf("%s names %q, which is missing", manifestFile, name)
		}
	}
	a.Script, a.Style, a.style = below+manifest.Script, below+manifest.Style, manifest.Style
	for _, name := range manifest.Preload {
		a.Preload = append(a.Preload, below+name)
	}
	return a, nil
}

// Stylesheet returns the text of the stylesheet.
func (a *App) Stylesheet() []byte { return a.files[a.style].plain }

// Serve sends the file that the path value file names, in the best encoding that the browser accepts.
func (a *App) Serve(w http.ResponseWriter, r *http.Request) {
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

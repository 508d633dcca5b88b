package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"verbatim/internal/api/httpx"
	"verbatim/openapi"
)

// Patterns of the health endpoints.
const (
	healthPattern = "GET /healthz"
	readyPattern  = "GET /readyz"
)

func (s *Server) registerHealth(mux *http.ServeMux) {
	state := readiness{log: s.Log}
	mux.HandleFunc(healthPattern, func(w http.ResponseWriter, r *http.Request) { writeHealth(w, http.StatusOK, health{Status: "ok"}) })
	mux.HandleFunc(readyPattern, func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			writeHealth(w, http.StatusServiceUnavailable, health{Status: "stopping"})
			return
		}
		status, body := healthOf(state.ask(r.Context(), s.Ready), s.Objects)
		writeHealth(w, status, body)
	})
}

func writeHealth(w http.ResponseWriter, status int, h health) {
	body := httpx.Encode(h)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// docsPolicy is the Content-Security-Policy of the API reference. Its renderer has images as data URLs in its stylesheet,
// and the requests that it tries out go to this server.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

//go:embed root.html
var rootPage []byte

func (s *Server) registerPages(mux *http.ServeMux) {
	rootPolicy := pagePolicy(rootPage)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", rootPolicy)
		writeFile(w, r, "text/html; charset=utf-8", rootPage)
	})
	s.registerResearcherPages(mux)
	for name, contract := range s.Contracts {
		mux.HandleFunc("GET /openapi/"+name, func(w http.ResponseWriter, r *http.Request) {
			writeFile(w, r, "application/yaml; charset=utf-8", contract)
		})
		asJSON := sync.OnceValues(func() ([]byte, error) { return openapi.JSON(contract) })
		mux.Handle("GET /openapi/"+strings.TrimSuffix(name, ".yaml")+".json", httpx.Table{}.Handle(s.Log, func(w http.ResponseWriter, r *http.Request) error {
			body, err := asJSON()
			if err == nil {
				writeFile(w, r, "application/json; charset=utf-8", body)
			}
			return err
		}))
	}
	if s.Docs != nil {
		mux.Handle("GET /docs", http.RedirectHandler("/docs/", http.StatusMovedPermanently))
		files := http.FileServerFS(s.Docs)
		mux.HandleFunc("GET /docs/", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", docsPolicy)
			files.ServeHTTP(w, r)
		})
	}
}

// pagePolicy returns the Content-Security-Policy of a page without scripts. It allows the stylesheet that is embedded in the
// page.
func pagePolicy(page []byte) string {
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	stylesheet, _, _ := bytes.Cut(rest, []byte("</style>"))
	sum := sha256.Sum256(stylesheet)
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func writeFile(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	sum := sha256.Sum256(body)
	if httpx.NotModified(w, r, base64.RawURLEncoding.EncodeToString(sum[:12])) {
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}

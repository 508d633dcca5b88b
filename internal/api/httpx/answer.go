package httpx

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

// WriteJSON answers with v as JSON. A 200 answer to a GET carries an ETag, and becomes 304 if the client has it already.
func WriteJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := marshal(v)
	if err != nil {
		return err
	}
	return WriteBody(w, r, status, body)
}

// WriteBody is WriteJSON for a body that is already encoded.
func WriteBody(w http.ResponseWriter, r *http.Request, status int, body []byte) error {
	if status == http.StatusOK && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		sum := sha256.Sum256(body)
		if NotModified(w, r, base64.RawURLEncoding.EncodeToString(sum[:12])) {
			return nil
		}
	}
	writeComplete(w, status, body)
	return nil
}

func writeComplete(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	done, err := limitedWriterOf(w).compute(len(body))
	if err != nil {
		return // the client is gone
	}
	defer done()
	_, _ = w.Write(body)
}

// WriteRevision answers a GET with the JSON that body returns, which never changes for the same tag (without quotes). body
// is not called if the client already has that tag.
func WriteRevision(w http.ResponseWriter, r *http.Request, tag string, body func() ([]byte, error)) error {
	if NotModified(w, r, tag) {
		return nil
	}
	b, err := body()
	if err != nil {
		return err
	}
	writeComplete(w, http.StatusOK, b)
	return nil
}

// NotModified sets the weak ETag of the answer to tag (without quotes). If If-None-Match names it, NotModified answers
// 304 and returns true.
func NotModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	etag := `W/"` + tag + `"`
	w.Header().Set("Etag", etag)
	w.Header().Set("Cache-Control", "private, no-cache")
	for candidate := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(etag, "W/") {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// NextPage returns the value of a Link header to another page of the same request: its query with param set to page.
func NextPage(baseURL string, r *http.Request, param string, page int) string {
	query := r.URL.Query()
	query.Set(param, strconv.Itoa(page))
	return "<" + baseURL + r.URL.EscapedPath() + "?" + query.Encode() + `>; rel="next"`
}

package contract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// exchange is a request and its answer.
type exchange struct {
	request *http.Request
	sent    []byte // the part of the request's body that was read
	status  int
	header  http.Header
	body    []byte
}

// check returns what is wrong with an exchange, and records its case if nothing is.
func (s *Suite) check(x exchange) []string {
	op := s.find(x.request)
	if op == nil {
		fallback, ok := s.fallback(x.request.URL.Path)
		if !ok {
			return nil
		}
		a := fallback.answers[x.status]
		if a == nil {
			return []string{"no document has this path and method"}
		}
		_, violations := a.check(x, fallback.pages)
		return violations
	}
	a := op.answers[x.status]
	if a == nil {
		return []string{fmt.Sprintf("the status is not documented; those are %v", slices.Sorted(maps.Keys(op.answers)))}
	}
	code, violations := a.check(x, op.pages)
	if x.status < 300 && op.body != nil && !(op.pages && isForm(x.request)) {
		if violation := op.body.checkRequest(x); violation != "" {
			violations = append(violations, "the request was accepted: "+violation)
		}
	}
	// The HEAD of a GET shows no code, so it covers nothing.
	if len(violations) == 0 && x.request.Method == op.Method {
		s.saw(Case{op.Operation, x.status, code})
	}
	return violations
}

// check validates headers and body, and returns the error code. If the document has pages, a browser may get one.
func (a *answer) check(x exchange, pages bool) (code string, violations []string) {
	for _, name := range slices.Sorted(maps.Keys(a.headers)) {
		h := a.headers[name]
		values := x.header.Values(name)
		if len(values) == 0 && h.required {
			violations = append(violations, "the header "+name+" is missing")
		}
		for _, value := range values {
			if err := h.schema.Validate(value); err != nil {
				violations = append(violations, fmt.Sprintf("the header %s is %q: %v", name, value, err))
			}
		}
	}
	if x.request.Method == http.MethodHead {
		return "", violations
	}
	mediaType, _, _ := mime.ParseMediaType(x.header.Get("Content-Type"))
	if pages && mediaType == "text/html" && strings.Contains(x.request.Header.Get("Accept"), mediaType) {
		return "", violations
	}
	if len(a.content) == 0 {
		if len(x.body) > 0 {
			violations = append(violations, "there should be no body")
		}
		return "", violations
	}
	schema, ok := a.content.schema(mediaType)
	if !ok {
		return "", append(violations, fmt.Sprintf("the media type %q is not documented", x.header.Get("Content-Type")))
	}
	if !isJSON(mediaType) || schema == nil {
		return "", violations
	}
	value, err := decode(x.body, x.header.Get("Content-Encoding"))
	if err != nil {
		return "", append(violations, "the body is not JSON: "+err.Error())
	}
	if len(a.codes) > 0 {
		object, _ := value.(map[string]any)
		code, _ = object["code"].(string)
		if !slices.Contains(a.codes, code) {
			return "", append(violations, fmt.Sprintf("the code %q is not documented; those are %v", code, a.codes))
		}
	}
	if err := schema.Validate(value); err != nil {
		violations = append(violations, fmt.Sprintf("the body breaks its schema: %v", err))
	}
	return code, violations
}

// checkRequest validates a request's body against the operation's JSON schema, whatever its Content-Type, as the server does. It passes a
// body of another documented type, such as a form.
func (c content) checkRequest(x exchange) string {
	mediaType, _, _ := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	_, documented := c[mediaType]
	schema := c["application/json"]
	if documented && !isJSON(mediaType) || schema == nil || len(bytes.TrimSpace(x.sent)) == 0 {
		return ""
	}
	value, err := decode(x.sent, "")
	if err != nil {
		return "its body is not JSON: " + err.Error()
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Sprintf("its body breaks the schema: %v", err)
	}
	return ""
}

// isForm reports whether a request carries the form of a page.
func isForm(r *http.Request) bool {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return mediaType == "application/x-www-form-urlencoded" || mediaType == "multipart/form-data"
}

// decode reads a JSON body and decompresses it if it has an encoding.
func decode(body []byte, encoding string) (any, error) {
	var unpacked io.Reader = bytes.NewReader(body)
	switch encoding {
	case "":
	case "gzip":
		reader, err := gzip.NewReader(unpacked)
		if err != nil {
			return nil, err
		}
		unpacked = reader
	case "zstd":
		reader, err := zstd.NewReader(unpacked)
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		unpacked = reader
	default:
		return nil, fmt.Errorf("unknown Content-Encoding %q", encoding)
	}
	return jsonschema.UnmarshalJSON(unpacked)
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

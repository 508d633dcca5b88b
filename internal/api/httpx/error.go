package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/domain/strictjson"
)

// Error is an error that is answered to the client. Its message is written for clients.
type Error struct {
	Status  int
	Code    string
	Message string
	Issues  []strictjson.Issue // only for codes whose contract has issues
	Header  http.Header        // further headers, for example Retry-After; may be nil
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// Errorf returns an Error without issues.
func Errorf(status int, code, format string, args ...any) *Error {
	return &Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// BadRequest returns 400 bad_request, for a parameter of the path or the query that is not valid.
func BadRequest(format string, args ...any) *Error {
	return Errorf(http.StatusBadRequest, "bad_request", format, args...)
}

// envelope is the body of every error.
type envelope struct {
	Error  string             `json:"error"`
	Code   string             `json:"code"`
	Issues []strictjson.Issue `json:"issues,omitempty"`
}

// WriteError answers with e in the error envelope.
func WriteError(w http.ResponseWriter, e *Error) {
	header := w.Header()
	for name, values := range e.Header {
		header[name] = values
	}
	header.Del("Etag")
	body := Encode(envelope{e.Message, e.Code, e.Issues})
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(e.Status)
	_, _ = w.Write(body) // the client may be gone
}

// Rule maps one error of the services to an answer.
type Rule struct {
	Err        error
	Status     int
	Code       string
	Message    string
	RetryAfter time.Duration // when to send the request again; 0: no Retry-After
}

func (r Rule) answer() *Error {
	e := Errorf(r.Status, r.Code, "%s", r.Message)
	if r.RetryAfter > 0 {
		e.Header = http.Header{"Retry-After": {strconv.Itoa(int(math.Ceil(r.RetryAfter.Seconds())))}}
	}
	return e
}

// Table lists how an API answers errors. The first rule that matches counts.
type Table []Rule

// Translate returns the answer to err: err itself if it is an *Error, or that of the first rule that matches. Otherwise
// it returns internal_error, and known is false.
func (t Table) Translate(err error) (answer *Error, known bool) {
	if own, ok := errors.AsType[*Error](err); ok {
		return own, true
	}
	if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
		return Errorf(http.StatusBadRequest, "invalid_json", "The body is not valid JSON: %s.", syntax), true
	}
	if limit, ok := errors.AsType[*strictjson.LimitError](err); ok {
		return Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The body is too large: %s.", limit), true
	}
	if schema, ok := errors.AsType[*strictjson.SchemaError](err); ok {
		e := Errorf(http.StatusBadRequest, "invalid_request_body", "The body does not have the documented shape; issues lists what is wrong.")
		e.Issues = schema.Issues
		return e, true
	}
	for _, rule := range t {
		if errors.Is(err, rule.Err) {
			return rule.answer(), true
		}
	}
	return Errorf(http.StatusInternalServerError, "internal_error", "Something went wrong on our side."), false
}

// Handler is an HTTP handler whose errors are answered by a Table. It may return an error only before it has written
// anything, except for the errors of WriteArray and CopyArray.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Handle answers the errors of a handler by the table, and logs those that no rule matches.
func (t Table) Handle(log *slog.Logger, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		if err == nil {
			return
		}
		if broken, ok := errors.AsType[*cutOffError](err); ok {
			if broken.err != nil && r.Context().Err() == nil {
				log.ErrorContext(r.Context(), "answer cut off", "request_id", RequestID(r.Context()), "route", r.Pattern, "error", broken.err)
			}
			panic(http.ErrAbortHandler)
		}
		answer, known := t.Translate(err)
		if !known {
			id := RequestID(r.Context())
			if errors.Is(err, context.Canceled) && ClientGone(r) {
				return
			}
			log.ErrorContext(r.Context(), "request failed", "request_id", id, "method", MethodName(r), "route", r.Pattern, "error", err)
			answer.Message = fmt.Sprintf("Something went wrong on our side. Request id: %s.", id)
		}
		WriteError(w, answer)
	})
}

// MethodName returns the method of a request for the log. Methods that HTTP does not define become OTHER, since clients
// choose their names.
func MethodName(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
		http.MethodConnect, http.MethodTrace:
		return r.Method
	}
	return "OTHER"
}

// Encode returns a wire struct as JSON, without escaping HTML. It panics when that fails, since every wire struct can be
// encoded.
func Encode(v any) []byte {
	body, err := marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

// marshal encodes v as JSON without escaping HTML.
func marshal(v any) ([]byte, error) {
	var b jsonBuffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b, err
}

type jsonBuffer []byte

// Write implements io.Writer.
func (b *jsonBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

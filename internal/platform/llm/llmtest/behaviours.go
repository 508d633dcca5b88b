package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Says returns a behaviour that answers with a text.
func Says(text string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) { Answer(w, r, a, text) }
}

// Gives returns a behaviour that answers with a value as JSON.
func Gives(value any) Behaviour {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a test's own value
	}
	return Says(string(text))
}

// By returns a behaviour that chooses the answer by the name of the requested schema, and otherwise behaves as otherwise
// does; nil: Plausible.
func By(schemas map[string]func(a Asked) string, otherwise Behaviour) Behaviour {
	if otherwise == nil {
		otherwise = Plausible
	}
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		if say := schemas[a.Schema.Name]; say != nil {
			Answer(w, r, a, say(a))
			return
		}
		otherwise(w, r, a)
	}
}

// After waits before it behaves as then does.
func After(d time.Duration, then Behaviour) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		if wait(r, d) {
			then(w, r, a)
		}
	}
}

// Slowly streams a text with a pause before each chunk.
func Slowly(d time.Duration, text string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		if !a.Stream {
			if wait(r, d*time.Duration(len(parts(text)))) {
				Answer(w, r, a, text)
			}
			return
		}
		answer(w, a, text, func() bool { return wait(r, d) })
	}
}

// BreaksOff closes the connection in the middle of a text; with an empty text, before the first word.
func BreaksOff(text string) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, a Asked) {
		if a.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, part := range parts(text)[:len(parts(text))/2] {
				event(w, chunk(a, part, ""))
			}
		} else {
			complete := completion(a, text, "stop")
			_, _ = io.WriteString(w, complete[:len(complete)/2])
		}
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Down closes the connection before there is a response.
func Down(http.ResponseWriter, *http.Request, Asked) { panic(http.ErrAbortHandler) }

// Hangs does not respond until the client leaves.
func Hangs(_ http.ResponseWriter, r *http.Request, _ Asked) { <-r.Context().Done() }

// Fails responds with a status and a Retry-After header, if retryAfter is not empty. Its error message repeats what it was
// sent.
func Fails(status int, retryAfter string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		message, _ := json.Marshal(fmt.Sprintf("You sent %s and %s", a.Authorization, a.Last()))
		Body(status, fmt.Sprintf(`{"error": {"message": %s, "type": "some_error", "code": null}}`, message))(w, r, a)
	}
}

// Body responds with a status and a JSON body.
func Body(status int, body string) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, _ Asked) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Garbage responds with something else than an answer, as a misconfigured proxy does.
func Garbage(w http.ResponseWriter, _ *http.Request, _ Asked) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "<html><body>It works!</body></html>")
}

// Empty answers with an empty text.
func Empty(w http.ResponseWriter, r *http.Request, a Asked) { Answer(w, r, a, "") }

// Fenced answers with a text in a code fence, with words before and after it.
func Fenced(text string) Behaviour {
	return Says("Sure, here it is:\n```json\n" + text + "\n```\nI hope that this helps.")
}

// Thinks answers with a text after some thoughts that must not be shown.
func Thinks(text string) Behaviour {
	return Says("<think>\nThey want {\"question\": \"no\"}. Hmm.\n</think>\n\n" + text)
}

// Refuses refuses to answer, in the protocol's form.
func Refuses(w http.ResponseWriter, r *http.Request, a Asked) {
	const refusal = "I cannot help with that."
	if a.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		event(w, fmt.Sprintf(`{"model": %q, "choices": [{"index": 0, "delta": {"refusal": %q}, "finish_reason": "stop"}]}`, a.Model, refusal))
		event(w, "[DONE]")
		return
	}
	Body(http.StatusOK, fmt.Sprintf(`{"model": %q, "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "refusal": %q}, "finish_reason": "stop"}]}`,
		a.Model, refusal))(w, r, a)
}

// CutShort answers with a text and a finish reason that says that the limit was reached.
func CutShort(text string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		if !a.Stream {
			Body(http.StatusOK, completion(a, text, "length"))(w, r, a)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		event(w, chunk(a, text, "length"))
		event(w, "[DONE]")
	}
}

// Floods answers with a text of the given size in bytes.
func Floods(size int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, a Asked) {
		if a.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			part := chunk(a, strings.Repeat("apples ", 1<<12), "")
			for sent := 0; sent < size; sent += len(part) {
				event(w, part)
			}
			return
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "`)
		line := strings.Repeat("apples ", 1<<12)
		for sent := 0; sent < size; sent += len(line) {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, `"}}]}`)
	}
}

// Without behaves as a service that does not know some of the protocol's fields, and reports an error if it gets one of
// them: json_schema, json_object, max_tokens, temperature, seed, stream_options.
func Without(then Behaviour, fields ...string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a Asked) {
		for _, field := range fields {
			used := map[string]bool{
				"json_schema": a.Format == "json_schema", "json_object": a.Format == "json_object", "max_tokens": a.MaxTokens != 0,
				"temperature": a.Temperature != nil, "seed": a.Seed != 0, "stream_options": a.StreamUsage,
			}[field]
			if used {
				Body(http.StatusBadRequest, fmt.Sprintf(`{"error": {"message": "Unsupported parameter: '%s'", "type": "invalid_request_error", "param": null}}`, field))(w, r, a)
				return
			}
		}
		then(w, r, a)
	}
}

// Answer writes a text in the protocol's form, complete or as a stream.
func Answer(w http.ResponseWriter, r *http.Request, a Asked, text string) {
	if !a.Stream {
		Body(http.StatusOK, completion(a, text, "stop"))(w, r, a)
		return
	}
	answer(w, a, text, func() bool { return true })
}

// answer streams a text; before each chunk it asks whether to continue.
func answer(w http.ResponseWriter, a Asked, text string, goOn func() bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ": hello\n\n")
	for _, part := range parts(text) {
		if !goOn() {
			return
		}
		event(w, chunk(a, part, ""))
	}
	event(w, chunk(a, "", "stop"))
	if a.StreamUsage {
		event(w, fmt.Sprintf(`{"model": %q, "choices": [], "usage": %s}`, a.Model, tokens(a, text)))
	}
	event(w, "[DONE]")
}

// parts splits a text into the chunks of a stream, of four characters each.
func parts(text string) (all []string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(4, len(runes))
		all = append(all, string(runes[:n]))
		runes = runes[n:]
	}
	return all
}

func event(w http.ResponseWriter, data string) {
	_, _ = io.WriteString(w, "data: "+data+"\n\n")
	_ = http.NewResponseController(w).Flush()
}

func chunk(a Asked, text, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return fmt.Sprintf(`{"object": "chat.completion.chunk", "model": %q, "choices": [{"index": 0, "delta": {"content": %s}, "finish_reason": %s}]}`,
		a.Model, quoted(text), reason)
}

func completion(a Asked, text, finish string) string {
	return fmt.Sprintf(`{"object": "chat.completion", "model": %q, "choices": [{"index": 0, "message": {"role": "assistant", "content": %s}, "finish_reason": %q}], "usage": %s}`,
		a.Model, quoted(text), finish, tokens(a, text))
}

// tokens counts four bytes as one token.
func tokens(a Asked, text string) string {
	prompt, answered := (len(a.Body)+3)/4, (len(text)+3)/4
	return fmt.Sprintf(`{"prompt_tokens": %d, "completion_tokens": %d, "total_tokens": %d}`, prompt, answered, prompt+answered)
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string can always be encoded
	return string(b)
}

// wait waits and reports whether the client is still there.
func wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

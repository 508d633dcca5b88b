package speech

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Provider returns a server that turns speech into text with PocketSphinx, over OpenAI's protocol. ffmpeg decodes its input, whatever
// recorder made it.
func Provider() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"object": "list", "data": [{"id": "pocketsphinx", "object": "model"}]}`)
	})
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		answer, err := transcribe(r)
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			answer = map[string]any{"error": map[string]string{"message": err.Error(), "type": "invalid_request_error"}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
	return mux
}

// word is a recognized word, as verbose_json has it.
type word struct {
	Word        string  `json:"word"`
	Start       float64 `json:"start"` // seconds
	End         float64 `json:"end"`
	Probability float64 `json:"probability"`
}

func transcribe(r *http.Request) (any, error) {
	if format := r.FormValue("response_format"); format != "verbose_json" {
		return nil, fmt.Errorf("no such format: %q", format)
	}
	if language := r.FormValue("language"); language != "" && language != "en" {
		return nil, fmt.Errorf("no such language: %q", language)
	}
	file, _, err := r.FormFile("file")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	words, err := understand(r.Context(), file)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Word
	}
	return map[string]any{"task": "transcribe", "language": "english", "text": strings.Join(texts, " "), "words": words}, nil
}

// understand runs PocketSphinx on a file of any kind that ffmpeg reads.
func understand(ctx context.Context, sound io.Reader) ([]word, error) {
	work, err := os.MkdirTemp("", "speech-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	pcm := filepath.Join(work, "pcm")
	decode := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-i", "pipe:0", "-ac", "1", "-ar", "16000", "-f", "s16le", pcm)
	decode.Stdin = sound
	if out, err := decode.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ffmpeg: %w: %s", err, out)
	}
	said, err := exec.CommandContext(ctx, "pocketsphinx_continuous", "-infile", pcm, "-time", "yes", "-logfn", os.DevNull).Output()
	if err != nil {
		return nil, fmt.Errorf("pocketsphinx: %w", err)
	}
	return readWords(said)
}

// readWords reads the output of pocketsphinx_continuous: each sentence, followed by a line for each of its words and pauses with the word
// (and the number of its pronunciation if it has several), its times and its probability.
func readWords(said []byte) ([]word, error) {
	words := []word{}
	lines := bufio.NewScanner(bytes.NewReader(said))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 4 || strings.ContainsAny(fields[0], "<[+") {
			continue // a pause or a noise
		}
		var numbers [3]float64
		var err error
		for i, field := range fields[1:] {
			var bad error
			numbers[i], bad = strconv.ParseFloat(field, 64)
			err = errors.Join(err, bad)
		}
		if err != nil {
			continue // a sentence of four words
		}
		text, _, _ := strings.Cut(fields[0], "(")
		words = append(words, word{text, numbers[0], numbers[1], min(numbers[2], 1)})
	}
	return words, lines.Err()
}

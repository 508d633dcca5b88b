package httpx_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/api/httpx"
)

// TestCopyArray sends chunks to a real client, which must notice an incomplete answer.
func TestCopyArray(t *testing.T) {
	t.Parallel()
	broken := errors.New("the database went away")
	long := `"` + strings.Repeat("x", 300_000) + `"`
	for _, tt := range []struct {
		name   string
		chunks []string
		length int // added to the length that is promised
		fails  error
		want   string // empty: the answer is cut off
	}{
		{name: "nothing", want: "[]\n"},
		{name: "one chunk", chunks: []string{`{},{}`}, want: "[{},{}]\n"},
		{name: "chunks", chunks: []string{`1,2`, long, `3`}, want: "[1,2," + long + ",3]\n"},
		{name: "shorter than promised", chunks: []string{`1`, `2`}, length: 1},
		{name: "longer than promised", chunks: []string{`1`, long}, length: -1},
		{name: "fails after a chunk", chunks: []string{long}, fails: broken},
	} {
		for _, promised := range []bool{true, false} {
			if !promised && tt.length != 0 {
				continue
			}
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				handle := httpx.Table{}.Handle(slog.New(slog.DiscardHandler), func(w http.ResponseWriter, _ *http.Request) error {
					length := -1
					if promised {
						length = len("["+strings.Join(tt.chunks, ",")+"]\n") + tt.length
					}
					return httpx.CopyArray(w, length, func(items func([]byte) error) error {
						for _, chunk := range tt.chunks {
							if err := items([]byte(chunk)); err != nil {
								return err
							}
						}
						return tt.fails
					})
				})
				server := httptest.NewServer(handle)
				defer server.Close()
				answer, err := http.Get(server.URL)
				var body []byte
				if err == nil {
					defer answer.Body.Close()
					body, err = io.ReadAll(answer.Body)
				}
				if tt.want == "" {
					if err == nil {
						t.Errorf("the client took %d bytes for a complete answer", len(body))
					}
					return
				}
				if err != nil || string(body) != tt.want {
					t.Errorf("the answer is %d bytes (%v), want %d", len(body), err, len(tt.want))
				}
				if promised && answer.ContentLength != int64(len(tt.want)) {
					t.Errorf("Content-Length = %d, want %d", answer.ContentLength, len(tt.want))
				}
			})
		}
	}
}

func TestArrayLength(t *testing.T) {
	t.Parallel()
	for _, items := range [][]string{nil, {"1"}, {"1", "22"}, {"1", "22", "{}"}} {
		want := len("[" + strings.Join(items, ",") + "]\n")
		if got := httpx.ArrayLength(len(items), len(strings.Join(items, ""))); got != want {
			t.Errorf("%v: %d, want %d", items, got, want)
		}
	}
}

package operation_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"verbatim/internal/platform/operation"
)

var disk = &fs.PathError{Op: "write", Path: "db", Err: io.ErrShortWrite}

// outer and inner are operations that fail where fail is set.
func outer(fail bool) (n int, err error) {
	defer operation.Wrap(&err, "jobs.Run")
	if err := inner(fail); err != nil {
		return 0, fmt.Errorf("saving: %w", err)
	}
	return 1, nil
}

func inner(fail bool) (err error) {
	defer operation.Wrap(&err, "fieldwork.Answer")
	if fail {
		return disk
	}
	return nil
}

func TestLogShowsOperations(t *testing.T) {
	t.Parallel()
	_, err := outer(true)
	for name, handler := range map[string]func(io.Writer) slog.Handler{
		"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
		"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	} {
		var log bytes.Buffer
		slog.New(handler(&log)).Error("request failed", "error", err)
		if want := `jobs.Run: fieldwork.Answer: saving: write db: short write"`; !strings.Contains(log.String(), want) {
			t.Errorf("the %s log has %s, want %s", name, log.String(), want)
		}
	}
}

func TestErrorStaysWhatItIs(t *testing.T) {
	t.Parallel()
	_, err := outer(true)
	if want := "saving: write db: short write"; err == nil || err.Error() != want {
		t.Errorf("the text is %q, want %q", err, want)
	}
	if path, ok := errors.AsType[*fs.PathError](err); !ok || path != disk || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("%v does not have its cause", err)
	}
	if n, err := outer(false); n != 1 || err != nil {
		t.Errorf("%d, %v without an error", n, err)
	}
}

// TestSuccessAllocatesNothing: the paths that run thousands of times a second are wrapped, too.
func TestSuccessAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { _, _ = outer(false) }); n > 0 {
		t.Errorf("%v allocations without an error", n)
	}
}

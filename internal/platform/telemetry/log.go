package telemetry

import (
	"fmt"
	"io"
	"log/slog"
)

// NewLog returns a log that writes lines in a format (json or text) from a level on (debug, info, warn, error).
func NewLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var minimum slog.Level
	if err := minimum.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("unknown log level %q: use debug, info, warn or error", level)
	}
	options := &slog.HandlerOptions{Level: minimum}
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	}
	return nil, fmt.Errorf("unknown log format %q: use json or text", format)
}

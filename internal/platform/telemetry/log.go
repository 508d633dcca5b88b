package telemetry

import (
	"fmt"
	"io"
	"log/slog"
)

// NewLog writes lines of a format, json or text, from a level on: debug, info, warn, error.
func NewLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var from slog.Level
	if err := from.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("%q is no level of the log: debug, info, warn, error", level)
	}
	options := &slog.HandlerOptions{Level: from}
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	}
	return nil, fmt.Errorf("%q is no format of the log: json, text", format)
}

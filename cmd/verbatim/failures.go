package main

import (
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/telemetry"
)

// failures prints why a command was not carried out, and returns its exit code: as a sentence, or, of serve, as a line of the log, whose
// readers need not read anything else.
type failures struct {
	to      *terminal
	command *kong.Node // nil where none was named
	args    []string
	file    *configFile // nil where none was read
}

// usage reports a wrong call.
func (f failures) usage(err error) int {
	said, hint := err.Error(), helpHint(f.command)
	if parser, faulty := newParser(&cli{}); faulty == nil {
		said = explainUsage(err, parser.Model, f.command)
	}
	if f.serves() {
		f.log().Error("verbatim serve was called wrongly", "error", said, "hint", "run: "+hint)
		return exitUsage
	}
	f.to.printf("verbatim: %s\n", indented(said, "  "))
	f.to.printf("Run \"%s\" to see how it is used.\n", hint)
	return exitUsage
}

// refused reports what a command could not do.
func (f failures) refused(err error) int {
	if f.serves() {
		f.log().Error("verbatim serve failed", "error", err.Error())
		return exitRefused
	}
	return printError(f.to, err, exitRefused)
}

func (f failures) serves() bool { return f.command != nil && f.command.FullPath() == "verbatim serve" }

// log returns the log that the server has, or would have: the format may be known although nothing else is.
func (f failures) log() *slog.Logger {
	if log, err := telemetry.NewLog(f.to, f.format(), "info"); err == nil {
		return log
	}
	return slog.New(slog.NewJSONHandler(f.to, nil))
}

func (f failures) format() string {
	const flag = "--log-format"
	if i := slices.Index(f.args, flag); i >= 0 && i+1 < len(f.args) {
		return f.args[i+1]
	}
	for _, arg := range f.args {
		if value, is := strings.CutPrefix(arg, flag+"="); is {
			return value
		}
	}
	if value := os.Getenv("VERBATIM_LOG_FORMAT"); value != "" {
		return value
	}
	if f.file != nil {
		return f.file.settings["log-format"].value
	}
	return "json"
}

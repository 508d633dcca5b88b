package main

import (
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/telemetry"
)

// failures prints why a command failed, and returns its exit code. The reason is printed as a sentence; for serve it is a line of the
// log, so that programs that read the log need to parse nothing else.
type failures struct {
	to      *terminal
	command *kong.Node // nil if none was named
	args    []string
	file    *configFile // nil if none was read
}

// usage reports a wrong command line.
func (f failures) usage(err error) int {
	message, hint := err.Error(), helpHint(f.command)
	if parser, parserErr := newParser(&cli{}); parserErr == nil {
		message = explainUsage(err, parser.Model, f.command)
	}
	if f.serves() {
		f.log().Error("wrong use of verbatim serve", "error", message, "hint", "run: "+hint)
		return exitUsage
	}
	f.to.printf("verbatim: %s\n", indented(message, "  "))
	f.to.printf("Run \"%s\" for help.\n", hint)
	return exitUsage
}

// refused reports why a command could not do its work.
func (f failures) refused(err error) int {
	if f.serves() {
		f.log().Error("verbatim serve failed", "error", err.Error())
		return exitRefused
	}
	return printError(f.to, err, exitRefused)
}

func (f failures) serves() bool { return f.command != nil && f.command.FullPath() == "verbatim serve" }

// log returns a log in the server's format. It works before the settings are parsed, because the format may be known although
// nothing else is.
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

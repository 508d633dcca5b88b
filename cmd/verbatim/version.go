package main

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/store"
)

// number is the semantic version of this source, or of its next release. docs/releasing.md says when it changes.
const number = "0.1.0"

// Set by make release; otherwise both are empty.
var (
	stampedVersion string // number
	stampedCommit  string // the full hash of the commit that was built
)

// version is the version of the running program: the number in a release, otherwise the number followed by "-dev" and the commit.
var version, commit = programVersion(stampedVersion, stampedCommit, debug.ReadBuildInfo)

// programVersion returns the version and the commit, which is "" if it is not known.
func programVersion(stamped, commit string, read func() (*debug.BuildInfo, bool)) (string, string) {
	if stamped != "" {
		return stamped, commit
	}
	changed := ""
	if info, ok := read(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && commit == "":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ".changed"
			}
		}
	}
	if commit == "" {
		return number + "-dev", ""
	}
	return number + "-dev+" + commit[:min(len(commit), 12)] + changed, commit
}

// versionFlag is --version. It prints one line and exits.
type versionFlag bool

// BeforeReset implements kong's hook of that name.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	newTerminal(app.Stdout).printf("verbatim %s\n", version)
	app.Exit(0)
	return nil
}

type versionCommand struct{}

// Run prints the version and what else a bug report should contain.
func (versionCommand) Run(c *Common) error {
	return c.print(row{{"version", version}, {"commit", commit}, {"schema", store.SchemaVersion()}, {"go", runtime.Version()}, {"platform", runtime.GOOS + "/" + runtime.GOARCH}})
}

// warnLaterSchema logs a warning if a later version has migrated the database. Both versions may run side by side during an upgrade.
func warnLaterSchema(ctx context.Context, s *store.Store, log *slog.Logger) error {
	later, err := s.CheckSchema(ctx)
	if later && err == nil {
		log.Warn("a later version of Verbatim has migrated the database; this version keeps working until the upgrade is complete", "version", version)
	}
	return err
}

package main

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/store"
)

// number is the version that this source is, or will be when it is released: a semantic version. docs/releasing.md says when it changes.
const number = "0.1.0"

// What make release sets. Elsewhere both are empty.
var (
	stampedVersion string // number
	stampedCommit  string // the full hash of the commit that was built
)

// version names the program that runs: the number alone in a release, and else the number with "-dev" and the commit behind it.
var version, commit = programVersion(stampedVersion, stampedCommit, debug.ReadBuildInfo)

// programVersion returns the version and the commit, which is empty where it is not known.
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

// versionFlag is --version, which prints one line and ends the program.
type versionFlag bool

// BeforeReset implements kong's hook of that name.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	newTerminal(app.Stdout).printf("verbatim %s\n", version)
	app.Exit(0)
	return nil
}

type versionCommand struct{}

// Run prints the version, and what else a report of a fault should name.
func (versionCommand) Run(c *Common) error {
	return c.print(row{{"version", version}, {"commit", commit}, {"schema", store.SchemaVersion()}, {"go", runtime.Version()}, {"platform", runtime.GOOS + "/" + runtime.GOARCH}})
}

// warnLaterSchema says in the log that a later version has migrated the database, beside which this one may work for a while.
func warnLaterSchema(ctx context.Context, s *store.Store, log *slog.Logger) error {
	later, err := s.CheckSchema(ctx)
	if later && err == nil {
		log.Warn("a later version of Verbatim has migrated the database; this one works beside it until the upgrade is done", "version", version)
	}
	return err
}

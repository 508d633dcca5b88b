// Command verbatim runs the whole service: the server, the demo, and the operator's commands, which work beside a
// running server on the same database.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// cli is the program's face. Each command is a file of its own.
type cli struct {
	Common `group:"Data, secrets and output, for every command:"`

	ShowVersion versionFlag `name:"version" help:"Print the version and end."`

	Demo     demoCommand       `cmd:"" help:"See it all: a sample study, 25 simulated participants, and a server to try."`
	Serve    serveCommand      `cmd:"" help:"Run the server."`
	Health   healthCommand     `cmd:"" help:"Ask a server on this machine whether it is ready."`
	Org      orgCommands       `cmd:"" help:"Organizations."`
	User     userCommands      `cmd:"" help:"Users and their roles."`
	Key      keyCommands       `cmd:"" help:"API keys."`
	Grant    grantCommands     `cmd:"" help:"Permissions of users on one study."`
	Wallet   walletCommands    `cmd:"" help:"Wallets: credits, and who may spend them."`
	Study    studyCommands     `cmd:"" help:"Studies: list, show, close and reopen them, check guides, simulate, report, translate."`
	Response responseCommands  `cmd:"" help:"Responses of a study: list, show and delete them."`
	Deletion deletionCommand   `cmd:"" help:"Deletions of responses, and those that failed."`
	Import   importCommand     `cmd:"" help:"Bring responses in from a file of v1 response items, one a line."`
	Backup   backupCommand     `cmd:"" help:"Copy the database into a file, encrypted if you like, while a server may run."`
	Restore  restoreCommand    `cmd:"" help:"Put a backup in place, and delete again what was deleted after it was made."`
	Move     moveCommand       `cmd:"" help:"Move everything between SQLite and PostgreSQL, and recordings and uploads between a folder and a bucket; no server may run."`
	Replay   replayCommand     `cmd:"" help:"Rebuild an interview from its log, while a server may run, and compare it with what is stored."`
	Card     moderationCommand `cmd:"" help:"The interviewer's report card over a study: what was asked, and what came of it."`
	Rebuild  rebuildCommand    `cmd:"" help:"Make documents, search entries and counts again from the rows, while a server may run."`
	Doctor   doctorCommand     `cmd:"" help:"Check database, ledger, documents, counts, objects, jobs and deletions, and say what mends what is wrong."`
	Secret   secretCommands    `cmd:"" help:"The secret that signs links to recordings."`
	Migrate  migrateCommand    `cmd:"" help:"Bring the database's schema up to date. The server does so itself when it starts."`
	LLM      llmCommands       `cmd:"" name:"llm" help:"The language model: try it, or see what it cost."`

	Quickstart quickstartCommand `cmd:"" help:"Make an organization with a user, a key and a funded wallet, and print them for a shell."`
	Config     configCommand     `cmd:"" help:"Print the settings as they count for serve: each with its value and where that comes from."`
	Help       helpCommand       `cmd:"" help:"Print how a command is used, as --help behind it does."`
	Completion completionCommand `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Man        manCommand        `cmd:"" help:"Print the manual page, or write that of every command into a folder."`

	Version versionCommand `cmd:"" help:"Print the version."`
}

// Exit codes: 0 done, 1 refused (the reason is on stderr), 2 wrong usage.
const (
	exitRefused = 1
	exitUsage   = 2
)

func main() {
	runIfSandbox()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitRequest is how --help ends parsing without ending the process.
type exitRequest int

// run is main without the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			exit, asked := r.(exitRequest)
			if !asked {
				panic(r)
			}
			code = int(exit)
		}
	}()
	out, errs := newTerminal(stdout), newTerminal(stderr)
	if err := unsetEmptyVariables(); err != nil {
		return printError(errs, err, exitRefused)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	var c cli
	parsed, err := parse(&c, args, kong.Writers(out, errs), kong.Exit(func(code int) { panic(exitRequest(code)) }))
	failed := failures{to: errs, command: selected(args), args: args, file: c.config}
	if err != nil {
		return failed.usage(err)
	}
	c.stdout, c.stderr, c.parsed = out, errs, parsed
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(&c.Common)
	if err == nil {
		err = c.checkFieldPrinted()
	}
	switch _, wrong := errors.AsType[usageError](err); {
	case wrong:
		return failed.usage(err)
	case err != nil && !errors.Is(err, context.Canceled):
		return failed.refused(explainNotFound(err, parsed.Selected()))
	}
	return 0
}

// unsetEmpty removes the program's variables that are set to nothing, as compose files set those that the operator left out: such a
// variable means its default.
func unsetEmptyVariables() error {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); value == "" && strings.HasPrefix(name, "VERBATIM_") {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuse prints why nothing was done, and returns the exit code. Lines after the first are set in, so that no text within
// an error passes for another message.
func printError(to *terminal, why error, code int) int {
	to.printf("verbatim: %s\n", indented(why.Error(), "  "))
	return code
}

// usageError is a wrong call that the parser could not see.
type usageError string

// Error implements error.
func (e usageError) Error() string { return string(e) }

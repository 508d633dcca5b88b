// Command verbatim runs the server, the demo, and the operator's commands. The commands can run while a server uses the same database.
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

// cli is the command line: the flags of every command, and the commands. Each command has a file of its own.
type cli struct {
	Common `group:"Data, secrets and output, for every command:"`

	ShowVersion versionFlag `name:"version" help:"Print the version and exit."`

	Demo       demoCommand       `cmd:"" help:"Try Verbatim: a sample study with 25 simulated participants, on a local server."`
	Serve      serveCommand      `cmd:"" help:"Run the server."`
	Health     healthCommand     `cmd:"" help:"Ask a server on this machine whether it is ready."`
	Org        orgCommands       `cmd:"" help:"Create, list and change organizations."`
	Mail       mailCommands      `cmd:"" help:"Try the server that sends mails."`
	User       userCommands      `cmd:"" help:"Manage users and their roles."`
	Key        keyCommands       `cmd:"" help:"Manage API keys."`
	Grant      grantCommands     `cmd:"" help:"Manage the permissions of users on one study."`
	Wallet     walletCommands    `cmd:"" help:"Manage wallets: credits, and which organizations may spend them."`
	Audit      auditCommands     `cmd:"" help:"List, export and check the audit logs of organizations."`
	Study      studyCommands     `cmd:"" help:"List, show, close and reopen studies; check guides; simulate participants; report; translate."`
	Panel      panelCommand      `cmd:"" help:"Serve a test panel: a page that shows participants who come back and postbacks, and checks their signatures."`
	Webhook    webhookCommands   `cmd:"" help:"Tell other programs what happens: create and test webhooks, see what was sent, send it again."`
	Response   responseCommands  `cmd:"" help:"List, show and delete the responses of a study."`
	Deletion   deletionCommand   `cmd:"" help:"List deletions of responses, and retry those that failed."`
	Retention  retentionCommands `cmd:"" help:"Show, set, preview and carry out the rules that say how long responses and recordings are kept."`
	Import     importCommand     `cmd:"" help:"Import responses from a file of v1 response items, one JSON object per line."`
	Backup     backupCommand     `cmd:"" help:"Copy the database into a file, encrypted on request. A server may be running."`
	Restore    restoreCommand    `cmd:"" help:"Restore a backup, and repeat the deletions that were made after it."`
	Move       moveCommand       `cmd:"" help:"Move the database between SQLite and PostgreSQL, and recordings and uploads between a folder and a bucket. No server may be running."`
	Replay     replayCommand     `cmd:"" help:"Rebuild an interview from its log and compare it with what is stored. A server may be running."`
	Moderation moderationCommand `cmd:"" help:"Report how a study was moderated: what was asked, answered and followed up."`
	Card       moderationCommand `cmd:"" hidden:"" help:"The former name of moderation, kept for scripts."`
	Rebuild    rebuildCommand    `cmd:"" help:"Rebuild documents, search entries and counts from the stored rows. A server may be running."`
	Doctor     doctorCommand     `cmd:"" help:"Check the database, ledger, documents, counts, objects, jobs and deletions, and say how to fix what is wrong."`
	Secret     secretCommands    `cmd:"" help:"Manage the secret that signs links to recordings."`
	Migrate    migrateCommand    `cmd:"" help:"Update the database schema. The server does this itself when it starts."`
	LLM        llmCommands       `cmd:"" name:"llm" help:"Test the language model, or show what it has cost."`

	Quickstart quickstartCommand `cmd:"" help:"Create an organization with a user, an API key and a funded wallet, and print them as shell variables."`
	Config     configCommand     `cmd:"" help:"Print the settings that serve would use, each with its value and its source."`
	Help       helpCommand       `cmd:"" help:"Show help for a command, as --help after it does."`
	Completion completionCommand `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Man        manCommand        `cmd:"" help:"Print a manual page, or write one for every command into a folder."`

	Version versionCommand `cmd:"" help:"Print the version."`
}

// Exit codes: 0 success, 1 failure (the reason is on standard error), 2 wrong usage.
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

// exitRequest is the panic by which --help and --version stop parsing without ending the process.
type exitRequest int

// run runs one command line and returns the exit code. It is main without the process, so that tests can call it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			exit, ok := r.(exitRequest)
			if !ok {
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
	failure := failures{to: errs, command: selected(args), args: args, file: c.config}
	if err != nil {
		return failure.usage(err)
	}
	c.stdout, c.stderr, c.parsed = out, errs, parsed
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(&c.Common)
	if err == nil {
		err = c.checkFieldPrinted()
	}
	switch _, wrong := errors.AsType[usageError](err); {
	case wrong:
		return failure.usage(err)
	case err != nil && !errors.Is(err, context.Canceled):
		return failure.refused(explainNotFound(err, parsed.Selected()))
	}
	return 0
}

// unsetEmptyVariables unsets the program's variables that are empty. Compose files set the variables that the operator left out to an
// empty value, and an empty variable means the default.
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

// printError prints why a command failed, and returns the exit code. Lines after the first are indented, so that no text within
// an error can pass for another message.
func printError(to *terminal, why error, code int) int {
	to.printf("verbatim: %s\n", indented(why.Error(), "  "))
	return code
}

// usageError is a wrong command line that the parser cannot detect.
type usageError string

// Error implements error.
func (e usageError) Error() string { return string(e) }

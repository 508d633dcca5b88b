package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// newParser returns the parser of the command line, which fills c.
func newParser(c *cli, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(c, append([]kong.Option{
		kong.Name("verbatim"),
		kong.Description("Open, self-hosted research interviews with an AI moderator."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.ValueFormatter(valueHelp),
	}, more...)...)
}

// parse fills c from the command line, the environment and the file of --config, in this order of precedence.
func parse(c *cli, args []string, options ...kong.Option) (*kong.Context, error) {
	parser, err := newParser(c, options...)
	if err != nil {
		return nil, err
	}
	args = negativeNumbers(parser.Model, args)
	parsed, err := parser.Parse(args)
	if err != nil {
		return parsed, nameVariable(err)
	}
	if err := checkVariables(parser.Model, os.Environ()); err != nil && !printsProgram(parsed.Selected()) {
		return parsed, err
	}
	if c.ConfigFile == "" {
		return parsed, nil
	}
	file, err := readConfig(c.ConfigFile, parser.Model)
	if err != nil {
		return parsed, err
	}
	*c = cli{}
	c.config = file
	if parser, err = newParser(c, append(options, kong.Resolvers(file))...); err != nil {
		return parsed, err
	}
	again, err := parser.Parse(args)
	if err != nil {
		return parsed, nameVariable(err)
	}
	return again, nil
}

// printsProgram reports whether a command only describes the program and does not depend on settings.
func printsProgram(command *kong.Node) bool {
	return command != nil && slices.Contains([]string{"help", "version", "completion", "man"}, command.Name)
}

// selected returns the command that a command line names, even if the line cannot be parsed, or nil if it names none.
func selected(args []string) *kong.Node {
	parser, err := newParser(&cli{})
	if err != nil {
		return nil
	}
	traced, err := kong.Trace(parser, negativeNumbers(parser.Model, args))
	if err != nil {
		return nil
	}
	return traced.Selected()
}

// minus replaces the hyphen of a negative number in an argument, because the parser takes a hyphen for the beginning of a flag.
const minus = "\u2212"

var negative = regexp.MustCompile(`^-\.?[0-9]`)

// negativeNumbers rewrites negative numbers in the command line so that the parser does not take them for flags: --limit -5 becomes
// --limit=-5, and an argument -5 gets another minus sign.
func negativeNumbers(app *kong.Application, args []string) []string {
	takesValue := map[string]bool{}
	eachFlag(app.Node, func(f *kong.Flag) { takesValue["--"+f.Name] = !f.IsBool() })
	var out []string
	for i, arg := range args {
		switch {
		case arg == "--":
			return append(out, args[i:]...)
		case !negative.MatchString(arg):
			out = append(out, arg)
		case i > 0 && takesValue[args[i-1]]:
			out[len(out)-1] += "=" + arg
		default:
			out = append(out, minus+arg[1:])
		}
	}
	return out
}

// eachFlag calls fn with every flag of a command and of its subcommands.
func eachFlag(node *kong.Node, fn func(*kong.Flag)) {
	for _, flag := range node.Flags {
		fn(flag)
	}
	for _, child := range node.Children {
		eachFlag(child, fn)
	}
}

var fromVariable = regexp.MustCompile(`^(--[a-z0-9-]+)(?:=\S*)?: (.*) \(from envar ([A-Z0-9_]+)=.*\)$`)

// nameVariable puts the name of the variable before a parser error about the value of a variable.
func nameVariable(err error) error {
	if parts := fromVariable.FindStringSubmatch(err.Error()); parts != nil {
		return fmt.Errorf("%s (as %s): %s", parts[3], parts[1], parts[2])
	}
	return err
}

var unexpected = regexp.MustCompile(`^unexpected argument ([^\s,]+)`)

// explainUsage returns the text of a parser error, with the command that it is about.
func explainUsage(err error, app *kong.Application, command *kong.Node) string {
	message := err.Error()
	if !isParseError(err) {
		return message
	}
	at, children := "", app.Children
	if command != nil {
		at, children = strings.TrimPrefix(command.FullPath(), "verbatim "), command.Children
	}
	word := unexpected.FindStringSubmatch(message)
	switch {
	case len(children) > 0 && word != nil:
		return noCommand(at, word[1], childNames(app, command))
	case len(children) > 0 && strings.HasPrefix(message, "expected one of"):
		return fmt.Sprintf("%s: expected one of %s", at, strings.Join(childNames(app, command), ", "))
	case at != "":
		return at + ": " + message
	}
	return message
}

// noCommand returns the error text for an unknown subcommand; at is the parent command, "" for the program.
func noCommand(at, word string, names []string) string {
	why := didYouMean(word, names)
	if why == "" && at != "" {
		why = "; expected one of " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("there is no command %q%s", strings.TrimSpace(at+" "+word), why)
}

func isParseError(err error) bool {
	_, is := errors.AsType[*kong.ParseError](err)
	return is
}

// childNames lists the subcommands of a command, or of the program if node is nil. Hidden commands are left out.
func childNames(app *kong.Application, node *kong.Node) (names []string) {
	if node == nil {
		node = app.Node
	}
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

// helpHint returns the command line that prints the help of a command.
func helpHint(command *kong.Node) string {
	if command == nil {
		return "verbatim --help"
	}
	return command.FullPath() + " --help"
}

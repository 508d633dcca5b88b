package main

import (
	"context"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as: wallet deposit. Default: the whole program."`
}

// Run prints what --help after the command prints.
func (cmd *helpCommand) Run(ctx context.Context, c *Common) error {
	parser, err := newParser(&cli{})
	if err != nil {
		return err
	}
	if _, err := findCommand(parser.Model, cmd.Command); err != nil {
		return err
	}
	run(ctx, append(slices.Clone(cmd.Command), "--help"), c.stdout, c.stderr)
	return nil
}

// findCommand returns the command of that name, such as "wallet deposit".
func findCommand(app *kong.Application, name []string) (*kong.Node, error) {
	node := app.Node
	for _, word := range name {
		i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word })
		if i < 0 {
			at := strings.TrimPrefix(strings.TrimPrefix(node.FullPath(), "verbatim"), " ")
			return nil, usageError(noCommand(at, word, childNames(app, node)))
		}
		node = node.Children[i]
	}
	return node, nil
}

// valueHelp returns the help text of a flag or an argument: its meaning, its default and its variable.
func valueHelp(value *kong.Value) string {
	return strings.Join(filled(value.Help, defaultHelp(value), variableHelp(value)), " ")
}

// defaultHelp returns the sentence that states a flag's default, or "" if its help states it already.
func defaultHelp(value *kong.Value) string {
	if !value.HasDefault || value.Default == "" || strings.Contains(value.Help, "Default:") {
		return ""
	}
	return "Default: " + value.Default + "."
}

func variableHelp(value *kong.Value) string {
	if len(value.Tag.Envs) == 0 {
		return ""
	}
	return "($" + strings.Join(value.Tag.Envs, ", $") + ")"
}

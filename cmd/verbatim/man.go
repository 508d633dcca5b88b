package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
)

type manCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as: wallet deposit. Default: the whole program."`
	Dir     string   `help:"Write the pages of all commands into this folder, as verbatim.1, verbatim-serve.1 and so on. It is created if it is missing." type:"path" placeholder:"DIR"`
}

// Run prints one page, or writes all pages into a folder.
func (cmd *manCommand) Run(c *Common) error {
	parser, err := newParser(&cli{})
	if err != nil {
		return err
	}
	if cmd.Dir == "" {
		node, err := findCommand(parser.Model, cmd.Command)
		if err != nil {
			return err
		}
		_, err = c.stdout.Write([]byte(manPage(parser.Model, node)))
		return err
	}
	if cmd.Dir == "-" {
		return usageError("--dir - means standard output, but the pages are several files: name a folder, or a command without --dir")
	}
	if len(cmd.Command) > 0 {
		return usageError("--dir writes the pages of all commands: leave the command out")
	}
	if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
		return err
	}
	pages := 0
	for _, command := range completedCommands(parser.Model) {
		node, err := findCommand(parser.Model, strings.Fields(command.path))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(cmd.Dir, manName(node)+".1"), []byte(manPage(parser.Model, node)), 0o644); err != nil {
			return err
		}
		pages++
	}
	return c.print(row{{"folder", cmd.Dir}, {"pages", pages}})
}

// manName returns the name of a command's page, such as verbatim-wallet-deposit.
func manName(node *kong.Node) string { return strings.ReplaceAll(node.FullPath(), " ", "-") }

// manPage returns the manual page of a command in man(7) format. It contains no date, so that its output is reproducible.
func manPage(app *kong.Application, node *kong.Node) string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	title := manName(node)
	line(`.TH %s 1 "" "verbatim %s" "Verbatim"`, manArgument(strings.ToUpper(title)), manText(version))
	line(".SH NAME\n%s \\- %s", manText(title), manText(strings.TrimSuffix(node.Help, ".")))
	line(".SH SYNOPSIS\n.B %s", manText(node.FullPath()))
	if summary := strings.TrimSpace(strings.TrimPrefix(node.Summary(), strings.TrimPrefix(node.FullPath(), "verbatim "))); summary != "" && node.Parent != nil {
		line("%s", manText(summary))
	} else if node.Parent == nil {
		line("<command> [flags]")
	}
	line(".SH DESCRIPTION\n%s", manText(node.Help))
	if len(node.Positional) > 0 {
		line(".SH ARGUMENTS")
		for _, argument := range node.Positional {
			line(".TP\n.I %s\n%s", manText(argument.Name), manText(argument.Help))
		}
	}
	if len(node.Children) > 0 {
		line(".SH COMMANDS")
		for _, child := range node.Children {
			if !child.Hidden {
				line(".TP\n.BR %s (1)\n%s", manArgument(manName(child)), manText(child.Help))
			}
		}
	}
	if flags := manFlags(node.Flags); flags != "" && node.Parent != nil {
		line(".SH FLAGS\n%s", flags)
	}
	line(".SH FLAGS OF EVERY COMMAND\n%s", manFlags(app.Flags))
	if node.Parent == nil {
		line(".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nFailure; the reason is on standard error.\n.TP\n2\nWrong usage.")
		line(".SH ENVIRONMENT\nMost flags have a variable, which is shown with the flag. Flags take precedence over variables, and variables over the file of \\fB\\-\\-config\\fR. " +
			"An empty variable means the default; an unknown variable whose name begins with VERBATIM_ is an error. See \\fBverbatim config\\fR.")
	} else if node.Parent.Parent == nil || node.Parent == app.Node {
		line(".SH SEE ALSO\n.BR verbatim (1)")
	} else {
		line(".SH SEE ALSO\n.BR verbatim (1),\n.BR %s (1)", manArgument(manName(node.Parent)))
	}
	return s.String()
}

func manFlags(flags []*kong.Flag) string {
	var all []string
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		name := `\fB` + manText("--"+f.Name) + `\fR`
		if !f.IsBool() {
			name += ` \fI` + manText(f.FormatPlaceHolder()) + `\fR`
		}
		all = append(all, ".TP\n"+name+"\n"+manText(valueHelp(f.Value)))
	}
	return strings.Join(all, "\n")
}

var manEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "\n", " ")

// manText escapes text for roff and puts it on one line.
func manText(text string) string {
	escaped := manEscapes.Replace(text)
	if strings.HasPrefix(escaped, ".") {
		return `\&` + escaped
	}
	return escaped
}

// manArgument quotes text as one argument of a roff macro.
func manArgument(text string) string {
	return `"` + strings.ReplaceAll(manText(text), `"`, `\(dq`) + `"`
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Run prints the script. The script contains the commands and flags of this version, and calls no program when it runs.
func (cmd *completionCommand) Run(c *Common) error {
	parser, err := newParser(&cli{})
	if err != nil {
		return err
	}
	write := map[string]func([]completedCommand) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[cmd.Shell]
	_, err = c.stdout.Write([]byte(write(completedCommands(parser.Model))))
	return err
}

// completedCommand is a command with the words that may follow it.
type completedCommand struct {
	path     string // without the program's name; empty for the program
	children []completedName
	flags    []completedFlag
	words    []string // the allowed arguments; none if any are allowed
}

type completedName struct{ name, help string }

type completedFlag struct {
	completedName
	valued bool     // whether it has a value
	values []string // the allowed values; none if any are allowed
	folder bool     // whether the value is a folder
	file   bool     // whether the value is a file
}

// completedCommands lists the program and all its commands that are not hidden.
func completedCommands(app *kong.Application) (all []completedCommand) {
	var add func(node *kong.Node, path string)
	add = func(node *kong.Node, path string) {
		c := completedCommand{path: path}
		flags := node.AllFlags(true)
		if node.DefaultCmd != nil {
			flags = append(flags, node.DefaultCmd.Flags)
		}
		for _, level := range flags {
			for _, f := range level {
				c.flags = append(c.flags, completedFlag{
					completedName: completedName{"--" + f.Name, firstSentence(f.Help)}, valued: !f.IsBool(), values: filled(f.EnumSlice()...),
					folder: f.PlaceHolder == "DIR", file: f.PlaceHolder == "FILE",
				})
			}
		}
		slices.SortFunc(c.flags, func(a, b completedFlag) int { return strings.Compare(a.name, b.name) })
		for _, argument := range node.Positional {
			c.words = append(c.words, filled(argument.EnumSlice()...)...)
		}
		for _, child := range node.Children {
			if !child.Hidden {
				c.children = append(c.children, completedName{child.Name, firstSentence(child.Help)})
			}
		}
		all = append(all, c)
		for _, child := range node.Children {
			if !child.Hidden {
				add(child, strings.TrimSpace(path+" "+child.Name))
			}
		}
	}
	add(app.Node, "")
	return all
}

// firstSentence returns the beginning of a help text, short enough to stand beside a name.
func firstSentence(help string) string {
	for _, end := range []string{". ", "; ", ": "} {
		if before, _, found := strings.Cut(help, end); found {
			help = before
		}
	}
	return strings.TrimSuffix(help, ".")
}

// flagValues returns the flags that take values, each once, with the allowed values of all commands combined.
func flagValues(commands []completedCommand) (flags []completedFlag) {
	for _, c := range commands {
		for _, f := range c.flags {
			i := slices.IndexFunc(flags, func(have completedFlag) bool { return have.name == f.name })
			switch {
			case !f.valued:
			case i < 0:
				flags = append(flags, f)
			default:
				for _, value := range f.values {
					if !slices.Contains(flags[i].values, value) {
						flags[i].values = append(slices.Clone(flags[i].values), value)
					}
				}
			}
		}
	}
	return flags
}

// shellPattern returns the names of the flags that is accepts, as a pattern of a shell case.
func shellPattern(flags []completedFlag, is func(completedFlag) bool) string {
	var names []string
	for _, f := range flags {
		if is(f) {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " | ")
}

func isFolder(f completedFlag) bool { return f.folder && len(f.values) == 0 }
func isFile(f completedFlag) bool   { return f.file && len(f.values) == 0 }
func isFree(f completedFlag) bool   { return !f.folder && !f.file && len(f.values) == 0 }

func names(all []completedName) (names []string) {
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

// bashCompletion returns the script for bash 3.2 and newer. Where the script has nothing to offer, bash completes file names.
func bashCompletion(commands []completedCommand) string {
	var s strings.Builder
	s.WriteString(`# Completes verbatim in bash. In ~/.bashrc: eval "$(verbatim completion bash)"
_verbatim() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at="" i words=""
    COMPREPLY=()
    if [[ $cur == "=" ]]; then
        cur=""
    elif [[ $prev == "=" && COMP_CWORD -gt 1 ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case "$prev" in
`)
	flags := flagValues(commands)
	for _, f := range flags {
		if len(f.values) > 0 {
			fmt.Fprintf(&s, "        %s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;\n", f.name, shellQuoted(strings.Join(f.values, " ")))
		}
	}
	fmt.Fprintf(&s, "        %s) return ;;\n", shellPattern(flags, func(f completedFlag) bool { return len(f.values) == 0 }))
	s.WriteString("    esac\n    for ((i = 1; i < COMP_CWORD; i++)); do\n        case \"${at:+$at }${COMP_WORDS[i]}\" in\n            ")
	for i, c := range commands[1:] {
		if i > 0 {
			s.WriteString(" | ")
		}
		s.WriteString(shellQuoted(c.path))
	}
	s.WriteString(") at=\"${at:+$at }${COMP_WORDS[i]}\" ;;\n        esac\n    done\n    case \"$at\" in\n")
	for _, c := range commands {
		words := append(names(c.children), c.words...)
		var own []string
		for _, f := range c.flags {
			own = append(own, f.name)
		}
		fmt.Fprintf(&s, "        %s) words=%s; [[ $cur == -* ]] && words=%s ;;\n", shellQuoted(c.path), shellQuoted(strings.Join(words, " ")), shellQuoted(strings.Join(own, " ")))
	}
	s.WriteString("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _verbatim verbatim\n")
	return s.String()
}

// zshCompletion returns the script for zsh. It can be evaluated, or put into a folder of fpath as _verbatim.
func zshCompletion(commands []completedCommand) string {
	item := func(d completedName) string {
		return shellQuoted(strings.ReplaceAll(d.name, ":", `\:`) + ":" + d.help)
	}
	var s strings.Builder
	s.WriteString(`#compdef verbatim
# Completes verbatim in zsh. In ~/.zshrc, after compinit: eval "$(verbatim completion zsh)"
_verbatim() {
    local at="" word prev=${words[CURRENT-1]}
    local -a commands flags
    case "$prev" in
`)
	all := flagValues(commands)
	for _, f := range all {
		if len(f.values) > 0 {
			fmt.Fprintf(&s, "        %s) compadd -- %s; return ;;\n", f.name, strings.Join(f.values, " "))
		}
	}
	for _, group := range []struct {
		is   func(completedFlag) bool
		does string
	}{{isFolder, "_files -/; return"}, {isFile, "_files; return"}, {isFree, "_message value; return"}} {
		if pattern := shellPattern(all, group.is); pattern != "" {
			fmt.Fprintf(&s, "        %s) %s ;;\n", pattern, group.does)
		}
	}
	s.WriteString("    esac\n    for word in \"${(@)words[2,CURRENT-1]}\"; do\n        case \"${at:+$at }$word\" in\n            ")
	for i, c := range commands[1:] {
		if i > 0 {
			s.WriteString(" | ")
		}
		s.WriteString(shellQuoted(c.path))
	}
	s.WriteString(") at=\"${at:+$at }$word\" ;;\n        esac\n    done\n    case \"$at\" in\n")
	for _, c := range commands {
		fmt.Fprintf(&s, "        %s)\n", shellQuoted(c.path))
		var items []string
		for _, child := range c.children {
			items = append(items, item(child))
		}
		for _, word := range c.words {
			items = append(items, item(completedName{name: word, help: "argument"}))
		}
		fmt.Fprintf(&s, "            commands=(%s)\n", strings.Join(items, " "))
		items = nil
		for _, f := range c.flags {
			items = append(items, item(f.completedName))
		}
		fmt.Fprintf(&s, "            flags=(%s) ;;\n", strings.Join(items, " "))
	}
	s.WriteString(`    esac
    if [[ $PREFIX == -* ]]; then
        _describe -o flag flags
    elif (( $#commands )); then
        _describe command commands
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _verbatim ]]; then
    _verbatim "$@"
else
    compdef _verbatim verbatim
fi
`)
	return s.String()
}

// fishCompletion returns the script for fish 3 and newer.
func fishCompletion(commands []completedCommand) string {
	quoted := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
	}
	var paths []string
	for _, c := range commands[1:] {
		paths = append(paths, quoted(c.path))
	}
	var s strings.Builder
	fmt.Fprintf(&s, `# Completes verbatim in fish: verbatim completion fish > ~/.config/fish/completions/verbatim.fish
function __verbatim_at
    set -l at
    for word in (commandline -opc)[2..-1]
        if contains -- (string join -- ' ' $at $word) %s
            set at $at $word
        end
    end
    set -l joined (string join -- ' ' $at)
    test "$joined" = "$argv[1]"
end
complete -c verbatim -e
`, strings.Join(paths, " "))
	for _, c := range commands {
		at := fmt.Sprintf("complete -c verbatim -n %s", quoted("__verbatim_at "+quoted(c.path)))
		for _, child := range c.children {
			fmt.Fprintf(&s, "%s -f -a %s -d %s\n", at, child.name, quoted(child.help))
		}
		if len(c.words) > 0 {
			fmt.Fprintf(&s, "%s -f -a %s\n", at, quoted(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&s, "%s -l %s", at, strings.TrimPrefix(f.name, "--"))
			switch {
			case len(f.values) > 0:
				fmt.Fprintf(&s, " -x -a %s", quoted(strings.Join(f.values, " ")))
			case f.folder:
				s.WriteString(" -x -a '(__fish_complete_directories)'")
			case f.file:
				s.WriteString(" -r")
			case f.valued:
				s.WriteString(" -x")
			}
			fmt.Fprintf(&s, " -d %s\n", quoted(f.help))
		}
	}
	return s.String()
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
	"unicode/utf8"

	"verbatim/internal/domain/plaintext"
)

// terminal is the only way from a command to standard output and standard error. All that passes is filtered by
// plaintext.Text, because much of it was written by strangers: participants, and whoever names files and organizations.
// JSON keeps its meaning. Only redraw sends control sequences, its own.
type terminal struct {
	mu      sync.Mutex
	to      io.Writer
	tty     bool   // somebody looks at it
	pending []byte // the first bytes of a character whose others have not come yet
}

func newTerminal(to io.Writer) *terminal {
	t := &terminal{to: to}
	if file, ok := to.(*os.File); ok {
		info, err := file.Stat()
		t.tty = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return t
}

// Write implements io.Writer. Line feeds and tabs pass: use printf or a table where a stranger's text must not bring its
// own.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := append(t.pending, p...)
	whole := len(text) - incompleteTail(text)
	t.pending = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(t.to, plaintext.Text(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfinished returns how many bytes at the end begin a character and do not end it.
func incompleteTail(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// printf prints what fmt.Printf would, but each argument on one line, unless it is a block.
func (t *terminal) printf(format string, args ...any) {
	guarded := make([]any, len(args))
	for i, arg := range args {
		guarded[i] = argument{arg}
	}
	_, _ = fmt.Fprintf(t, format, guarded...) // nobody is left to hear that nothing can be printed
}

// block is text of several lines that is meant to have them; see indented.
type multiline string

// indented returns text of several lines with those after the first one set in, and blanks for tabs.
func indented(text, by string) multiline {
	return multiline(strings.NewReplacer("\n", "\n"+by, "\t", " ").Replace(strings.TrimSpace(text)))
}

// argument prints one argument of printf.
type argument struct{ value any }

// Format implements fmt.Formatter.
func (a argument) Format(to fmt.State, verb rune) {
	value := a.value
	if text, ok := value.(multiline); ok {
		value = string(text)
	} else if verb == 's' || verb == 'v' {
		value, verb = plaintext.Line(fmt.Sprint(value)), 's'
	}
	_, _ = fmt.Fprintf(to, fmt.FormatString(to, verb), value)
}

// printJSON prints a value for programs, on one line.
func (t *terminal) printJSON(v any) error { return json.NewEncoder(t).Encode(v) }

// table returns a table whose columns are as wide as they must be.
func (t *terminal) table() table { return table{tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)} }

type table struct{ to *tabwriter.Writer }

// row adds a row. Each cell is put on one line.
func (t table) row(cells ...string) {
	clean := make([]string, len(cells))
	for i, cell := range cells {
		clean[i] = plaintext.Line(cell)
	}
	_, _ = io.WriteString(t.to, strings.Join(clean, "\t")+"\n") // end returns the error
}

// end prints the table.
func (t table) end() error { return t.to.Flush() }

// redraw draws a line over the last one where somebody looks, and does nothing elsewhere.
func (t *terminal) redraw(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const eraseRest = "\x1b[K" // of a longer line
	if t.tty {
		_, _ = io.WriteString(t.to, "\r"+plaintext.Line(line)+eraseRest)
	}
}

// writeFile writes a text file that its owner alone may read, filtered as on a terminal, which it may be shown on; or to
// standard output, whose name is "-".
func (c *Common) writeFile(name string, body []byte) error {
	if name == "-" {
		_, err := c.stdout.Write(body)
		return err
	}
	return os.WriteFile(name, []byte(plaintext.Text(string(body))), 0o600)
}

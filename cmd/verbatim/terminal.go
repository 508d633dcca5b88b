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

// terminal is the only writer of commands to standard output and standard error. It filters everything through plaintext.Text, because
// much of it is untrusted text: from participants, and from whoever names files and organizations. JSON keeps its meaning. Only redraw
// writes control sequences.
type terminal struct {
	mu      sync.Mutex
	to      io.Writer
	tty     bool   // it is a terminal, not a file or a pipe
	pending []byte // the first bytes of a character that is not yet complete
}

func newTerminal(to io.Writer) *terminal {
	t := &terminal{to: to}
	if file, ok := to.(*os.File); ok {
		info, err := file.Stat()
		t.tty = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return t
}

// Write implements io.Writer. Line feeds and tabs are not filtered: use printf or a table for untrusted text, which must not contain
// its own.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := append(t.pending, p...)
	complete := len(text) - incompleteTail(text)
	t.pending = append([]byte(nil), text[complete:]...)
	if _, err := io.WriteString(t.to, plaintext.Text(string(text[:complete]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// incompleteTail returns how many bytes at the end belong to an incomplete character.
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

// printf prints like fmt.Printf, but each argument on one line, unless it is multiline.
func (t *terminal) printf(format string, args ...any) {
	guarded := make([]any, len(args))
	for i, arg := range args {
		guarded[i] = argument{arg}
	}
	_, _ = fmt.Fprintf(t, format, guarded...) // an error could not be printed either
}

// multiline is text that printf prints with its line breaks; see indented.
type multiline string

// indented indents all lines of text after the first, and replaces tabs with spaces.
func indented(text, by string) multiline {
	return multiline(strings.NewReplacer("\n", "\n"+by, "\t", " ").Replace(strings.TrimSpace(text)))
}

// argument formats one argument of printf.
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

// table returns a table with aligned columns.
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

// redraw replaces the current line on a terminal. Elsewhere it does nothing.
func (t *terminal) redraw(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const eraseRest = "\x1b[K" // erases the rest of a longer line
	if t.tty {
		_, _ = io.WriteString(t.to, "\r"+plaintext.Line(line)+eraseRest)
	}
}

// writeFile writes a text file that only its owner may read, or to standard output if name is "-". The text is filtered as for a
// terminal, because the file may be shown on one.
func (c *Common) writeFile(name string, body []byte) error {
	if name == "-" {
		_, err := c.stdout.Write(body)
		return err
	}
	return os.WriteFile(name, []byte(plaintext.Text(string(body))), 0o600)
}

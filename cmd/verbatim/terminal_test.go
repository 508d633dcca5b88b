package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	var screen bytes.Buffer
	to := newTerminal(&screen)
	shown := func(want string) {
		t.Helper()
		if got := screen.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		screen.Reset()
	}
	to.printf("%s|%v|%-4s|%3d|%.1f\n", "a\nb\tc\x1b", errors.New("x\ny"), "é", 7, 2.25)
	shown("a b c\\u001b|x y|é   |  7|2.2\n")
	to.printf("> %s\n", indented("one\r\ntwo\n\x1b[2J", "> "))
	shown("> one\n> two\n> \\u001b[2J\n")
	table := to.table()
	table.row("A", "B")
	table.row("x\ty\nz\v\f", "\u202eb")
	if err := table.end(); err != nil {
		t.Fatal(err)
	}
	shown("A        B\nx y z    \\u202eb\n")
	for _, part := range []string{"\xc2", "\x9b", "\xe2\x80", "\xae漢\xe6"} { // characters that are split between two writes
		if n, err := to.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	shown(`\u009b\u202e漢`)
	if err := to.printJSON(map[string]string{"a": "\u009b\u2028\x7f"}); err != nil {
		t.Fatal(err)
	}
	shown("\ufffd{\"a\":\"\\u009b\\u2028\\u007f\"}\n")
	to.redraw("nobody looks")
	shown("")
	to.tty = true
	to.redraw("50 % of \x1bx\n")
	shown("\r50 % of \\u001bx \x1b[K")
}

// TestOneWriter checks that commands print only through a terminal, and nothing else writes to standard output or standard error.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, violation := range aroundTheTerminal(file, name) {
			t.Errorf("%s: %s", files.Position(violation.Pos()), "print through c.stdout or c.stderr, which are terminals")
		}
	}
	// The check finds violations.
	const around = `package main
import ("fmt"; "os"; "io"; "log")
func f(c *Common, w io.Writer) { fmt.Println(); fmt.Fprint(w, 1); fmt.Fprintf(c.stdout, ""); os.Stdout.WriteString(""); os.NewFile(1, ""); println(); c.stdout.to.Write(nil); log.Print(); io.WriteString(w, "") }
func g(c *Common) { var b strings.Builder; fmt.Fprintf(&b, ""); c.stdout.printf(""); fmt.Sprint() }`
	file, err := parser.ParseFile(token.NewFileSet(), "around.go", around, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := aroundTheTerminal(file, "around.go"); len(found) != 9 {
		t.Errorf("found %d ways around the terminal, want 9", len(found))
	}
}

// aroundTheTerminal finds code that could print unfiltered: the standard streams outside of main, printing by fmt and io.WriteString to
// anything but the address of a builder, and the writer inside a terminal.
func aroundTheTerminal(file *ast.File, name string) (found []ast.Node) {
	own := name == "terminal.go"
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name == "main" && f.Recv == nil {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == "to" && !own {
				if inner, ok := n.X.(*ast.SelectorExpr); ok && slices.Contains([]string{"stdout", "stderr"}, inner.Sel.Name) {
					found = append(found, n)
				}
			}
			of, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			switch of.Name + "." + n.Sel.Name {
			case "os.Stdout", "os.Stderr", "os.NewFile", "fmt.Print", "fmt.Printf", "fmt.Println":
				found = append(found, n)
			}
			if of.Name == "log" && strings.HasPrefix(n.Sel.Name, "Print") && imports(file, "log") {
				found = append(found, n)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
				found = append(found, n)
			}
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || own {
				return true
			}
			if of, ok := f.X.(*ast.Ident); ok && (of.Name == "fmt" && strings.HasPrefix(f.Sel.Name, "Fprint") || of.Name == "io" && f.Sel.Name == "WriteString") {
				if to, ok := n.Args[0].(*ast.UnaryExpr); !ok || to.Op != token.AND {
					found = append(found, n)
				}
			}
		}
		return true
	})
	return found
}

func imports(file *ast.File, path string) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` })
}

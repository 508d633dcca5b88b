package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHandlersKeepNothing: all requests share a handler function, so it must not write to variables from outside itself. One
// that did made the 405 answer grow with every request.
func TestHandlersKeepNothing(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			handler, ok := n.(*ast.FuncLit)
			if !ok || !slices.ContainsFunc(handler.Type.Params.List, isResponseWriter) {
				return true
			}
			found++
			for _, id := range writtenFromOutside(handler) {
				t.Errorf("%s: a handler writes to %s, which all requests share", files.Position(id.Pos()), id.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 10 {
		t.Errorf("%d handlers found; this test must see those of the whole program", found)
	}
}

func TestWritesFromOutsideAreFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		"methods = append(methods, m)": 1, "count++": 1, "cache[k] = 1": 1, "own := count; own++": 0, "for count = range cache {}": 1,
		"func() { count = 2 }()": 1, "methods := methods; methods = nil": 0, "w.Header()[k] = nil": 0,
	} {
		source := "package p\nfunc f(methods []string, count int, cache map[string]int) any { return func(w http.ResponseWriter) { " + body + " } }"
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if handler, ok := n.(*ast.FuncLit); ok && handler.Type.Params.NumFields() > 0 {
				if got := len(writtenFromOutside(handler)); got != want {
					t.Errorf("%s: %d writes found, want %d", body, got, want)
				}
			}
			return true
		})
	}
}

func isResponseWriter(param *ast.Field) bool {
	named, ok := param.Type.(*ast.SelectorExpr)
	return ok && named.Sel.Name == "ResponseWriter"
}

// writtenFromOutside returns the variables that a function assigns to, or to a part of, and does not declare.
func writtenFromOutside(fn *ast.FuncLit) (all []*ast.Ident) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var targets []ast.Expr
		switch s := n.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				targets = s.Lhs
			}
		case *ast.IncDecStmt:
			targets = []ast.Expr{s.X}
		case *ast.RangeStmt:
			if s.Tok == token.ASSIGN {
				targets = []ast.Expr{s.Key, s.Value}
			}
		}
		for _, target := range targets {
			if id := rootOf(target); id != nil && id.Obj != nil && (id.Obj.Pos() < fn.Pos() || id.Obj.Pos() >= fn.End()) {
				all = append(all, id)
			}
		}
		return true
	})
	return all
}

// rootOf returns the variable that an assignment changes, or nil where the target does not start with a name.
func rootOf(target ast.Expr) *ast.Ident {
	for {
		switch e := target.(type) {
		case *ast.Ident:
			return e
		case *ast.SelectorExpr:
			target = e.X
		case *ast.IndexExpr:
			target = e.X
		case *ast.StarExpr:
			target = e.X
		case *ast.ParenExpr:
			target = e.X
		default:
			return nil
		}
	}
}

package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestServicesNameTheirOperations: every exported function of a service that takes a context and may fail records its name in its errors,
// for the log.
func TestServicesNameTheirOperations(t *testing.T) {
	t.Parallel()
	exempt := map[string]string{
		"access.Authenticate": "begins every request of the APIs, so its name says no more than the log's route",
		"access.Read":         "runs a function of the caller, on the path of every read",
	}
	for _, s := range sources(t) {
		if layerOf(s.folder) != "service" || isForTests(s.folder) || s.folder == "service/interviewlog" { // which services call, and not the api
			continue
		}
		for name, wrapped := range operations(s.file) {
			switch {
			case exempt[name] != "":
				delete(exempt, name)
			case wrapped != name:
				t.Errorf("%s: begin %s with: defer operation.Wrap(&err, %q)", s.name, name, name)
			}
		}
	}
	for name := range exempt {
		t.Errorf("%s needs no exemption", name)
	}
}

// operations returns the exported functions of a file that take a context and may fail, and under which name each wraps its errors.
func operations(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, declaration := range file.Decls {
		fn, ok := declaration.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !takesContext(fn.Type) || !mayFail(fn.Type) {
			continue
		}
		name := file.Name.Name + "."
		if fn.Recv != nil {
			receiver := fn.Recv.List[0].Type
			if pointer, ok := receiver.(*ast.StarExpr); ok {
				receiver = pointer.X
			}
			of, ok := receiver.(*ast.Ident)
			if !ok || !of.IsExported() {
				continue
			}
			if of.Name != "Service" {
				name += of.Name + "."
			}
		}
		all[name+fn.Name.Name] = wrappedAs(fn)
	}
	return all
}

// takesContext reports whether a function has a context that it uses.
func takesContext(fn *ast.FuncType) bool {
	for _, parameter := range fn.Params.List {
		of, ok := parameter.Type.(*ast.SelectorExpr)
		if ok && of.Sel.Name == "Context" && len(parameter.Names) > 0 && parameter.Names[0].Name != "_" {
			return true
		}
	}
	return false
}

func mayFail(fn *ast.FuncType) bool {
	if fn.Results == nil {
		return false
	}
	last, ok := fn.Results.List[len(fn.Results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}

// wrappedAs returns the name in the first statement of a function, defer operation.Wrap(&err, NAME), or "".
func wrappedAs(fn *ast.FuncDecl) string {
	results := fn.Type.Results.List
	names := results[len(results)-1].Names
	if len(fn.Body.List) == 0 || len(names) == 0 {
		return ""
	}
	first, ok := fn.Body.List[0].(*ast.DeferStmt)
	if !ok || len(first.Call.Args) != 2 {
		return ""
	}
	called, ok := first.Call.Fun.(*ast.SelectorExpr)
	if !ok || called.Sel.Name != "Wrap" {
		return ""
	}
	target, ok := first.Call.Args[0].(*ast.UnaryExpr)
	if !ok || target.Op != token.AND {
		return ""
	}
	if result, ok := target.X.(*ast.Ident); !ok || result.Name != names[len(names)-1].Name {
		return ""
	}
	literal, ok := first.Call.Args[1].(*ast.BasicLit)
	if !ok {
		return ""
	}
	name, _ := strconv.Unquote(literal.Value)
	return name
}

func TestOperationsAreFound(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p
func (s *Service) Named(ctx context.Context) (_ int, err error) {
	defer operation.Wrap(&err, "p.Named")
	return 1, nil
}
func (w Worker) Run(ctx context.Context) (err error) { defer operation.Wrap(&err, "p.Run"); return nil }
func Free(ctx context.Context) error { return nil }
func Other(ctx context.Context) (err error) { var other error; defer operation.Wrap(&other, "p.Other"); return nil }
func (w *worker) Hidden(ctx context.Context) error { return nil }
func Unused(_ context.Context) error { return nil }
func Safe(ctx context.Context) int { return 1 }
func small(ctx context.Context) error { return nil }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"p.Named": "p.Named", "p.Worker.Run": "p.Run", "p.Free": "", "p.Other": ""}
	got := operations(file)
	for name, wrapped := range want {
		if found, ok := got[name]; !ok || found != wrapped {
			t.Errorf("%s is wrapped as %q, want %q", name, found, wrapped)
		}
	}
	if len(got) != len(want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is a Go file of the program that is not a test.
type source struct {
	name    string // path below internal
	folder  string // folder of its package
	file    *ast.File
	imports []string
}

// sources parses every Go file below internal, except tests.
func sources(t *testing.T) (all []source) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		s := source{name: name, folder: filepath.ToSlash(folder), file: file}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, imported)
		}
		all = append(all, s)
		return nil
	})
	if err != nil || len(all) < 300 {
		t.Fatalf("%d files were found, want all of the program: %v", len(all), err)
	}
	return all
}

// checkImports fails for every import between the program's packages that may does not allow. Packages made for tests may
// import anything, and only tests and their like may import them. Only the api may import the program's packages outside
// internal.
func checkImports(t *testing.T, may func(from, to string) bool) {
	t.Helper()
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			to, inside := strings.CutPrefix(imported, "verbatim/internal/")
			switch {
			case !strings.HasPrefix(imported, "verbatim/") || isForTests(s.folder):
			case isForTests(imported):
				t.Errorf("%s imports %s, which is made for tests", s.name, imported)
			case !inside && layerOf(s.folder) != "api":
				t.Errorf("%s imports %s, which only the api may import", s.name, imported)
			case inside && !may(s.folder, to):
				t.Errorf("%s imports %s: the layer %s may only import %v", s.name, imported, layerOf(s.folder), importable[layerOf(s.folder)])
			}
		}
	}
}

// layerOf returns the first folder of a package's path.
func layerOf(folder string) string {
	layer, _, _ := strings.Cut(folder, "/")
	return layer
}

// isForTests reports whether a package is made for tests: one that ends in test, such as storetest, or one of the test
// folder.
func isForTests(imported string) bool {
	return strings.HasSuffix(imported, "test") || strings.HasPrefix(imported, "verbatim/test/")
}

// TestDomainIsPure: the domain has no I/O, no clock, no random numbers and no context.
func TestDomainIsPure(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if layerOf(s.folder) != "domain" || isForTests(s.folder) {
			continue
		}
		for _, imported := range s.imports {
			if impure(imported) {
				t.Errorf("%s imports %s", s.name, imported)
			}
		}
		for _, use := range nondeterminism(s.file) {
			t.Errorf("%s: %s", s.name, use)
		}
	}
}

func TestImpureImportsAreFound(t *testing.T) {
	t.Parallel()
	for imported, want := range map[string]bool{
		"net/url": false, "strings": false, "context": true, "os": true, "os/exec": true, "net": true, "net/http": true, "database/sql": true, "crypto/rand": true,
	} {
		if impure(imported) != want {
			t.Errorf("%s: impure is %v", imported, !want)
		}
	}
}

// impure reports whether a package of the standard library does I/O, waits, or returns random numbers.
func impure(imported string) bool {
	switch first, _, _ := strings.Cut(imported, "/"); first {
	case "context", "os", "database", "syscall", "net":
		return imported != "net/url" // only parses text
	}
	return slices.Contains([]string{"crypto/rand", "math/rand", "io/ioutil", "log", "log/slog", "testing"}, imported)
}

// nondeterminism returns where a file reads the clock, waits, or uses the shared source of random numbers.
func nondeterminism(file *ast.File) (violations []string) {
	names := map[string]string{} // as imported
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(strings.TrimSuffix(imported, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = imported
	}
	allowed := map[string][]string{
		"math/rand/v2": {"New", "NewPCG", "PCG", "NewChaCha8", "ChaCha8", "Rand", "Source"},
	}
	refused := map[string][]string{
		"time":                   {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
		"github.com/google/uuid": {"New", "NewString", "NewRandom", "NewV6", "NewV7", "NewUUID"},
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok {
			imported := names[x.Name]
			list, limited := allowed[imported]
			if slices.Contains(refused[imported], sel.Sel.Name) || limited && !slices.Contains(list, sel.Sel.Name) {
				violations = append(violations, x.Name+"."+sel.Sel.Name+" depends on the clock or on random numbers: take the value as an argument")
			}
		}
		return true
	})
	return violations
}

func TestNondeterminismIsFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		"time.Now()": 1, "clock.Since(t)": 1, "rand.IntN(3)": 1, "rand.New(rand.NewPCG(1, 2))": 0, "time.Duration(3)": 0, "uuid.NewString()": 1,
		"uuid.NewSHA1(a, b)": 0, "r.Now()": 0, "time.Sleep(time.Now().Sub(t))": 2,
	} {
		const head = "package p\nimport (\n\"time\"\nclock \"time\"\n\"math/rand/v2\"\n\"github.com/google/uuid\"\n)\nvar x = "
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", head+body, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := nondeterminism(file); len(got) != want {
			t.Errorf("%s: %q, want %d violations", body, got, want)
		}
	}
}

package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUnracedPackagesStartNothing: the packages that the Makefile tests without the race detector start no goroutines, and
// use of sync only what guards values that are made once.
func TestUnracedPackagesStartNothing(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^UNRACED := (.+)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("the Makefile has no list UNRACED")
	}
	for _, name := range strings.Fields(string(list[1])) {
		dir, inside := strings.CutPrefix(name, "./internal/")
		if !inside {
			continue // clients of the program
		}
		files, err := filepath.Glob(filepath.Join(root, strings.TrimSuffix(dir, "/..."), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", name, err)
		}
		for _, file := range files {
			parsed := token.NewFileSet()
			tree, err := parser.ParseFile(parsed, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: a goroutine is started: take the package off the list UNRACED", parsed.Position(n.Pos()))
				case *ast.SelectorExpr:
					of, named := n.X.(*ast.Ident)
					if named && of.Name == "sync" && n.Sel.Name != "OnceValue" && n.Sel.Name != "Map" {
						t.Errorf("%s: sync.%s is used: take the package off the list UNRACED", parsed.Position(n.Pos()), n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

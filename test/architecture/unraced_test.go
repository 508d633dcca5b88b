package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// variable returns the value of one of the Makefile's variables.
func variable(t *testing.T, name string) string {
	t.Helper()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + name + ` := (.+)$`).FindSubmatch(makefile)
	if found == nil {
		t.Fatalf("the Makefile has no list %s", name)
	}
	return strings.ReplaceAll(string(found[1]), "$$", "$")
}

// goFiles returns the files of a package as the Makefile names it, with those below where the name ends in dots, without the
// packages of a list.
func goFiles(t *testing.T, name string, without []string) (files []string) {
	t.Helper()
	top, all := strings.CutSuffix(name, "/...")
	err := filepath.WalkDir(filepath.Join(filepath.Dir(root), top), func(path string, entry fs.DirEntry, err error) error {
		switch below, _ := filepath.Rel(filepath.Dir(root), path); {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(without, "./"+below) || !all && "./"+below != top):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", name, err)
	}
	return files
}

// sharing returns the places in a piece of code where goroutines are started or wait for each other. Values that are made once,
// and maps of such values, are left out.
func sharing(of ast.Node) (places []ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			places = append(places, n)
		case *ast.SelectorExpr:
			named, _ := n.X.(*ast.Ident)
			if named != nil && (named.Name == "atomic" || named.Name == "errgroup" || named.Name == "sync" && n.Sel.Name != "OnceValue" && n.Sel.Name != "Map") {
				places = append(places, n)
			}
		}
		return true
	})
	return places
}

// TestUnracedPackagesStartNothing: the packages that the Makefile tests without the race detector start no goroutines, and
// use of sync only what guards values that are made once.
func TestUnracedPackagesStartNothing(t *testing.T) {
	t.Parallel()
	partly := strings.Fields(variable(t, "PARTLY_RACED"))
	for _, name := range strings.Fields(variable(t, "UNRACED")) {
		if !strings.HasPrefix(name, "./internal/") {
			continue // clients of the program, and tools
		}
		for _, file := range goFiles(t, name, partly) {
			parsed := token.NewFileSet()
			tree, err := parser.ParseFile(parsed, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, place := range sharing(tree) {
				if lock, is := place.(*ast.SelectorExpr); is && lock.Sel.Name == "Mutex" && strings.HasSuffix(file, "_test.go") {
					continue // a scripted server's, which answers on goroutines of its own
				}
				t.Errorf("%s: goroutines share something: take the package off the list UNRACED", parsed.Position(place.Pos()))
			}
		}
	}
}

// TestRacedTestsAreNamed: of a package that is raced in part, every test that starts goroutines is raced. Each of these packages
// has such tests, and every name on the list is that of a test.
func TestRacedTestsAreNamed(t *testing.T) {
	t.Parallel()
	pattern := variable(t, "RACED_TESTS")
	raced, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(pattern, "^Test("), ")$"), "|") {
		unknown["Test"+name] = true
	}
	for _, name := range strings.Fields(variable(t, "PARTLY_RACED")) {
		some := false
		for _, file := range goFiles(t, name, nil) {
			if !strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed := token.NewFileSet()
			tree, err := parser.ParseFile(parsed, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range tree.Decls {
				f, is := declaration.(*ast.FuncDecl)
				if !is || !strings.HasPrefix(f.Name.Name, "Test") {
					continue
				}
				delete(unknown, f.Name.Name)
				some = some || raced.MatchString(f.Name.Name)
				if places := sharing(f); len(places) > 0 && !raced.MatchString(f.Name.Name) {
					t.Errorf("%s: goroutines share something: add %s to RACED_TESTS", parsed.Position(places[0].Pos()), f.Name.Name)
				}
			}
		}
		if !some {
			t.Errorf("RACED_TESTS has no test of %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		t.Errorf("RACED_TESTS has %s, which is no test of PARTLY_RACED", name)
	}
}

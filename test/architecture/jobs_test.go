package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kindsFile lists the kinds of jobs.
var kindsFile = filepath.Join(root, "service", "jobs", "kinds.go")

// TestJobsAreEnqueuedByTheirKind: services enqueue through internal/service/jobs, which knows the queue and the arguments of each
// kind. The store enqueues nothing by itself.
func TestJobsAreEnqueuedByTheirKind(t *testing.T) {
	t.Parallel()
	found := 0
	eachSelector(t, func(folder, position string, use *ast.SelectorExpr) {
		if use.Sel.Name != "Enqueue" && use.Sel.Name != "QueueRecordings" {
			return
		}
		found++
		by, ok := use.X.(*ast.Ident)
		if folder != "service/jobs" && (!ok || by.Name != "jobs") {
			t.Errorf("%s: a job is enqueued without package jobs", position)
		}
	})
	if found < 8 {
		t.Errorf("%d places enqueue jobs; this test must see those of the whole program", found)
	}
}

// TestTableOfJobs: the comment above the kinds names, with a colon, every service that enqueues a kind, and the one that runs it.
func TestTableOfJobs(t *testing.T) {
	t.Parallel()
	enqueued := map[string]map[string]bool{}
	eachSelector(t, func(folder, _ string, use *ast.SelectorExpr) {
		if of, ok := use.X.(*ast.Ident); !ok || of.Name != "jobs" || folder == "service/jobs" {
			return
		}
		kind, isArgs := strings.CutSuffix(use.Sel.Name, "Args")
		if use.Sel.Name == "EnqueueRecordings" {
			kind, isArgs = "Transcode", true
		}
		if service := path.Base(folder); isArgs && service != runsItself[kind] {
			if enqueued[kind] == nil {
				enqueued[kind] = map[string]bool{}
			}
			enqueued[kind][service] = true
		}
	})
	text, err := os.ReadFile(kindsFile)
	if err != nil {
		t.Fatal(err)
	}
	runs := regexp.MustCompile(`\{Name: Kind(\w+), .*Service: "(\w+)"\}`).FindAllStringSubmatch(string(text), -1)
	if len(runs) < 5 {
		t.Fatalf("%d kinds found, want all", len(runs))
	}
	for _, run := range runs {
		kind, service := run[1], run[2]
		row := regexp.MustCompile(`(?m)^//\tKind` + kind + ` .* (\w+)\n(?://\t {2,}.*\n)*`).FindStringSubmatch(string(text))
		if row == nil || row[1] != service {
			t.Errorf("the table does not say that %s runs Kind%s", service, kind)
			continue
		}
		named := map[string]bool{}
		for _, name := range regexp.MustCompile(`(\w+):`).FindAllStringSubmatch(row[0], -1) {
			named[name[1]] = true
		}
		if !maps.Equal(named, enqueued[kind]) {
			t.Errorf("the table names %v as those who enqueue Kind%s; the code, %v", slices.Sorted(maps.Keys(named)), kind, slices.Sorted(maps.Keys(enqueued[kind])))
		}
	}
}

// runsItself names the services that hand on the arguments of their own kind, to run the job again on the next day.
var runsItself = map[string]string{"Transcribe": "transcription", "Translate": "translator"}

// eachSelector visits the selector expressions of the program, with their folder below internal or beside it.
func eachSelector(t *testing.T, visit func(folder, position string, use *ast.SelectorExpr)) {
	t.Helper()
	for _, from := range []string{root, filepath.Join(root, "..", "cmd")} {
		err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if use, ok := n.(*ast.SelectorExpr); ok {
					visit(filepath.ToSlash(folder), files.Position(n.Pos()).String(), use)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

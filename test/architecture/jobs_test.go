package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestJobsAreEnqueuedByTheirKind: services enqueue through internal/service/jobs, which knows the queue and the arguments of each
// kind. The store enqueues nothing by itself.
func TestJobsAreEnqueuedByTheirKind(t *testing.T) {
	t.Parallel()
	found := 0
	for _, root := range []string{filepath.Join("..", "..", "internal"), filepath.Join("..", "..", "cmd")} {
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
				enqueues, ok := n.(*ast.SelectorExpr)
				if !ok || enqueues.Sel.Name != "Enqueue" && enqueues.Sel.Name != "QueueRecordings" {
					return true
				}
				found++
				by, ok := enqueues.X.(*ast.Ident)
				if filepath.ToSlash(filepath.Dir(name)) != "../../internal/service/jobs" && (!ok || by.Name != "jobs") {
					t.Errorf("%s: a job is enqueued without package jobs", files.Position(n.Pos()))
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 8 {
		t.Errorf("%d places enqueue jobs; this test must see those of the whole program", found)
	}
}

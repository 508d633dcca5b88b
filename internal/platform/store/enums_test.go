package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// notClosed names columns that are called like an enum, and why they are none.
var notClosed = map[string]string{
	"job.kind":                "services know the kinds of jobs, and tests have kinds of their own",
	"quality_override.reason": "a person's own words",
}

// TestEnumColumnsAreListed: whoever adds a column that is named like a closed set adds it to the enums, too.
func TestEnumColumnsAreListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, e := range store.Enums() {
		listed[e.Table+"."+e.Column] = true
	}
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	const name = `(kind|state|status|role|progress|permission|reason|stage|scope|mode) text\b`
	opens, column, added := regexp.MustCompile(`^create table (\w+)`), regexp.MustCompile(`^\s+`+name), regexp.MustCompile(`^alter table (\w+) add column `+name)
	found := 0
	check := func(table, column string) {
		found++
		if place := table + "." + column; !listed[place] && notClosed[place] == "" {
			t.Errorf("%s is not in enums.go", place)
		}
	}
	for _, file := range files {
		migration, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		table := ""
		for line := range strings.Lines(string(migration)) {
			if m := opens.FindStringSubmatch(line); m != nil {
				table = m[1]
			} else if m := column.FindStringSubmatch(line); m != nil {
				check(table, m[1])
			} else if m := added.FindStringSubmatch(line); m != nil {
				check(m[1], m[2])
			}
		}
	}
	if found < len(listed) {
		t.Errorf("%d columns are listed, and the migrations have %d", len(listed), found)
	}
}

// TestEnumsAreThoseOfTheCode: whoever adds a constant to a type that is stored adds it to the enums, too.
func TestEnumsAreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	// No recording is made of files, what was not asked has no kind, and only invitations name a role.
	beside := map[string][]string{"recording.kind": {"file"}, "decision.kind": {""}, "one_time_token.role": {""}}
	for _, e := range store.Enums() {
		pkg, name, typed := strings.Cut(e.TypeName, ".")
		if !typed {
			continue
		}
		folder := filepath.Join("..", "..", "domain", pkg)
		if pkg == "store" {
			folder = "."
		}
		want := constants(t, folder, name)
		for _, v := range beside[e.Table+"."+e.Column] {
			if i := slices.Index(want, v); i >= 0 {
				want = slices.Delete(want, i, i+1)
			} else {
				want = append(want, v)
			}
		}
		have := slices.Clone(e.Values)
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("%s.%s has the values %q, and the constants of %s are %q", e.Table, e.Column, have, e.TypeName, want)
		}
	}
}

// constants returns the values of the constants of a string type that a package declares.
func constants(t *testing.T, folder, name string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != name {
				return true
			}
			for _, v := range spec.Values {
				literal, ok := v.(*ast.BasicLit)
				if !ok {
					continue
				}
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, value)
			}
			return true
		})
	}
	return values
}

// TestAuditEnums stores a value that no program knows.
func TestAuditEnums(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	storetest.Response(t, sc.Store, sc.Study, nil)
	if found, err := sc.Store.View().AuditEnums(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("a sound database has %q, %v", found, err)
	}
	write, _ := sc.Store.Handles()
	if _, err := write.ExecContext(t.Context(), `update response set progress = 'lost'`); err != nil {
		t.Fatal(err)
	}
	found, err := sc.Store.View().AuditEnums(t.Context())
	if want := []string{`a row of response has the progress "lost", which this program does not know`}; err != nil || !slices.Equal(found, want) {
		t.Errorf("finds %q, %v, want %q", found, err, want)
	}
}

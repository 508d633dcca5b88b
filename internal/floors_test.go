package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The floors of the program, from the rules up to the doors. A package may import those below its own floor. A new
// package is entered here, and so is given a place.
const (
	rules = iota + 1
	outside
	work
	doors
)

var floors = map[string]int{
	"strictjson": rules, "guide": rules, "guide/sample": rules, "guide/guidetest": rules, "interview": rules, "interview/draw": rules,
	"interview/maxdiff": rules, "study": rules, "response": rules, "wallet": rules, "org": rules, "document": rules, "analysis/builtin": rules, "analysis/inference": rules, "analysis/bestworst": rules, "analysis/bestworst/bestworsttest": rules, "analysis/tables": rules, "analysis/keywords": rules, "wordcount": rules, "script": rules, "usage": rules, "evidence": rules, "probe": rules, "probe/probetest": rules, "plaintext": rules, "signing": rules, "recording": rules, "transcript": rules, "translation": rules,

	"memo": outside, "store": outside, "store/storetest": outside, "store/storetest/pgtest": outside, "blob": outside, "blob/blobtest": outside, "remote": outside, "llm": outside, "llm/llmtest": outside, "wiretest": outside, "speech": outside, "speech/speechtest": outside, "transcode": outside, "telemetry": outside,

	"jobs": work, "capture": work, "access": work, "authoring": work, "fieldwork": work, "moderator": work, "analysis": work, "results": work,
	"billing": work, "erasure": work, "export": work, "importing": work, "reporting": work, "upkeep": work, "production": work, "hearing": work, "translating": work,

	"httpio": doors, "outage": doors, "tus": doors, "api/v1": doors, "api/legacy": doors, "participant": doors, "media": doors, "dashboard": doors, "mcp": doors, "server": doors,
	"server/servertest": doors, "simulation": doors,
}

// sideways lists the imports that are allowed within a floor. The order is that of the packages themselves: each names
// earlier ones alone, so that no circle of meaning can grow.
var sideways = []struct {
	from string
	to   []string
}{
	{"strictjson", nil},
	{"guide", []string{"strictjson"}},
	{"guide/sample", nil},
	{"guide/guidetest", []string{"guide", "guide/sample"}},
	{"interview/draw", nil},
	{"interview/maxdiff", []string{"interview/draw"}},
	{"interview", []string{"strictjson", "guide", "interview/draw", "interview/maxdiff"}},
	{"org", nil},
	{"study", []string{"org"}},
	{"wordcount", nil},
	{"usage", nil},
	{"evidence", []string{"wordcount"}},
	{"response", []string{"evidence"}},
	{"recording", []string{"response"}},
	{"wallet", nil},
	{"document", []string{"strictjson", "guide", "interview", "response"}},
	{"transcript", []string{"interview"}},
	{"script", nil},
	{"translation", []string{"strictjson", "guide", "interview", "script"}},
	{"probe", []string{"wordcount", "script"}},
	{"probe/probetest", []string{"probe"}},
	{"analysis/builtin", []string{"guide", "interview", "response", "wordcount", "evidence"}},
	{"analysis/inference", nil},
	{"analysis/bestworst", []string{"analysis/inference"}},
	{"analysis/bestworst/bestworsttest", []string{"interview/maxdiff", "analysis/bestworst"}},
	{"plaintext", nil},
	{"signing", nil},
	{"analysis/tables", []string{"analysis/inference", "plaintext"}},
	{"analysis/keywords", []string{"analysis/builtin"}},

	{"memo", nil},
	{"store", nil},
	{"store/storetest/pgtest", nil},
	{"store/storetest", []string{"store", "store/storetest/pgtest"}},
	{"blob", nil},
	{"blob/blobtest", []string{"blob"}},
	{"wiretest", nil},
	{"remote", nil},
	{"llm", []string{"remote"}},
	{"llm/llmtest", []string{"llm", "wiretest"}},
	{"speech", []string{"remote"}},
	{"speech/speechtest", []string{"wiretest"}},

	{"httpio", nil},
	{"outage", []string{"httpio"}},
	{"tus", []string{"httpio"}},
	{"api/v1", []string{"httpio", "outage"}},
	{"api/legacy", []string{"httpio", "outage"}},
	{"participant", []string{"httpio", "outage", "tus"}},
	{"dashboard", []string{"httpio"}},
	{"mcp", []string{"httpio"}},
	{"server", []string{"httpio", "outage", "tus", "api/v1", "api/legacy", "participant", "dashboard", "mcp"}},
	{"server/servertest", []string{"httpio", "tus", "api/v1", "api/legacy", "participant", "dashboard", "mcp", "server"}},
}

// leaves are held closer than their floor: each may import these packages of the program and no other.
var leaves = map[string][]string{"httpio": {"strictjson"}, "tus": {"httpio"}, "media": {"httpio", "outage", "blob"}, "telemetry": nil, "simulation": nil}

const (
	module   = "verbatim/"
	internal = module + "internal/"
)

// forTests tells whether a package is made for tests: storetest, guidetest, and all of the test folder.
func forTests(importPath string) bool {
	return strings.HasSuffix(importPath, "test") || strings.HasPrefix(importPath, module+"test/")
}

// faultOf says what is wrong with an import of a package's code (not of its tests); empty when it is right. from is the
// package's path within internal.
func faultOf(from, imported string) string {
	floor, known := floors[from]
	if !known {
		return "the package has no floor: enter it in floors_test.go"
	}
	if floor == rules && impure(imported) {
		return "a rule has no I/O, no clock and no context"
	}
	if !strings.HasPrefix(imported, module) {
		return ""
	}
	if forTests(imported) && !forTests(internal+from) {
		return "only tests import what is made for tests"
	}
	to, inside := strings.CutPrefix(imported, internal)
	if allowed, leaf := leaves[from]; leaf {
		if slices.Contains(allowed, to) {
			return ""
		}
		return fmt.Sprintf("a leaf imports nothing of the program but %v", allowed)
	}
	if !inside {
		if floor == doors && !strings.HasPrefix(imported, module+"cmd/") {
			return "" // the contract and the pages
		}
		return "only doors import what is outside internal"
	}
	above, known := floors[to]
	switch {
	case !known:
		return "it imports a package that has no floor"
	case above > floor:
		return fmt.Sprintf("an import goes up, from floor %d to floor %d", floor, above)
	case above < floor:
		return ""
	}
	for _, s := range sideways {
		if s.from == from && slices.Contains(s.to, to) {
			return ""
		}
	}
	return "an import goes sideways"
}

// impure tells whether a package of the standard library does I/O, waits, or draws by chance.
func impure(imported string) bool {
	switch first, _, _ := strings.Cut(imported, "/"); first {
	case "context", "os", "database", "syscall", "net":
		return imported != "net/url" // text alone
	}
	return slices.Contains([]string{"crypto/rand", "math/rand", "io/ioutil", "log", "log/slog", "testing"}, imported)
}

// usesChance finds what a file does beyond its arguments: it asks the clock, waits, or draws from the shared source.
func usesChance(file *ast.File) (faults []string) {
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
				faults = append(faults, x.Name+"."+sel.Sel.Name+" is the clock's or chance's: take it as an argument")
			}
		}
		return true
	})
	return faults
}

func TestImportsGoDown(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(name))
		found[from] = true
		if _, known := floors[from]; !known {
			t.Errorf("%s: %s", name, faultOf(from, ""))
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if forTests(internal+from) && floors[from] == rules && !strings.HasPrefix(imported, module) {
				continue // what helps tests may use them
			}
			if fault := faultOf(from, imported); fault != "" {
				t.Errorf("%s imports %s: %s", name, imported, fault)
			}
		}
		if floors[from] == rules && !forTests(internal+from) {
			for _, fault := range usesChance(file) {
				t.Errorf("%s: %s", name, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !found["guide"] || !found["store"] {
		t.Errorf("packages found: %v; this test must see the whole program", slices.Sorted(maps.Keys(found)))
	}
}

func TestSidewaysImportsAreOrdered(t *testing.T) {
	t.Parallel()
	earlier := map[string]bool{}
	for _, s := range sideways {
		if earlier[s.from] {
			t.Errorf("%s is listed twice", s.from)
		}
		for _, to := range s.to {
			if !earlier[to] || floors[to] != floors[s.from] {
				t.Errorf("%s may import %s, which is not an earlier package of its floor", s.from, to)
			}
		}
		if floors[s.from] == work {
			t.Errorf("%s: the work has no imports within its floor", s.from)
		}
		earlier[s.from] = true
	}
}

func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, imported, fault string }{
		{"store", "verbatim/internal/guide", ""},
		{"fieldwork", "verbatim/internal/store", ""},
		{"server", "verbatim/internal/api/v1", ""},
		{"api/v1", "verbatim/internal/httpio", ""},
		{"api/v1", "verbatim/openapi", ""},
		{"guide", "net/url", ""},
		{"server/servertest", "verbatim/internal/store/storetest", ""},
		{"unheard", "fmt", "no floor"},
		{"store", "verbatim/internal/unheard", "no floor"},
		{"guide", "verbatim/internal/store", "goes up"},
		{"store", "verbatim/internal/jobs", "goes up"},
		{"fieldwork", "verbatim/internal/httpio", "goes up"},
		{"fieldwork", "verbatim/internal/moderator", "sideways"},
		{"api/v1", "verbatim/internal/api/legacy", "sideways"},
		{"api/v1", "verbatim/internal/server", "sideways"},
		{"guide", "verbatim/internal/interview", "sideways"},
		{"response", "verbatim/internal/interview", "sideways"},
		{"store", "verbatim/internal/store/storetest", "only tests"},
		{"access", "verbatim/test/contract", "only tests"},
		{"access", "verbatim/web", "only doors"},
		{"server", "verbatim/cmd/verbatim", "only doors"},
		{"httpio", "verbatim/internal/store", "leaf"},
		{"simulation", "verbatim/internal/guide", "leaf"},
		{"guide", "context", "rule"},
		{"guide", "os", "rule"},
		{"guide", "os/exec", "rule"},
		{"guide", "net", "rule"},
		{"guide", "net/http", "rule"},
		{"guide", "database/sql", "rule"},
		{"guide", "crypto/rand", "rule"},
	} {
		if got := faultOf(tt.from, tt.imported); (got == "") != (tt.fault == "") || !strings.Contains(got, tt.fault) {
			t.Errorf("%s imports %s: %q, want a fault with %q", tt.from, tt.imported, got, tt.fault)
		}
	}
}

func TestChanceIsFound(t *testing.T) {
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
		if got := usesChance(file); len(got) != want {
			t.Errorf("%s: %q, want %d faults", body, got, want)
		}
	}
}

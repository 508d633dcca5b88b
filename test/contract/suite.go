package contract

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"verbatim/openapi"
)

// Suite holds the documents, checks answers against them and records what was seen. It is safe for concurrent use.
type Suite struct {
	operations []*operation
	mux        *http.ServeMux // finds the operation of a request, as the server's own mux does
	unrouted   []unrouted

	mu   sync.Mutex
	seen map[Case]bool
}

// Operation is one method of one path of one document.
type Operation struct {
	Document string // v1, legacy, participant or dashboard
	Method   string
	Path     string // with parameters in braces: /api/public/v1/wallets
	ID       string // operationId
	Slashes  bool   // whether the last parameter of the path may contain slashes
}

// Pattern returns the operation as a pattern of http.ServeMux.
func (o Operation) Pattern() string {
	path := o.Path
	if o.Slashes {
		path = strings.TrimSuffix(path, "}") + "...}"
	}
	return o.Method + " " + path
}

// Case is one possible answer of an operation. Code is empty if the answer is no error, or has no body.
type Case struct {
	Operation Operation
	Status    int
	Code      string
}

// String returns the case in one line.
func (c Case) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %d %s", c.Operation.Pattern(), c.Status, c.Code))
}

// Coverage compares what was seen with what the documents list. Both lists are in the order of the documents.
type Coverage struct {
	Seen    []Case
	Missing []Case
}

// Load reads and compiles the documents. It fails on a document that is not well-formed, a reference that leads nowhere, or a schema that
// does not compile.
func Load() (*Suite, error) {
	suite := &Suite{mux: http.NewServeMux(), seen: map[Case]bool{}}
	for _, source := range []struct {
		name string
		text []byte
	}{{"v1", openapi.V1}, {"legacy", openapi.Legacy}, {"participant", openapi.Participant}, {"dashboard", openapi.Dashboard}} {
		doc, err := parse(source.name, source.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
		if err := suite.add(doc); err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
	}
	for _, op := range suite.operations {
		suite.mux.Handle(op.Pattern(), op)
	}
	return suite, nil
}

// Operations returns all operations, in the order of the documents' names and of their paths.
func (s *Suite) Operations() []Operation {
	list := make([]Operation, len(s.operations))
	for i, op := range s.operations {
		list[i] = op.Operation
	}
	return list
}

// Covered returns which documented cases Wrap has seen so far, and which it has not.
func (s *Suite) Covered() Coverage {
	s.mu.Lock()
	defer s.mu.Unlock()
	var report Coverage
	for _, op := range s.operations {
		for _, c := range op.cases() {
			if s.seen[c] {
				report.Seen = append(report.Seen, c)
			} else {
				report.Missing = append(report.Missing, c)
			}
		}
	}
	return report
}

func (s *Suite) saw(c Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[c] = true
}

// find returns the operation of a request, or nil.
func (s *Suite) find(r *http.Request) *operation {
	handler, _ := s.mux.Handler(r)
	op, _ := handler.(*operation)
	return op
}

// fallback returns the documented answer of an address that no operation has; ok is false if no document covers it.
func (s *Suite) fallback(path string) (fallback unrouted, ok bool) {
	var longest string
	for _, u := range s.unrouted {
		for _, prefix := range u.prefixes {
			if len(prefix) > len(longest) && strings.HasPrefix(path, prefix) {
				longest, fallback, ok = prefix, u, true
			}
		}
	}
	return fallback, ok
}

// cases returns what the operation can answer, by status and code.
func (op *operation) cases() []Case {
	var list []Case
	for status, a := range op.answers {
		codes := a.codes
		if len(codes) == 0 || op.Method == http.MethodHead {
			codes = []string{""}
		}
		for _, code := range codes {
			list = append(list, Case{op.Operation, status, code})
		}
	}
	slices.SortFunc(list, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return list
}

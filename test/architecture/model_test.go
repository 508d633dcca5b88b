package architecture

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestOneWayToTheModel: requests to a language model are made in one place, llm.Client, which masks them. No other package names the
// address of the service or makes a second client of it.
func TestOneWayToTheModel(t *testing.T) {
	t.Parallel()
	found := 0
	for _, s := range sources(t) {
		if isForTests(s.folder) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING || !strings.Contains(literal.Value, "chat/completions") {
				return true
			}
			if found++; s.folder != "platform/llm" {
				t.Errorf("%s asks a language model past llm.Client, which masks what may identify a person", s.name)
			}
			return true
		})
	}
	if found == 0 {
		t.Error("the address of the service was found nowhere")
	}
}

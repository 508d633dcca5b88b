package v1_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"verbatim/internal/api/server/servertest"
)

// TestMain fails when no test saw one of this API's documented answers.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for _, missing := range servertest.Contract().Covered().Missing {
			if missing.Operation.Document == "v1" && strings.HasPrefix(missing.Operation.Path, "/api/") { // package media answers the others
				fmt.Println("documented and never answered:", missing)
				code = 1
			}
		}
	}
	os.Exit(code)
}

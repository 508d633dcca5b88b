package plaintext_test

import (
	"errors"
	"strings"
	"testing"

	"verbatim/internal/domain/plaintext"
)

func TestDescribePanic(t *testing.T) {
	t.Parallel()
	crash := func() (p any) {
		defer func() { p = recover() }()
		var none []int
		return none[len(none)]
	}()
	if got := plaintext.DescribePanic(crash); !strings.Contains(got, "index out of range") {
		t.Errorf("the runtime's words became %q", got)
	}
	if got := plaintext.DescribePanic(errors.New("they said so")); got != "*errors.errorString" {
		t.Errorf("another's words became %q", got)
	}
}

package response_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
)

func TestVisibleParams(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ params, want map[string]string }{
		"none":            {nil, map[string]string{}},
		"the service's":   {map[string]string{"_lang": "de", "_": "x"}, map[string]string{}},
		"a nameless one":  {map[string]string{"": "x"}, map[string]string{}},
		"the researchers": {map[string]string{"pid": "1", "a_b": "", "_x": "2"}, map[string]string{"pid": "1", "a_b": ""}},
	} {
		r := response.Response{URLParams: tt.params}
		if diff := cmp.Diff(tt.want, r.VisibleParams()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	r := response.Response{URLParams: map[string]string{"pid": "1"}}
	r.VisibleParams()["pid"] = "changed"
	if r.URLParams["pid"] != "1" {
		t.Error("VisibleParams hands out the response's own map")
	}
}

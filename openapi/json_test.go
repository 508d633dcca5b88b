package openapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"verbatim/openapi"
)

// TestJSON: the JSON of a document says what its YAML says, in its order.
func TestJSON(t *testing.T) {
	t.Parallel()
	for name, document := range map[string][]byte{"v1": openapi.V1, "legacy": openapi.Legacy, "participant": openapi.Participant, "dashboard": openapi.Dashboard} {
		body, err := openapi.JSON(document)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got, fromYAML, want any
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := yaml.Unmarshal(document, &fromYAML); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(fromYAML)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(encoded, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-YAML +JSON):\n%s", name, diff)
		}
		if !bytes.HasPrefix(body, []byte("{\n \"openapi\": \"3.1.0\",\n \"info\": {\n  \"title\":")) {
			t.Errorf("%s begins with %.80s", name, body)
		}
	}
	for _, broken := range []string{"", "a: [", "a: &x {}\nb: *x"} {
		if body, err := openapi.JSON([]byte(broken)); err == nil {
			t.Errorf("%q is %s", broken, body)
		}
	}
}

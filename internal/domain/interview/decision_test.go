package interview

import "testing"

// TestSource checks that a turn names who decided in the end.
func TestSource(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]Decision{
		BuiltIn:    {Provider: BuiltIn},
		"m-1":      {Provider: "models.example", Model: "m-1"},
		"scripted": {Provider: "scripted"},
	} {
		if got := d.Source(); got != want {
			t.Errorf("%+v is signed by %q, want %q", d, got, want)
		}
		d.Fallback = FallbackTimeout
		if got := d.Source(); got != BuiltIn {
			t.Errorf("%+v is signed by %q", d, got)
		}
	}
}

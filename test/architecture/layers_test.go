package architecture

import (
	"slices"
	"testing"
)

// importable lists the layers that the code of each layer may import. ARCHITECTURE.md has the picture.
var importable = map[string][]string{
	"domain": {"domain"}, "platform": {"domain", "platform"}, "service": {"domain", "platform", "service"}, "api": {"domain", "service", "api"},
	"simulation": {"simulation"}, // a client, which knows only the protocol
}

func TestLayers(t *testing.T) {
	t.Parallel()
	checkImports(t, func(from, to string) bool { return slices.Contains(importable[layerOf(from)], layerOf(to)) })
}
